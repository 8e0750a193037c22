#: expect = {}
