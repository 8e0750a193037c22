#: expect = { check_function = "error" }
#: says = { check_function = "at most 4 MiB of files" }


def double(value):
    with open("sparse", "wb") as file:
        file.seek(1 << 40)
        file.write(b"x")
        file.flush()
