#: source = '''b"def f():\n\tif True:\n        pass\n"'''
#: expect = "not_run"
#: says = "TabError"
