#: base = false
#: source = '''honest.replace(b"\ndef", b"\n\x0cdef") + b"\x0c\n\x0c\nassert False, 27\n"'''
#: expect = "not_run"
#: says = "line 23: assert False, 27"
# A form feed ends no line, so lines keep their numbers.
