"""Plans and answers of commands, for tests."""

from __future__ import annotations

from typing import Any

from accord.answers.catalogue import question_named
from accord.answers.plan import Plan
from accord.data.io import Reading


def planned(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Plan:
    """What a command with these options asks."""
    question = question_named(command)
    return Plan(question, paths, question.renamed(options), reading or Reading())


def answered(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Any:
    """What a command answers."""
    return planned(command, *paths, reading=reading, **options).answer(jobs=1)
