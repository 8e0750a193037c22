"""What a submission may use before it is stopped."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one exercise; they last as long as the exercise. A clock starts when student code starts.

    Attributes:
        load_seconds: Wall time for running the student's file once.
        check_seconds: Wall time for each check, all its cases together.
        cpu_seconds: Processor time of each process: the loaded one, each check's, each program run's.
        memory_mib: Memory of each process, and of all processes of the submission together.
        processes: Processes and threads at once.
        output_kib: What is kept of each printed stream; more is read and dropped.
        files_mib: Space for temporary files, all together and each.
        files: How many temporary files there may be, where the sandbox can count them.
        descriptors: Open files of each process.
    """

    load_seconds: float = 10.0
    check_seconds: float = 10.0
    cpu_seconds: int = 10
    memory_mib: int = 256
    processes: int = 32
    output_kib: int = 64
    files_mib: int = 16
    files: int = 1000
    descriptors: int = 128
