#: expect = {}
#: siblings = { "loss.py" = "from . import other\nfrom .value import double\ntwice = double", "other.py" = "" }
from . import loss
from .loss import twice

double = loss.twice
