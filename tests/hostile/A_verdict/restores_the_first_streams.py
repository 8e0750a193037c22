#: exercise = "program"
#: expect = {}
import io

first = sys.stdout
sys.stdout = io.StringIO()
print("nobody sees this")
sys.stdout = sys.__stdout__
main()
assert first is sys.stdout
