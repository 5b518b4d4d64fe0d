"""Recovery of a known reference by a gold standard: simulated annotators and their gold are compared with it.

`python -m studies.recovery docs/gold-recovery.svg` draws the figure of docs/gold.md; `make papers` runs it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from accord.answers.gold.gold import gold
from accord.answers.scoring import score_data
from accord.answers.simulate.generate import generate
from accord.answers.simulate.shuffle import shuffle
from accord.answers.simulate.xray import Curve
from accord.core.context import Run
from accord.core.figures.curves import Curves
from accord.core.figures.figure import save_figure
from accord.core.parallel import spread
from accord.data.model.corpus import Corpus
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings

MAGNITUDES = tuple(k / 10 for k in range(11))
PEOPLE, UNITS, ITEMS, LABELS = 5, 50, 200, 4
UNEQUAL = (0.2, 0.6, 1.0, 1.0, 1.0)  # factors of the magnitude for unequal annotators
_ERRORS = "combination([shift, false_negative, false_positive, category])"
VOTE, MODEL, BEST, MEAN = "gold by vote", "gold by Dawid–Skene", "best annotator", "mean annotator"

Found = dict[tuple[str, str], float]  # by panel and line


def against(reference: Corpus, other: Corpus) -> Corpus:
    """Return the reference and another version of its document as two annotators."""
    reference, other = reference.with_categories_of(other)
    both = [np.concatenate([getattr(reference, side), getattr(other, side)]) for side in ("start", "end", "label")]
    return replace(
        reference,
        doc=np.zeros(len(both[0]), dtype=np.int64),
        annotator=np.repeat([0, 1], [len(reference), len(other)]),
        start=both[0],
        end=both[1],
        label=both[2],
        annotators=("reference", "other"),
        judged=np.ones((1, 2), dtype=bool),
        features={},
        places=None,
    )


def of_units(magnitude: float, seed: int) -> Found:
    """Return γ and F1 against the reference. F1 counts the lengths covered by both with a label."""
    reference = generate(units=UNITS, categories=LABELS, seed=seed)
    people = shuffle(reference, _ERRORS, magnitude=magnitude, annotators=PEOPLE, seed=seed)
    assert isinstance(reference, Corpus)
    assert isinstance(people, Corpus)
    settled = gold(people, seed=seed)
    empty = reference.keep(np.zeros(len(reference), dtype=bool))
    made = settled.to_data() if any(row.label for row in settled.rows) else empty
    assert isinstance(made, Corpus)
    each = [people.only_annotators([name]) for name in people.annotators]
    found: Found = {}
    for spec, panel in (("gamma", "units: γ"), ("f1(match=token)", "units: F1 of lengths")):

        def value(other: Corpus, spec: str = spec, reference: Corpus = reference) -> float:
            both = against(reference, other)
            return float(score_data(both, measure(spec), Settings("none"), Run(seed)).score.value)

        alone = [value(one) for one in each]
        found |= {(panel, VOTE): value(made), (panel, BEST): max(alone), (panel, MEAN): float(np.mean(alone))}
    return found


def of_items(panel: str, shares: Sequence[float], magnitude: float, seed: int) -> Found:
    """Return the accuracy. Undecided items count as wrong."""
    rng = np.random.default_rng([seed, 3])
    truth = rng.integers(0, LABELS, ITEMS)
    reference = Ratings.from_rows(truth[:, None], annotators=("truth",), categories=list(range(LABELS)))
    rows = []
    for k, share in enumerate(shares):
        one = shuffle(reference, "category", magnitude=magnitude * share, annotators=1, seed=seed * len(shares) + k)
        assert isinstance(one, Ratings)
        rows.append(one.label[np.argsort(one.item)])
    people = Ratings.from_rows(np.stack(rows, axis=1), categories=list(range(LABELS)))
    right = {label: str(label) for label in range(LABELS)}

    def accuracy(method: str) -> float:
        made = gold(people, method=method, seed=seed)
        return float(np.mean([row.label == right[int(t)] for row, t in zip(made.rows, truth, strict=True)]))

    alone = [float((row == truth).mean()) for row in rows]
    return {
        (panel, VOTE): accuracy("vote"),
        (panel, MODEL): accuracy("dawid_skene"),
        (panel, BEST): max(alone),
        (panel, MEAN): float(np.mean(alone)),
    }


STUDIES: tuple[Callable[[float, int], Found], ...] = (
    of_units,
    partial(of_items, "items: accuracy", (1.0,) * PEOPLE),
    partial(of_items, "items: accuracy, annotators unequal", UNEQUAL),
)


def _one(task: tuple[float, int]) -> Found:
    return {place: value for study in STUDIES for place, value in study(*task).items()}


def curves(sets: int, run: Run, magnitudes: Sequence[float] = MAGNITUDES) -> dict[str, list[Curve]]:
    """Draw a panel for each measure, with a line for each version."""
    tasks = [(magnitude, run.seed * sets + k) for magnitude in magnitudes for k in range(sets)]
    done: list[Found] = list(spread(_one, tasks, run, "gold from shuffled references"))
    panels: dict[str, list[Curve]] = {}
    for panel, line in done[0]:
        values = np.array([one[panel, line] for one in done]).reshape(len(magnitudes), sets)
        panels.setdefault(panel, []).append(Curve("", line, np.array(magnitudes), values))
    return panels


def draw(panels: Mapping[str, list[Curve]], path: Path) -> None:
    drawn = tuple((title, tuple(curve.line() for curve in lines)) for title, lines in panels.items())
    save_figure(Curves("What recovers a shuffled reference", drawn, what="data"), path)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.recovery", description=__doc__)
    parser.add_argument("figure", type=Path, help="path of the figure")
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=None)
    given = parser.parse_args(words)
    draw(curves(given.sets, Run(given.seed, jobs=given.jobs)), given.figure)


if __name__ == "__main__":
    main()
