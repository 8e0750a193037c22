#: exercise = "program"
#: expect = { check_status = "failed" }
#: says = { check_status = "expected 3, got 139" }
try:
    main()
finally:
    sys.exit(139)
