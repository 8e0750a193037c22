#: exercise = "program"
#: expect = {}
import logging
import warnings

for percent in range(101):
    print(f"\r[{'=' * percent:<100}] {percent}%", end="", file=sys.stderr, flush=True)
warnings.warn("about to add")
logging.warning("adding")
main()
