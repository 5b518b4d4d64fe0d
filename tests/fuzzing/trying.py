"""Run an input in this process, and check the outcome against the guarantees of accord for all inputs.

A failure is named by its exception and function, or by the violated guarantee.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import shutil
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer.main

import accord
from accord.core.errors import AccordError, AccordWarning
from accord.doors.cli import main

from ..command_line import tree
from .cases import Case

NOT_REACHED = {"check"}  # commands with exit code 1 for a failed check
AT_THE_BOUNDARY = "cannot be read, damaged or in another format"
OVER_MEMORY = "over memory"
_SOURCE = str(Path(accord.__file__).parent)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|“[^”]*”")
_NUMBER = re.compile(r"[-+]?\d[\d.,e+-]*")
_ASKED_IN_VAIN = re.compile(r"(?:not enough|out of|allocate) memory|memory allocation|MemoryError", re.IGNORECASE)
_SCRATCH = re.compile(r"^\.(accord-|.*\.[a-z0-9_]{8}$)")  # temporary files of accord.core.writing


@dataclass(frozen=True)
class Outcome:
    """The answer (answered, refused or not reached), and the name of a failure."""

    answer: str  # a refusal without names and numbers, or the command that answered
    failure: str = ""
    detail: str = ""


class _Broken(Exception):  # noqa: N818 - reads better without "Error"
    """A violated guarantee."""


@contextlib.contextmanager
def _one_command_tree() -> Iterator[None]:
    made, usual = tree(), typer.main.get_command
    typer.main.get_command = lambda *_, **__: made
    try:
        yield
    finally:
        typer.main.get_command = usual


def tried(case: Case, folder: Path) -> Outcome:
    """Run a case in a new folder, which is removed afterwards."""
    folder.mkdir(parents=True)
    before = Path.cwd()
    try:
        for name, content in case.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        os.chdir(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # users would see warnings of other libraries
            warnings.simplefilter("ignore", AccordWarning)
            outcome = _asked(case) if case.argv else _called(case)
        return outcome if outcome.failure else _left_behind(case, folder, outcome)
    finally:
        os.chdir(before)
        shutil.rmtree(folder, ignore_errors=True)


def _asked(case: Case) -> Outcome:
    """Run a command."""
    streams = sys.argv, sys.stdin, sys.stdout, sys.stderr, warnings.showwarning
    out, err = io.BytesIO(), io.BytesIO()
    code = 0
    try:
        sys.argv = ["accord", *case.argv]
        sys.stdin = io.TextIOWrapper(io.BytesIO(case.stdin or b""), "utf-8")
        sys.stdout, sys.stderr = io.TextIOWrapper(out, "utf-8"), io.TextIOWrapper(err, "utf-8")
        with _one_command_tree():
            main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:  # noqa: BLE001 - unexpected exceptions are failures
        return _failed(error)
    finally:
        printed, errors = sys.stdout, sys.stderr
        sys.argv, sys.stdin, sys.stdout, sys.stderr, warnings.showwarning = streams
        for stream in (printed, errors):
            with contextlib.suppress(ValueError, OSError):
                stream.flush()
    try:
        return _judged(case, code, out.getvalue(), err.getvalue())
    except _Broken as broken:
        return Outcome("broken", str(broken), f"exit code {code}\n{errors_of(out)}\n{errors_of(err)}")


def errors_of(stream: io.BytesIO) -> str:
    return stream.getvalue().decode("utf-8", "replace")[:2_000]


def _judged(case: Case, code: int, out: bytes, err: bytes) -> Outcome:
    try:
        printed, message = out.decode("utf-8"), err.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Broken("output is no UTF-8") from error
    if "Traceback (most recent call last)" in message or "Traceback (most recent call last)" in printed:
        raise _Broken("traceback on the screen")
    if code == 2:
        if _in_vain(message):
            raise _Broken(OVER_MEMORY)
        if printed and case.argv[0] != "check":
            raise _Broken("refused, with something on standard output")
        if message.count("\n") != 1 or not message.startswith("accord: "):
            raise _Broken("refused, not in one line")
        return Outcome(_words(message))
    if code not in {0, 1} or (code == 1 and case.argv[0] not in NOT_REACHED):
        raise _Broken(f"exit code {code}")
    if any(line.startswith("accord: ") for line in message.splitlines()):
        raise _Broken("a warning on standard error")
    if "--json" in case.argv and not {"--help", "-h", "--help-all", "--version"} & set(case.argv):
        _check_json(case, printed)
    return Outcome("not reached" if code else f"answered {case.argv[0]}")


def _check_json(case: Case, printed: str) -> None:
    """Check the JSON on standard output, or in the file of -o."""
    places = [case.argv[k + 1] for k, word in enumerate(case.argv[:-1]) if word in {"-o", "--output"}]
    if places:
        path = Path(places[-1])
        if not path.is_file() or case.argv[0] in {"plot", "report", "gold", "shuffle", "xray", "convert"}:
            return  # -o of these commands is not JSON
        printed = path.read_text(encoding="utf-8")
    try:
        json.loads(printed, parse_constant=_no_number)
    except ValueError as error:
        raise _Broken("no JSON on standard output") from error


def _no_number(word: str) -> None:
    raise _Broken(f"{word} in JSON")


def _called(case: Case) -> Outcome:
    """Evaluate a Python expression."""
    streams = sys.stdout, sys.stderr
    out, err = io.StringIO(), io.StringIO()
    try:
        sys.stdout, sys.stderr = out, err
        found = eval(case.call, dict(names()))  # noqa: S307 - cases are made here
        if hasattr(found, "to_dict"):  # check the outputs of a result
            json.dumps(found.to_dict(), default=_refuse)
            str(found)
    except AccordError as error:
        message = str(error)
        if _in_vain(message):
            return Outcome("memory", OVER_MEMORY, message)
        broken = "\n" in message or not message
        return Outcome(
            _words(message), "message of several lines, or none" if broken else "", message if broken else ""
        )
    except _Broken as broken:
        return Outcome("broken", str(broken), case.call)
    except BaseException as error:  # noqa: BLE001 - unexpected exceptions are failures
        return _failed(error) if _frames(error) else Outcome("no such table can be made")
    finally:
        sys.stdout, sys.stderr = streams
    if out.getvalue() or err.getvalue():
        return Outcome("broken", "a function printed something", (out.getvalue() + err.getvalue())[:2_000])
    return Outcome(f"answered {case.call.partition('(')[0]}")


def _in_vain(message: str) -> bool:
    """Whether a message reports a failed memory allocation. Quoted names and labels are ignored."""
    return bool(_ASKED_IN_VAIN.search(_QUOTED.sub("", message)))


def _refuse(value: object) -> None:
    raise _Broken(f"{type(value).__name__} in to_dict()")


def names() -> Mapping[str, Any]:
    """Return the names that expressions of cases can use."""
    import datetime
    import decimal

    import numpy as np
    import pandas as pd
    import polars as pl

    return {
        "accord": accord, "np": np, "pd": pd, "pl": pl, "nan": math.nan, "inf": math.inf, "Path": Path,
        "Decimal": decimal.Decimal, "date": datetime.date,
    }  # fmt: skip


def _failed(error: BaseException) -> Outcome:
    if isinstance(error, MemoryError):
        return Outcome("memory", OVER_MEMORY, _trace(error))
    return Outcome("failed", _name(error), _trace(error))


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-12))[-4_000:]


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the frames of accord."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if _SOURCE in frame.filename]


def _name(error: BaseException) -> str:
    """Return the exception and the innermost function of accord."""
    mine = _frames(error)
    where = f" in {Path(mine[-1].filename).name}:{mine[-1].name}" if mine else ""
    return f"{'warning ' if isinstance(error, Warning) else ''}{type(error).__name__}{where}"


def _words(message: str) -> str:
    """Return a message without file names, quoted texts and numbers."""
    line = message.removeprefix("accord: ").strip()
    boundary = AT_THE_BOUNDARY in line
    line = line.rpartition(AT_THE_BOUNDARY)[2] if boundary else line
    line = _NUMBER.sub("0", _QUOTED.sub("“”", line))
    head, sign, rest = line.partition(": ")
    short = rest if sign and " " not in head else line  # remove the file name at the beginning
    return ("boundary: " if boundary else "refused: ") + short[:90]


def _left_behind(case: Case, folder: Path, outcome: Outcome) -> Outcome:
    """Check that inputs are unchanged and no partial files are left."""
    for name, content in case.files.items():
        path = folder / name
        replaced = "--force" in case.argv or "--resume" in case.argv
        if not path.exists() or (path.read_bytes() != content and not replaced):
            return Outcome("broken", "an input was changed", name)
    known = {folder / name for name in case.files}
    for path in folder.rglob("*"):
        if path in known or not path.is_file():
            continue
        if _SCRATCH.match(path.name):
            return Outcome("broken", "a scratch file was left behind", path.name)
        if path.stat().st_size == 0 and outcome.answer.startswith(("refused", "boundary")):
            return Outcome("broken", "an empty file was left behind", path.name)
    return outcome
