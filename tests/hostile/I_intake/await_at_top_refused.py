#: source = '''b"await x\n"'''
#: expect = "not_run"
#: says = "'await' outside function"
