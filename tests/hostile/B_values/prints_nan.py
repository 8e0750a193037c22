#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "is nan, which is no number" }
import builtins


def print(text):
    builtins.print("sum=nan")


main()
