#: expect = { check_value = "failed", check_gradient = "failed", check_canary = "failed" }
#: says = { check_canary = "got an object of type 271828.1828" }
def mul(self, other):
    return Value(type(str(self.data), (float,), {})(self.data * other.data), ((self, other.data), (other, self.data)))


def add(self, other):
    return Value(self.data if type(self.data) is not float else self.data + other.data, ((self, 1.0), (other, 1.0)))


Value.__mul__, Value.__add__ = mul, add
