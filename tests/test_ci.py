"""In a CI system: what `check` and `grade` tell it, the action, and what the documentation asks people to copy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from lxml import etree

from grader.cli import cli
from grader.reports.file_names import page_file_name
from grader.reports.text import visible
from tests.hostile_strings import HOSTILE_STRINGS
from tests.markdown_readers import assert_inert, read_markdown
from tests.workflow_commands import WorkflowCommand, workflow_commands

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.conftest import Command, TinyCourse

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
PINNED = re.compile(r"\./|[\w.-]+/[\w.-]+@[0-9a-f]{40}")
GUIDE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
EXAMPLES: list[Any] = [yaml.safe_load(block) for block in re.findall(r"(?ms)^```yaml\n(.*?)^```", GUIDE)]
C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A machine whose language has no letters but ASCII's."""
HIDDEN = '''\
def check_relu_at_zero(engine):
    """At exactly 0, relu passes nothing on."""
    x = engine.Value(0.0 * 31415.5)
    x.relu().backward()
    return {"x.grad": x.grad}
'''
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Workspace:
    """A repository on a machine of GitHub Actions; lasts as long as its test.

    Attributes:
        root: The repository, which is the course too.
        variables: What GitHub sets in the environment.
    """

    root: Path
    variables: dict[str, str]

    @property
    def summary(self) -> Path:
        """The file that the step's summary goes into."""
        return Path(self.variables["GITHUB_STEP_SUMMARY"])


@pytest.fixture
def here(course: TinyCourse) -> Path:
    """A course with an exercise that has two public checks and a hidden one, each worth 5 XP."""
    course.exercise(hidden=HIDDEN)
    return course.root


@pytest.fixture
def github(here: Path, tmp_path: Path) -> Workspace:
    """The course checked out in GitHub Actions."""
    for name in ("temporary", "files"):
        (tmp_path / name).mkdir()
    variables = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(here),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "files" / "summary"),
        "GITHUB_PATH": str(tmp_path / "files" / "path"),
        "GITHUB_ACTION_PATH": str(ROOT),
        "RUNNER_TEMP": str(tmp_path / "temporary"),
        "RUNNER_ENVIRONMENT": "self-hosted",
    }
    return Workspace(here, variables)


def cases(path: Path) -> dict[str | None, list[tuple[str, str | None]]]:
    """What a JUnit report says of each test case."""
    root = etree.parse(path).getroot()
    return {case.get("name"): [(str(child.tag), child.get("type")) for child in case] for case in root.iter("testcase")}


class TestCheck:
    """`grader check` in any CI system."""

    def test_junit(self, command: Command, here: Path, course: TinyCourse) -> None:
        """It writes a report of the public checks, in a folder that it makes."""
        course.write("value.py", course.right.replace("max(self.data, 0.0)", "self.data"))
        done = command("check", "tiny", "value.py", "--junit", "build/reports/tiny.xml", cwd=here)

        assert 1 == done.returncode
        expected = {"check_value": [("system-out", None)], "check_relu": [("failure", "failed")]}
        assert expected == cases(here / "build/reports/tiny.xml")

    def test_an_earlier_report_goes_first(self, command: Command, here: Path, course: TinyCourse) -> None:
        """A run that does not come to an end leaves no report of an earlier one, which might be green."""
        course.write("old.xml", "<testsuites/>")
        done = command("check", "tiny", "no/such/file.py", "--junit", "old.xml", cwd=here)

        assert 2 == done.returncode
        assert not (here / "old.xml").exists()

    def test_a_fault_of_ours(self, command: Command, here: Path, course: TinyCourse, github: Workspace) -> None:
        """Where a check is broken there is a report that says so, and nothing of it is the student's fault."""
        course.write("value.py", course.right)
        check = here / "exercises/tiny/checks/check_public.py"
        check.write_text(check.read_text().replace("    x = ", "    1 / 0\n    x = "))
        done = command("check", "tiny", "value.py", "--junit", "tiny.xml", cwd=here, environment=github.variables)

        assert 3 == done.returncode
        assert {"tiny": [("error", "ungraded")]} == cases(here / "tiny.xml")
        assert ["tiny: ungraded"] == [each.properties["title"] for each in workflow_commands(done.stdout)]
        assert "could not be graded, through no fault of its student" in github.summary.read_text()

    @pytest.mark.parametrize("junit", ["value.py", "./value.py", "link.py"])
    def test_a_report_in_the_place_of_the_work(
        self, command: Command, here: Path, course: TinyCourse, junit: str
    ) -> None:
        """Nobody's work is overwritten by its report."""
        work = course.write("value.py", course.right)
        (here / "link.py").symlink_to("value.py")
        done = command("check", "tiny", "value.py", "--junit", junit, cwd=here)

        assert (2, course.right) == (done.returncode, work.read_text())
        assert "--junit names value.py itself; name another file." in done.stderr

    def test_a_report_that_cannot_be_written(self, command: Command, here: Path, course: TinyCourse) -> None:
        """Where there is no place for the report, the message says so before anything is checked."""
        course.write("value.py", course.right)
        done = command("check", "tiny", "value.py", "--junit", "value.py/tiny.xml", cwd=here)

        assert (2, "") == (done.returncode, done.stdout)
        assert "value.py/tiny.xml cannot be written (" in done.stderr.splitlines()[-1]

    @pytest.mark.parametrize(("percent", "status"), [("0", 0), ("50", 0), ("50.1", 1), ("100", 1)])
    def test_fail_under(self, command: Command, here: Path, course: TinyCourse, percent: str, status: int) -> None:
        """With half of the XP of the public checks earned, half is enough and more is not."""
        course.write("value.py", course.right.replace("max(self.data, 0.0)", "self.data"))

        assert status == command("check", "tiny", "value.py", "--fail-under", percent, cwd=here).returncode


class TestGitHub:
    """What a run of GitHub Actions is told, where there is one."""

    def test_check(self, command: Command, here: Path, course: TinyCourse, github: Workspace) -> None:
        """A check that does not pass is an error at its line of the file, which is found from the repository's root."""
        source = course.right.replace("return Value(max(self.data, 0.0)", "return Value(self.missing")
        course.write("week 1/value.py", source)
        done = command("check", "tiny", "value.py", cwd=here / "week 1", environment=github.variables)
        (error,) = workflow_commands(done.stdout)
        (table,), _ = read_markdown(github.summary.read_text(encoding="utf-8"))

        assert 1 == done.returncode
        line = str(1 + source[: source.index("self.missing")].count("\n"))
        title = "tiny: check_relu: error"
        assert ("error", {"file": "week 1/value.py", "line": line, "title": title}) == (error.name, error.properties)
        assert "AttributeError: 'Value' object has no attribute 'missing'" in error.message
        assert ["verdict", "passed", "error"] == [row[0] for row in table]

    def test_a_file_elsewhere(self, command: Command, course: TinyCourse, github: Workspace, tmp_path: Path) -> None:
        """A file that is not in the repository is not looked for there."""
        elsewhere = tmp_path / "value.py"
        elsewhere.write_text(course.right.replace("max(self.data, 0.0)", "self.data"))
        done = command("check", "tiny", elsewhere, cwd=github.root, environment=github.variables)

        assert ["title"] == [*workflow_commands(done.stdout)[0].properties]

    def test_grade(self, command: Command, here: Path, course: TinyCourse, github: Workspace) -> None:
        """A class is annotated with no more than students may read, and its table is the summary."""
        course.hand_in("ada", course.right)
        course.hand_in("blaise", course.wrong)
        github.summary.write_text("# Before\n\n")
        arguments = ("grade", "handed-in", "-o", "out", "--sandbox", "unsafe")
        done = command(*arguments, cwd=here, environment=github.variables)
        summary = github.summary.read_text(encoding="utf-8")

        assert 0 == done.returncode
        assert [
            WorkflowCommand(
                "error",
                "At exactly 0, relu passes nothing on.\n\nWhat happened:\nThe answer is wrong.\n\nHint:\nLook again.",
                {"title": "blaise, tiny: check_relu_at_zero: failed"},
            )
        ] == workflow_commands(done.stdout)
        assert "31415" not in done.stdout
        assert "# Before\n\n" + (here / "out" / "summary.md").read_text(encoding="utf-8") == summary

    @pytest.mark.parametrize(("before", "added"), [(MIB, 0), (MIB - 100, 100), (MIB + 1, 0)])
    def test_full_summary(
        self, command: Command, here: Path, course: TinyCourse, github: Workspace, before: int, added: int
    ) -> None:
        """What GitHub takes of a step's summary, all its commands together, is not exceeded."""
        course.write("value.py", course.wrong)
        github.summary.write_bytes(b"\n" * before)
        done = command("check", "tiny", "value.py", cwd=here, environment=github.variables)

        assert 0 == done.returncode
        assert before <= github.summary.stat().st_size <= before + added

    @pytest.mark.parametrize("place", ["no/such/folder", "", None])
    def test_no_summary(
        self, command: Command, here: Path, course: TinyCourse, github: Workspace, place: str | None
    ) -> None:
        """Where there is no file for the summary, the work is checked all the same."""
        course.write("value.py", course.wrong)
        variables = {name: value for name, value in github.variables.items() if name != "GITHUB_STEP_SUMMARY"}
        if place is not None:
            variables["GITHUB_STEP_SUMMARY"] = place
        done = command("check", "tiny", "value.py", cwd=here, environment=variables)

        assert 0 == done.returncode
        assert bool(place) == ("GITHUB_STEP_SUMMARY, no/such/folder, cannot be written: No such" in done.stderr)

    @pytest.mark.parametrize("value", ["", "false", "1"])
    def test_elsewhere(self, command: Command, here: Path, course: TinyCourse, github: Workspace, value: str) -> None:
        """Anywhere else there are neither annotations nor a summary."""
        course.write("value.py", "nonsense")
        done = command("check", "tiny", "value.py", cwd=here, environment=github.variables | {"GITHUB_ACTIONS": value})

        assert [] == workflow_commands(done.stdout)
        assert not github.summary.exists()


class TestHostileWork:
    """Work that attacks whoever reads about it, on a machine whose language has no letters but ASCII's."""

    def test_class(self, command: Command, here: Path, course: TinyCourse, github: Workspace) -> None:
        """A class of hostile names is graded, and each output can be read and is inert."""
        texts = [text for text in HOSTILE_STRINGS.values() if len(text) <= 100]
        for number, text in enumerate(texts):
            name = f"{number} {text}".encode("utf-8", "replace").translate(None, b"/\0")
            folder = os.fsencode(here / "handed-in") + b"/" + name
            os.makedirs(folder)  # noqa: PTH103  # no path of pathlib has bytes
            act = f"print({text!a})\nraise ValueError({text!a})"
            Path(os.fsdecode(folder), "value.py").write_bytes(course.acting(act).encode())
        arguments = ("grade", "handed-in", "-o", "out", "--sandbox", "unsafe")
        done = command(*arguments, cwd=here, environment=github.variables | C_LOCALE)
        out = here / "out"
        summary = (out / "summary.md").read_text(encoding="utf-8")
        (table,), _ = read_markdown(summary)

        assert (0, "") == (done.returncode, "".join(re.findall("Traceback.*", done.stderr, re.DOTALL)))
        assert len(texts) == len(table) - 1 == len(list((out / "junit").iterdir()))
        assert all(path.name.isascii() for path in out.rglob("*"))
        assert len(texts) == len(list(etree.parse(out / "junit.xml").iter("testsuite")))
        assert 10 == [each.name for each in workflow_commands(done.stdout)].count("error")
        assert [] == workflow_commands(done.stderr)
        assert_inert(summary)

    @pytest.mark.parametrize("text", [HOSTILE_STRINGS[name] for name in ("commands", "scripts", "surrogates", "fence")])
    def test_check(self, command: Command, here: Path, course: TinyCourse, github: Workspace, text: str) -> None:
        """What the student's code says is told on the screen, in the report, in the annotation and in the summary."""
        course.write("value.py", course.acting(f"raise ValueError({text!a})", when="self.data < 0"))
        environment = github.variables | C_LOCALE
        done = command("check", "tiny", "value.py", "--junit", "tiny.xml", cwd=here, environment=environment)
        (error,) = workflow_commands(done.stdout)
        summary = github.summary.read_text(encoding="utf-8")

        assert (1, True) == (done.returncode, done.stdout.isascii())
        assert [("error", "error")] == cases(here / "tiny.xml")["check_relu"]
        assert visible(text) in (etree.parse(here / "tiny.xml").findtext(".//error") or "")
        assert visible(text).encode("ascii", "replace").decode() in error.message
        assert visible(text) in summary
        assert_inert(summary)


def run_script(
    script: str, cwd: Path, variables: Mapping[str, str], inputs: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the text of a step as a runner does where `shell` is bash."""
    files = [Path(variables["GITHUB_PATH"])] if "GITHUB_PATH" in variables else []
    folders = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    path = os.pathsep.join([*folders, str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(  # noqa: S603  # ours
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],  # noqa: S607  # any bash will do
        cwd=cwd,
        env={**os.environ, **variables, **(inputs or {}), "PATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def run_step(name: str, cwd: Path, variables: Mapping[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run one of the action's steps with some inputs, and the defaults of the others."""
    (step,) = (step for step in STEPS if step.get("name") == name)
    defaults = {key: spec["default"] for key, spec in ACTION["inputs"].items()}
    given = defaults | {key.replace("_", "-"): value for key, value in inputs.items()}
    environment = {}
    for variable, value in step.get("env", {}).items():
        found = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)
        assert found
        environment[variable] = given[found[1]]
    return run_script(step["run"], cwd, variables, environment)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of folders that the action's first steps add to the path: the grader is in one of them."""
    folder = tmp_path_factory.mktemp("runner")
    variables = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_PATH": str(folder / "path"),
        "RUNNER_TEMP": str(folder),
        "RUNNER_ENVIRONMENT": "self-hosted",
    }
    for name in ("Install the grader", "Install bubblewrap"):
        done = run_step(name, folder, variables)
        assert (name, 0) == (name, done.returncode), done.stderr
    return folder / "path"


@pytest.fixture
def ready(github: Workspace, installed: Path) -> dict[str, str]:
    """The variables of a step that runs the grader which the action installed."""
    return github.variables | {"GITHUB_PATH": str(installed)}


class TestAction:
    """The action, its scripts run as GitHub's runner runs them."""

    def test_it_is_its_own_grader(self, here: Path, ready: dict[str, str]) -> None:
        """What runs is the grader that belongs to the action."""
        done = run_script("command -v grader", here, ready)

        assert Path(ready["GITHUB_PATH"]).read_text().strip() == str(Path(done.stdout).parent)

    def test_check(self, here: Path, course: TinyCourse, github: Workspace, ready: dict[str, str]) -> None:
        """`check` fails with the status of the grader, annotates the file, and leaves a summary and a report."""
        course.write("value.py", course.right.replace("max(self.data, 0.0)", "self.data"))
        done = run_step("Run the grader", here, ready, exercise="tiny", file="value.py")

        assert 1 == done.returncode
        assert ["value.py"] == [each.properties["file"] for each in workflow_commands(done.stdout)]
        assert "**5 of 10 XP**" in github.summary.read_text(encoding="utf-8")
        assert {"check_value", "check_relu"} == set(cases(here / "grader.xml"))
        assert (
            0 == run_step("Run the grader", here, ready, exercise="tiny", file="value.py", fail_under="50").returncode
        )

    def test_grade(self, here: Path, course: TinyCourse, github: Workspace, ready: dict[str, str]) -> None:
        """`grade` grades a class, whose hidden inputs come from a secret that is left nowhere."""
        course.hand_in("ada", course.right)
        course.hand_in("blaise", course.wrong)
        inputs = {
            "command": "grade",
            "submissions": "handed-in",
            "output": "out",
            "sandbox": "unsafe",
            "layout": "plain",
        }
        done = run_step("Run the grader", here, ready, **inputs, exercise="tiny", secret="x" * 16, fail_under="100")

        assert 1 == done.returncode
        assert ["blaise, tiny: check_relu_at_zero: failed"] == [
            each.properties["title"] for each in workflow_commands(done.stdout)
        ]
        assert "| `ada` | 15 |" in github.summary.read_text(encoding="utf-8")
        assert not (here / "out" / "course.secret").exists()

    def test_course(self, here: Path, course: TinyCourse, ready: dict[str, str], tmp_path: Path) -> None:
        """The course may lie elsewhere in the workspace."""
        (tmp_path / "value.py").write_text(course.wrong)
        inputs = {"exercise": "tiny", "file": "value.py", "course": here.name}

        assert 0 == run_step("Run the grader", tmp_path, ready, **inputs).returncode

    @pytest.mark.parametrize(
        ("inputs", "said"),
        [
            ({"command": "cheque"}, "The input command is check or grade."),
            ({"file": "value.py"}, "The input exercise is missing."),
            ({"exercise": "tiny"}, "The input file is missing."),
            ({"exercise": "tiny", "file": "value.py", "junit": ""}, "The input junit is missing."),
            ({"command": "grade", "output": "out"}, "The input submissions is missing."),
            ({"command": "grade", "submissions": "handed-in"}, "The input output is missing."),
        ],
    )
    def test_missing_inputs(self, here: Path, ready: dict[str, str], inputs: dict[str, str], said: str) -> None:
        """What the action lacks it says in an annotation, with the status of wrong usage."""
        done = run_step("Run the grader", here, ready, **inputs)

        assert (2, [WorkflowCommand("error", said)]) == (done.returncode, workflow_commands(done.stdout))

    @pytest.mark.parametrize("name", [key for key in ACTION["inputs"] if key != "python-version"])
    @pytest.mark.parametrize(
        "text", ['x"; touch made; $(touch made) `touch made` a[$(touch made)]\ntouch made', "--help"]
    )
    def test_no_input_is_a_command(self, here: Path, ready: dict[str, str], name: str, text: str) -> None:
        """Whatever an input is, it is taken for what it is to be: nothing of it is run, and it is no option."""
        command = "check" if name in {"file", "junit"} else "grade"
        inputs = {"command": command, "exercise": "tiny", "file": "no.py", "submissions": "no", "output": "out"}
        done = run_step("Run the grader", here, ready, **{**inputs, name.replace("-", "_"): text})

        assert done.returncode in {2, 3}
        assert not (here / "made").exists()

    def test_scripts_have_no_expressions(self) -> None:
        """Inputs reach scripts as variables: an expression within a script would be run as a part of it."""
        assert [] == [step["name"] for step in STEPS if "${{" in step.get("run", "")]
        assert [] == [step["name"] for step in STEPS if "run" in step and step["shell"] != "bash"]

    def test_other_actions_are_pinned(self) -> None:
        """What it uses of others is named by commit."""
        assert [] == [step["uses"] for step in STEPS if not PINNED.fullmatch(step.get("uses", "./"))]


class TestGuide:
    """What docs/ci.md asks people to copy."""

    def steps(self) -> Iterator[dict[str, Any]]:
        """Every step of the workflows for GitHub."""
        for example in EXAMPLES:
            for job in example.get("jobs", {}).values():
                yield from job["steps"]

    def test_inputs(self) -> None:
        """Its table has every input of the action, and its workflows name no other."""
        rows = re.findall(r"^\| (`[a-z`, -]+`) \|", GUIDE.partition("| input |")[2].partition("\n\n")[0], re.MULTILINE)
        named = {name for row in rows for name in re.findall("[a-z-]+", row)}
        ours = [
            step["with"] for step in self.steps() if re.match(r"\./|your-organisation/grader@", step.get("uses", ""))
        ]
        used = {name for inputs in ours for name in inputs}

        assert set(ACTION["inputs"]) == named
        assert used <= named

    def test_actions_are_pinned(self) -> None:
        """Every action is named by commit, or lies in the repository itself."""
        assert [] == [step["uses"] for step in self.steps() if not PINNED.fullmatch(step.get("uses", "./"))]

    def test_scripts(self) -> None:
        """Scripts are right Bash without expressions in them."""
        scripts = [step["run"] for step in self.steps() if "run" in step]

        assert 2 == len(scripts)
        assert [] == [script for script in scripts if "${{" in script]
        assert [0, 0] == [subprocess.run(["bash", "-n", "-c", script], check=False).returncode for script in scripts]  # noqa: S603, S607  # ours

    def test_commands(self) -> None:
        """Every option of the grader that it names exists."""
        for name, rest in re.findall(r"grader (?:--course course )?(check|grade) (.*)", GUIDE):
            known = {option for parameter in cli.commands[name].params for option in parameter.opts}
            assert set() == set(re.findall(r"--[a-z-]+", rest)) - known

    def test_gitlab(self) -> None:
        """In GitLab each job that runs the grader leaves a JUnit report, whatever became of it."""
        jobs = [job for example in EXAMPLES for job in example.values() if isinstance(job, dict)]
        reporting = [job["artifacts"] for job in jobs if any("grader " in line for line in job.get("script", []))]

        assert ["grader.xml", "build/results/junit.xml"] == [each["reports"]["junit"] for each in reporting]
        assert {"always"} == {each["when"] for each in reporting}

    def test_each_student_is_given_their_own_page(self, tmp_path: Path) -> None:
        """The last step pushes to each student's repository the page about that student, and nothing else."""
        (script,) = (step["run"] for step in self.steps() if step.get("name") == "Give each student their own page")
        settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(tmp_path)}
        for student in ("ada", "Ada", "ada-2", "carl"):
            prepare = f"""
                git init --quiet --bare origin/{student}
                git clone --quiet origin/{student} build/handed-in/{student} 2>/dev/null
                cd build/handed-in/{student}
                echo "raise SystemExit" >value.py
                git add .
                git -c user.name=x -c user.email=x@localhost commit --quiet --message work
                git push --quiet origin HEAD:main
            """
            assert 0 == run_script(prepare, tmp_path, settings).returncode
        pages = tmp_path / "build/results/pages"
        pages.mkdir(parents=True)
        names = {student: page_file_name(student) for student in ("ada", "Ada", "ada-2")}
        for student, name in names.items():
            (pages / name).write_text(f"about {student}")
        done = run_script(script, tmp_path, settings)

        assert (0, "") == (done.returncode, done.stdout)
        for student in names:
            look = "git ls-tree -r --name-only feedback; git show feedback:feedback.html"
            assert f"feedback.html\nabout {student}" == run_script(look, tmp_path / "origin" / student, settings).stdout
        assert (
            "main"
            == run_script("git branch --format '%(refname:short)'", tmp_path / "origin/carl", settings).stdout.strip()
        )
