"""What a job is given, and the way into its process: the server imports nothing heavy to name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from accord.doors.serving.confinement import Limits

ABOUT = "about"  # no command: what the page has to know, which takes the same libraries to say

SPEC = "spec"  # no command either: whether a measure can be written like this


@dataclass(frozen=True)
class Task:
    """All that a job is given."""

    command: str
    options: Mapping[str, Any]
    folder: str  # the upload: where it is carried out
    out: str  # where its files go
    aside: str  # for files that nobody needs later
    compiled: str  # where machine code is kept
    limits: Limits


def carried_out(task: Task, pipe: Connection) -> None:
    from accord.doors.serving.work import run

    run(task, pipe)
