"""Plans and answers of commands."""

from __future__ import annotations

from functools import cache
from typing import Any

import typer.main

from accord.answers.catalogue import question_named
from accord.answers.plan import Plan
from accord.data.io import Reading
from accord.doors.cli.app import app


def planned(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Plan:
    """Return the plan of a command with these options."""
    question = question_named(command)
    return Plan(question, paths, question.renamed(options), reading or Reading())


def answered(command: str, *paths: str, reading: Reading | None = None, **options: Any) -> Any:
    """Return the result of a command."""
    return planned(command, *paths, reading=reading, **options).answer(jobs=1)


@cache
def commands() -> dict[str, Any]:
    """Return the Typer commands by name."""
    tree: Any = typer.main.get_command(app)
    return {name: tree.get_command(None, name) for name in tree.list_commands(None)}
