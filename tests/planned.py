"""Plans and answers of commands, for tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer.main

from accord.answers.catalogue import question_named
from accord.answers.plan import Plan
from accord.data.io import Reading
from accord.doors.cli.app import app


def planned(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Plan:
    """What a command with these options asks."""
    question = question_named(command)
    return Plan(question, paths, question.renamed(options), reading or Reading())


def answered(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Any:
    """What a command answers."""
    return planned(command, *paths, reading=reading, **options).answer(jobs=1)


@cache
def commands() -> dict[str, Any]:
    """All commands by name, as Typer has them."""
    tree: Any = typer.main.get_command(app)
    return {name: tree.get_command(None, name) for name in tree.list_commands(None)}
