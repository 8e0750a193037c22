#: expect = { check_function = "error" }
#: says = { check_function = "a group" }

def double(value):
    group = ValueError("the innermost")
    for _ in range(500):
        group = BaseExceptionGroup("a group\x1b[2J", [group, KeyboardInterrupt(), SystemExit(0)])
    raise group
