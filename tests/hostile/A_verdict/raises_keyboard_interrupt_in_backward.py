#: expect = { check_gradient = "error", check_canary = "error" }
#: says = { check_gradient = "KeyboardInterrupt" }
def backward(self):
    raise KeyboardInterrupt


Value.backward = backward
