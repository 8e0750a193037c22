#: base = false
#: source = '''honest.decode().encode("utf-16")'''
#: expect = "not_run"
#: says = "not UTF-8 (byte 0xff)"
