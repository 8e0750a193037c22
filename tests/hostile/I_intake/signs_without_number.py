#: source = '''b"x = " + b"-" * 500_000 + b"1"'''
#: expect = "not_run"
#: says = "more than 96 MiB of memory"
