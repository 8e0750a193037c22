#: source = '''"# Müller\n".encode("latin-1")'''
#: expect = "not_run"
#: says = "SyntaxError: not UTF-8 (byte 0xfc)\n  line 21:"
# A comment is text as well, whatever one version of Python or another makes of it.
