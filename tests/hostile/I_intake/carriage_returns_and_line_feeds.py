#: base = false
#: source = '''honest.replace(b"\n", b"\r\n")'''
