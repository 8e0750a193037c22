#: exercise = "graph"
#: expect = { check_constants = "error" }
#: says = { check_constants = "TypeError" }


del Value.__rmul__
