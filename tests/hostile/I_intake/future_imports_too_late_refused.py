#: source = '''b"from __future__ import annotations\n"'''
#: expect = "not_run"
#: says = "line 21: from __future__ import annotations"
