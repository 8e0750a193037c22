#: cells = '''[honest, "x = '\ud800'", "x = 1\0", "\ufeffx = 1", "# coding: nonsense\ny = 1", "x\u2028= 1", "\x0cx = 1", ""]'''
#: expect = {}
#: notes = ["cell 2 was passed over, because line 1 is not Python: not UTF-8 (byte 0xed).", "cell 3 was passed over, because line 1 is not Python: a null character", "cell 4 was passed over", "cell 6 was passed over"]
