#: exercise = "named"
#: expect = "error"
#: says = "ImportError: named.py, line 25 imports decimal, which this exercise forbids"
def data(self):
    return __import__("deci" + "mal").Decimal(1)


Value.data = property(data, lambda self, value: None)
