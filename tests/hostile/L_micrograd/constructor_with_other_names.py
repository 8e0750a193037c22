#: exercise = "graph"
# Only what the prompt names has to have a name.


init = Value.__init__


def __init__(self, value, children=(), requires_grad=True, **more):
    init(self, value, children)
    self.requires_grad = requires_grad


def zero_grad(self):
    self.grad = 0.0


Value.__init__ = __init__
Value.zero_grad = zero_grad
