"""Offsets are code points, end exclusive, whatever a tool counts in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

Offsets = Callable[[int], int | None]
Counting = Callable[[str], Offsets]


def code_points(text: str) -> Offsets:  # noqa: ARG001 - the other ways to count need it
    """What Python counts."""
    return lambda at: at


def utf16(text: str) -> Offsets:
    """Code units of UTF-16, as Java and JavaScript count: a sign beyond the first 65,536 is two of them.

    None within such a sign, or beyond the end.
    """
    if is_narrow(text):
        return lambda at: at
    return _through(np.array([2 if sign > "\uffff" else 1 for sign in text], dtype=np.int64))


def is_narrow(text: str) -> bool:
    """Whether each of its signs is one unit of UTF-16."""
    return text.isascii() or utf16_width(text) == len(text)


def utf16_width(text: str) -> int:
    """How many units of UTF-16 it has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8(text: str) -> Offsets:
    """Bytes of UTF-8."""
    if text.isascii():
        return lambda at: at
    return _through(np.array([len(sign.encode("utf-8", "surrogatepass")) for sign in text], dtype=np.int64))


def crlf(text: str) -> Offsets:
    """Code points of a text whose line ends were two signs, where they are one now."""
    if "\n" not in text:
        return lambda at: at
    return _through(np.array([2 if sign == "\n" else 1 for sign in text], dtype=np.int64))


def _through(widths: Any) -> Offsets:
    begins = np.concatenate([[0], np.cumsum(widths)])
    found = {int(at): k for k, at in enumerate(begins)}
    return found.get


def utf16_places(text: str) -> list[int]:
    """Where each character begins, and the last ends, as Java and JavaScript count: the way back."""
    return [0, *accumulate(1 if sign < "\U00010000" else 2 for sign in text)]


def counted_as(text: str, spans: Sequence[tuple[Any, Any, str | None]], ways: Sequence[Counting]) -> Offsets:
    """The first way to count by which spans read as their file says; the first of all where none tells."""
    return _fitting(text, spans, ways) or ways[0](text)


def all_fit(text: str, spans: Sequence[tuple[Any, Any, str | None]], ways: Sequence[Counting]) -> bool:
    """Whether there is a way to count by which all spans read as their file says, and are inside."""
    return _fitting(text, spans, ways) is not None


def _fitting(text: str, spans: Sequence[tuple[Any, Any, str | None]], ways: Sequence[Counting]) -> Offsets | None:
    for way in ways:
        place = way(text)
        if all(
            (low := place(start)) is not None
            and (high := place(end)) is not None
            and 0 <= low <= high <= len(text)
            and (surface is None or text[low:high].split() == surface.split())
            for start, end, surface in spans
        ):
            return place
    return None
