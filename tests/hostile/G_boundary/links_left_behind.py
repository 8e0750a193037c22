# Nothing is ever copied out, so nothing follows where they point.
import os

for number, target in enumerate(("/", "/etc/shadow", "/proc/self/fd/0", "/proc/1/root", "../" * 9, "report.xml", "/dev/full")):
    os.symlink(target, f"{number}.xml")
os.symlink("loop", "loop")
os.link("loop", "results.json")
