#: cells = '''[honest, *["a=1"] * 2_000]'''
#: expect = {}
