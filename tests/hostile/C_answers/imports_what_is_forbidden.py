#: exercise = "named"
#: expect = "not_run"
#: says = "named.py, line 25 imports decimal, which this exercise forbids"
def later():
    import decimal
