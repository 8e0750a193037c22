#: expect = { check_function = "timeout" }
#: says = { check_function = "Stopped after 1 s" }


def double(value):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
