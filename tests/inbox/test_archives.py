"""An archive is a folder, whatever it claims; nothing of it is believed, followed or written anywhere."""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import io
import lzma
import os
import struct
import tarfile
import time
import tracemalloc
import zipfile
import zlib
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.inbox import Inbox, read_inbox
from grader.inbox.archives import Allowance, open_archive, stem_of_archive
from grader.intake import Folder, ProblemError
from grader.verdict import Absent
from tests.arrivals import FIT, POW, as_folder, handed_in, ignored, notebook, problems, tarred, zipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

X = b"x = 1\n"
MIB = 1 << 20
GIB = 1 << 30
LINK, HARD_LINK, PIPE, DEVICE = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE


def allowance() -> Allowance:
    """What may be spent on an archive here."""
    return Allowance(entries=1000, unpacked_bytes=10 * MIB, seconds=60)


@contextlib.contextmanager
def frugal(seconds: float = 20, mib: int = 100) -> Iterator[None]:
    """Nothing in here takes longer, or more memory."""
    started = time.monotonic()
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert mib * MIB > peak
    assert seconds > time.monotonic() - started


def contents(folder: Folder) -> dict[str, bytes | str]:
    """All files of a folder, by path: their bytes, or why they have none."""
    found: dict[str, bytes | str] = {}
    for entry in folder.inside().values():
        if isinstance(entry, Folder):
            found |= contents(entry)
            continue
        try:
            found[entry.path] = entry.read(MIB)
        except ProblemError as problem:
            found[entry.path] = str(problem)
    return found


def opened(data: bytes) -> dict[str, bytes | str]:
    """All files of an archive."""
    with open_archive(io.BytesIO(data), "", allowance()) as archive:
        return contents(archive.root)


def refused(data: bytes) -> dict[str, str]:
    """What is refused of an archive."""
    with open_archive(io.BytesIO(data), "", allowance()) as archive:
        return {each.path: each.reason for each in archive.ignored}


def problem(data: bytes) -> str:
    """Why an archive is none."""
    with pytest.raises(ProblemError) as caught:
        opened(data)
    return str(caught.value)


def entry(name: str, kind: bytes = tarfile.REGTYPE, **attributes: object) -> tarfile.TarInfo:
    """An entry of a tar without bytes."""
    made = tarfile.TarInfo(name)
    made.type = kind
    for attribute, value in attributes.items():
        setattr(made, attribute, value)
    return made


def class_with(root: Path, data: bytes, name: str = "hw.zip") -> Inbox:
    """A class in which ann handed in an archive, and bob a file."""
    as_folder(root, {f"ann/{name}": data, "bob/value.py": X})
    return read_inbox(root, [POW])


def zip_of(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A zip of entries, which may have the same name."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in entries:
            if isinstance(info, str) and info in archive.NameToInfo:
                archive.NameToInfo.pop(info)  # or it warns
            archive.writestr(info, data)
    return stream.getvalue()


def empty_files(names: Iterable[str]) -> bytes:
    """A zip of files without bytes, made faster than `zipfile` does it."""
    local, table = bytearray(), bytearray()
    count = 0
    for name in map(str.encode, names):
        count += 1
        table += struct.pack("<4s6H3L5H2L", CENTRAL, 20, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, len(local))
        table += name
        local += struct.pack("<4s5H3L2H", LOCAL, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0) + name
    shown = min(count, 0xFFFE)  # which nobody reads
    return bytes(local + table + struct.pack("<4s4H2LH", END, 0, 0, shown, shown, len(table), len(local), 0))


def changed(data: bytes, fields: Mapping[tuple[bytes, int], bytes]) -> bytes:
    """A zip with some bytes changed, at an offset from each place where a signature stands."""
    for (signature, offset), value in fields.items():
        start = -1
        while (start := data.find(signature, start + 1)) >= 0:
            data = data[: start + offset] + value + data[start + offset + len(value) :]
    return data


PARTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\\\0"), min_size=1).filter(
    lambda part: part not in {".", ".."} and part[1:2] != ":"
)
"""What a file or a folder can be called."""

LOCAL, CENTRAL, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
"""How the parts of a zip begin: an entry, an entry of the table, the end of the table."""


class TestContents:
    """What is in an archive comes back."""

    FILES: ClassVar = {"a.py": b"1", "b/c.py": b"2" * 100_000, "b/d/é.txt": b"", "名/\u0301": b"3"}

    @pytest.mark.parametrize(
        "pack",
        [zipped, tarred, *(lambda files, packing=packing: tarred(files, packing) for packing in ("gz", "bz2", "xz"))],
        ids=["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"],
    )
    def test_files(self, pack: Callable[[Mapping[str, bytes]], bytes]) -> None:
        """Of every kind, whatever it is called."""
        assert self.FILES == opened(pack(self.FILES))

    @pytest.mark.parametrize("style", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
    def test_tar_formats(self, style: int) -> None:
        """Long names are written in several ways."""
        stream = io.BytesIO()
        name = "/".join(["long" * 20] * (2 if style == tarfile.USTAR_FORMAT else 5))
        with tarfile.open(fileobj=stream, mode="w", format=style) as archive:
            archive.addfile(entry("folder", tarfile.DIRTYPE))
            archive.addfile(entry(name))

        assert {name: b""} == opened(stream.getvalue())

    @pytest.mark.parametrize(
        ("pack", "pieces"),
        [
            (gzip.compress, 3),
            (bz2.compress, 3),
            (lzma.compress, 3),
            (lambda data: lzma.compress(data) + bytes(8), 3),
            (lambda data: lzma.compress(data, preset=9), 1),
        ],
    )
    def test_several_streams(self, pack: Callable[[bytes], bytes], pieces: int) -> None:
        """A packed file may consist of several that were joined."""
        tar = tarred(self.FILES)
        size = -(-len(tar) // pieces)

        assert self.FILES == opened(b"".join(pack(tar[start : start + size]) for start in range(0, len(tar), size)))

    def test_random(self) -> None:
        """What cannot be packed is read piece by piece as well."""
        files = {"a": os.urandom(300_000)}

        assert [files] * 3 == [opened(tarred(files, packing)) for packing in ("gz", "bz2", "xz")]

    def test_unpacked(self) -> None:
        """Files of a zip need not be packed."""
        assert self.FILES == opened(zipped(self.FILES, unpacked=True))

    def test_folders(self) -> None:
        """Folders need not be entries, and may be written in several ways."""
        info = zipfile.ZipInfo("x")
        info.external_attr = 0o40755 << 16
        data = zip_of(("a/", b""), (info, b""), ("./b//./c.py", X), ("a/d/e.py", X), ("./", b""))
        with open_archive(io.BytesIO(data), "", allowance()) as archive:
            assert ["a", "b", "x"] == [*archive.root.inside()]
        assert {"a/d/e.py": X, "b/c.py": X} == opened(data)

    @pytest.mark.parametrize("name", ["é.py", "名.py", "Müller, Jr./value.py"])
    def test_names_of_macos(self, name: str) -> None:
        """UTF-8 that is not marked as such is UTF-8 all the same."""
        data = changed(zipped({name: X}), {(LOCAL, 6): b"\0\0", (CENTRAL, 8): b"\0\0"})

        assert {name: X} == opened(data)

    def test_names_of_dos(self) -> None:
        """What is none is of the code page that the format names."""
        data = zipped({"Mxller.py": X}).replace(b"Mx", b"M\x81")

        assert {"Müller.py": X} == opened(data)

    def test_names_that_are_no_text(self) -> None:
        """Bytes of a tar's name that are no text are shown as such."""
        assert {"M\\xfcller.py": X} == opened(tarred({"M\udcfcller.py": X}))

    @given(st.dictionaries(st.lists(PARTS, min_size=1, max_size=4).map(tuple), st.binary(), max_size=5))
    @settings(deadline=None)
    def test_any_name(self, files: dict[tuple[str, ...], bytes]) -> None:
        """Whatever a file is called that leads nowhere else, it is there."""
        folders = {parts[:depth] for parts in files for depth in range(len(parts))}
        named = {"/".join(parts): data for parts, data in files.items() if parts not in folders}

        assert named == opened(zipped(named)) == opened(tarred(named))

    def test_empty(self) -> None:
        """An archive without entries is one."""
        assert {} == opened(zipped({})) == opened(tarred({}))

    @pytest.mark.parametrize(
        ("name", "stem"),
        [
            *(
                ("a.zip", "a"),
                ("A B.ZIP", "A B"),
                ("a.tar", "a"),
                ("a.tar.gz", "a"),
                ("a.b.tgz", "a.b"),
                ("a.txz", "a"),
            ),
            *(
                ("a.tar.xz", "a"),
                ("a.tbz2", "a"),
                ("a.7z", "a"),
                ("a.rar", "a"),
                (".zip", ""),
                ("a.gz", ""),
                ("zip", ""),
            ),
        ],
    )
    def test_stem(self, name: str, stem: str) -> None:
        """What an archive is called without what says that it is one."""
        assert stem == stem_of_archive(name)


class TestNamesThatLeadElsewhere:
    """They are refused one by one, with the reason; the rest of the archive is read."""

    NAMES: ClassVar = {
        "/etc/passwd": "names a place outside of the archive",
        "//host/share": "names a place outside of the archive",
        "C:/Windows/x": "names a place outside of the archive",
        "c:x": "names a place outside of the archive",
        "../x": "leads out of its folder",
        "a/../../x": "leads out of its folder",
        "a/../x": "leads out of its folder",
        "..": "leads out of its folder",
        "a\\b": "has a backslash in its name, which means something else elsewhere",
        "..\\x": "has a backslash in its name, which means something else elsewhere",
        "/".join("x" * 33): "lies more than 32 folders deep",
    }

    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_refused(self, pack: Callable[[Mapping[str, bytes]], bytes]) -> None:
        """In every kind of archive."""
        data = pack({**dict.fromkeys(self.NAMES, X), "value.py": X})

        assert {"value.py": X} == opened(data)
        assert self.NAMES == refused(data)

    def test_class(self, tmp_path: Path) -> None:
        """What a student packed that way is named, and nothing lies where it said."""
        outside = tmp_path / "outside.py"
        inbox = class_with(tmp_path / "class", zip_of((f"../../{outside.name}", X), (str(outside), X)))

        assert (Absent("ann", "pow"),) == inbox.absent
        assert {
            "ann/hw.zip/../../outside.py": "leads out of its folder",
            f"ann/hw.zip/{outside}": "names a place outside of the archive",
        } == ignored(inbox)
        assert [] == [*tmp_path.glob("*.py")]

    def test_folder(self) -> None:
        """So is a folder of such a name."""
        assert {"../a/": "leads out of its folder"} == refused(zip_of(("../a/", b"")))

    def test_flood(self) -> None:
        """A list that nobody reads helps nobody."""
        found = refused(zipped({f"../{number}": b"" for number in range(100)}))

        assert 21 == len(found)
        assert "has 80 more entries like these" == found["the archive"]


class TestNamesTwice:
    """One place holds one file."""

    def test_last(self) -> None:
        """The last one counts, as it would on disk."""
        data = zip_of(("a.py", b"1"), ("./a.py", b"2"), ("a.py", b"3"))

        assert {"a.py": b"3"} == opened(data)
        assert {
            "a.py": "is in the archive more than once; the last one counts",
            "./a.py": "is in the archive more than once; the last one counts",
        } == refused(data)

    def test_none(self) -> None:
        """A file without a name is nowhere."""
        data = changed(zipped({"a": X}), {(CENTRAL, 46): b"\0", (LOCAL, 30): b"\0"})

        assert ({}, {"": "has no name"}) == (opened(data), refused(data))
        assert {"./": "has no name"} == refused(tarred({"a": entry("./", b"7")}))

    def test_case(self) -> None:
        """Names that differ in case are two."""
        assert {"a.py": b"1", "A.py": b"2"} == opened(zip_of(("a.py", b"1"), ("A.py", b"2")))

    def test_file_and_folder(self) -> None:
        """What is one first stays that."""
        data = zip_of(("a", b"1"), ("a/b.py", b"2"), ("c/d.py", b"3"), ("c", b"4"))

        assert {"a": b"1", "c/d.py": b"3"} == opened(data)
        assert {"a/b.py": "lies in what is a file as well", "c": "is a folder as well"} == refused(data)


class TestOddEntries:
    """What is no regular file is there, and cannot be read."""

    @pytest.mark.parametrize(
        ("kind", "said"),
        [
            (LINK, "is a symbolic link, not a regular file"),
            (HARD_LINK, "is a hard link, not a regular file"),
            (PIPE, "is a named pipe, not a regular file"),
            (DEVICE, "is a device, not a regular file"),
            (tarfile.BLKTYPE, "is a device, not a regular file"),
            (tarfile.CONTTYPE, b""),
            (b"Z", "is a device, not a regular file"),
        ],
    )
    def test_tar(self, kind: bytes, said: str | bytes) -> None:
        """Links are not followed, whether they lead out or back."""
        for target in ("/etc/passwd", "../secret", "value.py"):
            assert said == opened(tarred({"value.py": entry("value.py", kind, linkname=target)}))["value.py"]

    @pytest.mark.parametrize(
        ("mode", "said"),
        [
            (0o120777, "is a symbolic link, not a regular file"),
            (0o010644, "is a named pipe, not a regular file"),
            (0o020644, "is a device, not a regular file"),
            (0o140644, "is a socket, not a regular file"),
            (0o100644, b"/etc/passwd"),
            (0o644, b"/etc/passwd"),
            (0, b"/etc/passwd"),
        ],
    )
    def test_zip(self, mode: int, said: str | bytes) -> None:
        """So in a zip, which keeps the mode if it was made on Unix."""
        info = zipfile.ZipInfo("value.py")
        info.external_attr = mode << 16

        assert {"value.py": said} == opened(zip_of((info, b"/etc/passwd")))

    def test_link_to_a_folder(self, tmp_path: Path) -> None:
        """What lies beyond a link is not reached through it."""
        data = tarred({"a": entry("hw", LINK, linkname="/etc"), "b": entry("hw/passwd")})

        assert {"hw": "is a symbolic link, not a regular file"} == opened(data)
        assert {"ann": "is a symbolic link, not a regular file"} == {
            "ann": problems(class_with(tmp_path, tarred({"v": entry("value.py", LINK, linkname="/etc")}), "a.tar"))[
                "ann"
            ]
        }

    def test_student_who_is_a_link(self, tmp_path: Path) -> None:
        """A link in the place of a student's folder is refused, and its student is not forgotten."""
        data = tarred({"ann": entry("ann", LINK, linkname="bob"), "bob/value.py": X})
        (tmp_path / "class.tar").write_bytes(data)
        inbox = read_inbox(tmp_path / "class.tar", [POW])

        assert ["ann"] == [each.student for each in inbox.ungraded]
        assert {("bob", "pow"): "bob/value.py"} == handed_in(inbox)

    def test_sparse(self) -> None:
        """A file that is mostly holes claims any size, and is not read."""
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            made = entry("value.py")
            made.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.map": "0,0", "GNU.sparse.size": str(1 << 50)}
            archive.addfile(made)
        with frugal():
            assert {"value.py": "is a sparse file, not a regular file"} == opened(stream.getvalue())

    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({(LOCAL, 6): b"\1\0", (CENTRAL, 8): b"\1\0"}, "is encrypted"),
            ({(LOCAL, 6): b"\x41\0", (CENTRAL, 8): b"\x41\0"}, "is encrypted"),
            ({(LOCAL, 6): b"\x20\0", (CENTRAL, 8): b"\x20\0"}, "is damaged in its archive"),
            ({(LOCAL, 8): b"\x09\0", (CENTRAL, 10): b"\x09\0"}, "is packed in a way that cannot be read here"),
            ({(LOCAL, 8): b"\x0e\0", (CENTRAL, 10): b"\x0e\0"}, "is packed in a way that cannot be read here"),
            ({(CENTRAL, 16): b"\0\0\0\0"}, "is damaged in its archive"),
            ({(LOCAL, 30): b"other.py"}, "is damaged in its archive"),
            ({(LOCAL, 26): b"\xff\xff"}, "is damaged in its archive"),
            ({(CENTRAL, 42): b"\xff\xff\xff\x7f"}, "is damaged in its archive"),
            ({(END, 16): b"\xff\xff\0\0"}, "is damaged in its archive"),
            ({(LOCAL, 38): b"\xff\xff\xff"}, "is damaged in its archive"),
        ],
        ids=["encrypted", "strongly", "patch", "deflate64", "lzma", "crc", "name", "length", "place", "table", "data"],
    )
    def test_files_of_zips(self, tmp_path: Path, fields: Mapping[tuple[bytes, int], bytes], said: str) -> None:
        """A file that is encrypted or damaged is that student's problem, and no other file's."""
        data = changed(zipped({"value.py": X * 10}), fields)

        assert {"value.py": said} == opened(data)
        assert {"ann": said, "bob": ""} == problems(class_with(tmp_path, data))


class TestBombs:
    """What is made to fill memory or disk, or to take for ever, is refused while it is read."""

    def test_file(self, tmp_path: Path) -> None:
        """A file of a zip is read up to its bound, whatever size it claims."""
        data = zipped({"value.py": bytes(200 * MIB)})
        lying = changed(data, {(CENTRAL, 24): struct.pack("<I", 10)})
        with frugal():
            assert {"ann": "is larger than 1 MiB", "bob": ""} == problems(class_with(tmp_path / "a", data))
        with frugal():
            assert {"ann", "bob"} == problems(class_with(tmp_path / "b", lying)).keys()

    def test_notebook(self, tmp_path: Path) -> None:
        """So is a notebook."""
        data = zipped({"value.ipynb": b" " * (300 * MIB)})
        with frugal(mib=200):
            inbox = class_with(tmp_path, data)

        assert {"ann": "is larger than 64 MiB", "bob": ""} == problems(inbox)

    @pytest.mark.parametrize("packing", ["gz", "bz2", "xz"])
    def test_tar(self, tmp_path: Path, packing: str) -> None:
        """A packed tar is unpacked up to its bound."""
        packs: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
        data = packs[packing](entry("value.py", size=GIB).tobuf() + bytes(300 * MIB))
        with frugal():
            inbox = class_with(tmp_path, data, f"value.tar.{packing}")

        assert {"ann": "unpacks to more than 256 MiB", "bob": ""} == problems(inbox)

    def test_xz(self) -> None:
        """A packed file that asks for gigabytes of memory does not get them."""
        data = bytearray(lzma.compress(tarred({"a": X}), filters=[{"id": lzma.FILTER_LZMA2, "dict_size": MIB}]))
        data[16] = 40  # 4 GiB
        data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
        with pytest.raises(lzma.LZMAError, match="Memory usage limit exceeded"):
            lzma.LZMADecompressor(memlimit=GIB).decompress(bytes(data))
        with frugal():
            assert "is damaged, or no archive" == problem(bytes(data))

    def test_zips_in_zips(self, tmp_path: Path) -> None:
        """Sixteen archives in each of sixteen, five deep, are as many as lie on top."""
        data = zipped({"0.dll": bytes(4 * MIB)})
        for _ in range(5):
            data = zipped({f"lib {number:x}.zip": data for number in range(16)})
        with frugal():
            inbox = class_with(tmp_path, data, "42.zip")

        assert (Absent("ann", "pow"),) == inbox.absent
        assert {f"ann/42.zip/lib {number:x}.zip": "is an archive in an archive" for number in range(16)} == ignored(
            inbox
        )

    def test_overlaps(self, tmp_path: Path) -> None:
        """A thousand entries that share their bytes are read one by one, as far as they are asked for."""
        one = zipped({"value.py": bytes(100 * MIB)})
        at = one.index(CENTRAL)
        end = one.index(END)
        table = b"".join(one[at:end].replace(b"value.py", b"v%04d.py" % number) for number in range(1000))
        tail = struct.pack("<4s4H2LH", END, 0, 0, 1000, 1000, len(table), at, 0)
        with frugal():
            inbox = class_with(tmp_path, one[:at] + table + tail)

        assert (Absent("ann", "pow"),) == inbox.absent

    @pytest.mark.parametrize("name", ["", "x" * 200])
    def test_zip_of_many(self, tmp_path: Path, name: str) -> None:
        """A student's zip has 10,000 entries at most, and more are not even looked at."""
        data = empty_files(f"{name}{number}.py" for number in range(10_001 if name else 100_000))
        with frugal():
            inbox = class_with(tmp_path, data, "value.zip")

        assert {"ann": "holds more than 10,000 files and folders", "bob": ""} == problems(inbox)

    def test_tar_of_many(self, tmp_path: Path) -> None:
        """So has a tar."""
        data = gzip.compress(b"".join(entry(f"{number}.py").tobuf() for number in range(100_000)))
        with frugal():
            inbox = class_with(tmp_path, data, "value.tgz")

        assert {"ann": "holds more than 10,000 files and folders", "bob": ""} == problems(inbox)

    @pytest.mark.parametrize("pack", [zipped, tarred])
    def test_folders(self, pack: Callable[[Mapping[str, bytes]], bytes]) -> None:
        """Folders count, be they entries or not."""
        files = {f"{number}/{'/'.join('abcdefghij')}/x": b"" for number in range(100)}
        folders = {f"{number}/": b"" for number in range(1001)}

        assert "holds more than 1,000 files and folders" == problem(pack(files))
        assert "holds more than 1,000 files and folders" == problem(pack(folders))

    def test_class_of_many(self, tmp_path: Path) -> None:
        """A class may have 100,000 files, and no more."""
        for count in (99_000, 101_000):
            (tmp_path / f"{count}.zip").write_bytes(empty_files(f"s{n // 100:04}/{n:06}.txt" for n in range(count)))
        with frugal(seconds=60):
            inbox = read_inbox(tmp_path / "99000.zip", [POW])
        with frugal(), pytest.raises(SubmissionError, match="holds more than 100,000 files and folders; name the"):
            read_inbox(tmp_path / "101000.zip", [POW])

        assert 990 == len(inbox.absent)

    @pytest.mark.parametrize(
        "data",
        [
            b"".join(entry("x", b"x", size=GIB).tobuf() for _ in range(3)),
            b"".join(entry("x", b"L", size=GIB).tobuf() for _ in range(3)),
            b"".join(entry("x", b"x").tobuf() for _ in range(20_000)),
            (entry("x", b"x", size=20 * MIB).tobuf() + b"6 a=b\n" * (20 * MIB // 6)).ljust(30 * MIB, b"\0"),
            b"PK\3\4" + struct.pack("<4s4H2LH", END, 0, 0, 1, 1, 0xFFFFFFF0, 0, 0),
            b"PK\3\4" + CENTRAL * (5 * MIB) + struct.pack("<4s4H2LH", END, 0, 0, 1, 1, 20 * MIB, 4, 0),
            b"PK\3\4" + bytes(30 * MIB) + struct.pack("<4s4H2LH", END, 0, 0, 1, 1, 30 * MIB, 4, 0),
        ],
        ids=["pax", "long name", "pax of pax", "attributes", "table", "entries", "large table"],
    )
    def test_tables(self, tmp_path: Path, data: bytes) -> None:
        """What claims gigabytes of names and attributes gets no memory for them."""
        with frugal(seconds=40, mib=250):
            inbox = class_with(tmp_path, data, "value.zip" if data.startswith(b"PK") else "value.tar")

        assert problems(inbox)["ann"] in {
            "is damaged, or no archive",
            "holds more than 10,000 files and folders",
            "has an entry whose name and attributes take more than 64 KiB",
        }
        assert "" == problems(inbox)["bob"]

    @pytest.mark.parametrize("kind", [b"x", b"g"])
    def test_digits(self, kind: bytes) -> None:
        """Attributes that are one long number, which takes the square of its length to look through, are refused."""
        data = entry("x", kind, size=64 * 1024).tobuf() + b"1" * 64 * 1024 + tarred({"a": X})
        with frugal(seconds=2):
            assert "is damaged, or no archive" == problem(data)

    def test_shared_attributes(self) -> None:
        """Attributes that all files share, and each gets a copy of, are few."""
        keys = b"".join(b"11 k%04d=1\n" % number for number in range(5000))
        shared = entry("x", b"g", size=len(keys)).tobuf() + keys + bytes(-len(keys) % 512)
        few = entry("x", b"g", size=12).tobuf() + b"12 comment=\n".ljust(512, b"\0")

        assert "has more than 16 attributes that all its files share" == problem(shared + tarred({"a": X}))
        assert {"a": X} == opened(few + tarred({"a": X}))

    @pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
    def test_streams(self, pack: Callable[[bytes], bytes]) -> None:
        """A packed file is not joined of too many, be they empty."""
        with frugal():
            assert "is packed in more than 10,000 pieces" == problem(pack(b"") * 20_000)

    def test_all_of_a_student(self, tmp_path: Path) -> None:
        """What the archives of one student unpack to is bounded for all attempts together, and costs nobody else."""
        data = tarred({"notes.txt": bytes(200 * MIB)}, "xz")
        files = {f"eve_1_{number}_value-{number}.tar.xz": data for number in (1, 2, 3)}
        as_folder(tmp_path, {**files, "ann_2_9_value.tar.gz": tarred({"value.py": X}, "gz")})
        inbox = read_inbox(tmp_path, [POW, FIT])

        assert {"1": "unpacks to more than 256 MiB, together with other archives", "2": ""} == problems(inbox)

    @pytest.mark.parametrize("data", [zipped({"a": X}), tarred({"a": X}), tarred({"a": X}, "gz")])
    def test_time(self, data: bytes) -> None:
        """So is the time that it takes to open them."""
        with pytest.raises(ProblemError) as caught, open_archive(io.BytesIO(data), "", Allowance(9, MIB, 5, 0, 6)):
            pass

        assert "takes longer than 5 s to open, together with other archives" == str(caught.value)

    def test_time_counts(self) -> None:
        """The time that an archive takes counts for those after it."""
        spent = Allowance(9, MIB, 60)
        with open_archive(io.BytesIO(tarred({"a": X}, "gz")), "", spent):
            pass

        assert (True, True) == (0 < spent.spent_seconds < 60, len(X) < spent.spent_bytes <= MIB)

    def test_large(self, tmp_path: Path) -> None:
        """A student's archive has 64 MiB at most."""
        as_folder(tmp_path, {"ann/value.zip": b"", "bob/value.py": X})
        os.truncate(tmp_path / "ann" / "value.zip", 1 << 40)

        assert "is larger than 64 MiB" == problems(read_inbox(tmp_path, [POW]))["ann"]


class TestDamage:
    """What is damaged is so as a whole, so that nobody in it is forgotten."""

    @pytest.mark.parametrize("packing", ["", "gz", "bz2", "xz"])
    def test_cut_short(self, packing: str) -> None:
        """An archive that ends too early may lack anybody."""
        data = tarred({"a.py": os.urandom(20_000), "b.py": os.urandom(20_000)}, packing)
        rest = len(data) if packing else 40_960  # what follows is the end

        for length in range(1, rest - 1, rest // 40):
            assert "is damaged, or no archive" == problem(data[:length])

    def test_bad_entry(self) -> None:
        """An entry that cannot be read does not end a tar."""
        data = bytearray(tarred({"a.py": b"", "b.py": b"", "c.py": b""}))
        data[600] ^= 1

        assert "is damaged, or no archive" == problem(bytes(data))

    def test_no_end(self) -> None:
        """Nor does it end without an end."""
        assert "is damaged, or no archive" == problem(entry("a.py").tobuf())

    def test_size_below_zero(self) -> None:
        """A size that leads backwards leads nowhere."""
        header = bytearray(entry("a.py").tobuf())
        header[124:136] = (-1024 & (1 << 96) - 1).to_bytes(12)
        header[148:156] = b"%06o\0 " % (sum(header) - sum(header[148:156]) + 8 * 32)
        with frugal():
            assert "is damaged, or no archive" == problem(bytes(header) + bytes(2048))

    @pytest.mark.parametrize(
        "data",
        [
            *(b"", b"x", b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"\x1f\x8b" + bytes(100), b"BZh91AY&SY", b"\xfd7zXZ\0"),
            *(gzip.compress(b"no tar"), bz2.compress(b""), lzma.compress(X * 1000), X * 1000, zlib.compress(X)),
            gzip.compress(tarred({"a": X}))[:-8] + bytes(8),
            zipped({"a": X})[:-5],
            zipped({"a": X}).replace(b"PK\1\2", b"PK\1\3"),
            changed(zipped({"é": X}), {(CENTRAL, 46): b"\xff\xff"}),
            changed(zipped({"a": X}), {(CENTRAL, 6): b"\xff\xff"}),
        ],
    )
    def test_none(self, data: bytes) -> None:
        """What is no archive is none, in whatever way."""
        assert "is damaged, or no archive" == problem(data)

    def test_disk(self) -> None:
        """What this machine refuses to read is no fault of the archive."""

        class Failing(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                if self.tell() > 100:
                    raise OSError(errno.EIO, "Input/output error")
                return super().read(min(100, size or 0))

        data = tarred({"a": os.urandom(10_000)}, "gz")
        with pytest.raises(OSError, match="Input/output error"), open_archive(Failing(data), "", allowance()):
            pass

    @given(st.integers(0, 2000), st.binary(min_size=1, max_size=8), st.sampled_from(["zip", "", "gz", "bz2", "xz"]))
    @settings(deadline=None, max_examples=300)
    def test_any_damage(self, place: int, bytes_there: bytes, kind: str) -> None:
        """Whatever is changed: it is read, or it is refused."""
        files = {"a/value.py": X * 20, "b/value.ipynb": notebook("x")}
        data = zipped(files) if kind == "zip" else tarred(files, kind)
        place %= len(data)
        damaged = data[:place] + bytes_there + data[place + len(bytes_there) :]
        with contextlib.suppress(ProblemError):
            opened(damaged)

    @given(st.binary())
    def test_anything(self, data: bytes) -> None:
        """So is what never was an archive."""
        with contextlib.suppress(ProblemError):
            opened(data)


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is unpacked has no name, and is gone when the archive is closed."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_archive(io.BytesIO(tarred({"a.py": X}, "gz")), "", allowance()) as archive:
        assert [] == [*tmp_path.iterdir()]
        assert {"a.py": X} == contents(archive.root)
