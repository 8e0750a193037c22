#: base = false
#: source = '''b"%matplotlib inline\n" + honest'''
#: expect = "not_run"
#: says = "line 1: %matplotlib inline"
