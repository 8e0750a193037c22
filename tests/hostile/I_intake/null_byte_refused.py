#: source = '''b"x = 1\x00\n"'''
#: expect = "not_run"
#: says = "a null character"
