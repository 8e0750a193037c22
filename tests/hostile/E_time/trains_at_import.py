#: expect = {}
import time

end = time.monotonic() + 1.5
weight = Value(0.0)
while time.monotonic() < end:
    weight = double(weight)
    weight.backward()
    weight = Value(1.0)
