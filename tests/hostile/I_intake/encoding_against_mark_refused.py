#: base = false
#: source = '''b"\xef\xbb\xbf# coding: latin-1\n" + honest'''
#: expect = "not_run"
#: says = "encoding problem"
