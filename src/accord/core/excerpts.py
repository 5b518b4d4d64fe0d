"""Excerpts of texts around a position; words are not cut if blanks separate them."""

from __future__ import annotations

from itertools import takewhile

ELLIPSIS = "…"


def before(text: str, start: int, most: int) -> str:
    """Return at most `most` characters before a position; … marks omitted text."""
    low = max(0, start - most)
    if low == 0:
        return text[:start]
    return ELLIPSIS + _from_a_word(text[low - 1 : start])


def behind(text: str, end: int, most: int) -> str:
    """Return at most `most` characters after a position; … marks omitted text."""
    high = min(len(text), end + most)
    if high == len(text):
        return text[end:]
    return _from_a_word(text[end : high + 1][::-1])[::-1] + ELLIPSIS


def _from_a_word(piece: str) -> str:
    """Drop the first character, which is outside, and the rest of its word; keep a piece that is a single word."""
    letters = sum(1 for _ in takewhile(lambda letter: not letter.isspace(), piece))
    return piece[1:] if letters == len(piece) else piece[letters:].lstrip()


def shorten_text(text: str, most: int) -> str:
    """Return the first and the last words of a long text."""
    return text if len(text) <= 3 * most else without_middle(text, most, most)


def without_middle(text: str, head: int, tail: int) -> str:
    """Return the beginning and the end, of at most `head` and `tail` characters."""
    first, last = behind(text, 0, head), before(text, len(text), tail)
    return f"{first.removesuffix(ELLIPSIS).rstrip()} {ELLIPSIS} {last.removeprefix(ELLIPSIS).lstrip()}"
