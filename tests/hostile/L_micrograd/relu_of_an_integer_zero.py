#: exercise = "graph"
# An honest 0 is 0.0.


def relu(self):
    out = Value(0 if self.data < 0 else self.data, (self,), "ReLU")

    def _backward():
        self.grad += (out.data > 0) * out.grad

    out._backward = _backward
    return out


Value.relu = relu
