#: exercise = "program"
#: cells = '''["import sys\ntext = sys.stdin.read()\nraise ValueError(text)", "from_input = text\n!echo {text}", "print(text)"]'''
#: expect = { check_sum = "output", check_nothing = "output", check_status = "failed", check_canary = "output" }
#: says = { check_canary = "cell 1, line 3 raised ValueError: 271828.18 0.25 and was passed over." }
