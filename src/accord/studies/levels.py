"""How often tests of a difference reject where there is none: pairs of studies by equally good annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from accord.answers.inference.comparison.compare import How, compared
from accord.answers.inference.planning.sample_size import AssumedStudy, draw
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.parallel import spread
from accord.measures.catalogue import measure

SPEC = "alpha"
SIZES = (50, 100, 200)
SHARES = ((0.5, 0.3, 0.2), (0.8, 0.2), (0.95, 0.05), (0.99, 0.01))
UNEQUAL = ((0.95, 0.05), (0.8, 0.2))  # one study has more of the rare category than the other
LEVEL = 0.05
OFF = 0.03  # by which a test may be off before that has to be said
EXCHANGES = 199


@dataclass(frozen=True)
class Pair:
    """Where two studies come from."""

    shares: tuple[float, ...]
    others: tuple[float, ...]  # of the second study
    annotators: int
    size: int
    paired: bool
    methods: tuple[str, ...] = ("linearised", "default")


@dataclass(frozen=True)
class Rejected:
    """The share of pairs of studies in which a test finds a difference at 5%."""

    pair: Pair
    method: str
    share: float
    studies: int


def pairs_of_studies() -> list[Pair]:
    """The grid: equal shares, paired and not, and unequal shares, where exchanging is tried as well."""
    equal = [Pair(p, p, r, n, paired) for paired in (True, False) for r in (2, 5) for p in SHARES for n in SIZES]
    both = ("linearised", "default")
    unequal = [
        Pair(*UNEQUAL, r, n, False, (*both, "permutation") if n == SIZES[0] else both) for r in (2, 5) for n in SIZES
    ]
    return [*equal, *unequal]


def levels(studies: int, run: Run, pairs: Sequence[Pair], same: float = 0.6) -> list[Rejected]:
    """Of each method on each source; pairs in which a value is undefined are left out."""
    made = spread(partial(_levels, studies, run.seed, same), list(pairs), run, "levels of tests")
    return [one for found in made for one in found]


def _levels(studies: int, seed: int, same: float, pair: Pair) -> list[Rejected]:
    by, rejected = measure(SPEC), {method: [0, 0] for method in pair.methods}
    for k in range(studies):
        rng = np.random.default_rng([seed, k, pair.annotators, pair.size, round(1000 * pair.shares[0]), pair.paired])
        a, b = (draw(AssumedStudy(same, pair.annotators, p), same, pair.size, rng) for p in (pair.shares, pair.others))
        for method in pair.methods:
            how = How(method, pair.paired, interval="none", replicates=EXCHANGES)
            try:
                found = compared((a, b), (by, by), how, Run(seed + k, jobs=1), ("a", "b"))
            except DataError:
                continue  # only one category occurs
            rejected[method][0] += found.p is None or found.p <= LEVEL  # no p: nothing varies, and values differ
            rejected[method][1] += 1
    return [Rejected(pair, method, hits / max(n, 1), n) for method, (hits, n) in rejected.items()]


def levels_table(found: Sequence[Rejected]) -> str:
    """A row for each source and method; shares that are off by more than 3 points are bold."""
    lines = [
        f"| studies | annotators | shares | test | {' | '.join(map(str, SIZES))} |",
        "|---|---|---|---|" + "---|" * len(SIZES),
    ]
    rows: dict[tuple[bool, int, tuple[float, ...], tuple[float, ...], str], dict[int, float]] = {}
    for one in found:
        pair = one.pair
        key = pair.paired, pair.annotators, pair.shares, pair.others, one.method
        rows.setdefault(key, {})[pair.size] = one.share
    for (paired, r, shares, others, method), cells in rows.items():
        named = [_named(shares)] + ([] if shares == others else [_named(others)])
        text = " | ".join(_cell(cells[n]) if n in cells else "" for n in SIZES)
        kind = "paired" if paired else "unpaired"
        lines.append(f"| {kind} | {r} | {' and '.join(named)} | `{method}` | {text} |")
    return "\n".join(lines)


def _named(shares: tuple[float, ...]) -> str:
    return "/".join(f"{p:g}".lstrip("0") for p in shares)


def _cell(share: float) -> str:
    return f"**{share:z.3f}**" if share > LEVEL + OFF else f"{share:z.3f}"
