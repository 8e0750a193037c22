#: base = false
#: source = '''b"# coding: unicode_escape\n" + honest + b"# \\x0aassert False, 27\n"'''
#: expect = "not_run"
#: says = "line 23: assert False, 27"
# What is run is what is shown.
