#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output" }
#: says = { check_sum = "should look like" }
import builtins


def print(text):
    builtins.print("sum=9.99\r" + text)


main()
