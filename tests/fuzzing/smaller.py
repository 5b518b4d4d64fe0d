"""Make a failing input smaller: fewer arguments, files, lines and bytes."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .cases import Case
from .trying import tried

_MOST = 2_000  # trials


def smaller(case: Case, most: int = _MOST) -> Case:
    """Remove parts while the failure stays the same. A case that passes is returned unchanged."""
    failure = _failure(case)
    left = most
    if not failure:
        return case
    found = True
    while found and left > 0:
        found = False
        for candidate in _candidates(case):
            left -= 1
            if left <= 0:
                break
            if _failure(candidate) == failure:
                case, found = candidate, True
                break
    return case


def _failure(case: Case) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return tried(case, Path(folder) / "here").failure


def _candidates(case: Case) -> Iterator[Case]:
    for name in case.files:
        yield dataclasses.replace(case, files={n: c for n, c in case.files.items() if n != name})
    for width in (2, 1):
        for at in range(1, len(case.argv)):
            yield dataclasses.replace(case, argv=case.argv[:at] + case.argv[at + width :])
    for name, content in case.files.items():
        for shorter in _shorter(content):
            yield dataclasses.replace(case, files={**case.files, name: shorter})


def _shorter(content: bytes) -> Iterator[bytes]:
    """Yield the content without halves, quarters … of its lines, then of its bytes."""
    lines = content.splitlines(keepends=True)
    for size, at in _pieces(len(lines)):
        yield b"".join(lines[:at] + lines[at + size :])
    if len(content) <= 600:
        for size, at in _pieces(len(content)):
            yield content[:at] + content[at + size :]


def _pieces(length: int) -> Iterator[tuple[int, int]]:
    size = length // 2
    while size >= 1:
        yield from ((size, at) for at in range(0, length, size))
        size //= 2
