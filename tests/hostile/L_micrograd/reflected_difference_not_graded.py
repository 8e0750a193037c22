#: exercise = "graph"


assert not hasattr(Value, "__rsub__") and not hasattr(Value, "__rtruediv__")
