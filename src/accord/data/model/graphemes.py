"""The letters of a text: grapheme clusters, found with the tables of the standard library alone."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import numpy as np

from accord.core.arrays import Bools, Ints

_JOINER = 0x200D


def clusters(text: str) -> list[str]:
    """The letters of a text, each with its marks."""
    at = [*np.flatnonzero(cluster_starts(text)).tolist(), len(text)]
    return [text[p:q] for p, q in pairwise(at)]


def cluster_starts(text: str) -> Bools:
    """Where a letter begins: marks, joined emoji, flags and the parts of Hangul syllables belong to what precedes them.

    The extended grapheme clusters of Unicode (UAX 29), without the rules for prepended and conjunct letters.
    """
    points = code_points(text)
    starts = np.ones(len(points), dtype=bool)
    if not len(points) or (int(points.max()) < 0x300 and "\r" not in text):
        return starts
    kinds, where = np.unique(points, return_inverse=True)
    category = np.array([unicodedata.category(chr(int(k))) for k in kinds])
    marks = np.isin(category, ("Mn", "Me", "Mc")) | np.isin(kinds, (0x200C, _JOINER, 0xFF9E, 0xFF9F))
    marks |= ((kinds >= 0x1F3FB) & (kinds <= 0x1F3FF)) | ((kinds >= 0xE0020) & (kinds <= 0xE007F))
    control = np.isin(category, ("Cc", "Zl", "Zp"))
    flags = (kinds >= 0x1F1E6) & (kinds <= 0x1F1FF)
    picture = (category == "So") & ~flags
    painted = picture | (kinds == 0xFE0F) | ((kinds >= 0x1F3FB) & (kinds <= 0x1F3FF))  # or the look of a picture
    before, after = where[:-1], where[1:]
    joined = marks[after] & ~control[before]
    joined[1:] |= picture[after][1:] & (points[1:-1] == _JOINER) & painted[before[:-1]]
    joined |= (points[:-1] == 13) & (points[1:] == 10)
    joined |= _hangul_joined(points)
    flag = flags[where]
    if flags.any():
        at = np.arange(len(points))
        since = at - np.maximum.accumulate(np.where(flag, -1, at))
        joined |= (flag & (since % 2 == 0))[1:] & flag[:-1]
    starts[1:] = ~joined
    return starts


def _hangul_joined(points: Ints) -> Bools:
    def between(*ranges: tuple[int, int]) -> Bools:
        return np.logical_or.reduce([(points >= p) & (points <= q) for p, q in ranges])

    lead, vowel = between((0x1100, 0x115F), (0xA960, 0xA97C)), between((0x1160, 0x11A7), (0xD7B0, 0xD7C6))
    tail, syllable = between((0x11A8, 0x11FF), (0xD7CB, 0xD7FB)), between((0xAC00, 0xD7A3))
    open_ = syllable & ((points - 0xAC00) % 28 == 0)
    p, q = slice(None, -1), slice(1, None)
    return (
        (lead[p] & (lead | vowel | syllable)[q])
        | ((vowel | open_)[p] & (vowel | tail)[q])
        | ((tail | (syllable & ~open_))[p] & tail[q])
    )


def code_points(text: str) -> Ints:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
