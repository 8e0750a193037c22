#: source = '''"print(“hi”)".encode()'''
#: expect = "not_run"
#: says = "U+201C"
