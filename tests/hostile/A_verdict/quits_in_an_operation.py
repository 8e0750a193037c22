#: expect = "error"
#: says = "SystemExit"
def add(self, other):
    quit()


Value.__add__ = add
