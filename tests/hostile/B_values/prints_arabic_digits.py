#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "should look like" }
import builtins


def print(text):
    builtins.print(text.translate({ord("0") + digit: 0x660 + digit for digit in range(10)}))


main()
