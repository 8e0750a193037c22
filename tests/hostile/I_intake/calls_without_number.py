#: source = '''b"x = int" + b"()" * 250_000'''
#: expect = "not_run"
