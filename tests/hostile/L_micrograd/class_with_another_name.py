#: exercise = "graph"
#: expect = { check_reused = "error", check_order = "error", check_power = "error", check_relu = "error", check_constants = "error", check_difference_and_quotient = "error", check_chain = "error", check_descend = "error", check_canary = "error" }
#: says = { check_reused = "graph.py defines no name 'Value'" }


Scalar = Value
del Value
