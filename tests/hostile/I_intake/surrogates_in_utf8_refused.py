#: source = '''b"name = '\xed\xa0\x80'\n"'''
#: expect = "not_run"
#: says = "not UTF-8 (byte 0xed)"
