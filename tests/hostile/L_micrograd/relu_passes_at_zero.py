#: exercise = "graph"
#: expect = { check_relu = "failed" }
#: says = { check_relu = "x.grad" }


def relu(self):
    out = Value(max(0.0, self.data), (self,), "relu")

    def _backward():
        if self.data >= 0:
            self.grad += out.grad

    out._backward = _backward
    return out


Value.relu = relu
