#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "Line 2 is one too many" }
import builtins


def print(text):
    builtins.print(text + "\nAll checks passed.")


main()
