"""Archives as folders: .zip, .tar, and a .tar that is packed with gzip, bzip2 or xz.

Nothing is written where a name says. Names that lead elsewhere are refused, links and devices are files that cannot be
read, and what an archive says of its own sizes is not believed: what is read is counted. The formats are those of
https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT and
https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, TypeAlias

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


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much an archive may hold.

    Attributes:
        entries: Files and folders in it.
        unpacked_bytes: What a packed tar may unpack to. The files of a zip are packed one by one.
    """

    entries: int
    unpacked_bytes: int


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
def open_archive(source: IO[bytes], path: str, bounds: Bounds) -> Iterator[Archive]:
    """Opens an archive.

    Args:
        source: Its bytes.
        path: Where it lies in what was handed in, as text.
        bounds: How much it may hold.

    Raises:
        ProblemError: It is none that can be read, or holds more than it may.
        OSError: This machine refuses to read it.
    """
    head = source.read(len(_XZ))
    source.seek(0)
    if head.startswith(_UNKNOWN):
        raise ProblemError("is an archive of a kind that cannot be read; make it a .zip")
    entries = _Entries(path, bounds)
    with ExitStack() as stack:
        try:
            if head.startswith(_ZIP):
                _add_zip(entries, _Table(source, bounds), stack)
            else:
                _add_tar(entries, stack.enter_context(_unpacked(source, head, bounds.unpacked_bytes)), bounds)
        except _DAMAGED as error:
            raise ProblemError("is damaged, or no archive") from error
        yield entries.archive()


# --------------------------------------------------------------------------------------------------------------------
# What an archive holds

_Node: TypeAlias = "dict[str, File | _Node]"


class _Entries:
    """The entries of an archive, as they are found; lasts as long as the archive is open."""

    def __init__(self, path: str, bounds: Bounds) -> None:
        self._path = path
        self._bounds = bounds
        self._left = bounds.entries
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
            raise ProblemError(f"holds more than {self._bounds.entries:,} files and folders")


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

    def __init__(self, source: IO[bytes], bounds: Bounds) -> None:
        self._source = source
        self._bounds = bounds
        self._left = bounds.entries * _TABLE_BYTES
        self.is_read = False

    def read(self, size: int = -1) -> bytes:
        """Reads, as of any file; without a size, what may be the end of a zip."""
        if self.is_read:
            return self._source.read(size)
        data = self._source.read(min(size if size >= 0 else _CHUNK * 2, self._left + 1))
        self._left -= len(data)
        # An entry of a zip takes ten times its bytes once it is parsed.
        if self._left < 0 or data.count(_ZIP_ENTRY) > self._bounds.entries:
            raise ProblemError(f"holds more than {self._bounds.entries:,} files and folders")
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


def _add_tar(entries: _Entries, source: IO[bytes], bounds: Bounds) -> None:
    table = _Table(source, bounds)
    archive = tarfile.TarFile(fileobj=table, encoding="utf-8", errors="surrogateescape")
    while (entry := archive.next()) is not None:
        archive.members.clear()  # type: ignore[attr-defined]  # where all that is known of each entry is kept
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
def _unpacked(source: IO[bytes], head: bytes, most_bytes: int) -> Iterator[IO[bytes]]:
    """The tar that a packed one unpacks to, in a file without a name; one that is not packed is what it is."""
    pieces = _pieces(source, head)
    if pieces is None:
        yield source
        return
    with tempfile.TemporaryFile() as unpacked:
        try:
            for piece in pieces:
                unpacked.write(piece)
                if unpacked.tell() > most_bytes:
                    raise ProblemError(f"unpacks to more than {most_bytes >> 20} MiB")
        except OSError as error:
            if error.errno is None:  # then it is no fault of this machine
                raise EOFError from error
            raise
        unpacked.seek(0)
        yield unpacked


def _pieces(source: IO[bytes], head: bytes) -> Iterator[bytes] | None:
    """What a packed file unpacks to, piece by piece; None for a file that is not packed."""
    if head.startswith(_GZIP):
        return iter(partial(gzip.GzipFile(fileobj=source).read, _CHUNK), b"")
    if head.startswith(_BZIP2):
        return iter(partial(bz2.BZ2File(source).read, _CHUNK), b"")
    return _pieces_of_xz(source) if head == _XZ else None


def _pieces_of_xz(source: IO[bytes]) -> Iterator[bytes]:
    packed = source.read(_CHUNK)
    while packed:
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY_BYTES)
        while not unpacker.eof:
            if unpacker.needs_input and not packed:
                packed = source.read(_CHUNK)
                if not packed:
                    raise EOFError
            yield unpacker.decompress(packed, _CHUNK)
            packed = b""
        packed = (unpacker.unused_data or source.read(_CHUNK)).lstrip(b"\0")  # zeros may come before the next stream
