#: expect = {}
#: cells = '''["%who\ntext = \"\"\"\n%matplotlib inline\n!ls\nx?\n\"\"\"\nrest = (10\n%3)", honest, "if text != '\\n%matplotlib inline\\n!ls\\nx?\\n' or rest != 1:\n    del Value"]'''
#: notes = ["cell 1: 1 magic or shell line was ignored."]
