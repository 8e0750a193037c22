#: base = false
#: source = '''b""'''
#: expect = "error"
#: says = "value.py defines no name 'Value'"
