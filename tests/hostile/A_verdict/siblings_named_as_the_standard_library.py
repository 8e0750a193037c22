#: expect = {}
#: [siblings]
#: "math.py" = "raise SystemExit('planted')"
#: "json.py" = "raise SystemExit('planted')"
#: "ast.py" = "raise SystemExit('planted')"
#: "colorsys.py" = "raise SystemExit('planted')"
#: "__main__.py" = "raise SystemExit('planted')"
#: "grader.py" = "named = 'grader'"
#: "helper.py" = "import math, json, colorsys, grader\nassert math.sqrt(4) == 2 and grader.named == 'grader'"
import helper

assert helper.json.loads("[1]") == [1]
