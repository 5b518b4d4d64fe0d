"""What runs on a worker."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from accord.core.errors import AccordError
from accord.core.fingerprints import surroundings

_ONE_AT_A_TIME = Lock()  # a worker may have several threads, and accord computes in processes
_KEPT = 2  # functions with their data: of the stage that is under way, and of the last one
_FUNCTIONS: OrderedDict[str, Any] = OrderedDict()


@dataclass(frozen=True)
class Other:
    """A worker of another version says so, and computes nothing."""

    place: str
    what: str
    there: str
    here: str


@cache
def _mine() -> dict[str, str]:
    return surroundings()


def other(wanted: dict[str, str]) -> Other | None:
    """What of this worker is not as it is where the results go."""
    from distributed import get_worker

    for name, version in wanted.items():
        if _mine().get(name) != version:
            return Other(str(get_worker().address), name, _mine().get(name, "none"), version)
    return None


def carried_out(function: bytes, digest: str, wanted: dict[str, str], task: bytes) -> Any:
    """The result of a task, or the error that it has."""
    differs = other(wanted)
    if differs is not None:
        return differs
    with _ONE_AT_A_TIME:
        try:
            return _function(function, digest)(pickle.loads(task))  # noqa: S301 - from who sends work here  # nosec B301
        except AccordError as error:
            return error


def _function(content: bytes, digest: str) -> Any:
    """It comes once, and is unpacked once: what it caches is there for the next task."""
    if digest not in _FUNCTIONS:
        while len(_FUNCTIONS) >= _KEPT:
            _FUNCTIONS.popitem(last=False)
        _FUNCTIONS[digest] = pickle.loads(content)  # noqa: S301 - as above  # nosec B301
    _FUNCTIONS.move_to_end(digest)
    return _FUNCTIONS[digest]
