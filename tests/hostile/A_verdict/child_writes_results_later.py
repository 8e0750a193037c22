#: expect = "failed"
#: says = "expected 14.0, got -1.0"
import os
import time

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writer, b"!")
        while True:
            for name in ("results.json", "junit.xml"):
                with open(name, "w") as file:
                    file.write('{"score": 100}')
            time.sleep(0.01)
    os._exit(0)
os.wait()
assert os.read(reader, 1) == b"!"

Value.__add__ = lambda self, other: Value(-1.0)
