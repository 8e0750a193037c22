#: exercise = "program"
#: expect = { check_sum = "output", check_nothing = "output", check_canary = "output", check_status = "failed" }
#: says = { check_sum = "<testsuite" }
print('<testsuite name="program" tests="4" failures="0" errors="0"><testcase name="check_sum"/></testsuite>')
main()
