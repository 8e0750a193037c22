#: exercise = "graph"
#: expect = { check_relu = "failed" }


def relu(self):
    out = Value(max(0.0, self.data), (self,), "relu")

    def _backward():
        self.grad += out.grad

    out._backward = _backward
    return out


Value.relu = relu
