#: expect = "not_run"
#: says = "value.py does not load"
raise SystemExit(0)
