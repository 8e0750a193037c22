"""How the student's file is run: a Python file as a whole, a notebook statement by statement. Standard library only."""

from __future__ import annotations

import sys
import types

from grader.sandbox.absent import Inert
from grader.sandbox.imports import forbid, prepare_imports
from grader.sandbox.raised import describe, limit_behind
from grader.sandbox.source import Source

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence
    from typing import Any

_MAX_NOTES = 50
_MAX_NOTE = 300
_ENDS = {"wall", "cpu", "memory"}
"""Limits that end a notebook, too."""
_CO_COROUTINE = 0x80
"""The flag of code that awaits something: https://docs.python.org/3/library/inspect.html#inspect.CO_COROUTINE"""


class Execution:
    """The student's file in one process; lasts as long as the process.

    Attributes:
        source: The student's files.
        module: The module that the file becomes.

    Args:
        load: The load request.
        name: What the module is called.
    """

    def __init__(self, load: dict[str, Any], name: str) -> None:
        self.source = Source(load)
        self.module = types.ModuleType(name)
        self._forbidden: list[str] = load["forbid"]
        self._notes: list[list[object]] = []
        self._absent: list[str] = []
        self._flags = 0

    def run(self, arguments: Sequence[str] = (), *, execute: bool = True) -> None:
        """Compile the file, and execute it.

        Args:
            arguments: What it finds in `sys.argv`.
            execute: False to compile it only.

        Raises:
            BaseException: What the file raises. What a statement of a notebook raises is noted, unless it is a limit.
        """
        code = None if self.source.is_notebook else self.source.code(0)
        if self._forbidden and (found := self.source.find_import(self._forbidden)):
            raise forbid(*found)
        if not execute:
            return
        sys.argv = [self.source.name, *arguments]
        sys.modules[self.module.__name__] = self.module
        self._absent = prepare_imports(self.source, self._forbidden)
        if code is not None:
            self.module.__file__ = self.source.name
            exec(code, self.module.__dict__)  # noqa: S102  # this is what the sandbox is for
            return
        self.module.__dict__.update(get_ipython=_get_ipython, display=_display)
        for place in self.source.parts:
            self._run_cell(place)

    def told(self) -> dict[str, object]:
        """Return what there is to tell of how it went, as the protocol has it."""
        told = {"notes": self._notes, "absent": self._absent}
        return {key: value for key, value in told.items() if value}

    def _run_cell(self, place: int) -> None:
        try:
            cell = self.source.cell(place)
        except BaseException as error:  # noqa: BLE001  # whatever is wrong with a cell
            self._pass_over(error, "syntax", place, 1)
            return
        if cell.magic:
            self._note(place, 1, "skipped", cell.magic)
        if cell.ignored:
            self._note(place, cell.ignored, "ignored", "")
        for statement in cell.tree.body:
            try:
                self._run_statement(statement, self.source.name_of(place))
            except BaseException as error:  # noqa: BLE001  # whatever student code raises
                self._pass_over(error, "failed", place, statement.lineno)

    def _run_statement(self, statement: ast.stmt, name: str) -> None:
        import __future__  # noqa: PLC0415  # only notebooks need these

        import ast  # noqa: PLC0415  # the same

        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self._flags
        code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
        self._flags |= code.co_flags & __future__.annotations.compiler_flag  # in force in the cells that follow
        if code.co_flags & _CO_COROUTINE:
            import asyncio  # noqa: PLC0415  # it takes longer to import than anything else here

            asyncio.run(eval(code, self.module.__dict__))  # noqa: S307  # this is what the sandbox is for
        else:
            exec(code, self.module.__dict__)  # noqa: S102  # the same

    def _pass_over(self, error: BaseException, kind: str, place: int, line: int) -> None:
        """Note what a notebook raised; raise it again if it was stopped by it."""
        if limit_behind(error) in _ENDS:
            raise error
        told = describe(error, self.source.places)
        frames: Any = told["frames"]
        line = next((frame[1] for frame in frames if frame[0] == place), line)
        said = [told["message"]] if kind == "syntax" else [told["type"], told["message"]]
        self._note(place, line, kind, ": ".join(str(each) for each in said if each))

    def _note(self, place: int, line: int, kind: str, message: str) -> None:
        if len(self._notes) < _MAX_NOTES:
            self._notes.append([place, line, kind, message[:_MAX_NOTE]])


def _get_ipython() -> Inert:
    return Inert("IPython.get_ipython")


def _display(*_: object, **__: object) -> None:
    pass
