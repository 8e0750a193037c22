#: exercise = "named"
#: expect = "error"
#: says = "named.py defines no class; the exercise asks for `Value`."
#: base = false
