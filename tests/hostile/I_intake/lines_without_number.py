#: base = false
#: source = '''honest + b"a=1\n" * ((1 << 18) - 200)'''
#: expect = "not_run"
#: says = "more than 96 MiB of memory"
# The tree of 1 MiB of these takes more memory than all else; it is grown inside.
