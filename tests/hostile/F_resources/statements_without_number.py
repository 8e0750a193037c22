#: cells = '''[honest, "a=1\n" * 250_000]'''
#: expect = "not_run"
