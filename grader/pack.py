"""What an instructor uploads so that a platform grades: the grader, a course with its hidden checks, and its secret.

A pack is made of files, each with its bytes and mode. The same course, secret and wheels give the same pack.

    Gradescope     a zip: https://gradescope-autograders.readthedocs.io/en/latest/specs/
    PrairieLearn   an image's recipe, and a question for each exercise: https://docs.prairielearn.com/externalGrading/
"""

from __future__ import annotations

import ast
import base64
import hashlib
import importlib.metadata
import io
import json
import math
import os
import re
import shlex
import uuid
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import grader
from grader.batch.local import longest_seconds
from grader.errors import GraderError
from grader.seeding import FILE_NAME, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from grader.course import Course
    from grader.exercise import Exercise

_PACKAGE = Path(grader.__file__).parent
_RECIPES = _PACKAGE / "recipes"
_LITTER = {"__pycache__"}
_REQUIREMENTS = "requirements.txt"

MOST_PRAIRIELEARN_SECONDS = 600
"""The longest that PrairieLearn lets a grader run."""

_PUBLIC, _PROGRAM, _PRIVATE = 0o644, 0o755, 0o600


class Item(NamedTuple):
    """A file of a pack; lasts until the pack is written.

    Attributes:
        data: What is in it.
        mode: Its permissions.
    """

    data: bytes
    mode: int = _PUBLIC


Pack = dict[str, Item]
"""Files by the paths they have in a pack."""


def gradescope_pack(
    course: Course, exercises: Sequence[Exercise], secret: bytes, wheels: Path | None, options: Sequence[str]
) -> Pack:
    """Return what is in the zip that Gradescope makes an autograder of.

    Args:
        course: Where the exercises are.
        exercises: What the assignment asks for.
        secret: The course's secret.
        wheels: A folder with the wheels of all that the grader needs; without it, Gradescope fetches them.
        options: For `grader gradescope`, for each submission.

    Raises:
        GraderError: A file cannot be read, or a wheel is missing.
    """
    run = recipe("gradescope-run_autograder").replace("OPTIONS", shlex.join(options)).replace(" \n", "\n")
    return {
        "setup.sh": Item(recipe("gradescope-setup.sh").encode(), _PROGRAM),
        "run_autograder": Item(run.encode(), _PROGRAM),
        **_installation(course, exercises, wheels),
        **_course(course, exercises, secret),
    }


def prairielearn_pack(
    course: Course, exercises: Sequence[Exercise], secret: bytes, wheels: Path | None, image: str
) -> Pack:
    """Return the recipe of an image, `image/`, and a question for each exercise, `questions/<id>/`.

    Nothing in the image is secret, because PrairieLearn fetches it from where everybody can.

    Args:
        course: Where the exercises are.
        exercises: What becomes a question.
        secret: The course's secret.
        wheels: A folder with the wheels of all that the grader needs; without it, building the image fetches them.
        image: What the image will be called.

    Raises:
        GraderError: A file cannot be read, or a wheel is missing.
    """
    pack = {
        "image/Dockerfile": Item(recipe("prairielearn-Dockerfile").replace("IMAGE", image).encode()),
        "image/run": Item(recipe("prairielearn-run").encode(), _PROGRAM),
        **_below("image", _installation(course, exercises, wheels)),
    }
    for exercise in exercises:
        question = {
            "info.json": Item(_question_info(exercise, secret, image).encode()),
            "question.html": Item(_question_page(exercise).encode()),
            "starter.py": Item(read_file(exercise.folder / "starter.py")),
            **_below("tests", _course(course, [exercise], secret)),
        }
        pack |= _below(f"questions/{exercise.id}", question)
    return pack


def to_zip(pack: Pack) -> bytes:
    """Return a pack as a zip archive, with modes, in which every file is of the same time."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, item in sorted(pack.items()):
            member = zipfile.ZipInfo(name)  # of 1 January 1980
            member.create_system = 3  # Unix: its modes count
            member.external_attr = (0o100000 | item.mode) << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(member, item.data)
    return archive.getvalue()


def write_folder(pack: Pack, folder: Path) -> None:
    """Write the files of a pack into a folder, which is made.

    Raises:
        GraderError: It is there already, or cannot be written.
    """
    try:
        folder.mkdir(parents=True)
        for name, item in pack.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(item.mode)
            path.write_bytes(item.data)
    except FileExistsError:
        raise GraderError(f"{folder} is there already; name a new folder") from None
    except OSError as error:
        raise GraderError(f"{error.filename} cannot be written ({error.strerror}); name another folder") from error


# --------------------------------------------------------------------------------------------------------------------
# The course


def _course(course: Course, exercises: Sequence[Exercise], secret: bytes) -> Pack:
    """A course of some exercises and nothing else, and its secret beside it."""
    files = {path.relative_to(course.root).as_posix(): Item(read_file(path)) for path in _sources(course, exercises)}
    return {**_below("course", files), FILE_NAME: Item(secret + b"\n", _PRIVATE)}


def _sources(course: Course, exercises: Sequence[Exercise]) -> Iterator[Path]:
    """The files of some exercises, and what of the reference they need."""
    own = [*files_below([exercise.folder for exercise in exercises])]
    yield from own
    yield from _reference(course.root, exercises, own)


def _reference(root: Path, exercises: Sequence[Exercise], own: Sequence[Path]) -> Iterator[Path]:
    """The reference's modules that exercises name or import, and those that these import: no other solution.

    Data stays with the modules in whose folder it lies.
    """
    named = [
        name for exercise in exercises for name in (exercise.engine, exercise.program, exercise.misconceptions) if name
    ]
    tops = {name.partition(".")[0] for name in named}
    wanted = named + [name for path in own if path.suffix == ".py" for name in _imported(path)]
    seen, modules = set[str](), set[Path]()
    while wanted:
        name = wanted.pop()
        if name in seen or name.partition(".")[0] not in tops:
            continue
        seen.add(name)
        wanted += filter(None, [name.rpartition(".")[0]])  # a package is imported before what is in it
        place = root.joinpath(*name.split("."))
        for path, package in ((place / "__init__.py", name), (place.with_suffix(".py"), name.rpartition(".")[0])):
            if path.is_file():
                modules.add(path)
                wanted += _imported(path, package)
    files = [*files_below([root / top for top in sorted(tops)])]
    strangers = {path.parent for path in files if path.suffix == ".py"} - {path.parent for path in modules}
    for path in files:
        if path in modules if path.suffix == ".py" else strangers.isdisjoint(path.parents):
            yield path


def _requirements(course: Course, exercises: Sequence[Exercise]) -> bytes:
    """What the course needs to be installed besides the grader: what it lists, and Hypothesis if it imports that."""
    listed = course.root / _REQUIREMENTS
    lines = read_file(listed).decode("utf-8").splitlines() if listed.is_file() else []
    sources = [path for path in _sources(course, exercises) if path.suffix == ".py"]
    if any(name.partition(".")[0] == "hypothesis" for path in sources for name in _imported(path)):
        lines.append("hypothesis")
    return "".join(f"{line}\n" for line in lines).encode()


def _imported(path: Path, package: str = "") -> set[str]:
    """What a file imports, by its own statements: modules, and what may be modules of theirs.

    Args:
        path: The file.
        package: The package that it is in, from which relative imports count.
    """
    try:
        nodes = [*ast.walk(ast.parse(read_file(path)))]
    except (SyntaxError, ValueError):  # a starter that is still to be completed
        return set()
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join(filter(None, [*above, node.module]))
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return names


# --------------------------------------------------------------------------------------------------------------------
# The grader


def _installation(course: Course, exercises: Sequence[Exercise], wheels: Path | None) -> Pack:
    """What installs the grader, with the script that does."""
    name, wheel = _own_wheel()
    pack = {"install": Item(recipe("install").encode(), _PROGRAM), name: Item(wheel)}
    if requirements := _requirements(course, exercises):
        pack[_REQUIREMENTS] = Item(requirements)
    if wheels is not None:
        others = {path.name: Item(read_file(path)) for path in sorted(wheels.glob("*.whl")) if not _is_ours(path)}
        needed = [*(importlib.metadata.requires("grader") or ()), *requirements.decode("utf-8").splitlines()]
        missing = sorted(_names(needed) - {_plain(other.split("-")[0]) for other in others})
        if missing:
            advice = "make it with `pip wheel --wheel-dir FOLDER` of the grader and of what the course needs"
            raise GraderError(f"{wheels} has no wheel of {', '.join(missing)}; {advice}")
        pack |= _below("wheels", others)
    return pack


def _is_ours(path: Path) -> bool:
    return path.name.startswith("grader-")


def _names(requirements: Sequence[str]) -> set[str]:
    """Names of what is required in any case, written the same way however they were."""
    found = (re.match(r"[A-Za-z0-9][\w.-]*", line.strip()) for line in requirements if "extra ==" not in line)
    return {_plain(match[0]) for match in found if match}


def _plain(name: str) -> str:
    """A distribution's name as all its spellings are read: https://packaging.python.org/en/latest/specifications/name-normalization/."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _own_wheel() -> tuple[str, bytes]:
    """Return the name of this very grader's wheel, and the wheel, whatever it was installed from.

    https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    """
    distribution = importlib.metadata.distribution("grader")
    info = f"grader-{distribution.version}.dist-info"
    files = {path.relative_to(_PACKAGE.parent).as_posix(): read_file(path) for path in files_below([_PACKAGE])}
    checkout = _PACKAGE.parent / "Dockerfile"
    if checkout.is_file():  # a wheel has it beside the sandbox, see pyproject.toml
        files["grader/sandbox/Dockerfile"] = read_file(checkout)
    files |= {
        f"{info}/METADATA": (distribution.read_text("METADATA") or "").encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: grader\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": b"[console_scripts]\ngrader = grader.cli:main\n",
    }
    files[f"{info}/RECORD"] = _record(files, info).encode()
    name = f"grader-{distribution.version}-py3-none-any.whl"
    return name, to_zip({path: Item(data) for path, data in files.items()})


def _record(files: Mapping[str, bytes], info: str) -> str:
    """Every file's digest and size."""
    digests = {
        name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=") for name, data in files.items()
    }
    lines = [f"{name},sha256={digests[name].decode()},{len(files[name])}\n" for name in sorted(files)]
    return "".join([*lines, f"{info}/RECORD,,\n"])


# --------------------------------------------------------------------------------------------------------------------
# Questions of PrairieLearn


def _question_info(exercise: Exercise, secret: bytes, image: str) -> str:
    """A question's settings: https://docs.prairielearn.com/schemas/infoQuestion/."""
    seconds = min(MOST_PRAIRIELEARN_SECONDS, math.ceil(longest_seconds(exercise)))
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{fingerprint(secret)}/{exercise.id}")),
        "title": exercise.title,
        "topic": "Programming",
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {"enabled": True, "image": image, "timeout": seconds},
    }
    return json.dumps(info, indent=2, ensure_ascii=False) + "\n"


def _question_page(exercise: Exercise) -> str:
    statement = read_file(exercise.folder / "README.md").decode("utf-8-sig").strip("\n")
    page = recipe("prairielearn-question.html").replace("SUBMIT", exercise.submit)
    return page.replace("STATEMENT", statement)


# --------------------------------------------------------------------------------------------------------------------
# Files


def recipe(name: str) -> str:
    """Return the text of a file of `recipes/`."""
    return (_RECIPES / name).read_text(encoding="utf-8")


def files_below(folders: Sequence[Path]) -> Iterator[Path]:
    """Return every file below some folders, but for links, bytecode and names that start with a dot."""
    for top in folders:
        for folder, below, names in os.walk(top):
            below[:] = [name for name in below if not name.startswith(".") and name not in _LITTER]
            paths = (Path(folder, name) for name in names if not name.startswith("."))
            yield from (path for path in paths if path.is_file() and not path.is_symlink())


def _below(folder: str, pack: Pack) -> Pack:
    return {f"{folder}/{name}": item for name, item in pack.items()}


def read_file(path: Path) -> bytes:
    """Return what is in a file.

    Raises:
        GraderError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise GraderError(f"{path} cannot be read ({error.strerror}); mend its permissions") from error
