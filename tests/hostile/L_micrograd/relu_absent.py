#: exercise = "graph"
#: expect = { check_relu = "error" }
#: says = { check_relu = "AttributeError" }


del Value.relu
