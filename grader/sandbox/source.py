"""The student's files as code: what a load request brings, decoded and compiled. Standard library only.

Each file, and each cell of a notebook, is a *place*: it has a number, and a name that tracebacks call it. Python files
are compiled whole. A notebook is compiled statement by statement, so that one may fail and the others be run.
"""

from __future__ import annotations

import base64
import contextlib
import io
import linecache
import re
import tokenize

from grader.sandbox.magics import parse_cell

TYPE_CHECKING = False  # typing itself is slow to import
if TYPE_CHECKING:
    import ast
    from collections.abc import Container, Iterator
    from types import CodeType
    from typing import Any

    from grader.sandbox.magics import Cell

_RELATIVE = re.compile(r"\bfrom[\s\\]*\.")
"""What every relative import looks like; what looks like one need not be one."""
_CATCH_ABSENCE = {"BaseException", "Exception", "ImportError", "ModuleNotFoundError"}


class Source:
    """What a student handed in; lasts as long as the process that it is sent to.

    Attributes:
        name: What the file is called.
        module: The name of the module it makes.
        is_notebook: Whether its parts are cells.
        parts: The places that are run, in order.
        places: Each place by its name.
        modules: The places that can be imported, by the names of the modules they make.

    Args:
        load: The load request.
    """

    def __init__(self, load: dict[str, Any]) -> None:
        self.name: str = load["name"]
        self.module: str = load["module"]
        self.is_notebook: bool = load["notebook"]
        self.parts = range(len(load["parts"]))
        self._files: list[list[str]] = load["parts"] + load["siblings"]
        self._cells: dict[int, Cell] = {}
        self._guarded: dict[int, list[tuple[int, int]]] = {}
        self.places = {name: place for place, (name, _) in reversed([*enumerate(self._files)])}
        self.modules = {name.removesuffix(".py"): self.places[name] for name, _ in load["siblings"]}
        if not self.is_notebook:
            self.modules[self.module] = 0

    def name_of(self, place: int) -> str:
        """Return what tracebacks call a place."""
        return self._files[place][0]

    def code(self, place: int) -> CodeType:
        """Compile a Python file.

        Raises:
            SyntaxError: It is no Python.
        """
        text = self._text(place)
        source = self._tree(place) if _RELATIVE.search(text) else text
        code: CodeType = compile(source, self.name_of(place), "exec", dont_inherit=True)
        return code

    def cell(self, place: int) -> Cell:
        """Parse a cell.

        Raises:
            SyntaxError: It is neither Python nor IPython's.
        """
        if place not in self._cells:
            cell = parse_cell(self._text(place), self.name_of(place))
            _make_absolute(cell.tree)
            self._cells[place] = cell
        return self._cells[place]

    def find_import(self, modules: Container[str]) -> tuple[str, int, str] | None:
        """Find an import of one of some modules in what is run, or in a file that it imports.

        Returns:
            The name of the place, the line, and the module.
        """
        pending = [*self.parts]
        for place in pending:
            for line, module in self._imports(place):
                if module in modules:
                    return self.name_of(place), line, module
                if module in self.modules and self.modules[module] not in pending:
                    pending.append(self.modules[module])
        return None

    def is_guarded(self, place: int, line: int) -> bool:
        """Whether the error of an absent module would be caught around a line."""
        if place not in self._guarded:
            self._guarded[place] = [*_guarded(self._tree(place))]
        return any(first <= line <= last for first, last in self._guarded[place])

    def _imports(self, place: int) -> Iterator[tuple[int, str]]:
        """The line and the first name of every module that a place imports, wherever it does."""
        import ast  # noqa: PLC0415  # few exercises need it, and it takes long to import

        with contextlib.suppress(SyntaxError, ValueError, RecursionError):  # nothing of it will be run
            for node in ast.walk(self._tree(place)):
                match node:
                    case ast.Import(names=names):
                        yield from ((node.lineno, alias.name.partition(".")[0]) for alias in names)
                    case ast.ImportFrom(module=str(module)):
                        yield node.lineno, module.partition(".")[0]

    def _tree(self, place: int) -> ast.Module:
        if self.is_notebook and place in self.parts:
            return self.cell(place).tree
        import ast  # noqa: PLC0415  # the same

        tree = ast.parse(self._text(place), self.name_of(place))
        _make_absolute(tree)
        return tree

    def _text(self, place: int) -> str:
        """Decode a place, and keep its lines for tracebacks."""
        name, encoded = self._files[place]
        source = base64.b64decode(encoded)
        text = _decode(source, name, declares=not (self.is_notebook and place in self.parts))
        lines = io.StringIO(text, newline=None).readlines()
        linecache.cache[name] = (len(source), None, lines, name)
        return "".join(lines)


def _decode(source: bytes, name: str, *, declares: bool) -> str:
    """Return a file's text: it is UTF-8, or in the encoding that its first lines declare if they may.

    https://docs.python.org/3/reference/lexical_analysis.html#encoding-declarations

    Raises:
        SyntaxError: It is not, or it holds a null character, which no version of Python compiles.
    """
    at, problem, encoding, text = 0, "", "utf-8", ""
    if declares:
        try:
            encoding = tokenize.detect_encoding(io.BytesIO(source).readline)[0]
        except SyntaxError as error:  # the first lines are not UTF-8, or declare what is no encoding
            problem = str(error)
    try:
        text = source.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start
        problem = f"not {encoding.removesuffix('-sig').upper()} (byte 0x{source[at]:02x})"
    except (LookupError, UnicodeError) as error:
        problem = str(error)
    if not problem and b"\0" in source:
        at, problem = source.index(b"\0"), "a null character (a file in UTF-16 is full of them: save it as UTF-8)"
    if problem:
        number = len((source[:at] + b"?").splitlines())
        line = (source.splitlines() or [b""])[number - 1].decode("utf-8", "replace")
        raise SyntaxError(problem, (name, number, None, line))
    return text


def _make_absolute(tree: ast.Module) -> None:
    """Have relative imports look for the files beside this one, which is in no package."""
    import ast  # noqa: PLC0415  # the same

    for node in ast.walk(tree):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if not isinstance(block, list):
                continue
            for index, statement in enumerate(block):
                match statement:
                    case ast.ImportFrom(module=None, names=names):
                        block[index] = ast.copy_location(ast.Import(names), statement)
                    case ast.ImportFrom():
                        statement.level = 0


def _guarded(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """The first and last line of every block in which the error of an absent module would be caught."""
    import ast  # noqa: PLC0415  # the same

    def named(expression: ast.AST) -> set[str]:
        nodes = [*ast.walk(expression)]
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}

    for node in ast.walk(tree):
        match node:
            case ast.Try(body=body, handlers=handlers) | ast.TryStar(body=body, handlers=handlers):
                is_guard = any(not each.type or _CATCH_ABSENCE & named(each.type) for each in handlers)
            case ast.With(body=body, items=items) | ast.AsyncWith(body=body, items=items):
                contexts = [named(item.context_expr) for item in items]
                is_guard = any("suppress" in names and _CATCH_ABSENCE & names for names in contexts)
            case _:
                continue
        if is_guard:
            yield body[0].lineno, body[-1].end_lineno or body[-1].lineno
