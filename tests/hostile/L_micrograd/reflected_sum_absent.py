#: exercise = "graph"
#: expect = { check_constants = "error", check_descend = "error" }
#: says = { check_constants = "TypeError" }


del Value.__radd__
