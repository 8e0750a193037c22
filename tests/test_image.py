"""The sandbox image and its seccomp profile, on a real engine."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import platform
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from docker.errors import DockerException

from grader.errors import SandboxError
from grader.sandbox import image
from grader.sandbox.image import BASE, LABEL, build_image, connect, driver_digest, find_image
from grader.sandbox.process import DRIVER_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from docker import DockerClient

TEST_TAG = "grader-sandbox:test"
IGNORED = (Path(__file__).parents[1] / ".dockerignore").read_text(encoding="utf-8")
PROFILE = Path(image.__file__).with_name("seccomp.json").read_text(encoding="utf-8")

# Calls that can do harm even without a capability: number on x86-64, number on AArch64, arguments.
REFUSED = {
    "accept": (43, 202, (0, 0, 0)),
    "add_key": (248, 217, ("user", "x", "x", 1, 0)),
    "bind": (49, 200, (0, 0, 0)),
    "bpf": (321, 280, (0, 0, 0)),
    "clone of a user namespace": (56, 220, (0x10000011, 0, 0, 0, 0)),
    "connect": (42, 203, (0, 0, 0)),
    "fsopen": (430, 430, ("tmpfs", 0)),
    "io_uring_enter": (426, 426, (0, 0, 0, 0, 0, 0)),
    "io_uring_register": (427, 427, (0, 0, 0, 0)),
    "io_uring_setup": (425, 425, (1, 0)),
    "ioctl TIOCLINUX": (16, 29, (0, 0x541C, 0)),
    "ioctl TIOCSTI": (16, 29, (0, 0x5412, "x")),
    "ioctl TIOCSTI with a bit the kernel drops": (16, 29, (0, 0x1_0000_5412, "x")),
    "keyctl": (250, 219, (0, 0, 0, 0, 0)),
    "listen": (50, 201, (0, 0)),
    "memfd_create": (319, 279, ("x", 0)),
    "memfd_secret": (447, 447, (0,)),
    "mount": (165, 40, ("x", "/", "tmpfs", 0, 0)),
    "move_mount": (429, 429, (0, "", 0, "", 0)),
    "mq_open": (240, 180, ("x", 0, 0, 0)),
    "msgget": (68, 186, (0, 0o1600)),
    "open_by_handle_at": (304, 265, (0, 0, 0)),
    "perf_event_open": (298, 241, (0, 0, -1, -1, 0)),
    "personality of another system": (135, 92, (8,)),
    "pidfd_getfd": (438, 438, (0, 0, 0)),
    "pivot_root": (155, 41, ("/", "/")),
    "process_vm_readv": (310, 270, (1, 0, 0, 0, 0, 0)),
    "process_vm_writev": (311, 271, (1, 0, 0, 0, 0, 0)),
    "ptrace": (101, 117, (0, 0, 0, 0)),
    "request_key": (249, 218, ("user", "x", "x", 0)),
    "seccomp": (317, 277, (0, 0, 0)),
    "semget": (64, 190, (0, 1, 0o1600)),
    "setns": (308, 268, (0, 0)),
    "shmget": (29, 194, (0, 4096, 0o1600)),
    "socket": (41, 198, (2, 1, 0)),
    "socket of AF_VSOCK": (41, 198, (40, 1, 0)),
    "socketpair of another family than AF_UNIX": (53, 199, (2, 1, 0, 0)),
    "umount2": (166, 39, ("/", 0)),
    "unshare": (272, 97, (0x10000000,)),
    "userfaultfd": (323, 282, (1,)),
}
# What an engine without a filter lets anybody do: that these are refused is the profile's doing.
OPEN_TO_ALL = [
    "io_uring_setup",
    "keyctl",
    "memfd_create",
    "personality of another system",
    "shmget",
    "socket",
]

CALLS = """
    import ctypes, json, sys
    libc = ctypes.CDLL(None, use_errno=True)
    answers = {}
    for name, (number, arguments) in json.loads(sys.argv[1]).items():
        ctypes.set_errno(0)
        given = [ctypes.c_long(a) if isinstance(a, int) else ctypes.c_char_p(a.encode()) for a in arguments]
        answers[name] = ctypes.get_errno() if libc.syscall(ctypes.c_long(number), *given) < 0 else 0
    print(json.dumps(answers))
"""


# Modules that the image does without, and modules of other systems.
LEFT_OUT = {"_dbm", "_gdbm", "_tkinter", "ensurepip", "idlelib", "lib2to3", "tkinter", "turtle", "turtledemo"}
ELSEWHERE = {
    "_android_support",
    "_apple_support",
    "_ios_support",
    "_msi",
    "_overlapped",
    "_scproxy",
    "_winapi",
    "_wmi",
}
ELSEWHERE |= {"msilib", "msvcrt", "nt", "winreg", "winsound"}

# Each prints one line if all is well.
ORDINARY = {
    "threads": """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool:
            assert [n * n for n in range(100)] == list(pool.map(lambda n: n * n, range(100)))
        print("as it should be")
    """,
    "subprocess": """
        import subprocess, sys
        print(subprocess.run([sys.executable, "-c", "print(input())"], input="as it should be", text=True,
                             capture_output=True, check=True).stdout, end="")
    """,
    "asyncio": """
        import asyncio, subprocess, sys
        async def main():
            await asyncio.to_thread(int)
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-c", "print(input())", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            return (await asyncio.wait_for(child.communicate(b"as it should be"), 10))[0]
        print(asyncio.run(main()).decode(), end="")
    """,
    "multiprocessing": """
        import multiprocessing
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe()
        child = context.Process(target=lambda: there.send(here.fileno() and "as it should be"))
        child.start()
        print(here.recv())
        child.join()
        assert child.exitcode == 0
    """,
    "files": """
        import os, pathlib, shutil, tempfile
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a").write_text("as it should be")
            shutil.copy2(folder / "a", folder / "b")
            (folder / "a").rename(folder / "c")
            (folder / "d").symlink_to("c")
            shutil.copytree(folder, folder / "e", symlinks=True)
            assert folder.is_relative_to("/scratch")
            print((folder / "e" / "d").read_text())
    """,
    "descriptors over a pair of sockets": """
        import os, socket
        here, there = socket.socketpair()
        with here, there:
            reading, writing = os.pipe()
            socket.send_fds(here, [b"x"], [reading])
            os.write(writing, b"as it should be")
            print(os.read(socket.recv_fds(there, 1, 1)[1][0], 99).decode())
    """,
    "signals and timers": """
        import signal, time
        signal.signal(signal.SIGALRM, lambda *_: print("as it should be"))
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        signal.sigtimedwait([signal.SIGUSR1], 0.1)
    """,
    "C callbacks": """
        import ctypes
        libc = ctypes.CDLL(None)
        numbers = (ctypes.c_int * 3)(3, 1, 2)
        order = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
        libc.qsort(numbers, 3, 4, order(lambda a, b: a[0] - b[0]))
        print("as it should be" if list(numbers) == [1, 2, 3] else list(numbers))
    """,
    "a fixed address layout": """
        import ctypes, os, sys
        libc = ctypes.CDLL(None)
        if libc.personality(ctypes.c_ulong(0xffffffff)) == 0:
            assert libc.personality(ctypes.c_ulong(0x0040000)) == 0
            os.execv(sys.executable, sys.orig_argv)
        print("as it should be")
    """,
    "a database and a terminal that is none": """
        import getpass, os, sqlite3, sys
        assert getpass.getuser() == "student"
        assert not sys.stdin.isatty()
        print(*sqlite3.connect("/scratch/x.db").execute("select 'as it should be'").fetchone())
    """,
}


@pytest.fixture(scope="module")
def client() -> Iterator[DockerClient]:
    """The engine of this machine."""
    client = connect()
    yield client
    client.close()


@pytest.fixture(scope="module")
def base(client: DockerClient) -> str:
    """A base that the engine has already, so that no test needs a registry."""
    tags = {tag for image in client.images.list() for tag in image.tags}
    return next(tag for tag in (BASE, "grader-base:bookworm") if tag in tags)


@pytest.fixture(scope="module")
def built(client: DockerClient, base: str) -> Iterator[tuple[str, list[str]]]:
    """The ID of a freshly built image, and the build's log."""
    lines: list[str] = []
    yield build_image(client, TEST_TAG, base, lines.append), lines
    client.images.remove(TEST_TAG)


@pytest.fixture(scope="module")
def answers(client: DockerClient, built: tuple[str, list[str]]) -> dict[str, int]:
    """The error number of each call of REFUSED under the profile."""
    return call(client, built[0], REFUSED)


@pytest.fixture(scope="module")
def open_answers(client: DockerClient, built: tuple[str, list[str]]) -> dict[str, int]:
    """The error number of some of them without it."""
    return call(client, built[0], {name: REFUSED[name] for name in OPEN_TO_ALL}, profile="unconfined")


@pytest.fixture
def registry() -> Iterator[str]:
    """The address of a registry of two images: `tiny` holds one empty file, `torn` has lost it.

    The protocol: https://distribution.github.io/distribution/spec/api/
    """
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("empty"))
    config = {
        "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()],
        "os": "linux",
        "config": {},
        "rootfs": {"type": "layers", "diff_ids": [digest(layer.getvalue())]},
    }
    blobs = {
        "container.image.v1+json": json.dumps(config).encode(),
        "image.rootfs.diff.tar": layer.getvalue(),
    }
    described = [
        {"mediaType": f"application/vnd.docker.{kind}", "size": len(blob), "digest": digest(blob)}
        for kind, blob in blobs.items()
    ]
    manifest_kind = "application/vnd.docker.distribution.manifest.v2+json"
    manifest = json.dumps(
        {"schemaVersion": 2, "mediaType": manifest_kind, "config": described[0], "layers": described[1:]}
    ).encode()
    pages = {"/v2/": ("application/json", b"{}")}
    pages |= {f"/v2/tiny/blobs/{digest(blob)}": ("application/octet-stream", blob) for blob in blobs.values()}
    for name in ("tiny", "torn"):
        for reference in ("latest", digest(manifest)):
            pages[f"/v2/{name}/manifests/{reference}"] = (manifest_kind, manifest)

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = pages.get(self.path, ("text/plain", b""))
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Docker-Content-Digest", digest(body))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815  # the name http.server calls

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def digest(data: bytes) -> str:
    """The name a registry has for these bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def call(
    client: DockerClient,
    image: str,
    calls: Mapping[str, tuple[int, int, tuple[int | str, ...]]],
    profile: str = PROFILE,
) -> dict[str, int]:
    """The error number with which a container's kernel answers each system call, 0 for none."""
    architecture = ["x86_64", "aarch64"].index(platform.machine())
    asked = json.dumps({name: (numbers[architecture], arguments) for name, (*numbers, arguments) in calls.items()})
    answers: dict[str, int] = json.loads(run(client, image, CALLS, asked, profile=profile))
    return answers


def run(client: DockerClient, image: str, code: str, *arguments: str, profile: str = PROFILE) -> str:
    """What `code` prints in a container of the image; its errors too, if it fails."""
    container = client.containers.create(
        image,
        ["-s", "-P", "-B", "-W", "error", "-c", dedent(code), *arguments],
        entrypoint="python3",
        cap_drop=["ALL"],
        ipc_mode="none",
        network_mode="none",
        pids_limit=64,
        read_only=True,
        security_opt=["no-new-privileges", f"seccomp={profile}"],
        tmpfs={"/scratch": "size=16m,noexec,mode=1777"},
    )
    try:
        container.start()
        status = container.wait(timeout=60)["StatusCode"]
        printed = container.logs(stdout=True, stderr=True).decode()

        assert status == 0, printed

        return printed
    finally:
        container.remove(force=True)


def test_environment_is_read_once(client: DockerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request does not look at the environment: a check that runs in another thread is changing it."""

    class Changing(dict[str, str]):
        def __iter__(self) -> Iterator[str]:
            raise KeyError("PYTEST_CURRENT_TEST")

        items = __getitem__ = get = __iter__  # type: ignore[assignment]  # whatever is asked of it

    monkeypatch.setattr("os.environ", Changing())

    assert client.ping()


class TestBuild:
    """`grader image build`."""

    def test_finds_what_it_built(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """The image is then found by its tag, and known by its ID."""
        built_id, _ = built

        assert built_id.startswith("sha256:")
        assert built_id == find_image(client, TEST_TAG)

    def test_shows_the_log(self, built: tuple[str, list[str]]) -> None:
        """Each line of the engine's log is handed over while it builds."""
        _, lines = built

        assert any("FROM" in line for line in lines)
        assert "" not in lines

    def test_sends_no_more_than_it_needs(self) -> None:
        """Nothing but the recipe and the driver's files is sent to the engine."""
        with tarfile.open(fileobj=image._context()) as tar:  # noqa: SLF001  # what is sent is seen nowhere else
            names = tar.getnames()

        driver = [f"grader/sandbox/{name}" for name in DRIVER_FILES]
        assert ["Dockerfile", *driver] == names
        assert [f"!{name}" for name in driver] == IGNORED.splitlines()[2:]

    def test_base_that_cannot_be_had(self, client: DockerClient) -> None:
        """Where no registry answers, the error names the way without one."""
        with pytest.raises(SandboxError, match=r"cannot be fetched.*make-base-image.*--base") as caught:
            build_image(client, TEST_TAG, "127.0.0.1:1/nothing:here", print)

        assert "\n" not in str(caught.value)

    def test_base_without_a_shell(self, client: DockerClient, registry: str) -> None:
        """A base is fetched from its registry; one that is no Debian fails with the engine's reason."""
        tiny = f"{registry}/tiny:latest"
        lines: list[str] = []
        try:
            with pytest.raises(SandboxError, match=r"cannot be built on .*/tiny:latest: .*/bin/sh"):
                build_image(client, TEST_TAG, tiny, lines.append)
        finally:
            client.images.remove(tiny)

        assert f"Fetching {tiny}" == lines[0]
        assert f"Status: Downloaded newer image for {tiny}" in lines

    def test_torn_base(self, client: DockerClient, registry: str) -> None:
        """A base that cannot be fetched to its end is none."""
        with pytest.raises(SandboxError, match="torn cannot be fetched"):
            build_image(client, TEST_TAG, f"{registry}/torn", print)

    def test_base_without_python(self, client: DockerClient, base: str) -> None:
        """If a step fails, the error ends with what the step printed."""
        recipe = io.BytesIO(f"FROM {base}\nRUN rm -f /usr/bin/python3 /usr/local/bin/python3".encode())
        client.images.build(fileobj=recipe, tag="grader-base:test", rm=True)
        try:
            with pytest.raises(SandboxError, match=r"(?s)a step returned a non-zero code: 127\n.*python3: .*not found"):
                build_image(client, TEST_TAG, "grader-base:test", print)
        finally:
            client.images.remove("grader-base:test")

    def test_tag_that_is_none(self, client: DockerClient, base: str) -> None:
        """What the engine says of a bad name is passed on, on one line."""
        with pytest.raises(SandboxError, match=r"cannot build the image: .*invalid") as caught:
            build_image(client, "Not A Tag", base, print)

        assert "\n" not in str(caught.value)

    def test_base_that_is_none(self, client: DockerClient) -> None:
        """The same holds for the name of the base."""
        with pytest.raises(SandboxError, match="cannot look up Not A Base"):
            build_image(client, TEST_TAG, "Not A Base", print)


class TestFind:
    """Which image is run."""

    def test_missing(self, client: DockerClient) -> None:
        """Without an image, the error says how to get it."""
        with pytest.raises(SandboxError, match="run `grader image build`"):
            find_image(client, "grader-sandbox:never-built")

    def test_of_another_grader(self, client: DockerClient, base: str) -> None:
        """An image built from other files is not run."""
        with pytest.raises(SandboxError, match="of another grader: run `grader image build`"):
            find_image(client, base)

    def test_tag_that_is_none(self, client: DockerClient) -> None:
        """What the engine says of a bad name is passed on."""
        with pytest.raises(SandboxError, match="cannot look up Not A Tag"):
            find_image(client, "Not A Tag")

    def test_no_engine(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without an engine, one line says where none answered, or how to get one."""
        monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
        with pytest.raises(SandboxError, match=r"answers at DOCKER_HOST=tcp://127\.0\.0\.1:1: start it"):
            connect()

        def nobody(*_: object, **__: object) -> DockerClient:
            raise DockerException("Error while fetching server API version")

        monkeypatch.delenv("DOCKER_HOST")
        monkeypatch.setattr("docker.from_env", nobody)
        with pytest.raises(SandboxError, match=r"engine answers: install one .*apt install docker\.io") as caught:
            connect()

        assert "\n" not in str(caught.value)


class TestContents:
    """What is in the image."""

    def test_configuration(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """It starts the driver as a user that owns nothing, with a fixed hash seed; its label tells whose."""
        config = client.images.get(built[0]).attrs["Config"]

        assert ["python3", "-s", "-P", "-B", "-m", "grader.sandbox.start"] == config["Entrypoint"]
        assert "65532:65532" == config["User"]
        assert "PYTHONHASHSEED=0" in config["Env"]
        assert driver_digest() == config["Labels"][LABEL]

    def test_files(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """No shell, no package manager, no third-party module, no setuid program, nothing to write to."""
        code = """
            import json, os, stat
            mounts = {"/dev", "/proc", "/scratch", "/sys"}
            found = {"odd": [], "names": set(os.listdir("/")), "count": 0}
            for folder, folders, files in os.walk("/"):
                folders[:] = [f for f in folders if os.path.join(folder, f) not in mounts]
                for path in (os.path.join(folder, name) for name in files + folders):
                    status = os.lstat(path)
                    mode = status.st_mode
                    found["names"].add(os.path.basename(path))
                    found["count"] += 1
                    if mode & (stat.S_ISUID | stat.S_ISGID) or status.st_uid == os.getuid():
                        found["odd"].append(path)
                    if mode & stat.S_IWOTH and not stat.S_ISLNK(mode) or os.access(path, os.W_OK):
                        found["odd"].append(path)
            print(json.dumps({**found, "names": sorted(found["names"])}))
        """
        found = json.loads(run(client, built[0], code))

        assert [] == found["odd"]
        assert found["count"] > 500
        assert {"sh", "bash", "dash", "apt", "dpkg", "perl", "pip", "ensurepip"}.isdisjoint(found["names"])
        assert {"site-packages", "dist-packages", "idlelib"}.isdisjoint(found["names"])

    def test_scratch_is_not_in_it(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """The folder for temporary files is a mount, so the image cannot hold anything there."""
        container = client.containers.create(built[0])
        try:
            archive = io.BytesIO(b"".join(container.export()))  # type: ignore[arg-type]  # bytes, not str
        finally:
            container.remove()
        with tarfile.open(fileobj=archive) as tar:
            names = tar.getnames()

        assert "opt/grader/grader/sandbox/driver.py" in names
        assert [] == [name for name in names if name.startswith("scratch")]

    def test_standard_library(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """All of the standard library but windows and installers can be imported."""
        code = """
            import importlib, sys, warnings
            warnings.simplefilter("ignore")
            absent = []
            for name in sys.stdlib_module_names - {"antigravity", "this"}:
                try:
                    importlib.import_module(name)
                except ImportError:
                    absent.append(name)
            print(*absent)
        """
        absent = set(run(client, built[0], code).split())

        assert set() == absent - LEFT_OUT - ELSEWHERE


class TestProfile:
    """What the seccomp profile lets a program do, and what it refuses."""

    @pytest.mark.parametrize("code", ORDINARY.values(), ids=ORDINARY)
    def test_ordinary_programs(self, client: DockerClient, built: tuple[str, list[str]], code: str) -> None:
        """What an ordinary Python program does works under the profile, without any warning."""
        assert "as it should be\n" == run(client, built[0], code)

    @pytest.mark.parametrize("name", REFUSED)
    def test_refused(self, answers: dict[str, int], name: str) -> None:
        """A call that reaches beyond the sandbox is refused."""
        assert errno.EPERM == answers[name]

    @pytest.mark.parametrize("name", OPEN_TO_ALL)
    def test_refused_by_the_profile(self, open_answers: dict[str, int], name: str) -> None:
        """It is the profile that refuses, not something else that the next machine may lack."""
        assert errno.EPERM != open_answers[name]

    def test_clone3(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """clone3 does not exist, so that the C library uses clone, whose flags a filter can read."""
        calls = {"clone3": (435, 435, (0, 0))}

        assert {"clone3": errno.ENOSYS} == call(client, built[0], calls)

    def test_another_binary_interface(self, client: DockerClient, built: tuple[str, list[str]]) -> None:
        """A call numbered as in the x32 interface gets no answer: on x86-64 the caller dies of it."""
        code = """
            import ctypes, os
            child = os.fork()
            if not child:
                answered = ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39)) > 0
                os._exit(0 if answered else 1)
            print(os.waitpid(child, 0)[1] != 0)
        """

        assert "True\n" == run(client, built[0], code)
