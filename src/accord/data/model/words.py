"""The words of texts: what stands between blanks, found in all of them at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.core.arrays import Ints

_LAST_BLANK = 0x3000
_BLANK = np.array([chr(k).isspace() for k in range(_LAST_BLANK + 1)])


def words(texts: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """Of each word: the number of its text, and where it starts and ends there."""
    whole = "\n".join(texts)  # a blank between them
    points = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ink = (points > _LAST_BLANK) | ~_BLANK[np.minimum(points, _LAST_BLANK)]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ink, [False]]).astype(np.int8)))
    start, end = edges[::2].astype(np.int64), edges[1::2].astype(np.int64)
    sizes = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    version = np.searchsorted(first, start, side="right").astype(np.int64) - 1
    return version, start - first[version], end - first[version]
