#: exercise = "program"
#: expect = {}
import importlib
import io

text = sys.stdin.read()
for line in text.split():
    importlib.import_module("x" + line.replace(".", "_"))
sys.stdin = io.StringIO(text)
main()
