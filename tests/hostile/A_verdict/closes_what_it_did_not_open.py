#: exercise = "program"
#: expect = {}
import os

os.closerange(3, 64)
main()
