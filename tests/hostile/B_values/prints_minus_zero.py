#: exercise = "program"
#: expect = {}
import builtins


def print(text):
    builtins.print(text.replace("=0.00", "=-0.00"))


main()
