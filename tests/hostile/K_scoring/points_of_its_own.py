#: expect = { check_function = "failed" }
# What a file says of checks and points is no business of the grader's.
xp = total_xp = score = max_score = 10
checks = {"check_function": {"xp": 0}}
__xp__ = float("inf")


def check_function(engine):
    return {"double(x).data": 10.0}


def double(value):
    return Value(9.0)


def __getattr__(name):
    return Value(10.0)
