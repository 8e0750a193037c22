#: expect = { check_function = "error" }
#: says = { check_function = "LIAF" }

def double(value):
    raise ValueError("\u202eLIAF\u202c \u2066\u2067\u2069 \u200b\u200d\u2028\u2029\ufeff\xad \U000e0041")
