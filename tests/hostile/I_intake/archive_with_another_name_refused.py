#: base = false
#: source = '''b"PK\x03\x04" + bytes(range(256))'''
#: expect = "not_run"
#: says = "not UTF-8"
