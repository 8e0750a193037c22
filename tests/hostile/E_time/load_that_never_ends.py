#: expect = "not_run"
#: says = "does not load. Stopped after 2 s at line 23"
while True:
    pass
