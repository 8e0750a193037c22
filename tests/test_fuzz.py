"""A coverage-guided fuzzer finds no bytes that the wire's readers do not end with a verdict on; see tests/fuzz."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 15


@pytest.mark.parametrize("target", ["host", "driver"])
def test_no_bytes_break_a_reader(target: str, tmp_path: Path) -> None:
    """Some seconds of fuzzing find no input that raises, hangs or lets a value through that is not plain."""
    fuzzer = Path(__file__).parent / "fuzz" / "fuzz_wire.py"
    limits = [f"-max_total_time={SECONDS}", "-max_len=4096", "-timeout=5", "-rss_limit_mb=512"]

    done = subprocess.run(  # noqa: S603  # ours
        [sys.executable, str(fuzzer), target, *limits],
        cwd=tmp_path,  # where it writes an input that it found
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr[-3000:]
    assert "DONE" in done.stderr
