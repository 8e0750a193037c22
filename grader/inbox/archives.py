"""Archives as folders: .zip, .tar, and a .tar that is packed with gzip, bzip2 or xz.

Nothing is written where a name says. Names that lead elsewhere are refused, links and devices are files that cannot be
read, and what an archive says of its own sizes is not believed: what is read is counted. The formats are those of
https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT and
https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html.
"""

from __future__ import annotations

import bz2
import io
import itertools
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import time
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Protocol, TypeAlias

from grader.intake import LINK, Entry, File, Folder, Ignored, ProblemError, below, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_NAME = re.compile(r"(.+)\.(?:zip|7z|rar|tar|tgz|tbz2?|txz|tar\.(?:gz|bz2|xz))", re.IGNORECASE | re.DOTALL)
"""What an archive is called, also one of a kind that cannot be read here."""

_MOST_DEEP = 32
_MOST_REFUSED = 20
"""How many entries that are refused are listed; the rest are counted."""

_TABLE_BYTES = 2048
"""What the name and attributes of an entry may take, on the average."""

_ZIP_ENTRY = b"PK\x01\x02"
"""How an entry of a zip's table of contents begins."""

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_XZ = b"\xfd7zXZ\x00"
_UNKNOWN = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")
"""How archives and packed files begin."""

_ENCRYPTED = 0x1
_UTF_8 = 0x800
"""Flags of an entry of a zip."""

_XZ_MEMORY_BYTES = 128 << 20
"""Some more than `xz -9` asks for; a file may ask for gigabytes."""

_CHUNK = 1 << 16

_MOST_ATTRIBUTE_BYTES = 1 << 16
_MOST_DIGITS = 255
_MOST_SHARED = 16
"""What the attributes of a tar's entries may be: all of one, a number in them, and those that are of all entries."""

_NUMBER = re.compile(rb"[0-9]+")

_MOST_STREAMS = 10_000
"""A packed file may be several that were joined; some tools pack pieces of a MiB, and each costs time."""

_DAMAGED = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, LookupError, NotImplementedError, OverflowError, RecursionError, RuntimeError, ValueError),
)
"""What the standard library raises for archives that are none."""

_TAR_KINDS = {
    tarfile.SYMTYPE: LINK,
    tarfile.LNKTYPE: "a hard link",
    tarfile.FIFOTYPE: "a named pipe",
}


@dataclass(slots=True)
class Allowance:
    """What may be spent on archives that are opened one after the other, such as those of one student.

    Attributes:
        entries: Files and folders in each of them.
        unpacked_bytes: What packed tars may unpack to, all together. The files of a zip are packed one by one.
        seconds: How long it may take to open them, all together.
        spent_bytes: What was unpacked of them so far.
        spent_seconds: How long it took so far.
    """

    entries: int
    unpacked_bytes: int
    seconds: float
    spent_bytes: int = 0
    spent_seconds: float = 0.0

    @contextmanager
    def clock(self) -> Iterator[Callable[[], None]]:
        """Lets the time count; what it gives is to be called often, and raises a `ProblemError` when time is up."""
        started = time.monotonic()

        def check() -> None:
            if self.spent_seconds + time.monotonic() - started > self.seconds:
                raise ProblemError(f"takes longer than {self.seconds:g} s to open{self._together(self.spent_seconds)}")

        try:
            yield check
        finally:
            self.spent_seconds += time.monotonic() - started

    def spend(self, unpacked_bytes: int, before: int) -> None:
        """Counts bytes that were unpacked of an archive, before which others had been."""
        self.spent_bytes += unpacked_bytes
        if self.spent_bytes > self.unpacked_bytes:
            raise ProblemError(f"unpacks to more than {self.unpacked_bytes >> 20} MiB{self._together(before)}")

    def _together(self, before: float) -> str:
        return ", together with other archives" if before else ""


@dataclass(frozen=True, slots=True)
class Archive:
    """What an open archive holds; lasts as long as it is open.

    Attributes:
        root: All of it, as a folder.
        ignored: The entries that are not there, for what their names are.
    """

    root: Folder
    ignored: tuple[Ignored, ...]


def stem_of_archive(name: str) -> str:
    """The name of an archive without what says that it is one; empty for other names."""
    match = _NAME.fullmatch(name)
    return match[1] if match else ""


@contextmanager
def open_archive(source: IO[bytes], path: str, allowance: Allowance) -> Iterator[Archive]:
    """Opens an archive.

    Args:
        source: Its bytes.
        path: Where it lies in what was handed in, as text.
        allowance: What may be spent on it.

    Raises:
        ProblemError: It is none that can be read, holds more than it may, or takes too long.
        OSError: This machine refuses to read it.
    """
    head = source.read(len(_XZ))
    source.seek(0)
    if head.startswith(_UNKNOWN):
        raise ProblemError("is an archive of a kind that cannot be read; make it a .zip")
    entries = _Entries(path, allowance.entries)
    with ExitStack() as stack:
        try:
            with allowance.clock() as check:
                if head.startswith(_ZIP):
                    _add_zip(entries, _Table(source, allowance.entries, check), stack)
                else:
                    unpacked = stack.enter_context(_unpacked(source, head, allowance, check))
                    _add_tar(entries, unpacked, _TarTable(unpacked, allowance.entries, check))
        except _DAMAGED as error:
            raise ProblemError("is damaged, or no archive") from error
        yield entries.archive()


# --------------------------------------------------------------------------------------------------------------------
# What an archive holds

_Node: TypeAlias = "dict[str, File | _Node]"


class _Entries:
    """The entries of an archive, as they are found; lasts as long as the archive is open."""

    def __init__(self, path: str, most: int) -> None:
        self._path = path
        self._most = most
        self._left = most
        self._root: _Node = {}
        self._refused: list[Ignored] = []

    def add_folder(self, name: str) -> None:
        """Notes a folder."""
        parts = self._parts(name)
        if parts is not None:
            self._folder(name, parts)

    def add_file(self, name: str, reader: Callable[[int], bytes], odd: str = "") -> None:
        """Notes a file; `reader` and `odd` are the file's."""
        parts = self._parts(name)
        if parts == []:
            self._refuse(name, "has no name")
        folder = self._folder(name, parts[:-1]) if parts else None
        if folder is None or not parts:
            return
        last = parts[-1]
        match folder.get(last):
            case dict():
                self._refuse(name, "is a folder as well")
                return
            case File():
                self._refuse(name, "is in the archive more than once; the last one counts")
        folder[last] = File(last, below(self._path, "/".join(parts)), reader, odd)

    def archive(self) -> Archive:
        """All of them."""
        listed = self._refused[:_MOST_REFUSED]
        if more := len(self._refused) - len(listed):
            listed.append(Ignored(self._path or "the archive", f"has {more} more entries like these"))
        return Archive(Folder("", self._path, partial(_listed, self._root, self._path)), tuple(listed))

    def _folder(self, name: str, parts: list[str]) -> _Node | None:
        """The folder of a path, made if need be; None where there is none, which has been noted."""
        folder = self._root
        self._count()
        for part in parts:
            if part not in folder:
                folder[part] = {}
                self._count()
            inner = folder[part]
            if isinstance(inner, File):
                self._refuse(name, "lies in what is a file as well")
                return None
            folder = inner
        return folder

    def _parts(self, name: str) -> list[str] | None:
        """The names that a path is made of; None where it leads elsewhere, which has been noted."""
        parts = [part for part in name.split("/") if part not in {"", "."}]
        if "\\" in name:
            self._refuse(name, "has a backslash in its name, which means something else elsewhere")
        elif name.startswith("/") or re.match("[A-Za-z]:", name):
            self._refuse(name, "names a place outside of the archive")
        elif ".." in parts:
            self._refuse(name, "leads out of its folder")
        elif len(parts) > _MOST_DEEP:
            self._refuse(name, f"lies more than {_MOST_DEEP} folders deep")
        else:
            return parts
        return None

    def _refuse(self, name: str, reason: str) -> None:
        self._refused.append(Ignored(below(self._path, name), reason))

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _too_many(self._most)


def _too_many(most: int) -> ProblemError:
    return ProblemError(f"holds more than {most:,} files and folders")


def _listed(node: _Node, path: str) -> Mapping[str, Entry]:
    """What a folder of an archive holds, by name in order."""

    def one(name: str, inner: File | _Node) -> Entry:
        if isinstance(inner, File):
            return inner
        return Folder(name, below(path, name), partial(_listed, inner, below(path, name)))

    return {name: one(name, inner) for name, inner in sorted(node.items())}


class _Table(io.RawIOBase):
    """The bytes of an archive, of which only so many can be read, until it is opened.

    Where a zip claims that its table of contents has gigabytes, or a tar that a name has, they would be read at once.
    """

    def __init__(self, source: IO[bytes], entries: int, check: Callable[[], None]) -> None:
        self._source = source
        self._entries = entries
        self._check = check
        self._left = entries * _TABLE_BYTES
        self.is_read = False

    def read(self, size: int = -1) -> bytes:
        """Reads, as of any file; without a size, what may be the end of a zip."""
        if self.is_read:
            return self._source.read(size)
        self._check()
        data = self._source.read(min(size if size >= 0 else _CHUNK * 2, self._left + 1))
        self._left -= len(data)
        # An entry of a zip takes ten times its bytes once it is parsed.
        if self._left < 0 or data.count(_ZIP_ENTRY) > self._entries:
            raise _too_many(self._entries)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Goes to a place, which does not lie before the beginning."""
        if whence == io.SEEK_SET and offset < 0:
            raise ValueError("a place before the beginning")
        return self._source.seek(offset, whence)

    def tell(self) -> int:
        """Where it is."""
        return self._source.tell()


# --------------------------------------------------------------------------------------------------------------------
# Zips


def _add_zip(entries: _Entries, table: _Table, stack: ExitStack) -> None:
    archive = stack.enter_context(zipfile.ZipFile(table))
    table.is_read = True
    for entry in archive.infolist():
        mode = entry.external_attr >> 16  # what Unix keeps of a file; zero elsewhere
        if entry.filename.endswith("/") or stat.S_ISDIR(mode):
            entries.add_folder(_name(entry))
        else:
            odd = kind(mode) if stat.S_IFMT(mode) else ""
            entries.add_file(_name(entry), partial(_read_entry, archive, entry), odd)


def _name(entry: zipfile.ZipInfo) -> str:
    """The name of a zip's entry: some tools, such as that of macOS, write UTF-8 and do not say so."""
    if not entry.flag_bits & _UTF_8:
        try:
            return entry.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return entry.filename


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most_bytes: int) -> bytes:
    if entry.flag_bits & _ENCRYPTED:
        raise ProblemError("is encrypted")
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ProblemError("is packed in a way that cannot be read here")  # some ask for gigabytes of memory
    data = bytearray()
    try:
        with archive.open(entry) as member:
            while len(data) < most_bytes and (piece := member.read(min(_CHUNK, most_bytes - len(data)))):
                data += piece
    except _DAMAGED:
        raise ProblemError("is damaged in its archive") from None
    return bytes(data)


# --------------------------------------------------------------------------------------------------------------------
# Tars


class _TarTable(_Table):
    """The bytes of a tar. What `tarfile` reads at once are the names and attributes of an entry, before it parses them.

    It searches them for a number and a word, for which it takes the square of the longest number's length.
    """

    def read(self, size: int = -1) -> bytes:
        """Reads, as of any file."""
        if not 0 <= size <= _MOST_ATTRIBUTE_BYTES:
            raise ProblemError(
                f"has an entry whose name and attributes take more than {_MOST_ATTRIBUTE_BYTES >> 10} KiB"
            )
        data = super().read(size)
        if size > tarfile.BLOCKSIZE and max(map(len, _NUMBER.findall(data)), default=0) > _MOST_DIGITS:
            raise tarfile.ReadError("an attribute that is a number without end")
        return data


def _add_tar(entries: _Entries, source: IO[bytes], table: _TarTable) -> None:
    archive = tarfile.TarFile(fileobj=table, encoding="utf-8", errors="surrogateescape")
    while (entry := archive.next()) is not None:
        archive.members.clear()  # type: ignore[attr-defined]  # where all that is known of each entry is kept
        if len(archive.pax_headers) > _MOST_SHARED:  # which every entry gets a copy of
            raise ProblemError(f"has more than {_MOST_SHARED} attributes that all its files share")
        if entry.size < 0:
            raise tarfile.ReadError("a size below zero")
        if entry.isdir():
            entries.add_folder(entry.name)
        else:
            entries.add_file(entry.name, partial(_read_at, source, entry.offset_data, entry.size), _odd(entry))
    table.seek(archive.offset)
    if table.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        # An entry that cannot be read ends an archive like its end does, and what follows would be forgotten.
        raise tarfile.ReadError("no end")


def _odd(entry: tarfile.TarInfo) -> str:
    if entry.issparse():
        return "a sparse file"
    return "" if entry.isreg() else _TAR_KINDS.get(entry.type, "a device")


def _read_at(source: IO[bytes], offset: int, size: int, most_bytes: int) -> bytes:
    source.seek(offset)
    return source.read(min(size, most_bytes))


@contextmanager
def _unpacked(source: IO[bytes], head: bytes, allowance: Allowance, check: Callable[[], None]) -> Iterator[IO[bytes]]:
    """The tar that a packed one unpacks to, in a file without a name; one that is not packed is what it is."""
    new = next((new for start, new in _UNPACKERS.items() if head.startswith(start)), None)
    if new is None:
        yield source
        return
    before = allowance.spent_bytes
    with tempfile.TemporaryFile() as unpacked:
        try:
            for piece in _pieces(source, new):
                check()
                allowance.spend(len(piece), before)
                unpacked.write(piece)
        except OSError as error:
            if error.errno is None:  # then it is no fault of this machine
                raise EOFError from error
            raise
        unpacked.seek(0)
        yield unpacked


class _Unpacker(Protocol):
    """Unpacks one stream, as those of `bz2` and `lzma` do."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gunzip:
    """The same for gzip."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


_UNPACKERS: dict[bytes, Callable[[], _Unpacker]] = {
    _GZIP: _Gunzip,
    _BZIP2: bz2.BZ2Decompressor,
    _XZ: partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, _XZ_MEMORY_BYTES),
}


def _pieces(source: IO[bytes], new: Callable[[], _Unpacker]) -> Iterator[bytes]:
    """What a packed file unpacks to, piece by piece; an empty one from time to time."""
    packed = source.read(_CHUNK)
    for count in itertools.count():
        if not packed:
            return
        if count == _MOST_STREAMS:
            raise ProblemError(f"is packed in more than {_MOST_STREAMS:,} pieces")
        unpacker = new()
        while not unpacker.eof:
            if unpacker.needs_input and not packed:
                packed = source.read(_CHUNK)
                if not packed:
                    raise EOFError
            yield unpacker.decompress(packed, _CHUNK)
            packed = b""
        packed = (unpacker.unused_data or source.read(_CHUNK)).lstrip(b"\0")  # zeros may come before the next stream
