#: expect = { check_gradient = "timeout", check_canary = "timeout" }
#: says = { check_gradient = "in `backward()`, line 26" }


def backward(self, upstream=1.0):
    while True:
        pass


Value.backward = backward
