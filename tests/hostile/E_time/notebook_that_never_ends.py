#: cells = '''[honest, "x = 1\nwhile True:\n    pass", "y = 1"]'''
#: expect = "not_run"
#: says = "cell 2, line"
