#: source = '''b"x = " + b"(" * 100_000 + b"1" + b")" * 100_000'''
#: expect = "not_run"
#: says = "too many nested parentheses"
