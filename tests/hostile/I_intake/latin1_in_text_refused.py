#: source = '''"name = 'Müller'\n".encode("latin-1")'''
#: expect = "not_run"
#: says = "not UTF-8 (byte 0xfc)"
