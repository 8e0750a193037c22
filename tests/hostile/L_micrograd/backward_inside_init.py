#: exercise = "graph"
#: expect = { check_reused = "error", check_order = "error", check_power = "error", check_relu = "error", check_constants = "error", check_difference_and_quotient = "error", check_chain = "error", check_descend = "error", check_canary = "error" }
#: says = { check_reused = "TypeError" }
# One underscore too few on each side.


class Value:
    def _init_(self, data):
        self.data = data
