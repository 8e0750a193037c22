#: base = false
#: source = '''b"\xef\xbb\xbf"'''
#: expect = "error"
#: says = "value.py defines no name 'Value'"
