#: exercise = "program"
#: expect = { check_sum = "error", check_nothing = "error", check_status = "error", check_canary = "error" }
#: says = { check_sum = "ValueError" }
sys.stderr.write("\x1b[2J::error::passed\n" * 10_000)
raise ValueError("\x1b[2J\u202e\ud800]]>\n::error::passed")
