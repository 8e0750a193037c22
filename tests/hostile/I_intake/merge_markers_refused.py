#: source = '''b"<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> mine\n"'''
#: expect = "not_run"
#: says = "line 21: <<<<<<< HEAD"
