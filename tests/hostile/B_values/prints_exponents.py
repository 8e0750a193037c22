#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "is not written in plain digits" }
import builtins


def print(text):
    builtins.print(text + "e0")


main()
