#: base = false
#: source = '''honest.decode().encode("utf-16-le")'''
#: expect = "not_run"
#: says = "save it as UTF-8"
