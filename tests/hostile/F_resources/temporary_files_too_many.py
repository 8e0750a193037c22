#: expect = {}
#: docker = { expect = { check_function = "error" }, says = { check_function = "at most 4 MiB of files, and 50 of them" } }
# bubblewrap cannot bound how many files there are. They are counted as memory, and gone with the sandbox.


def double(value):
    for number in range(5_000):
        open(f"file{number}", "w").close()
    return value + value
