#: base = false
#: source = '''honest.replace(b"class Value", "class Ｖalue".encode())'''
# Python takes a full-width V for a V.
