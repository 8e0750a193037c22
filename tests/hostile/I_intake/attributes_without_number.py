#: source = '''b"x = a" + b".a" * 250_000'''
#: expect = "not_run"
