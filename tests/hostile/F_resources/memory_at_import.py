#: expect = "not_run"
#: says = "more than 96 MiB"
hoard = []
while True:
    hoard.append(bytearray(1 << 20))
