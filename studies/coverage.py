"""Coverage of nominal intervals, and rejection rates of tests without a difference, on simulated corpora.

`python -m studies.coverage docs/coverage.md` writes the page; `make papers` runs it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from accord.answers.annotator_figures import wilson_interval
from accord.answers.comparison import How, compare_data
from accord.answers.plan_size import AssumedStudy, draw
from accord.answers.scoring import score_data
from accord.core.context import Run
from accord.core.errors import DataError
from accord.core.figures.bars import Forest, ForestRow
from accord.core.figures.figure import save_figure
from accord.core.parallel import spread
from accord.core.writing import write_whole
from accord.data.io import read
from accord.data.model.ratings import Ratings
from accord.data.model.texts import Texts
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings, with_interval
from studies.candidates import Tried, shares_text, tried
from studies.candidates import table as candidates_table

SIZES = (10, 30, 100)
LEVEL, ENOUGH = 0.95, 0.9
_AT_ONCE = 5  # corpora in one task
_TRUTH = 987_654  # seed of the large corpus
_PEOPLE = ("Ana", "Ben", "Chloé")
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "la", "me", "ni", "or", "pu", "ra", "sel", "tin", "vo")


def items(rng: np.random.Generator, n: int) -> Ratings:
    """Simulate three annotators and three categories: the same label in 6 of 10 items, random labels in the others."""
    return draw(AssumedStudy(0.6, 3, (0.5, 0.3, 0.2)), 0.6, n, rng)


def units(rng: np.random.Generator, n: int) -> Any:
    """Simulate documents of five units of varying difficulty: units are missed, moved or relabelled."""
    per = 5
    hard = rng.uniform(0.5, 1.5, (n, 1, 1))
    start = np.arange(per) * 30 + rng.integers(0, 4, (n, 1, per))
    size, label = rng.integers(4, 12, (n, 1, per)), rng.integers(0, 2, (n, 1, per))
    shape = (n, len(_PEOPLE), per)
    moved = np.where(rng.random(shape) < 0.4 * hard, rng.integers(0, 5, shape), 0)
    other = np.where(rng.random(shape) < 0.2 * hard, rng.integers(0, 2, shape), label)
    doc, who, unit = np.nonzero(rng.random(shape) >= 0.1 * hard)
    begin = (start + moved)[doc, who, unit]
    names = np.array([f"d{d}" for d in range(n)])
    table = {
        "doc": names[doc].tolist(),
        "annotator": np.array(_PEOPLE)[who].tolist(),
        "start": begin.tolist(),
        "end": (begin + size[doc, 0, unit]).tolist(),
        "label": np.array(["x", "y"])[other[doc, who, unit]].tolist(),
    }
    return read(table, extents=dict.fromkeys(names.tolist(), (0, 170)))


def texts(rng: np.random.Generator, n: int) -> Texts:
    """Simulate documents of thirty tokens with a part of speech: words are changed, split or relabelled."""
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": [], "pos": []}
    written: dict[tuple[str, str], str] = {}
    for d in range(n):
        hard = rng.uniform(0.5, 1.5)
        words = ["".join(_SYLLABLES[k] for k in rng.integers(0, len(_SYLLABLES), 3)) for _ in range(30)]
        tags = rng.integers(0, 3, len(words)).tolist()
        for who in ("(base)", *_PEOPLE):
            rate = 0.0 if who == "(base)" else hard
            changed, split, labelled = (rng.random(len(words)) < rate * share for share in (0.1, 0.05, 0.2))
            mine = [w[:-1] + "x" if c else w for w, c in zip(words, changed, strict=True)]
            at = 0
            for word, cut, tag, wrong in zip(mine, split, tags, labelled, strict=True):
                given = "NVA"[int(rng.integers(3)) if wrong else tag]
                ends = (3, len(word)) if cut else (len(word),)
                for begin, end in zip((0, *ends[:-1]), ends, strict=True):
                    row = (f"d{d}", who, at + begin, at + end, given)
                    for column, value in zip(columns.values(), row, strict=True):
                        column.append(value)
                at += len(word) + 1
            written[f"d{d}", who] = " ".join(mine)
    return Texts.of(columns, written, base="(base)")


@dataclass(frozen=True)
class Study:
    """A measure, the source of its corpora, and the size of the corpus for the true value."""

    spec: str
    source: Callable[[np.random.Generator, int], Any]
    noun: str
    large: int


STUDIES = (
    Study("alpha", items, "items", 200_000),
    Study("kappa", items, "items", 200_000),
    Study("gamma", units, "documents", 5_000),
    Study("u_alpha", units, "documents", 20_000),
    Study("text_gamma", texts, "documents", 2_000),
)


@dataclass(frozen=True)
class Found:
    """Coverage and mean width of the intervals of a method."""

    study: Study
    method: str
    size: int
    truth: float
    covered: float
    width: float
    corpora: int


def covered(study: Study, sizes: Sequence[int], corpora: int, run: Run) -> list[Found]:
    """Return the coverage of the default interval of a measure and of the jackknife."""
    chosen = measure(study.spec)
    big = study.source(np.random.default_rng([run.seed, _TRUTH]), study.large)
    truth = score_data(big, chosen, Settings("none"), run).score.value
    found = []
    for size in sizes:
        tasks = [range(k, min(k + _AT_ONCE, corpora)) for k in range(0, corpora, _AT_ONCE)]
        rows = spread(partial(_intervals, study, size, run.seed), tasks, run, f"{study.spec}, {size} {study.noun}")
        ends = np.array([row for part in rows for row in part])
        first = "default" if chosen.on_items else chosen.default_interval  # on items it depends on the data
        for k, method in enumerate((first, "jackknife")):
            low, high = ends[:, k].T
            there = ~np.isnan(low)
            holds = (low <= truth) & (truth <= high)
            width = float((high - low)[there].mean())
            found.append(Found(study, method, size, truth, float(holds.mean()), width, corpora))
    return found


def _intervals(study: Study, size: int, seed: int, which: range) -> list[tuple[tuple[float, float], ...]]:
    """Return both intervals of some corpora. A missing interval does not cover the true value."""
    chosen, made = measure(study.spec), []
    for k in which:
        data = study.source(np.random.default_rng([seed, size, k]), size)
        run = Run(seed + k, jobs=1)
        evidence = chosen.observe(data, run)
        plain = chosen.estimate(evidence)
        both = [with_interval(plain, chosen, evidence, Settings(how, LEVEL), run) for how in ("default", "jackknife")]
        ends = [(s.interval.low, s.interval.high) if s.interval else (np.nan, np.nan) for s in both]
        made.append(tuple(ends))
    return made


# -- rare categories ---------------------------------------------------------------------------------------------------

RARE_SHARES = ((0.5, 0.3, 0.2), (0.8, 0.2), (0.95, 0.05), (0.99, 0.01))
RARE_SIZES = (20, 50, 100, 200)
RARE_SPECS = ("kappa", "alpha")
RARE_METHODS = ("linearised", "default")
SAME = 0.6  # share of items with the same label, which is π, κ and α


@dataclass(frozen=True)
class Cell:
    """Coverage of a method for a number of annotators, items and category shares."""

    spec: str
    annotators: int
    shares: tuple[float, ...]
    size: int
    method: str
    covered: float  # among corpora with a defined value
    width: float
    empty: float  # the share of intervals of width 0
    corpora: int


def rare(
    corpora: int,
    run: Run,
    shares: Sequence[tuple[float, ...]] = RARE_SHARES,
    sizes: Sequence[int] = RARE_SIZES,
    annotators: Sequence[int] = (2, 5),
) -> list[Cell]:
    """Return the coverage of the default and the linearised interval for skewed shares."""
    asked = [(r, p, n) for r in annotators for p in shares for n in sizes]
    made = spread(partial(_rare_cell, corpora, run.seed), asked, run, "rare categories")
    return [cell for cells in made for cell in cells]


def _rare_cell(corpora: int, seed: int, asked: tuple[int, tuple[float, ...], int]) -> list[Cell]:
    r, shares, n = asked
    run = Run(seed, jobs=1)
    ends: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for k in range(corpora):
        rng = np.random.default_rng([seed, r, n, round(1000 * shares[0]), k])
        data = draw(AssumedStudy(SAME, r, shares), SAME, n, rng)
        for spec in RARE_SPECS:
            chosen = measure(spec)
            evidence = chosen.observe(data, run)
            plain = chosen.estimate(evidence)
            for method in RARE_METHODS:
                found = with_interval(plain, chosen, evidence, Settings(method, LEVEL), run).interval
                if found is not None:
                    ends.setdefault((spec, method), []).append((found.low, found.high))
    cells = []
    for (spec, method), both in ends.items():
        low, high = np.array(both).T
        holds, width = (low <= SAME) & (high >= SAME), high - low
        empty = float((width == 0).mean())
        cells.append(Cell(spec, r, shares, n, method, float(holds.mean()), float(width.mean()), empty, len(both)))
    return cells


def rare_page(cells: Sequence[Cell], corpora: int) -> str:
    """Return the section on rare categories."""
    lines = [_RARE.format(corpora=corpora, same=SAME), ""]
    lines += [
        f"| measure | annotators | shares | interval | {' | '.join(map(str, RARE_SIZES))} | width 0 at 50 |",
        "|---|---|---|---|" + "---|" * (len(RARE_SIZES) + 1),
    ]
    found = {(c.spec, c.annotators, c.shares, c.method, c.size): c for c in cells}
    for spec, r, shares, method in dict.fromkeys(key[:4] for key in sorted(found, key=_in_order)):
        row = [found[spec, r, shares, method, n] for n in RARE_SIZES if (spec, r, shares, method, n) in found]
        text = " | ".join(_bold(c.covered, c.covered < ENOUGH) for c in row)
        flat = next((f"{c.empty:.0%}" for c in row if c.size == 50), "")
        lines.append(f"| {spec} | {r} | {shares_text(shares)} | `{method}` | {text} | {flat} |")
    return "\n".join(lines)


def _in_order(key: tuple[str, int, tuple[float, ...], str, int]) -> tuple[int, int, int, int, int]:
    spec, r, shares, method, n = key
    return RARE_SPECS.index(spec), r, RARE_SHARES.index(shares), RARE_METHODS.index(method), n


# -- tests of a difference --------------------------------------------------------------------------------------------

TESTED = "alpha"
TEST_SIZES = (50, 100, 200)
UNEQUAL_SHARES = ((0.95, 0.05), (0.8, 0.2))  # one study has more of the rare category than the other
TEST_LEVEL = 0.05
TEST_MARGIN = 0.03  # tolerated excess of the rejection rate
EXCHANGES = 199


@dataclass(frozen=True)
class Pair:
    """Sources of two studies."""

    shares: tuple[float, ...]
    others: tuple[float, ...]  # of the second study
    annotators: int
    size: int
    paired: bool
    methods: tuple[str, ...] = ("linearised", "default")


@dataclass(frozen=True)
class Rejected:
    """Rejection rate of a test at 5%."""

    pair: Pair
    method: str
    share: float
    studies: int


def pairs_of_studies() -> list[Pair]:
    """Return the grid: equal shares, paired and unpaired, and unequal shares, also with permutation."""
    equal = [
        Pair(p, p, r, n, paired) for paired in (True, False) for r in (2, 5) for p in RARE_SHARES for n in TEST_SIZES
    ]
    both = ("linearised", "default")
    unequal = [
        Pair(*UNEQUAL_SHARES, r, n, False, (*both, "permutation") if n == TEST_SIZES[0] else both)
        for r in (2, 5)
        for n in TEST_SIZES
    ]
    return [*equal, *unequal]


def levels(studies: int, run: Run, pairs: Sequence[Pair], same: float = 0.6) -> list[Rejected]:
    """Return the rejection rate of each method on each source. Pairs with an undefined value are excluded."""
    made = spread(partial(_levels, studies, run.seed, same), list(pairs), run, "levels of tests")
    return [one for found in made for one in found]


def _levels(studies: int, seed: int, same: float, pair: Pair) -> list[Rejected]:
    by, rejected = measure(TESTED), {method: [0, 0] for method in pair.methods}
    for k in range(studies):
        rng = np.random.default_rng([seed, k, pair.annotators, pair.size, round(1000 * pair.shares[0]), pair.paired])
        a, b = (draw(AssumedStudy(same, pair.annotators, p), same, pair.size, rng) for p in (pair.shares, pair.others))
        for method in pair.methods:
            how = How(method, pair.paired, interval="none", replicates=EXCHANGES)
            try:
                found = compare_data((a, b), (by, by), how, Run(seed + k, jobs=1), ("a", "b"))
            except DataError:
                continue  # only one category occurs
            rejected[method][0] += found.p is None or found.p <= TEST_LEVEL  # no p: no variation, but different values
            rejected[method][1] += 1
    return [Rejected(pair, method, hits / max(n, 1), n) for method, (hits, n) in rejected.items()]


def levels_table(found: Sequence[Rejected]) -> str:
    """Return a table with a row for each source and method. Rates above 8% are bold."""
    lines = [
        f"| studies | annotators | shares | test | {' | '.join(map(str, TEST_SIZES))} |",
        "|---|---|---|---|" + "---|" * len(TEST_SIZES),
    ]
    rows: dict[tuple[bool, int, tuple[float, ...], tuple[float, ...], str], dict[int, float]] = {}
    for one in found:
        pair = one.pair
        key = pair.paired, pair.annotators, pair.shares, pair.others, one.method
        rows.setdefault(key, {})[pair.size] = one.share
    for (paired, r, shares, others, method), cells in rows.items():
        named = [shares_text(shares)] + ([] if shares == others else [shares_text(others)])
        text = " | ".join(
            _bold(cells[n], cells[n] > TEST_LEVEL + TEST_MARGIN) if n in cells else "" for n in TEST_SIZES
        )
        kind = "paired" if paired else "unpaired"
        lines.append(f"| {kind} | {r} | {' and '.join(named)} | `{method}` | {text} |")
    return "\n".join(lines)


# -- the page ---------------------------------------------------------------------------------------------------------


def page(
    found: Sequence[Found],
    on_rare: Sequence[Cell] = (),
    candidates: Sequence[Tried] = (),
    rejected: Sequence[Rejected] = (),
) -> str:
    """Return the page with its tables."""
    sizes = sorted({one.size for one in found})
    corpora = found[0].corpora
    lines = [
        "# Coverage of intervals",
        "",
        _ABOUT.format(corpora=corpora, error=1.96 * np.sqrt(0.95 * 0.05 / corpora)),
        "",
        f"| measure | interval | true value | {' | '.join(f'{n}' for n in sizes)} | mean width at {sizes[-1]} |",
        "|---|---|---|" + "---|" * (len(sizes) + 1),
    ]
    rows = {(one.study.spec, one.method): one for one in found}
    for spec, method in rows:
        mine = {one.size: one for one in found if (one.study.spec, one.method) == (spec, method)}
        cells = [_bold(mine[n].covered, mine[n].covered < ENOUGH) for n in sizes]
        last = mine[sizes[-1]]
        lines.append(f"| {spec} | `{method}` | {last.truth:z.3f} | {' | '.join(cells)} | {last.width:z.3f} |")
    lines += ["", PICTURE]
    short = [one for one in found if one.covered < ENOUGH]
    lines += ["", "## Intervals that are too short", ""]
    lines += [
        f"- {one.study.spec}, `{one.method}`, {one.size} {one.study.noun}: {one.covered:z.3f} instead of {LEVEL:g}"
        for one in short
    ] or [f"None: all shares are at {ENOUGH:.0%} or above."]
    if on_rare:
        lines += ["", rare_page(on_rare, max(c.corpora for c in on_rare))]
    if candidates:
        lines += ["", _CANDIDATES, "", candidates_table(candidates)]
    if rejected:
        studies = max(one.studies for one in rejected)
        about = _LEVELS.format(studies=studies, error=1.96 * np.sqrt(0.05 * 0.95 / studies))
        lines += ["", about, "", levels_table(rejected)]
    return "\n".join([*lines, "", _HOW, ""])


def picture(found: Sequence[Found]) -> Forest:
    """Draw the coverage with its uncertainty and the nominal level."""
    rows = []
    for one in found:
        held = round(one.covered * one.corpora)
        interval = wilson_interval(held, one.corpora, LEVEL)
        rows.append(ForestRow(f"{one.study.spec}, {one.method}", one.covered, interval, f"n = {one.size}", one.corpora))
    return Forest("", tuple(rows), "measure and interval", "share of intervals that cover the true value", LEVEL)


def _bold(share: float, bold: bool) -> str:
    return f"**{share:z.3f}**" if bold else f"{share:z.3f}"


PICTURE = "![Coverage of intervals with its uncertainty](coverage.svg)"

_ABOUT = """\
`make papers` writes this page. Each cell is based on {corpora} simulated corpora with different items or documents.
Each corpus gets a nominal 95% interval. The table shows the share of intervals that cover the true value. The true
value is the value of one very large corpus from the same source. A share of 0.95 has an uncertainty of ±{error:z.3f}.
Shares below 0.9 are **bold**. The columns are 10, 30 and 100 items (alpha, kappa) or documents (the other measures)."""

_RARE = """\
## Rare categories

In annotation, one category often has nearly all labels. Each cell has {corpora} corpora with 2 or 5 annotators. All
annotators give the same label to a share of {same:g} of the items, so κ and α are {same:g}. Corpora with only one
category have no value and are excluded. `default` is the linearised interval if the effective number of items in the
error is at least ten. With fewer, it is [`added`](intervals.md), which adds pseudo-items that weigh two items and
reduces the degrees of freedom. Shares above 0.98 are too high: the interval is wide because data are few, and the
output states this."""

_CANDIDATES = """\
### Alternative intervals

The table compares ten intervals for Scott's π, with the shares, sizes and annotators above and values of 0.3, 0.6 and
0.85. It shows the lowest coverage of each column, the number of cells below 0.92, and the mean width. On these
corpora, π, κ and α are nearly equal. The lowest of 24 cells has an uncertainty of about 0.02. `carriers` is the
effective number of items in the error, (Σ d²)²/Σ d⁴ over the linearised deviations d of the items."""

_LEVELS = """\
## Tests of a difference

The table shows how often `accord compare -m alpha` finds a difference at 5% although there is none. Each cell has
{studies} pairs of independent studies, both with an α of 0.6. `linearised` is a t test without pseudo-items.
`default` is the same test if the effective number of items in the difference is at least ten. With fewer, it uses
pseudo-items that weigh two items in each study. A share of 0.05 has an uncertainty of ±{error:z.3f}. Shares above
0.08 are **bold**. A share far below 0.05 means that such data can hardly show a difference. In the last rows, the two
studies have unequal shares. There, exchanging items (`permutation`) is wrong, because it mistakes different shares
for different agreement."""

_HOW = """\
## Simulated data

- **Items**: three annotators, three categories with shares 0.5, 0.3, 0.2. In six of ten items all annotators give the
  same category. In the others each annotator draws a random label.
- **Units**: three annotators, documents of five units and two categories. A unit is missed (1 in 10), moved by up to
  four steps (4 in 10), or gets a random label (2 in 10).
- **Texts**: three annotators who correct thirty tokens. A word is changed (1 in 10), split (1 in 20), or gets a
  random label (1 in 5). The initial text is known.

Documents differ: in each, all rates are multiplied by one number between 0.5 and 1.5. The first interval of each
measure is its default. For gamma and text_gamma it covers the sampling of documents and Monte Carlo error."""


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.coverage", description=__doc__)
    parser.add_argument("page", type=Path, help="path of the page")
    parser.add_argument("--corpora", type=int, default=400)
    parser.add_argument("--candidates", type=int, default=1000, help="corpora of each cell of the candidates")
    parser.add_argument("--studies", type=int, default=400, help="pairs of studies of each cell of the tests")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=None)
    given = parser.parse_args(words)
    found = []
    for study in STUDIES:
        found += covered(study, SIZES, given.corpora, Run(given.seed, jobs=given.jobs))
    run = Run(given.seed, jobs=given.jobs)
    cells = rare(given.corpora, run)
    candidates = tried(given.candidates, given.seed, RARE_SHARES, RARE_SIZES)
    rejected = levels(given.studies, run, pairs_of_studies())
    save_figure(picture(found), given.page.with_name("coverage.svg"))
    write_whole(given.page, page(found, cells, candidates, rejected))


if __name__ == "__main__":
    main()
