#: expect = { check_function = "error" }
#: says = { check_function = "at most 4 MiB of files" }
#: user = { says = { check_function = "NoneType" } }


def double(value):
    for name in "abcdefgh":
        with open(name, "wb") as file:
            for _ in range(3):
                file.write(bytes(1 << 20))
