#: base = false
#: source = '''b"from __future__ import braces\n" + honest'''
#: expect = "not_run"
#: says = "not a chance"
