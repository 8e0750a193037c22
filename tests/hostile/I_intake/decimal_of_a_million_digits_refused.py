#: source = '''b"x = 1" + b"0" * 1_000_000'''
#: expect = "not_run"
#: says = "4300 digits"
