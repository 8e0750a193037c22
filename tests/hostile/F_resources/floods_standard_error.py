#: exercise = "program"
#: expect = {}
import os

for _ in range(1 << 10):
    os.write(2, b"x" * (1 << 16))
main()
