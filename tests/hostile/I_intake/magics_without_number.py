#: cells = '''["%who\n" * 200 + "x = 1", honest]'''
#: expect = {}
#: notes = ["cell 1: 200 magic or shell lines were ignored."]
