#: exercise = "graph"
# The last definition counts.


right = Value


class Value:
    pass


class Value(right):
    pass
