#: base = false
#: source = '''b"# coding: rot13\n" + honest'''
#: expect = "not_run"
#: says = "'rot13' is not a text encoding"
