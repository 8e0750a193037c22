#: expect = "error"
#: says = "No module named 'micrograd': it is not installed here, and this answer was made with an inert stand-in for it"
from micrograd.engine import Value
