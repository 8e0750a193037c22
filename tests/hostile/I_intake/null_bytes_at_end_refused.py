#: source = '''b"\x00" * 4096'''
#: expect = "not_run"
#: says = "a null character"
# What a full disk leaves behind.
