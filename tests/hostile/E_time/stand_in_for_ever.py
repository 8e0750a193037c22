#: expect = "not_run"
#: says = "Stopped after 2 s"
import numpy as np

x = np.pi
while not x:
    x = (x + 1).T(x)[0]
