#: base = false
#: source = '''honest.rstrip()'''
