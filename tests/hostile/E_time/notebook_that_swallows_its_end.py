#: cells = '''[honest, "while True:\n    try:\n        while True: pass\n    except BaseException: pass"]'''
#: expect = "not_run"
#: says = "Stopped after 2 s"
