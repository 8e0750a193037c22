#: source = '''b"".join(b" " * depth + b"if 1:\n" for depth in range(1000))'''
#: expect = "not_run"
#: says = "too many levels of indentation"
