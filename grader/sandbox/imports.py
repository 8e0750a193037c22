"""What an import finds in the student's processes besides the standard library. Standard library only.

The student's other files come first, under the names of their modules, but never in place of the standard library. A
module that is nowhere is replaced by an inert stand-in, unless the student's code is prepared for its absence: guards
the import against the error, or only asks whether there is such a module. A module that the exercise forbids is not
imported at all.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec

from grader.sandbox.absent import AbsentModule

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    from types import FrameType, ModuleType

    from grader.sandbox.source import Source

_MAX_ABSENT = 20
_KEPT = {"builtins", "sys"}
"""Modules that cannot be imported anew."""


def prepare_imports(source: Source, forbidden: list[str]) -> list[str]:
    """Have imports in this process find what the student's code may import.

    Args:
        source: The student's files.
        forbidden: The modules that they may not import.

    Returns:
        The modules that stand-ins take the place of: a list that grows as they are imported.
    """
    absent: list[str] = []
    sys.meta_path.insert(0, _Files(source, forbidden))
    sys.meta_path.append(_StandIns(source, absent))
    for name in [name for name in sys.modules if _top(name) in set(forbidden) - _KEPT]:
        del sys.modules[name]  # or nobody would be asked for it
    return absent


def forbid(place: str, line: int, module: str) -> ImportError:
    """Return the error of an import that the exercise forbids."""
    return ImportError(f"{place}, line {line} imports {module}, which this exercise forbids", name=module)


class _Files:
    """Finds the student's other files, and forbids what is forbidden; comes before all other finders."""

    def __init__(self, source: Source, forbidden: list[str]) -> None:
        self._source = source
        self._forbidden = forbidden

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module; see `importlib.abc.MetaPathFinder`."""
        if _top(name) in self._forbidden:
            frame, _is_imported = _importer()
            if frame is not None and frame.f_code.co_filename in self._source.places:
                raise forbid(frame.f_code.co_filename, frame.f_lineno, _top(name))
        if name in self._source.modules and name not in sys.stdlib_module_names:
            return ModuleSpec(name, self)  # type: ignore[arg-type]  # it does what a loader does
        return None

    def create_module(self, _: ModuleSpec) -> None:
        """Have an ordinary module made; see `importlib.abc.Loader`."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the file; see `importlib.abc.Loader`."""
        place = self._source.modules[module.__name__]
        module.__file__ = self._source.name_of(place)
        exec(self._source.code(place), module.__dict__)  # noqa: S102  # this is what the sandbox is for


class _StandIns:
    """Finds stand-ins for what the student's code cannot do without; comes after all other finders."""

    def __init__(self, source: Source, absent: list[str]) -> None:
        self._source = source
        self._absent = absent

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find a module; see `importlib.abc.MetaPathFinder`."""
        package = name.rpartition(".")[0]
        if package and not isinstance(sys.modules.get(package), AbsentModule):
            return None  # something that is there has no such part
        frame, is_imported = _importer()
        if not (is_imported and frame is not None and frame.f_code.co_filename in self._source.places):
            return None
        if self._is_guarded(frame):
            return None
        if _top(name) not in self._absent and len(self._absent) < _MAX_ABSENT:
            self._absent.append(_top(name))
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]  # it does what a loader does

    def _is_guarded(self, frame: FrameType | None) -> bool:
        """Whether the student's code catches the error of an absent module, in a frame or in one that it comes from."""
        while frame is not None:
            place = self._source.places.get(frame.f_code.co_filename)
            if place is not None and self._source.is_guarded(place, frame.f_lineno):
                return True
            frame = frame.f_back
        return False

    def create_module(self, spec: ModuleSpec) -> AbsentModule:
        """Make the stand-in; see `importlib.abc.Loader`."""
        return AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing; see `importlib.abc.Loader`."""


def _top(name: str) -> str:
    return name.partition(".")[0]


def _importer() -> tuple[FrameType | None, bool]:
    """The frame that asks for a module, and whether it imports it; else it asks whether there is one."""
    is_imported = False
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001  # there is no public name for it
    while frame is not None and _is_between(frame):
        is_imported = is_imported or frame.f_code.co_name == "_find_and_load"
        frame = frame.f_back
    return frame, is_imported


def _is_between(frame: FrameType) -> bool:
    """Whether somebody else imports through a frame: it is one of `importlib`, or of text that is executed."""
    module = frame.f_globals.get("__name__")
    return frame.f_code.co_filename == "<string>" or _top(str(module)) == "importlib"
