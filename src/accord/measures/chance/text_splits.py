"""Random splits and mergers of tokens, compiled. Imported on first use."""

from __future__ import annotations

import numpy as np

from accord.core.compiled import compiled

SPLIT, LEFT, RIGHT = 0, 1, 2
_TRIES = 32  # random draws before all tokens are searched


@compiled
def _fits(kind, token, first, last, behind, ahead):
    if kind == SPLIT:
        return last[token] - first[token] > 1
    return (behind[token] if kind == LEFT else ahead[token]) >= 0


@compiled
def _chosen(kind, there, many, first, last, behind, ahead, rng):
    """Draw a token that allows this change, uniformly, and return its index in `there`; -1 if there is none."""
    for _ in range(_TRIES):
        k = np.int64(rng.random() * many)
        if _fits(kind, there[k], first, last, behind, ahead):
            return k
    fitting = [k for k in range(many) if _fits(kind, there[k], first, last, behind, ahead)]
    return fitting[np.int64(rng.random() * len(fitting))] if len(fitting) > 0 else -1


@compiled
def resegment_text(start, end, kinds, rng):
    """Split and merge tokens of a text one change at a time; later changes can affect the results of earlier ones.

    Tokens form a doubly linked list (`behind`, `ahead`). `there` lists the remaining tokens and `where` their index in
    it, so that each change takes constant time.
    """
    many, room = len(start), len(start) + len(kinds)
    first, last = np.empty(room, np.int64), np.empty(room, np.int64)
    for k in range(many):
        first[k], last[k] = start[k], end[k]
    behind, ahead = np.arange(room) - 1, np.arange(room) + 1
    ahead[many - 1] = -1
    there, where = np.arange(room), np.arange(room)
    new = many
    for kind in kinds:
        k = _chosen(kind, there, many, first, last, behind, ahead, rng)
        if k < 0:
            continue
        t = there[k]
        if kind == SPLIT:
            cut = first[t] + 1 + np.int64(rng.random() * (last[t] - first[t] - 1))
            first[new], last[new], last[t] = cut, last[t], cut
            ahead[new], behind[new] = ahead[t], t
            if ahead[t] >= 0:
                behind[ahead[t]] = new
            ahead[t] = new
            there[many], where[new] = new, many
            many, new = many + 1, new + 1
            continue
        if kind == LEFT:
            other = behind[t]
            first[t], behind[t] = first[other], behind[other]
            if behind[t] >= 0:
                ahead[behind[t]] = t
        else:
            other = ahead[t]
            last[t], ahead[t] = last[other], ahead[other]
            if ahead[t] >= 0:
                behind[ahead[t]] = t
        many -= 1
        moved = there[many]  # moves into the slot of the removed token
        there[where[other]], where[moved] = moved, where[other]
    made = np.empty((2, many), np.int64)
    t = there[0]
    while behind[t] >= 0:
        t = behind[t]
    for k in range(many):
        made[0, k], made[1, k] = first[t], last[t]
        t = ahead[t]
    return made


@compiled
def resegment_each(start, end, first_unit, first_change, kinds, rng):
    """Apply `resegment_text` to concatenated texts; return the tokens and the first token of each text."""
    made = np.empty((2, len(start) + len(kinds)), np.int64)
    begin = np.zeros(len(first_unit), np.int64)
    for k in range(len(first_unit) - 1):
        here = slice(first_unit[k], first_unit[k + 1])
        first, last = start[here], end[here]
        if first_unit[k + 1] > first_unit[k] and first_change[k + 1] > first_change[k]:
            found = resegment_text(first, last, kinds[first_change[k] : first_change[k + 1]], rng)
            first, last = found[0], found[1]
        for at in range(len(first)):
            made[0, begin[k] + at], made[1, begin[k] + at] = first[at], last[at]
        begin[k + 1] = begin[k] + len(first)
    return made[:, : begin[-1]].copy(), begin
