#: base = false
#: source = '''b"# to do\n"'''
#: expect = "error"
#: says = "value.py defines no name 'Value'"
