#: base = false
#: source = '''honest.replace(b"    ", b"\t")'''
