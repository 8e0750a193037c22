#: expect = "not_run"
#: says = "EOFError"
n = int(input("How many numbers? "))
