"""An exercise is loaded whole or refused with every mistake in it; none of its code runs."""

from __future__ import annotations

import dataclasses
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import ExerciseError
from grader.exercise import Check, did_you_mean, load_exercise
from grader.limits import Limits

MANIFEST = """\
title = "Teach the engine"
submit = "value.py"
xp = 10

[reference]
engine = "reference.engine"
program = "reference.fit"

[checks.check_power]
xp = 3
hint = "Look at the exponent."

[checks.check_relu]
xp = 2
"""

CHECKS = '''\
"""Public checks."""

import pytest


@pytest.mark.parametrize("base", [1.0, 2.0])
def check_power(engine, base):
    """A power has
    a value.

    More for the author.
    """
    return engine.Value(base) ** 2


def check_relu(engine, *, program, rng, near=0.0):
    """Relu is flat below 0."""
    return engine.Value(near).relu()
'''

HIDDEN_MANIFEST = """\
[checks.check_reuse]
xp = 5
hint = "Add up."
"""

HIDDEN = '''\
def check_reuse(program):
    """A leaf may be used twice."""
    return program().stdout
'''


def write(folder: Path, name: str, text: str | bytes) -> None:
    """Writes a file of an exercise, and the folders it needs."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a sound exercise, in a course with two reference modules."""
    for name in ("__init__", "engine", "fit"):
        write(tmp_path, f"reference/{name}.py", "")
    folder = tmp_path / "exercises" / "pow_relu"
    write(folder, "exercise.toml", MANIFEST)
    write(folder, "README.md", "# Teach the engine\n")
    write(folder, "starter.py", "class Value: ...\n")
    write(folder, "checks/check_value.py", CHECKS)
    write(folder, "hidden/hidden.toml", HIDDEN_MANIFEST)
    write(folder, "hidden/check_more.py", HIDDEN)
    return folder


def change(folder: Path, old: str, new: str, name: str = "exercise.toml") -> None:
    """Replaces text in a file of an exercise."""
    text = (folder / name).read_text()
    assert old in text
    write(folder, name, text.replace(old, new))


def add(folder: Path, text: str, name: str = "checks/check_value.py") -> None:
    """Appends text to a file of an exercise."""
    write(folder, name, (folder / name).read_text() + text)


def replace_uses(check: Check, uses: frozenset[str]) -> Check:
    """The same check, with what it asks for."""
    return dataclasses.replace(check, uses=uses)


def mistakes(folder: Path) -> list[str]:
    """What is wrong with an exercise."""
    with pytest.raises(ExerciseError) as caught:
        load_exercise(folder)
    return list(caught.value.mistakes)


class TestASoundExercise:
    """What a sound exercise becomes."""

    def test_holds_what_its_manifest_says(self, folder: Path) -> None:
        """Its folder's name is its id; the rest stands in exercise.toml."""
        exercise = load_exercise(folder)

        assert "pow_relu" == exercise.id
        assert "Teach the engine" == exercise.title
        assert "value.py" == exercise.submit
        assert 10 == exercise.xp
        assert "reference.engine" == exercise.engine
        assert "reference.fit" == exercise.program
        assert Limits() == exercise.limits

    def test_lists_public_checks_then_hidden_ones_in_the_order_of_their_tables(self, folder: Path) -> None:
        """A question is the first paragraph of a docstring, on one line."""
        public, hidden = folder / "checks/check_value.py", folder / "hidden/check_more.py"

        expected = (
            Check("check_power", "A power has a value.", 3, "Look at the exponent.", hidden=False, file=public),
            Check("check_relu", "Relu is flat below 0.", 2, "", hidden=False, file=public),
            Check("check_reuse", "A leaf may be used twice.", 5, "Add up.", hidden=True, file=hidden),
        )
        uses = (frozenset({"engine"}), frozenset({"engine", "program"}), frozenset({"program"}))
        assert tuple(map(replace_uses, expected, uses)) == load_exercise(folder).checks

    def test_says_what_may_be_imported_and_must_be_defined(self, folder: Path) -> None:
        """Modules are forbidden or required; classes have attributes, or are asked for alone."""
        add(folder, '[imports]\nforbid = ["torch", "numpy"]\nrequire = ["scipy"]\n', "exercise.toml")
        add(folder, '[names]\nValue = ["data", "grad"]\nLayer = []\n', "exercise.toml")
        exercise = load_exercise(folder)

        assert (("torch", "numpy"), ("scipy",)) == (exercise.forbid, exercise.require)
        assert {"Value": ("data", "grad"), "Layer": ()} == exercise.names
        assert hash(exercise) == hash(load_exercise(folder))

    def test_needs_to_say_nothing_of_imports_and_names(self, folder: Path) -> None:
        """Unless it says so, nothing is forbidden, required or looked for."""
        exercise = load_exercise(folder)

        assert ((), (), {}) == (exercise.forbid, exercise.require, exercise.names)

    def test_accepts_a_notebook_too(self, folder: Path) -> None:
        """A student may hand in a notebook of the same name in place of the file; both make the same module."""
        exercise = load_exercise(folder)

        assert ("value.py", "value.ipynb") == exercise.accepts
        assert "value" == exercise.module

    def test_has_a_public_part(self, folder: Path) -> None:
        """It lacks the hidden checks and is worth as much."""
        exercise = load_exercise(folder)

        assert ["check_power", "check_relu"] == [check.name for check in exercise.public.checks]
        assert exercise.xp == exercise.public.xp
        assert exercise.digest == exercise.public.digest

    def test_knows_its_course(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The course is two levels up, also from a relative path."""
        monkeypatch.chdir(folder.parent)
        exercise = load_exercise(Path("pow_relu"))

        assert folder == exercise.folder
        assert folder.parent.parent == exercise.course_root

    def test_takes_limits_in_whole_or_broken_seconds(self, folder: Path) -> None:
        """Limits that are not named are those of every exercise."""
        add(folder, "[limits]\nload_seconds = 2\ncheck_seconds = 0.5\nmemory_mib = 64\n", "exercise.toml")

        assert Limits(load_seconds=2.0, check_seconds=0.5, memory_mib=64) == load_exercise(folder).limits

    def test_needs_only_one_of_engine_and_program(self, folder: Path) -> None:
        """A role that is not named is None."""
        change(folder, 'program = "reference.fit"\n', "")
        change(folder, "*, program, rng", "*, rng", "checks/check_value.py")
        change(folder, "program", "engine", "hidden/check_more.py")

        assert load_exercise(folder).program is None

    def test_takes_misconceptions(self, folder: Path) -> None:
        """The module of known wrong rules is one of the reference's, and no role of a check."""
        write(folder.parent.parent, "reference/wrong/fit.py", "")
        change(folder, "[reference]\n", '[reference]\nmisconceptions = "reference.wrong.fit"\n')

        assert "reference.wrong.fit" == load_exercise(folder).misconceptions

    def test_takes_a_derivation(self, folder: Path) -> None:
        """So is the module that tells how right answers come about."""
        change(folder, "[reference]\n", '[reference]\nderivation = "reference.engine"\n')

        assert "reference.engine" == load_exercise(folder).derivation

    def test_takes_smaller_cases(self, folder: Path) -> None:
        """So is one that tells of the smaller cases of a public check."""
        change(folder, "[checks.check_power]\n", '[checks.check_power]\nsmaller = "reference.fit"\n')

        assert {"check_power": "reference.fit"} == {
            check.name: check.smaller for check in load_exercise(folder).checks if check.smaller
        }

    def test_takes_packages_as_references(self, folder: Path) -> None:
        """An engine is imported, so its package has an __init__; a program is run, so it has a __main__."""
        write(folder.parent.parent, "reference/deep/__init__.py", "")
        write(folder.parent.parent, "reference/deep/__main__.py", "")
        change(folder, '"reference.engine"', '"reference.deep"')
        change(folder, '"reference.fit"', '"reference.deep"')

        assert "reference.deep" == load_exercise(folder).program

    def test_runs_no_code(self, folder: Path, tmp_path: Path) -> None:
        """Not even what stands at the top of its files."""
        for name in ("starter.py", "checks/check_value.py", "checks/helpers.py"):
            write(folder, name, f"open({str(tmp_path / 'ran')!r}, 'w')\n{CHECKS if 'check_' in name else ''}")
        load_exercise(folder)

        assert not (tmp_path / "ran").exists()

    def test_may_have_other_files_beside_its_checks(self, folder: Path) -> None:
        """Helpers and fixtures that see neither side are what checks import and ask for."""
        write(folder, "checks/data/points.txt", "1 2\n")
        write(folder, "checks/helpers.py", "def helper(engine): ...\n")
        write(folder, "checks/conftest.py", "import pytest\n@pytest.fixture\ndef points(tmp_path): ...\n")
        add(folder, "import functools\n@functools.cache\ndef helper(): ...\nclass Case:\n    def check_it(self): ...\n")

        assert 3 == len(load_exercise(folder).checks)

    def test_may_define_checks_under_a_condition(self, folder: Path) -> None:
        """A check is any function that importing its file defines."""
        change(
            folder, HIDDEN, "if True:\n    " + HIDDEN.replace("\n", "\n    ").rstrip() + "\n", "hidden/check_more.py"
        )

        assert "check_reuse" == load_exercise(folder).checks[2].name

    def test_may_begin_with_a_byte_order_mark(self, folder: Path) -> None:
        """Some editors write one."""
        for name in ("exercise.toml", "checks/check_value.py"):
            write(folder, name, b"\xef\xbb\xbf" + (folder / name).read_bytes())

        assert 3 == len(load_exercise(folder).checks)

    def test_cannot_be_changed(self, folder: Path) -> None:
        """It is loaded once and then only read."""
        with pytest.raises(AttributeError):
            load_exercise(folder).xp = 100  # type: ignore[misc]  # this is what the test is about


class TestAStudentsCopy:
    """What students get: a course without hidden/ and reference/."""

    def test_still_loads(self, folder: Path) -> None:
        """Its public checks are worth their part of the total."""
        for name in ("hidden/hidden.toml", "hidden/check_more.py"):
            (folder / name).unlink()
        (folder / "hidden").rmdir()
        (folder.parent.parent / "reference").rename(folder.parent.parent / "elsewhere")
        exercise = load_exercise(folder)

        assert 10 == exercise.xp
        assert 5 == sum(check.xp for check in exercise.checks)

    def test_is_refused_where_its_public_checks_are_worth_more_than_the_total(self, folder: Path) -> None:
        """They can be no more than a part of it."""
        for name in ("hidden/hidden.toml", "hidden/check_more.py"):
            (folder / name).unlink()
        (folder / "hidden").rmdir()
        change(folder, "xp = 10", "xp = 4")

        assert [
            "exercise.toml: xp is 4, but the public checks alone are worth 5; make it no less",
        ] == mistakes(folder)


class TestTheDigest:
    """What the digest of an exercise depends on."""

    @pytest.mark.parametrize("name", ["README.md", "hidden/check_more.py", "checks/data.txt"])
    def test_changes_with_any_file(self, folder: Path, name: str) -> None:
        """A changed or new file is another exercise."""
        before = load_exercise(folder).digest
        write(folder, name, (folder / name).read_text() + "\n" if (folder / name).exists() else "")

        assert before != load_exercise(folder).digest

    def test_changes_with_a_name(self, folder: Path) -> None:
        """A renamed file is another exercise."""
        before = load_exercise(folder).digest
        (folder / "checks/check_value.py").rename(folder / "checks/check_values.py")

        assert before != load_exercise(folder).digest

    @pytest.mark.parametrize(
        "name", ["checks/__pycache__/check_value.cpython-311.pyc", "old.pyc", ".cache/x", ".DS_Store"]
    )
    def test_ignores_what_tools_leave_behind(self, folder: Path, name: str) -> None:
        """Bytecode and names that start with a dot are no part of an exercise."""
        before = load_exercise(folder).digest
        write(folder, name, b"\xff")

        assert before == load_exercise(folder).digest

    def test_does_not_depend_on_the_place(self, folder: Path) -> None:
        """A copy of an exercise is the same exercise."""
        before = load_exercise(folder).digest
        other = folder.rename(folder.parent / "other")

        assert before == load_exercise(other).digest


class TestFiles:
    """Mistakes in what lies in the folder."""

    @pytest.mark.parametrize("name", ["nowhere", "README.md", "a" * 300])
    def test_the_folder_is_none(self, folder: Path, name: str) -> None:
        """Then its path is named, for it has no id."""
        with pytest.raises(ExerciseError, match=r"cannot be read .*; name the folder of an exercise") as caught:
            load_exercise(folder / name)

        assert str(folder / name) == caught.value.exercise

    @pytest.mark.parametrize("name", ["README.md", "starter.py", "exercise.toml"])
    def test_a_file_is_missing(self, folder: Path, name: str) -> None:
        """What follows from a missing exercise.toml is not said."""
        (folder / name).unlink()

        assert [f"{name} is missing; write it"] == mistakes(folder)

    def test_the_checks_are_missing(self, folder: Path) -> None:
        """The folder has to be there, and every table's function with it."""
        (folder / "checks/check_value.py").unlink()
        (folder / "checks").rmdir()

        assert [
            "checks/ is missing; write the public checks in checks/check_*.py",
            "exercise.toml: [checks.check_power] has no function 'check_power' in checks/check_*.py; write it",
            "exercise.toml: [checks.check_relu] has no function 'check_relu' in checks/check_*.py; write it",
        ] == mistakes(folder)

    def test_the_hidden_manifest_is_missing(self, folder: Path) -> None:
        """A folder of hidden checks needs its tables; what follows from their absence is not said."""
        (folder / "hidden/hidden.toml").unlink()

        assert ["hidden/hidden.toml is missing; write it"] == mistakes(folder)

    def test_hidden_is_a_file(self, folder: Path) -> None:
        """It would look like a student's copy."""
        (folder / "hidden").rename(folder / "shown")
        write(folder, "hidden", "")

        assert ["hidden is a file; make it the folder of the hidden checks, or remove it"] == mistakes(folder)

    @pytest.mark.parametrize("name", ["pow.relu", "pow relu", "-pow", "pöw", "pow\n"])
    def test_the_name_makes_no_id(self, folder: Path, name: str) -> None:
        """An id stands in file names and on command lines."""
        assert [
            "the folder's name is the exercise's id; use only letters, digits, '_' and '-' in it",
        ] == mistakes(folder.rename(folder.parent / name))

    @pytest.mark.parametrize(
        "name", ["README.md", "starter.py", "exercise.toml", "checks/check_value.py", "checks/x.py"]
    )
    def test_a_text_is_not_utf_8(self, folder: Path, name: str) -> None:
        """The line is named."""
        write(folder, name, b"# fine\n# M\xfcller\n")

        assert [f"{name}, line 2 is not UTF-8; save the file as UTF-8"] == mistakes(folder)

    @pytest.mark.parametrize("name", ["README.md", "exercise.toml", "checks/check_value.py"])
    def test_a_file_cannot_be_read(self, folder: Path, name: str) -> None:
        """A file that answers with an error is named with it."""
        (folder / name).unlink()
        (folder / name).symlink_to("/proc/self/mem")

        assert [f"{name} cannot be read (Input/output error); mend its permissions"] == mistakes(folder)

    def test_there_are_things_that_are_no_files(self, folder: Path) -> None:
        """Pipes, sockets, links that lead nowhere, and links to folders, which would hide what is digested."""
        os.mkfifo(folder / "checks/check_pipe.py")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(folder / "s"))
        (folder / "checks/check_gone.py").symlink_to("nowhere")
        (folder / "checks/check_loop.py").symlink_to("check_loop.py")
        (folder / "checks/all").symlink_to(folder)

        assert [
            f"{name} is neither a file nor a folder of its own; remove it"
            for name in ("checks/all", "checks/check_gone.py", "checks/check_loop.py", "checks/check_pipe.py", "s")
        ] == mistakes(folder)

    @pytest.mark.parametrize("name", ["checks/\udcff.py", "a\nb"])
    def test_a_name_cannot_be_written(self, folder: Path, name: str) -> None:
        """It is shown in a form that can."""
        write(folder, name, "")

        assert [f"{name!a} has characters that cannot be written; rename it"] == mistakes(folder)

    def test_a_link_to_a_file_is_as_good_as_the_file(self, folder: Path) -> None:
        """Exercises may share files."""
        (folder / "README.md").rename(folder.parent / "README.md")
        (folder / "README.md").symlink_to("../README.md")

        assert 3 == len(load_exercise(folder).checks)


class TestTheManifest:
    """Mistakes in exercise.toml and hidden.toml."""

    @pytest.mark.parametrize(
        ("old", "new", "mistake"),
        [
            ('title = "Teach the engine"', "", "title is missing"),
            ('title = "Teach the engine"', "title = ' '", "title must be a string that says something"),
            ('title = "Teach the engine"', "title = 1", "title must be a string that says something"),
            ('submit = "value.py"', "", "submit is missing"),
            ('submit = "value.py"', 'submit = ["value.py"]', "submit must be a string that says something"),
            ("xp = 10", "", "xp is missing"),
            ("title =", "tittle = ''\ntitle =", "'tittle' is not a known key; did you mean 'title'?"),
            ("title =", "XP = 1\ntitle =", "'XP' is not a known key; did you mean 'xp'?"),
            (
                "title =",
                "'a\\b' = 1\ntitle =",
                r"'a\\b' is not a known key; the keys are title, submit, xp, reference, limits, imports, names, checks",
            ),
            (
                "[reference]",
                "[reference]\nmodule = 'x'",
                "[reference] 'module' is not a known key; the keys are engine, program, misconceptions, derivation",
            ),
            ("hint =", "hnit = ''\nhint =", "[checks.check_power] 'hnit' is not a known key; did you mean 'hint'?"),
            ('"Look at the exponent."', "3", "[checks.check_power] hint must be a string that says something"),
            (
                "[checks.check_power]\nxp = 3",
                "[checks.check_power]",
                "[checks.check_power] xp is missing",
            ),
        ],
    )
    def test_a_key_is_missing_unknown_or_of_the_wrong_type(
        self, folder: Path, old: str, new: str, mistake: str
    ) -> None:
        """The sentence says which, where, and what was meant."""
        change(folder, old, new)

        assert [f"exercise.toml: {mistake}"] == mistakes(folder)

    @pytest.mark.parametrize(
        "value", ["true", "0", "-3", "1.0", "nan", "inf", "'3'", "[3]", "0x" + "f" * 5000, "1000001"]
    )
    @pytest.mark.parametrize(("old", "place"), [("xp = 10", ""), ("xp = 3", "[checks.check_power] ")])
    def test_xp_are_no_positive_whole_number(self, folder: Path, value: str, old: str, place: str) -> None:
        """A fraction, a truth value, text and a slip of the keyboard are refused; the sum is not looked at."""
        change(folder, old, f"xp = {value}")

        assert [f"exercise.toml: {place}xp must be a whole number from 1 to 1,000,000"] == mistakes(folder)

    @pytest.mark.parametrize("hidden", [4, 6])
    def test_xp_do_not_add_up(self, folder: Path, hidden: int) -> None:
        """Public and hidden checks together are worth the exercise's XP."""
        change(folder, "xp = 5", f"xp = {hidden}", "hidden/hidden.toml")

        assert [
            f"exercise.toml: xp is 10, but all checks together are worth {5 + hidden}; make them equal",
        ] == mistakes(folder)

    @pytest.mark.parametrize(
        "name",
        [
            "../value.py",
            "a/value.py",
            "a\\\\value.py",
            ".value.py",
            "-rf.py",
            "value.ipynb",
            ".py",
            "value.py\\u0000",
            "välue.py",
        ],
    )
    def test_submit_is_no_plain_file_name(self, folder: Path, name: str) -> None:
        """A student's file is looked for by exactly this name."""
        change(folder, "value.py", name)

        assert ["exercise.toml: submit must be a plain file name such as 'value.py'"] == mistakes(folder)

    @pytest.mark.parametrize("key", ["reference", "limits", "checks"])
    def test_a_table_is_none(self, folder: Path, key: str) -> None:
        """What follows from that is not said."""
        text = MANIFEST.replace("[checks.", "[other.").replace("[reference]", "[others]")
        tables = {"reference": "[others]", "checks": "[other."}
        for other, was in tables.items():
            if other != key:
                text = text.replace(was, was.replace("others", other).replace("other.", "checks."))
        text = f"{key} = 1\n" + text
        write(folder, "exercise.toml", text)
        known = [mistake for mistake in mistakes(folder) if "is not a known key" not in mistake]

        assert [f"exercise.toml: {key} must be a table; begin it with a line [{key}]"] == known

    def test_a_checks_table_is_none(self, folder: Path) -> None:
        """Nothing is said of the XP then."""
        change(folder, '[checks.check_power]\nxp = 3\nhint = "Look at the exponent."', "[checks]\ncheck_power = 3")

        assert [
            "exercise.toml: [checks] check_power must be a table; begin it with a line [checks.check_power]",
        ] == mistakes(folder)

    @pytest.mark.parametrize(
        "text",
        [b"title = ", b"xp = 1\nxp = 2", b"a = " + b"[" * 5000, b"xp = 1" + b"0" * 5000, b"a = 2024-13-45", b"\0"],
    )
    @pytest.mark.parametrize("name", ["exercise.toml", "hidden/hidden.toml"])
    def test_a_manifest_is_no_toml(self, folder: Path, name: str, text: bytes) -> None:
        """The parser's own words say where; what follows from it is not said."""
        write(folder, name, text)
        (mistake,) = mistakes(folder)

        assert mistake.startswith(f"{name} is not valid TOML: ")

    def test_hidden_toml_holds_more_than_checks(self, folder: Path) -> None:
        """All the rest is said once, in exercise.toml."""
        change(folder, "[checks", "xp = 5\n[checks", "hidden/hidden.toml")

        assert ["hidden/hidden.toml: 'xp' is not a known key; the keys are checks"] == mistakes(folder)

    @pytest.mark.parametrize("key", ["check_secs = 1", "check_second = 1"])
    def test_a_limit_is_unknown(self, folder: Path, key: str) -> None:
        """The nearest one is named."""
        add(folder, f"[limits]\n{key}\n", "exercise.toml")

        assert [
            f"exercise.toml: [limits] {key.split(maxsplit=1)[0]!r} is not a known key; did you mean 'check_seconds'?",
        ] == mistakes(folder)

    @pytest.mark.parametrize("value", ["0", "-1", "0.0", "nan", "inf", "true", "'1'", "1e300", "0x" + "f" * 5000])
    @pytest.mark.parametrize(("key", "whole"), [("check_seconds", ""), ("memory_mib", "whole ")])
    def test_a_limit_is_no_positive_number(self, folder: Path, key: str, whole: str, value: str) -> None:
        """A clock with such a limit would never end, or end at once."""
        add(folder, f"[limits]\n{key} = {value}\n", "exercise.toml")

        assert [
            f"exercise.toml: [limits] {key} must be a {whole}number above 0 and up to 1,000,000",
        ] == mistakes(folder)

    def test_a_limit_is_no_whole_number(self, folder: Path) -> None:
        """Only seconds may be broken."""
        add(folder, "[limits]\nprocesses = 1.5\n", "exercise.toml")

        assert [
            "exercise.toml: [limits] processes must be a whole number above 0 and up to 1,000,000",
        ] == mistakes(folder)


class TestImportsAndNames:
    """What an author writes of modules and classes is looked at without any of them."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('[imports]\nforbit = ["numpy"]', "[imports] 'forbit' is not a known key; did you mean 'forbid'?"),
            ('[imports]\nforbid = "numpy"', "[imports] forbid must be a list of modules such as 'numpy'"),
            ('[imports]\nforbid = ["numpy.linalg"]', "[imports] forbid must be a list of modules such as 'numpy'"),
            ('[imports]\nrequire = ["__main__"]', "[imports] require must be a list of modules such as 'numpy'"),
            ("[imports]\nrequire = [3]", "[imports] require must be a list of modules such as 'numpy'"),
            ('[imports]\nforbid = ["a", "a"]', "[imports] forbid must be a list of modules such as 'numpy', each once"),
            ('[imports]\nforbid = ["a"]\nrequire = ["a"]', "[imports] 'a' is both forbidden and required; decide"),
            ("imports = 3", "imports must be a table; begin it with a line [imports]"),
            ("[names]\nValue = 3", "[names] Value must be a list of attributes such as 'data', which may be empty"),
            (
                '[names]\nValue = ["a b"]',
                "[names] Value must be a list of attributes such as 'data', which may be empty",
            ),
            ("[names]\n'a b' = []", "[names] 'a b' is no name of a class"),
            ("[names]\nclass = []", "[names] 'class' is no name of a class"),
        ],
    )
    def test_mistakes(self, folder: Path, text: str, expected: str) -> None:
        """Names are plain, each stands once, and no module is both forbidden and required."""
        if text.startswith("["):
            add(folder, f"{text}\n", "exercise.toml")
        else:
            change(folder, "xp = 10", f"xp = 10\n{text}")

        assert [f"exercise.toml: {expected}"] == mistakes(folder)

    def test_names_are_for_engines(self, folder: Path) -> None:
        """Where no check may ask for a module, there is nothing to define."""
        change(folder, 'engine = "reference.engine"\n', "")
        change(folder, "engine, base", "program, base", "checks/check_value.py")
        change(folder, "engine, *, program", "program", "checks/check_value.py")
        add(folder, "[names]\nValue = []\n", "exercise.toml")

        assert ["exercise.toml: [names] is for checks that ask for engine, and exercise.toml has none; remove it"] == (
            mistakes(folder)
        )


class TestTheReference:
    """Mistakes in the reference that an exercise names."""

    def test_there_is_none(self, folder: Path) -> None:
        """There has to be something to compare with; each check that asks for it says so as well."""
        change(folder, '[reference]\nengine = "reference.engine"\nprogram = "reference.fit"\n', "")
        found = mistakes(folder)

        assert "exercise.toml: [reference] names no module; add engine, program or both" in found
        assert 5 == len(found)

    @pytest.mark.parametrize(
        "name",
        [
            "engine",
            "reference",
            "reference.",
            "reference..engine",
            "reference.en-gine",
            "reference.class",
            "os.path",
            "../x",
        ],
    )
    def test_it_is_no_module_of_the_folder(self, folder: Path, name: str) -> None:
        """A student's copy lacks reference/, so nothing outside of it may be one."""
        change(folder, '"reference.engine"', f"'{name}'")

        assert [
            "exercise.toml: [reference] engine must be the name of a module in reference/, such as 'reference.engine'",
        ] == mistakes(folder)

    def test_its_file_is_not_there(self, folder: Path) -> None:
        """The nearest module is named, if one is near."""
        change(folder, '"reference.engine"', '"reference.eng"')
        change(folder, '"reference.fit"', f'"reference.{"x" * 300}"')

        assert [
            "exercise.toml: [reference] engine: there is no 'reference.eng'; did you mean 'reference.engine'?",
            f"exercise.toml: [reference] program: there is no 'reference.{'x' * 300}'; write it",
        ] == mistakes(folder)

    def test_smaller_cases(self, folder: Path) -> None:
        """What tells of smaller cases is looked for in the same way, and belongs to public checks alone."""
        change(folder, "[checks.check_power]\n", '[checks.check_power]\nsmaller = "reference.fitt"\n')
        change(folder, "[checks.check_reuse]\n", '[checks.check_reuse]\nsmaller = "fit"\n', "hidden/hidden.toml")

        assert [
            "exercise.toml: [checks.check_power] smaller: there is no 'reference.fitt'; did you mean 'reference.fit'?",
            "hidden/hidden.toml: [checks.check_reuse] 'smaller' is not a known key; the keys are xp, hint, runs",
        ] == mistakes(folder)


class TestTheChecks:
    """Mistakes in the check files, and between them and their tables."""

    def test_a_name_is_misspelt(self, folder: Path) -> None:
        """Table and function each say what the other is called."""
        change(folder, "check_power]", "check_powers]")

        assert [
            (
                "exercise.toml: [checks] has no table for check_power in checks/check_value.py, line 7;"
                " did you mean 'check_powers'?"
            ),
            (
                "exercise.toml: [checks.check_powers] has no function 'check_powers' in checks/check_*.py;"
                " did you mean 'check_power'?"
            ),
        ] == mistakes(folder)

    def test_a_table_has_no_function(self, folder: Path) -> None:
        """A check without code is no check."""
        add(folder, "[checks.'check nothing']\nxp = 1\n", "exercise.toml")

        assert (
            "exercise.toml: [checks.'check nothing'] has no function 'check nothing' in checks/check_*.py; write it"
        ) in mistakes(folder)

    def test_a_function_has_no_table(self, folder: Path) -> None:
        """A check without XP is worth nothing."""
        add(
            folder, 'def check_sum(engine):\n    """Sums."""\n    return engine.Value(1).data\n', "hidden/check_more.py"
        )

        assert [
            (
                "hidden/hidden.toml: [checks] has no table for check_sum in hidden/check_more.py, line 4;"
                " add [checks.check_sum]"
            ),
        ] == mistakes(folder)

    def test_a_table_and_its_function_are_in_different_folders(self, folder: Path) -> None:
        """Else it would be unclear whether the check is hidden."""
        change(folder, "[checks.check_relu]\nxp = 2\n", "")
        add(folder, "[checks.check_relu]\nxp = 2\n", "hidden/hidden.toml")

        assert [
            (
                "hidden/hidden.toml: [checks.check_relu] belongs to the function in checks/check_value.py;"
                " move one to the other"
            ),
        ] == mistakes(folder)

    def test_a_check_concludes_nothing(self, folder: Path) -> None:
        """A check that forgot its `return` would pass every submission."""
        change(folder, "    return engine.Value(near).relu()", "    engine.Value(near).relu()", "checks/check_value.py")

        assert [
            told
            for told in mistakes(folder)
            if "returns nothing and asserts nothing, so every submission passes" in told
        ]

    @pytest.mark.parametrize("name", ["checks/check_value.py", "checks/check_z.py", "hidden/check_more.py"])
    def test_two_checks_have_one_name(self, folder: Path, name: str) -> None:
        """A name stands for one check of the exercise, wherever it is."""
        twin = 'def check_power(engine):\n    """A twin."""\n'
        before = (folder / name).read_text() if (folder / name).exists() else ""
        write(folder, name, before + twin)
        line = before.count("\n") + 1

        assert (
            f"{name}, line {line}: check_power is defined in checks/check_value.py, line 7, too; rename one"
        ) in mistakes(folder)

    def test_two_tables_have_one_name(self, folder: Path) -> None:
        """One of them is in the wrong folder."""
        add(folder, "[checks.check_relu]\nxp = 2\n", "hidden/hidden.toml")

        assert (
            "hidden/hidden.toml: [checks.check_relu] belongs to the function in checks/check_value.py;"
            " move one to the other"
        ) in mistakes(folder)

    @pytest.mark.parametrize(
        ("checks", "manifest", "side"),
        [
            ("checks/check_value.py", "exercise.toml", "checks"),
            ("hidden/check_more.py", "hidden/hidden.toml", "hidden"),
        ],
    )
    def test_a_folder_has_no_check(self, folder: Path, checks: str, manifest: str, side: str) -> None:
        """An exercise has at least one public check, and hidden/ is there for a reason."""
        write(folder, checks, "")
        write(folder, manifest, (folder / manifest).read_text().partition("[checks")[0])

        assert (
            f"{manifest}: [checks] is empty; write a check in {side}/check_*.py and give it a table [checks.<name>]"
        ) in mistakes(folder)

    @pytest.mark.parametrize("name", ["checks/helpers.py", "checks/more/check_more.py", "hidden/conftest.py"])
    def test_a_check_is_where_nobody_looks(self, folder: Path, name: str) -> None:
        """It would never run."""
        side = name.partition("/")[0]
        write(folder, name, 'def check_sum(engine):\n    """Sums."""\n    return engine.Value(1).data\n')
        add(folder, "[checks.check_sum]\nxp = 1\n", "exercise.toml" if side == "checks" else "hidden/hidden.toml")
        change(folder, "xp = 10", "xp = 11")

        assert [
            f"{name}, line 1: check_sum is not looked for here; move it into a file {side}/check_*.py",
        ] == mistakes(folder)

    @pytest.mark.parametrize(
        ("old", "new", "mistake"),
        [
            ('    """Relu is flat below 0."""\n', "", "has no docstring; write the sentence that the student reads"),
            ("Relu is flat below 0.", r" \n ", "has no docstring; write the sentence that the student reads"),
            ("def check_relu", "async def check_relu", "is async; make it a plain function"),
            (
                "    return engine.Value(near).relu()",
                "    x = (yield)",
                "is a generator; return what is to be compared",
            ),
            (
                "    return engine.Value(near).relu()",
                "    if near:\n        yield from ()",
                "is a generator; return what is to be compared",
            ),
            (
                "check_relu(engine, *, program, rng,",
                "check_relu(*, rng, engine=None,",
                "asks for neither engine nor program, so it cannot see the student's work; ask for one",
            ),
        ],
    )
    def test_a_function_is_no_check(self, folder: Path, old: str, new: str, mistake: str) -> None:
        """A check asks for the student's work, returns what is compared, and says what is asked."""
        change(folder, old, new, "checks/check_value.py")

        assert [f"checks/check_value.py, line 16: check_relu {mistake}"] == mistakes(folder)

    def test_a_generator_inside_a_check_is_none_of_the_harness_business(self, folder: Path) -> None:
        """Only the check itself has to return."""
        inner = "    def values():\n        yield 1\n    return list(values()) + list(map(lambda: (yield), []))"
        change(folder, "    return engine.Value(near).relu()", inner, "checks/check_value.py")

        assert 3 == len(load_exercise(folder).checks)

    def test_a_check_asks_for_a_role_that_the_reference_lacks(self, folder: Path) -> None:
        """There would be nothing to compare with."""
        change(folder, 'program = "reference.fit"\n', "")

        assert [
            f"{place} asks for program, and exercise.toml has none; name it in [reference]"
            for place in ("checks/check_value.py, line 16: check_relu", "hidden/check_more.py, line 1: check_reuse")
        ] == mistakes(folder)

    @pytest.mark.parametrize("decorator", ["pytest.fixture", "fixture", "pytest.fixture(scope='module')", "fixture()"])
    @pytest.mark.parametrize("given", ["engine", "program", "rng"])
    def test_a_fixture_sees_one_side_only(self, folder: Path, decorator: str, given: str) -> None:
        """A fixture lives through both runs of a check, so what it makes of an engine is one side's."""
        write(folder, "checks/conftest.py", f"@{decorator}\ndef model({given}): ...\n")

        assert [
            (
                f"checks/conftest.py, line 2: model is a fixture that asks for {given}, of which it sees one side only;"
                " make it a plain function"
            ),
        ] == mistakes(folder)

    @pytest.mark.parametrize(
        "fixture", ["@pytest.fixture\ndef engine(): ...\n", "@pytest.fixture(name='engine')\ndef mine(): ...\n"]
    )
    def test_a_fixture_hides_the_students_work(self, folder: Path, fixture: str) -> None:
        """Checks would compare the fixture with itself, and pass."""
        write(folder, "checks/conftest.py", fixture)
        (mistake,) = mistakes(folder)

        assert mistake.endswith("is a fixture that hides the grader's own engine; rename it")

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("def check_relu(:\n", ", line 21 is not Python: invalid syntax"),
            ("return 1\n", ", line 21 is not Python: 'return' outside function"),
            ("x = 1\0\n", " is not Python: source code string cannot contain null bytes"),
            ("(" * 250 + ")" * 250, ", line 21 is not Python: too many nested parentheses"),
            ("x = " + "-" * 100_000 + "1\n", " is not Python: "),
        ],
    )
    def test_a_file_is_no_python(self, folder: Path, text: str, what: str) -> None:
        """The line is named; of functions that are not found nothing is said, they may be there."""
        add(folder, "\n\n" + text)
        (mistake,) = mistakes(folder)

        assert mistake.startswith(f"checks/check_value.py{what}")


def test_all_mistakes_are_reported_at_once(folder: Path) -> None:
    """An author mends everything in one go."""
    (folder / "README.md").unlink()
    change(folder, "title", "tilte")
    change(folder, "value.py", "value.txt")
    change(folder, "reference.fit", "reference.fitt")
    change(folder, '"""Relu is flat below 0."""', "pass", "checks/check_value.py")
    change(folder, "xp = 5", "xp = 5.5", "hidden/hidden.toml")

    assert [
        "README.md is missing; write it",
        "exercise.toml: 'tilte' is not a known key; did you mean 'title'?",
        "exercise.toml: submit must be a plain file name such as 'value.py'",
        "exercise.toml: [reference] program: there is no 'reference.fitt'; did you mean 'reference.fit'?",
        "checks/check_value.py, line 16: check_relu has no docstring; write the sentence that the student reads",
        "exercise.toml: title is missing",
        "hidden/hidden.toml: [checks.check_reuse] xp must be a whole number from 1 to 1,000,000",
    ] == mistakes(folder)


@pytest.mark.parametrize(
    ("name", "known", "advice"),
    [
        ("Value.py", ["value.py", "fit.py"], "; did you mean 'value.py'?"),
        ("VALUE", ["value", "Value"], "; did you mean 'value'?"),
        ("zebra", ["value"], ""),
        ("value", [], ""),
    ],
)
def test_did_you_mean_names_the_nearest_name(name: str, known: list[str], advice: str) -> None:
    """Case is no difference; a name that is not close is no advice."""
    assert advice == did_you_mean(name, known)


def toml(value: object) -> str:
    """Writes a value as TOML; a table inline."""
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{" + ", ".join(f"{toml(key)} = {toml(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case str():
            return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
        case _:
            return str(value)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
KEYS = TEXT | st.sampled_from(
    ["title", "submit", "xp", "reference", "limits", "checks", "check_power", "hint", "engine", "check_seconds"]
)
VALUES = st.recursive(
    st.booleans() | st.integers() | st.floats() | TEXT,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(KEYS, values, max_size=3),
    max_leaves=8,
)


@given(
    manifest=st.dictionaries(KEYS, VALUES, max_size=6),
    hidden=st.dictionaries(KEYS, VALUES, max_size=3),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_whatever_a_manifest_holds_is_an_exercise_or_its_mistakes(
    folder: Path, manifest: dict[str, Any], hidden: dict[str, Any]
) -> None:
    """No value of any type leads to another exception, and every mistake is a line that can be written."""
    for name, table in (("exercise.toml", manifest), ("hidden/hidden.toml", hidden)):
        write(folder, name, "".join(f"{toml(key)} = {toml(value)}\n" for key, value in table.items()))
    for mistake in mistakes(folder):
        assert mistake.isprintable()


@given(text=st.binary(max_size=60) | TEXT.map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize("name", ["exercise.toml", "checks/check_value.py"])
def test_whatever_bytes_a_file_holds_is_an_exercise_or_its_mistakes(folder: Path, name: str, text: bytes) -> None:
    """An author's accidents end in a sentence."""
    write(folder, name, text)

    assert mistakes(folder)
