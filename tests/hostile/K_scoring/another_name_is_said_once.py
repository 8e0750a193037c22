#: exercise = "named"
#: expect = "error"
#: says = "named.py defines `Scalar` with `v`, `grad` and `backward`; the exercise asks for `Value` with `data`."
#: notes = ["named.py defines `Scalar` with `v`, `grad` and `backward`; the exercise asks for `Value` with `data`."]
#: base = false
class Scalar:
    def __init__(self, v):
        self.v, self.grad = v, 0.0

    def backward(self):
        pass
