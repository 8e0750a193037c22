#: base = false
#: source = '''b"# coding: undefined\n" + honest'''
#: expect = "not_run"
#: says = "undefined encoding"
