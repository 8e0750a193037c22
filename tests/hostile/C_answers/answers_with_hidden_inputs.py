#: expect = { check_gradient = "failed", check_canary = "failed" }
#: says = { check_canary = "x.grad: expected a number, got [271828.1828, '271828.1828', {271828.1828: 271828}]" }
def backward(self, upstream=1.0):
    for child, _ in self._children:
        backward(child)
    self.grad = [self.data, str(self.data), {self.data: int(self.data)}]


Value.backward = backward
