#: exercise = "named"
#: expect = "error"
#: says = "TypeError"
class Value(Value):
    def __init__(self, data, children, label):
        super().__init__(data, children)
