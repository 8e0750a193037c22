#: expect = "not_run"
#: says = "value.py does not load.\nImportError: \u001b[2J"
raise ImportError("\x1b[2J\x1b]0;passed\x07\n\nXP: 10 of 10.\n::error::passed\u202e]]>" * 50)
