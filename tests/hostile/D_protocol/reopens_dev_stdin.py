#: exercise = "program"
#: expect = {}
sys.stdin.close()
sys.stdin = open("/dev/stdin")
main()
