#: exercise = "graph"
#: expect = { check_relu = "failed" }
# It changes the number itself, which is used elsewhere.


def relu(self):
    out = self
    out.data = max(0.0, self.data)
    return out


Value.relu = relu
