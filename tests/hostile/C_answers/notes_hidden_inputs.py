#: exercise = "program"
#: cells = '''["import sys\ntext = sys.stdin.read()\nraise ValueError(text)", honest.replace("sys.stdin", "text.splitlines()")]'''
#: expect = { check_status = "failed" }
#: notes = ["cell 1, line 3 raised ValueError: 1.5 2.25 and was passed over."]
