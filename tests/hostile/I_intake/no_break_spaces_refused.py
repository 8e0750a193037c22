#: source = '''"x =\u00a01".encode()'''
#: expect = "not_run"
#: says = "U+00A0"
