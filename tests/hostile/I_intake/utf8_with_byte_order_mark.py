#: base = false
#: source = '''b"\xef\xbb\xbf" + honest'''
# What Windows' Notepad writes.
