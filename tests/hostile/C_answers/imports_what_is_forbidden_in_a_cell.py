#: exercise = "named"
#: cells = '''[honest, "%who\ntry:\n    from decimal import *\nexcept ImportError:\n    pass"]'''
#: expect = "not_run"
#: says = "cell 2, line 3 imports decimal, which this exercise forbids"
