#: exercise = "named"
#: expect = "not_run"
#: says = "helper.py, line 1 imports decimal, which this exercise forbids"
#: siblings = { "helper.py" = "import decimal", "unused.py" = "import decimal" }
import helper
