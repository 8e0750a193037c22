#: exercise = "engine"
#: cells = '''["raise ValueError('x' * 1000)\n" * 3000, honest]'''
#: expect = {}
#: notes = ["cell 1, line 1 raised ValueError: xxx", "There is more of this kind, which is not shown."]
