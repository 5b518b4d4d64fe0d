"""What simulations take from the command line, and what they say there."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Collection, Sequence
from typing import Any

from accord.door import opened
from accord.errors import DataError, SpecError, quoted
from accord.model.data import Data
from accord.simulate.generate import generate
from accord.simulate.shufflers import shuffler_of
from accord.simulate.xray import Xray


def given_reference(
    paths: list[str] | None,
    model: str | None,
    who: str | None,
    seed: int,
    reading: dict[str, Any],
    asked: Collection[str] = (),
) -> Data:
    """A reference from a file or from a model."""
    if model is not None and paths:
        raise SpecError("a reference is read or generated: leave out the file, or --generate")
    if model is None and not paths:
        raise SpecError("name a reference, a table or texts of one annotator, or say --generate MODEL")
    if model is not None:
        return generate(model, seed=seed)
    data = opened(paths, reading, asked)
    shuffler = shuffler_of(data)
    found: Data = shuffler.ready(data if who is None else shuffler.only(data, who))
    return found


def verdicts(found: Xray) -> str:
    """Every curve against what one wants of a measure."""
    head = ("error", "measure", "starts at 1", "reaches 0", "strictly decreasing", "never below 0")
    return grid(head, [(c.error, c.measure, *c.verdict.words()) for c in found.curves])


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns for a screen."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)]
    return "\n".join([lines[0], "─" * sum([*widths, 2 * (len(widths) - 1)]), *lines[1:]]) + "\n"


def own_function(given: str) -> Callable[[Any], float]:
    """`FILE.py:NAME` → the function."""
    path, _, name = given.rpartition(":")
    if not path or not name:
        raise SpecError(f"a function is named FILE.py:NAME, not {quoted(given)}")
    try:
        found = runpy.run_path(path).get(name)
    except OSError as error:
        raise DataError(f"{quoted(path)}: {error.strerror}") from None
    except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's file
        raise DataError(f"{quoted(path)}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise SpecError(f"{quoted(path)} has no function {quoted(name)}")
    return found
