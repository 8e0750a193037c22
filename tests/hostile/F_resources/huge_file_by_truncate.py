#: expect = { check_function = "error" }
#: says = { check_function = "at most 4 MiB of files" }


def double(value):
    with open("huge", "wb") as file:
        file.truncate(1 << 40)
