#: base = false
#: source = '''b"from __future__ import annotations\n" + honest'''
