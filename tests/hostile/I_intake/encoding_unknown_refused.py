#: base = false
#: source = '''b"# coding: klingon\n" + honest'''
#: expect = "not_run"
#: says = "unknown encoding: klingon\n  line 1: # coding: klingon"
