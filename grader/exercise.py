"""Exercises as their authors write them: a folder each, loaded and validated without running any of its code.

    exercises/<id>/
        exercise.toml   title, file to submit, XP, reference, limits, and a table for each public check
        README.md       what the student reads
        starter.py      what the student starts from
        checks/         check_*.py with the public checks, and what they import
        hidden/         hidden.toml and check_*.py with the hidden checks; a student's copy lacks this folder

Every file is read once: what is validated and what is digested are the same bytes.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import functools
import hashlib
import keyword
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from grader.errors import ExerciseError
from grader.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

_MOST = 1_000_000
"""Upper bound of every number in an exercise: more is a slip of the keyboard, and overflows later on."""

_MOST_RUNS = 10

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
"""An exercise's id ends up in file names such as `<student>.<exercise>.xml`, so it holds no dot."""

_SUBMIT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.py")

_ROLES = {"engine": "__init__", "program": "__main__"}
"""What of the student's a check can ask for, and which file of a reference package stands for it."""

_MODULES = {**_ROLES, "misconceptions": "__init__", "derivation": "__init__"}
"""All that an exercise may have in reference/."""

_Def: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_GIVEN = {*_ROLES, "rng"}
"""The fixtures that a check gets anew for the reference and for the student."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question to a submission; lasts as long as its exercise. Its cases share its XP: all must pass.

    Attributes:
        name: Name of its `check_*` function, unique in the exercise.
        question: The sentence the student reads: the first paragraph of the function's docstring.
        xp: What a pass earns.
        hint: What to look at after a failure, written for the student; may be empty.
        hidden: Whether the student may see only the question and the hint.
        file: The file that defines it.
        uses: What of the student's it asks for: `engine`, `program` or both.
        runs: How often it is run, each time in a process with other addresses; it passes if it passes every time.
        smaller: Dotted name of the module that tells of cases smaller than one that does not pass, if there is one.
    """

    name: str
    question: str
    xp: int
    hint: str
    hidden: bool
    file: Path
    runs: int = 1
    uses: frozenset[str] = frozenset()
    smaller: str | None = None


@dataclass(frozen=True, slots=True)
class Exercise:
    """One folder of a course, loaded once and never changed; lasts as long as the command that loaded it.

    Attributes:
        id: Name of the folder.
        title: What people call it.
        folder: Where it lies, an absolute path.
        submit: Name of the file that a student hands in.
        xp: What all checks are worth together, also where the hidden ones are not there.
        engine: Dotted name of the module that `engine` stands for in its checks, if they may ask for it.
        program: Dotted name of the module that `program` runs in its checks, if they may ask for it.
        misconceptions: Dotted name of the module that has the known wrong rules, if there is one.
        derivation: Dotted name of the module that tells how right answers come about, if there is one.
        limits: What a submission may use.
        checks: The public checks, then the hidden ones, each in the order of their tables.
        forbid: Modules that a submission may not import.
        require: Modules that are no part of the standard library and that the sandbox must have.
        names: Classes that a submission must define, and for each the attributes that its instances must have: no more
            than every check with `engine` needs.
        digest: SHA-256 in hexadecimal: of each file's SHA-256 of its name and SHA-256 of its bytes, in the
            order of the names. Bytecode and names that start with a dot do not count.
        public_digest: The same of `exercise.toml` and of what is in `checks/`, wherever its lines end as on Windows.
    """

    id: str
    title: str
    folder: Path
    submit: str
    xp: int
    engine: str | None
    program: str | None
    limits: Limits
    checks: tuple[Check, ...]
    digest: str
    forbid: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    names: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict, hash=False)
    misconceptions: str | None = None
    derivation: str | None = None
    public_digest: str = ""

    @property
    def module(self) -> str:
        """Name of the module that a submission makes."""
        return self.submit.removesuffix(".py")

    @property
    def accepts(self) -> tuple[str, ...]:
        """Names of the files that a student may hand in, of which one counts: the file itself, or a notebook."""
        return (self.submit, f"{self.module}.ipynb")

    @property
    def public(self) -> Exercise:
        """The same exercise without its hidden checks."""
        return dataclasses.replace(self, checks=tuple(check for check in self.checks if not check.hidden))

    def is_starter(self, source: bytes) -> bool:
        """Whether a file is what students start from, but for its line ends."""
        try:
            starter = (self.folder / "starter.py").read_bytes()
        except OSError:  # it was there when the exercise was loaded
            return False
        return source.splitlines() == starter.splitlines()

    def require_hidden(self) -> None:
        """Make sure that all checks are there which make up the exercise's XP, as grading a class needs them.

        Raises:
            ExerciseError: This is a copy without hidden checks: everybody would earn too little.
        """
        worth = sum(check.xp for check in self.checks)
        if worth != self.xp:
            advice = "there is no folder hidden/; grade with the instructor's copy of the course"
            raise ExerciseError(self.id, [f"the checks are worth {worth} of {self.xp} XP: {advice}"])

    @property
    def course_root(self) -> Path:
        """The folder of the course, from which the reference modules are imported."""
        return self.folder.parent.parent


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Says which of the known names comes closest to a wrong one.

    Args:
        name: What was written.
        known: What could have been meant.

    Returns:
        The end of a sentence, such as `; did you mean 'value.py'?`, or nothing where no name comes close.
    """
    folded = {each.casefold(): each for each in sorted(known)}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def load_exercise(folder: Path) -> Exercise:
    """Loads and validates one exercise; runs no code.

    Args:
        folder: The exercise's own folder, two levels below that of the course.

    Returns:
        The exercise, fit to grade with.

    Raises:
        ExerciseError: It cannot be used as it is; holds every mistake that was found.
    """
    folder = folder.absolute()
    mistakes: list[str] = []
    try:
        exercise = _read_exercise(folder, mistakes)
    except OSError as error:
        mistake = f"cannot be read ({error.strerror}); name the folder of an exercise"
        raise ExerciseError(str(folder), [mistake]) from error
    if mistakes:
        raise ExerciseError(folder.name, mistakes)
    return exercise


def _read_exercise(folder: Path, mistakes: list[str]) -> Exercise:
    """Reads all there is. What it returns is sound only if it noted no mistake."""
    files, folders = _read_files(folder, mistakes)
    if not _ID.fullmatch(folder.name):
        mistakes.append("the folder's name is the exercise's id; use only letters, digits, '_' and '-' in it")
    for name in ("README.md", "starter.py"):
        _read_text(name, files, mistakes)
    if "checks" not in folders:
        mistakes.append("checks/ is missing; write the public checks in checks/check_*.py")
    if "hidden" in files:
        mistakes.append("hidden is a file; make it the folder of the hidden checks, or remove it")

    manifest = _read_toml("exercise.toml", files, mistakes)
    manifest.allow("title", "submit", "xp", "reference", "limits", "imports", "names", "checks")
    submit = manifest.text("submit")
    if submit and not _SUBMIT.fullmatch(submit):
        manifest.note("submit must be a plain file name such as 'value.py'")
    references = manifest.table("reference")
    reference = _read_reference(references, folder.parent.parent / "reference")
    misconceptions, derivation = reference.pop("misconceptions", None), reference.pop("derivation", None)

    tables = {"checks": manifest.table("checks")}
    if "hidden" in folders:
        hidden = _read_toml("hidden/hidden.toml", files, mistakes)
        hidden.allow("checks")
        tables["hidden"] = hidden.table("checks")
    roles = reference if references.readable else _ROLES
    functions, complete = _read_functions(files, tables, roles, mistakes)
    imports = _read_imports(manifest.table("imports"))
    exercise = Exercise(
        id=folder.name,
        title=" ".join(manifest.text("title").split()),
        folder=folder,
        submit=submit,
        xp=manifest.whole("xp"),
        engine=reference.get("engine"),
        program=reference.get("program"),
        limits=_read_limits(manifest.table("limits")),
        checks=tuple(_match(tables, functions, folder, complete=complete)),
        digest=_digest(files),
        forbid=imports["forbid"],
        require=imports["require"],
        names=_read_names(manifest.table("names"), roles),
        misconceptions=misconceptions,
        derivation=derivation,
        public_digest=_public_digest(files),
    )
    if all(table.readable for table in tables.values()):
        _add_up(exercise, manifest, whole="hidden" in tables)
    return exercise


def _read_files(folder: Path, mistakes: list[str]) -> tuple[dict[str, bytes | None], set[str]]:
    """Reads every file of an exercise, once.

    Returns:
        The bytes of each file by its path in the folder (None where it cannot be read, which has been noted),
        and the paths of the folders in it.

    Raises:
        OSError: The exercise's own folder cannot be read.
    """
    files: dict[str, bytes | None] = {}
    folders: set[str] = set()
    pending = _inside(folder)
    while pending:
        path = pending.pop()
        name = path.relative_to(folder).as_posix()
        if not name.isprintable():
            mistakes.append(f"{name!a} has characters that cannot be written; rename it")
            continue
        try:
            if path.is_dir() and not path.is_symlink():
                folders.add(name)
                pending += _inside(path)
            elif path.is_file():
                files[name] = None
                files[name] = path.read_bytes()
            else:
                mistakes.append(f"{name} is neither a file nor a folder of its own; remove it")
        except OSError as error:
            mistakes.append(f"{name} cannot be read ({error.strerror}); mend its permissions")
    return files, folders


def _inside(folder: Path) -> list[Path]:
    """What a folder holds, the last name first, without bytecode and names that start with a dot."""
    paths = (path for path in folder.iterdir() if path.name != "__pycache__" and path.suffix != ".pyc")
    return sorted((path for path in paths if not path.name.startswith(".")), reverse=True)


def reference_digest(exercise: Exercise) -> str:
    """Returns what tells one state of the reference of an exercise from another, as `Exercise.digest` is made.

    It is of all Python files in the folders that hold its reference modules; what is not there does not count.
    """
    modules = filter(None, (exercise.engine, exercise.program))
    return _reference_digest(exercise.course_root, frozenset(name.partition(".")[0] for name in modules))


@functools.cache  # a process that has imported the reference does not see a later state of it
def _reference_digest(root: Path, tops: frozenset[str]) -> str:
    paths = [path for top in tops for path in (root / top).rglob("*.py") if path.is_file()]
    return _digest({path.relative_to(root).as_posix(): path.read_bytes() for path in paths})


def _digest(files: Mapping[str, bytes | None]) -> str:
    digest = hashlib.sha256()
    for name, source in sorted(files.items()):
        digest.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(source or b"").digest())
    return digest.hexdigest()


def _public_digest(files: Mapping[str, bytes | None]) -> str:
    public = {name: source for name, source in files.items() if name == "exercise.toml" or name.startswith("checks/")}
    # A student's copy may have come through Git, which ends lines as it likes.
    return _digest({name: (source or b"").replace(b"\r\n", b"\n") for name, source in public.items()})


def _read_text(name: str, files: Mapping[str, bytes | None], mistakes: list[str]) -> str | None:
    """The text of a file; None where there is none, which has been noted."""
    if name not in files:
        mistakes.append(f"{name} is missing; write it")
    source = files.get(name)
    if source is None:
        return None
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        mistakes.append(f"{name}, line {line} is not UTF-8; save the file as UTF-8")
        return None


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a TOML file while it is read: hands out its values, and notes what is wrong with them.

    Attributes:
        file: The file it stands in.
        path: Its name there; empty for the file's own.
        values: What it holds.
        mistakes: Where mistakes are noted.
        readable: Whether it could be read. If not, that has been noted, and what follows from it is not.
    """

    file: str
    path: str
    values: dict[str, Any]
    mistakes: list[str]
    readable: bool = True

    def note(self, what: str) -> None:
        if self.readable:
            self.mistakes.append(f"{self.file}: {f'[{self.path}] ' if self.path else ''}{what}")

    def allow(self, *keys: str) -> None:
        for key in self.values:
            if key not in keys:
                advice = did_you_mean(key, keys) or f"; the keys are {', '.join(keys)}"
                self.note(f"{key!r} is not a known key{advice}")

    def text(self, key: str, default: str | None = None) -> str:
        value = self.values.get(key, default)
        if isinstance(value, str) and (value.strip() or value == default):
            return value.strip()
        self.note(f"{key} must be a string that says something" if key in self.values else f"{key} is missing")
        return ""

    def whole(self, key: str, default: int | None = None, most: int = _MOST) -> int:
        value = self.values.get(key, default)
        if type(value) is int and 1 <= value <= most:  # not isinstance: a bool would pass
            return value
        self.note(f"{key} must be a whole number from 1 to {most:,}" if key in self.values else f"{key} is missing")
        return 0

    def table(self, key: str) -> _Table:
        name = key if key.isidentifier() else repr(key)
        path = f"{self.path}.{name}" if self.path else name
        value = self.values.get(key, {})
        if isinstance(value, dict):
            return _Table(self.file, path, value, self.mistakes, self.readable)
        self.note(f"{name} must be a table; begin it with a line [{path}]")
        return _Table(self.file, path, {}, self.mistakes, readable=False)


def _read_toml(name: str, files: Mapping[str, bytes | None], mistakes: list[str]) -> _Table:
    text = _read_text(name, files, mistakes)
    if text is not None:
        try:
            return _Table(name, "", tomllib.loads(text), mistakes)
        except (ValueError, RecursionError) as error:
            mistakes.append(f"{name} is not valid TOML: {error}")
    return _Table(name, "", {}, mistakes, readable=False)


def _read_reference(table: _Table, folder: Path) -> dict[str, str]:
    """The reference module of each role: it must be there, but for a student's copy, which has no folder."""
    table.allow(*_MODULES)
    reference = {role: table.text(role) for role in _MODULES if role in table.values}
    if not reference.keys() & _ROLES:
        table.note("names no module; add engine, program or both")
    for role, name in reference.items():
        _review_module(table, role, name, folder, _MODULES[role])
    return reference


def _review_module(table: _Table, key: str, name: str, folder: Path, main: str = "__init__") -> None:
    """Notes what is wrong with the name of a reference module, or of a package of that folder with a file `main`."""
    top, *rest = name.split(".")
    if top != "reference" or not rest or not all(map(_is_name, rest)):
        table.note(f"{key} must be the name of a module in reference/, such as 'reference.engine'")
    elif folder.is_dir():
        modules = set(_modules(folder, main))
        if name not in modules:
            near = did_you_mean(name, modules) or "; write it"
            table.note(f"{key}: there is no {name!r}{near}")


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _is_module(text: str) -> bool:
    """Whether a name is one of a module that is in no package, and not of the interpreter's own."""
    return _is_name(text) and not text.startswith("__")


def _modules(folder: Path, main: str) -> Iterator[str]:
    """The dotted name of every module in a folder, and of every package in it that has a file named `main`."""
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        if path.stem == main and path.parent != folder:
            yield ".".join(parts[:-1])
        elif not path.stem.startswith("__"):
            yield ".".join(parts)


def _read_limits(table: _Table) -> Limits:
    fields = dataclasses.fields(Limits)
    table.allow(*(field.name for field in fields))
    limits: dict[str, Any] = {}
    for field in fields:
        value = table.values.get(field.name, field.default)
        kinds, whole = ((int,), "whole ") if isinstance(field.default, int) else ((int, float), "")
        if type(value) in kinds and 0 < value <= _MOST:
            limits[field.name] = value if whole else float(value)
        else:
            table.note(f"{field.name} must be a {whole}number above 0 and up to {_MOST:,}")
    return Limits(**limits)


def _read_imports(table: _Table) -> dict[str, tuple[str, ...]]:
    keys = ("forbid", "require")
    table.allow(*keys)
    imports = {key: _read_list(table, key, _is_module, "a list of modules such as 'numpy'") for key in keys}
    for name in sorted({*imports["forbid"]} & {*imports["require"]}):
        table.note(f"{name!r} is both forbidden and required; decide")
    return imports


def _read_names(table: _Table, roles: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The classes that a submission must define, with their attributes."""
    if table.values and "engine" not in roles:
        table.note("is for checks that ask for engine, and exercise.toml has none; remove it")
    for name in table.values:
        if not _is_name(name):
            table.note(f"{name!r} is no name of a class")
    return {
        name: _read_list(table, name, _is_name, "a list of attributes such as 'data', which may be empty")
        for name in table.values
    }


def _read_list(table: _Table, key: str, fits: Callable[[str], bool], what: str) -> tuple[str, ...]:
    """A list of distinct names."""
    values = table.values.get(key, [])
    if isinstance(values, list) and all(isinstance(value, str) and fits(value) for value in values):
        if len(set(values)) == len(values):
            return tuple(values)
        what += ", each once"
    table.note(f"{key} must be {what}")
    return ()


@dataclass(frozen=True, slots=True)
class _Function:
    """A `check_*` function as it stands in its file; lasts as long as the loading."""

    name: str
    side: str
    file: str
    line: int
    question: str
    uses: frozenset[str]


def _read_functions(
    files: Mapping[str, bytes | None], sides: Collection[str], roles: Collection[str], mistakes: list[str]
) -> tuple[dict[str, _Function], bool]:
    """The checks' functions by name, and whether these are all: whether every file of them could be read."""
    functions: dict[str, _Function] = {}
    complete = True
    for file in files:
        side, *rest = file.split("/")
        if side not in sides or not file.endswith(".py"):
            continue
        tree = _parse(file, files, mistakes)
        if tree is None:
            complete = False
            continue
        for node in _scope(tree.body):
            if not isinstance(node, _Def):
                continue
            place = f"{file}, line {node.lineno}: {node.name}"
            fixture = _fixture(node)
            if fixture:
                mistakes += [f"{place} {what}" for what in _review_fixture(node, fixture)]
            elif node.name.startswith("check_"):
                mistakes += [f"{place} {what}" for what in _review_check(node, roles)]
                if len(rest) > 1 or not rest[0].startswith("check_"):
                    mistakes.append(f"{place} is not looked for here; move it into a file {side}/check_*.py")
                if node.name in functions:
                    other = functions[node.name]
                    mistakes.append(f"{place} is defined in {other.file}, line {other.line}, too; rename one")
                uses = frozenset(_asks(node) & set(_ROLES))
                functions[node.name] = _Function(node.name, side, file, node.lineno, _question(node), uses)
    return functions, complete


def _parse(file: str, files: Mapping[str, bytes | None], mistakes: list[str]) -> ast.Module | None:
    """The syntax tree of a Python file; None where there is none, which has been noted."""
    text = _read_text(file, files, mistakes)
    if text is None:
        return None
    try:
        tree = ast.parse(text, file)
        compile(tree, file, "exec", dont_inherit=True)  # finds more, such as a `return` outside of a function
    except SyntaxError as error:
        place = f"{file}, line {error.lineno}" if error.lineno else file
        mistakes.append(f"{place} is not Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        mistakes.append(f"{file} is not Python: {error}")
    else:
        return tree
    return None


def _scope(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a module or function in order, but not the insides of functions and classes in it."""
    pending = [*body][::-1]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _Def | ast.ClassDef | ast.Lambda):
            pending += [*ast.iter_child_nodes(node)][::-1]


def _fixture(function: _Def) -> str:
    """The name of the pytest fixture that a function defines; empty where it defines none."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Name(id="fixture") | ast.Attribute(attr="fixture"):
                return function.name
            case ast.Call(func=ast.Name(id="fixture") | ast.Attribute(attr="fixture"), keywords=keywords):
                names = [ast.unparse(each.value).strip("'") for each in keywords if each.arg == "name"]
                return names[0] if names else function.name
    return ""


def _review_fixture(function: _Def, name: str) -> Iterator[str]:
    if name in _GIVEN:
        yield f"is a fixture that hides the grader's own {name}; rename it"
    for given in sorted(_asks(function) & _GIVEN):
        yield f"is a fixture that asks for {given}, of which it sees one side only; make it a plain function"


def _review_check(function: _Def, roles: Collection[str]) -> Iterator[str]:
    if isinstance(function, ast.AsyncFunctionDef):
        yield "is async; make it a plain function"
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _scope(function.body)):
        yield "is a generator; return what is to be compared"
    if not any(_concludes(node) for node in _scope(function.body)):
        yield "returns nothing and asserts nothing, so every submission passes; return what is to be compared"
    if not _question(function):
        yield "has no docstring; write the sentence that the student reads"
    asked = _asks(function) & set(_ROLES)
    for role in sorted(asked - set(roles)):
        yield f"asks for {role}, and exercise.toml has none; name it in [reference]"
    if not asked:
        yield "asks for neither engine nor program, so it cannot see the student's work; ask for one"


def _concludes(node: ast.AST) -> bool:
    """Whether a statement or expression can make a check pass or not."""
    match node:
        case ast.Return(value=value):
            return value is not None
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in {"exit", "fail", "raises", "skip"}
    return isinstance(node, ast.Assert | ast.Raise | ast.Yield | ast.YieldFrom)


def _asks(function: _Def) -> set[str]:
    """The arguments of a function that have no default: pytest looks for a value for each."""
    args = function.args
    named = [*args.posonlyargs, *args.args]
    named = named[: len(named) - len(args.defaults)]
    named += [arg for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is None]
    return {arg.arg for arg in named}


def _question(function: _Def) -> str:
    docstring = (ast.get_docstring(function) or "").strip()
    return " ".join(re.split(r"\n\s*\n", docstring)[0].split())


def _match(
    tables: Mapping[str, _Table], functions: Mapping[str, _Function], folder: Path, *, complete: bool
) -> Iterator[Check]:
    """Makes a check of each table and the function of its name; notes what is left over on either side."""
    tabled = {name for table in tables.values() for name in table.values}
    alone = {name: function for name, function in functions.items() if name not in tabled}
    for name, function in alone.items():
        table = tables[function.side]
        near = did_you_mean(name, table.values.keys() - functions.keys()) or f"; add [checks.{name}]"
        table.note(f"has no table for {name} in {function.file}, line {function.line}{near}")
    for side, table in tables.items():
        for name in table.values:
            entry = table.table(name)
            entry.allow("xp", "hint", "runs", *(["smaller"] if side == "checks" else []))
            smaller = entry.text("smaller") if side == "checks" and "smaller" in entry.values else None
            if smaller:
                _review_module(entry, "smaller", smaller, folder.parent.parent / "reference")
            match = functions.get(name)
            if match is None and complete:
                near = did_you_mean(name, alone) or "; write it"
                entry.note(f"has no function {name!r} in {side}/check_*.py{near}")
            if match and match.side != side:
                entry.note(f"belongs to the function in {match.file}; move one to the other")
            yield Check(
                name=name,
                question=match.question if match else "",
                xp=entry.whole("xp"),
                hint=entry.text("hint", default=""),
                hidden=side == "hidden",
                file=folder / match.file if match else folder,
                runs=entry.whole("runs", default=1, most=_MOST_RUNS),
                uses=match.uses if match else frozenset(),
                smaller=smaller,
            )
        if not table.values and complete and not any(each.side == side for each in functions.values()):
            table.note(f"is empty; write a check in {side}/check_*.py and give it a table [checks.<name>]")


def _add_up(exercise: Exercise, manifest: _Table, *, whole: bool) -> None:
    """Compares the exercise's XP with those of its checks; without hidden ones they are a part of it."""
    total = sum(check.xp for check in exercise.checks)
    if not exercise.xp or not all(check.xp for check in exercise.checks):
        return  # that has been noted, and the total says nothing
    if whole and total != exercise.xp:
        manifest.note(f"xp is {exercise.xp}, but all checks together are worth {total}; make them equal")
    if not whole and total > exercise.xp:
        manifest.note(f"xp is {exercise.xp}, but the public checks alone are worth {total}; make it no less")
