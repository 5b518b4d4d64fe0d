"""Values of measures on simulated annotations.

γ of many sets is computed in one batch, with its samples aligned together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.answers.scoring import at_level
from accord.answers.simulate.errors import ErrorType
from accord.answers.simulate.shuffle import one_set
from accord.core.arrays import Floats
from accord.core.context import Run
from accord.core.errors import DataError, SpecError
from accord.data.kinds import ITEMS, SEGMENTATIONS, UNITS, Kind, kind_named
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import Categories
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import as_units
from accord.data.model.texts import BASE, Texts
from accord.measures.catalogue import measure as measure_of
from accord.measures.measure import Measure
from accord.measures.units.timeline import PAIRS


@dataclass(frozen=True)
class Judge:
    """A measure of the catalogue, or a user's function from data to a number."""

    measure: Measure | None = None
    function: Callable[[Any], float] | None = None
    label: str | None = None  # custom name

    @property
    def name(self) -> str:
        """Name in tables; an error rate is converted to an agreement."""
        if self.label is not None:
            return self.label
        if self.measure is None:
            return str(getattr(self.function, "__name__", "function"))
        return f"1-{self.measure}" if self.turned else str(self.measure)

    @property
    def turned(self) -> bool:
        return getattr(self.measure, "kind", "agreement") == "error"

    @property
    def on_a_line(self) -> bool:
        """Whether units must not overlap."""
        return self.measure is not None and getattr(self.measure, "overlaps", PAIRS) != PAIRS

    def at(self, data: Data) -> Judge:
        """Return the judge with its measure at the level of measurement of the labels."""
        if self.measure is None or data.kind.name != self.measure.data:
            return self
        return replace(self, measure=at_level(self.measure, data))

    def chance_on(self, data: Data) -> str:
        """Return the chance model for these data, in words; empty if there is none."""
        return "" if self.measure is None else self.measure.chance_on(self.fitting(data))

    def value(self, data: Data, run: Run) -> tuple[float, str]:
        """Return the agreement, and the reason if it is undefined."""
        try:
            if self.measure is None:
                return self._own(data), "the function returned no number"
            chosen = self.measure.coarser()
            score = chosen.estimate(chosen.observe(self.fitting(data), run))
        except DataError as error:
            return math.nan, str(error)
        return 1.0 - score.value if self.turned else score.value, score.undefined or "undefined"

    def of_sets(self, batch: Data, sets: int, n_docs: int, run: Run) -> tuple[Floats, str] | None:
        """Return the values of all sets in one batch, if possible, and reasons for undefined ones."""
        if self.measure is None:
            return None
        return self.measure.coarser().of_sets(self.fitting(batch), sets, n_docs, run)

    def _own(self, data: Data) -> float:
        assert self.function is not None
        try:
            return float(self.function(data))
        except Exception as error:  # noqa: BLE001 - whatever is wrong in a user's function
            raise SpecError(
                "dissimilarity-invalid", f"{self.name}: {type(error).__name__}: {error}; correct the function"
            ) from None

    def fitting(self, data: Data) -> Data:
        """Return the data in the form that the measure needs."""
        return as_measured(data, self.measure.data if self.measure is not None else "")

    def check(self, reference: Data, error: ErrorType) -> None:
        """Refuse data that can never be compared."""
        if self.measure is not None:
            check_judged(self.measure, reference, error)


def make_judge(given: Any) -> Judge:
    """Make a judge from a spec, a measure or a function."""
    if isinstance(given, Judge):
        return given
    if isinstance(given, str | Measure):
        return Judge(measure_of(given))
    if callable(given):
        return Judge(function=given)
    raise SpecError(
        "option-value", f"a measure must be a spec or a function from data to a number, not {type(given).__name__}"
    )


def judges_of(given: Any) -> tuple[Judge, ...]:
    """Make judges from one or several."""
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return tuple(make_judge(entry) for entry in several)


def values_of_sets(judges: Sequence[Judge], batch: Data, sets: int, n_docs: int, seed: int) -> tuple[Floats, list[str]]:
    """One row per measure, one column per set; NaN if undefined, with the first reason of each measure."""
    table = np.full((len(judges), sets), math.nan)
    reasons = [""] * len(judges)
    run = Run(seed, jobs=1)
    parts: list[Data] = []
    for j, judge in enumerate(judges):
        together = judge.of_sets(batch, sets, n_docs, run)
        if together is not None:
            table[j], reason = together
            reasons[j] = reason if np.isnan(table[j]).any() else ""
            continue
        parts = parts or [one_set(batch, s, n_docs) for s in range(sets)]
        for s, part in enumerate(parts):
            table[j, s], reason = judge.value(part, run)
            if math.isnan(table[j, s]) and not reasons[j]:
                reasons[j] = reason
    return table, reasons


def kinds_of_judges(judges: Sequence[Judge]) -> tuple[str, ...]:
    """Return the kinds of data that measures accept; a user's function accepts all."""
    return tuple(judge.measure.data for judge in judges if judge.measure is not None)


# -- Conversion of simulated data: units to items, segments to units, tokens to units or items --


def as_measured(data: Data, kind: str) -> Data:
    """Convert data for measures on items, units, segmentations or texts."""
    change = _CHANGES.get((data.kind.name, kind))
    return data if change is None else change(data)


def can_judge(kind: Kind, measure: Measure) -> bool:
    """Whether a measure accepts these data unchanged; segments count as adjacent units."""
    return measure.data == kind.name or (kind.name, measure.data) == (SEGMENTATIONS.name, UNITS.name)


def check_judged(measure: Measure, reference: Data, error: ErrorType) -> None:
    """Refuse a measure that cannot judge data with this error."""
    wanted, name = kind_named(measure.data), measure.name
    if reference.kind is wanted:
        return
    if (reference.kind.name, wanted.name) not in _CHANGES:
        these = f"{reference.kind.things} ({reference.kind.columns})"
        raise SpecError(
            "measure-for-other-data",
            f"{name} applies to {wanted.words} ({wanted.columns}), and these are {these}; choose another --measure",
        )
    if wanted is ITEMS and not error.in_place:
        raise SpecError(
            "measure-for-other-data",
            f"{name} needs fixed items, and only category errors leave units in place; use --error category",
        )
    if isinstance(reference, Texts):
        if not error.same_text:
            raise SpecError(
                "measure-for-other-data",
                f"{name} compares positions in one text, and {error.name} changes the text; use text_gamma",
            )
        _feature(reference)


def tokens_as_units(texts: Texts) -> Corpus:
    """Convert tokens to units with the labels of their only feature; all annotators have the same text."""
    strings = np.array(texts.strings, dtype=object)
    mine = texts.version_annotator != BASE
    first = {int(d): texts.strings[v] for v, d in reversed([*enumerate(texts.version_doc.tolist())]) if mine[v]}
    if any(strings[v] != first[int(texts.version_doc[v])] for v in np.flatnonzero(mine)):
        raise DataError(
            "measure-for-other-data", "annotators have different texts, so positions cannot be compared; use text_gamma"
        )
    there = mine[texts.version]
    version = texts.version[there]
    name = _feature(texts)
    label = texts.features[name].codes[there] if name is not None else np.full(len(version), -1, dtype=np.int64)
    judged = np.zeros((len(texts.docs), len(texts.annotators)), dtype=bool)
    judged[texts.version_doc[mine], texts.version_annotator[mine]] = True
    ends = np.array([float(len(first.get(d, ""))) for d in range(len(texts.docs))])
    return Corpus(
        doc=texts.version_doc[version].astype(np.int64),
        annotator=texts.version_annotator[version].astype(np.int64),
        start=texts.start[there].astype(np.float64),
        end=texts.end[there].astype(np.float64),
        label=label,
        docs=texts.docs,
        annotators=texts.annotators,
        categories=texts.features[name].categories if name is not None else Categories(()),
        extents=np.column_stack([np.zeros(len(ends)), ends]),
        extent_given=np.ones(len(ends), dtype=bool),
        judged=judged,
        judged_given=True,
    )


def _feature(texts: Texts) -> str | None:
    if len(texts.features) > 1:
        raise SpecError(
            "measure-for-other-data",
            f"measures on units need one label per token, and these tokens have {', '.join(texts.features)}; choose "
            "one with --label",
        )
    return next(iter(texts.features), None)


def ratings_of(corpus: Corpus) -> Ratings:
    """Convert units at the same positions for all annotators to items with labels."""
    place = np.stack([corpus.doc.astype(np.float64), corpus.start, corpus.end])
    order = np.lexsort((*place[::-1], corpus.annotator))
    many = len(corpus.annotators)
    n = len(corpus) // many
    blocks = place[:, order].reshape(3, many, n) if n * many == len(corpus) else None
    if blocks is None or (blocks != blocks[:, :1]).any():
        raise DataError(
            "nothing-shared",
            "annotators marked different positions, so there are no common items; choose a measure for units",
        )
    codes = corpus.label[order].reshape(many, n).T
    labels = corpus.categories.labels
    rows = [[labels[c] if c >= 0 else None for c in row] for row in codes.tolist()]
    return Ratings.from_rows(rows, corpus.annotators, categories=list(corpus.categories))


_CHANGES: dict[tuple[str, str], Callable[[Any], Data]] = {
    ("units", "items"): ratings_of,
    ("segmentations", "units"): lambda data: as_units(data.untyped),
    ("texts", "units"): tokens_as_units,
    ("texts", "items"): lambda data: ratings_of(tokens_as_units(data)),
}
