#: expect = {}
import re
import struct

# Numbers as bytes that are nowhere in one piece, so that the scan does not find itself.
INPUT = (0x57, 0xEC, 0x2F, 0xBB, 0x50, 0x97, 0x10, 0x41)
ANSWER = (0x57, 0xEC, 0x2F, 0xBB, 0x50, 0x97, 0x20, 0x41)
CONTROL = (0x2D, 0x44, 0x54, 0xFB, 0x21, 0x09, 0x05, 0x40)  # of a number that is here


def pattern(*parts):
    return re.compile(b"|".join(parts), re.DOTALL)


def pieces(numbers):
    return b"".join(b"[\\x%02x]" % number for number in numbers)


control = struct.unpack("<d", bytes(CONTROL))[0]
HERE = pattern(pieces(CONTROL))
BEFORE = pattern(pieces(INPUT), pieces(ANSWER), rb"27182[8]\.1", rb"54365[6]\.3", rb"check_canar[y]")
WHILE = pattern(pieces(ANSWER), rb"54365[6]\.3", rb"check_canar[y]")


def scan(sought):
    """The first place in this process's writable memory where something is."""
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps.read().splitlines():
            span, rights, *_ = line.split()
            start, end = (int(text, 16) for text in span.split("-"))
            if rights.startswith("rw"):
                memory.seek(start)
                found = sought.search(memory.read(end - start))
                if found:
                    return line
    return None


assert scan(HERE)
assert not scan(BEFORE), scan(BEFORE)
multiply = Value.__mul__


sought = BEFORE


def mul(self, other):
    global sought
    if self.data > 1e5:
        sought = WHILE  # what is multiplied is known by now
    place = scan(sought) if other.data else None  # then the product is known, too
    assert not place, place
    return multiply(self, other)


Value.__mul__ = mul
