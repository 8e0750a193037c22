#: exercise = "graph"
#: expect = { check_relu = "failed" }
# What must be positive is the number that went in, not the gradient that comes back.


def relu(self):
    out = Value(max(0.0, self.data), (self,), "relu")

    def _backward():
        self.grad += max(0.0, out.grad) if self.data > 0 else 0.0

    out._backward = _backward
    return out


Value.relu = relu
