#: exercise = "graph"
