#: exercise = "named"
#: expect = {}
#: siblings = { "unused.py" = "import decimal" }
