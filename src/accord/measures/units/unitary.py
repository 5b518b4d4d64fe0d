"""Best alignment of documents: its costs and their causes, and a table of unitary alignments.

The disorder of a unitary alignment is the mean cost of its pairs of annotators. Half of the cost of a pair is assigned
to each annotator. The disorder of the unitary alignment is divided equally over the categories of its units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Floats, Ints
from accord.core.excerpts import before, behind, shorten_text
from accord.core.figures.bars import Stacked
from accord.core.figures.documents import TimelineFigure, UnitMark
from accord.core.result import Result
from accord.core.tables import Cell, Drawing, Table, plain
from accord.data.model.corpus import Corpus, Unit
from accord.data.model.labels import Label, label_name
from accord.measures.alignment.best import Alignment
from accord.measures.alignment.units import Units
from accord.measures.chance.drawing import Annotations
from accord.measures.dissimilarities import Combined, Dissimilarity
from accord.measures.distances.spaces import sums_by

NO_LABEL = "(no label)"
_AROUND = 30  # characters of context shown around a passage


@dataclass(frozen=True, eq=False)
class ComparedUnits:
    """The comparable documents of a corpus, with their best alignment."""

    corpus: Corpus
    docs: NDArray[np.intp]
    source: Annotations
    units: Units
    alignment: Alignment
    dissimilarity: Dissimilarity

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the documents."""
        return tuple(self.corpus.docs[int(d)] for d in self.docs)

    @cached_property
    def points(self) -> NDArray[np.bool_]:
        """Return which units have length 0, if position counts: two of them have a dissimilarity of 0/0 (eq. 3)."""
        by_position = isinstance(self.dissimilarity, Combined) and self.dissimilarity.positional > 0
        return (self.units.end <= self.units.start) & by_position


@dataclass(frozen=True, eq=False)
class Costs:
    """Costs of the unitary alignments of an alignment, and their causes."""

    alignment: Alignment
    dissimilarity: Dissimilarity

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Return all pairs of units of unitary alignments: the alignment and the two units."""
        group, unit, size = self.alignment.members_group, self.alignment.members_unit, self.alignment.size
        first = np.cumsum(size) - size
        behind = (first + size)[group] - np.arange(len(group)) - 1  # later members of the same group
        u = np.repeat(np.arange(len(group)), behind)
        v = u + 1 + np.arange(len(u)) - np.repeat(np.cumsum(behind) - behind, behind)
        return group[u], unit[u], unit[v]

    @cached_property
    def all_pairs(self) -> Floats:
        """Return C = n(n−1)/2 of each unitary alignment."""
        n = self.alignment.units.annotators[self.alignment.continuum].astype(np.float64)
        return n * (n - 1) / 2

    @cached_property
    def causes(self) -> dict[str, Floats]:
        """Return the disorder of each unitary alignment by cause: position, category, absence."""
        group, u, v = self.pairs
        many = len(self.alignment.disorder)
        real = self.dissimilarity.parts(self.alignment.units, u, v)
        made = {cause: sums_by(group, cost, many) / self.all_pairs for cause, cost in real.items()}
        size = self.alignment.size
        made["absence"] = (self.all_pairs - size * (size - 1) / 2) * self.dissimilarity.delta / self.all_pairs
        return made

    def by_seats(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Return (continuum, annotator, annotator, cost) for each pair of annotators; costs sum to the disorder.

        An absent annotator costs Δ with all others, so each pair starts with Δ for each unitary alignment.
        """
        units, delta = self.alignment.units, self.dissimilarity.delta
        groups = np.bincount(self.alignment.continuum, minlength=len(units.annotators))
        continuum, first, second = seat_pairs(units.annotators)
        n = units.annotators.astype(np.int64)
        before = np.cumsum(n * (n - 1) // 2) - n * (n - 1) // 2
        _, u, v = self.pairs
        a, b = np.minimum(units.annotator[u], units.annotator[v]), np.maximum(units.annotator[u], units.annotator[v])
        where = units.continuum[u]
        row = before[where] + a * n[where] - a * (a + 1) // 2 + (b - a - 1)
        d = self.dissimilarity.between(units, u, v) - delta
        cost = sums_by(row, d, len(continuum)) + (groups * delta)[continuum]
        return continuum, first, second, cost / np.maximum(n * (n - 1) / 2, 1)[continuum]


def seat_pairs(annotators: Ints) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of seats of each continuum, in order."""
    rows = [np.triu_indices(int(n), 1) for n in np.unique(annotators)]
    by_size = dict(zip(np.unique(annotators).tolist(), rows, strict=True))
    continuum = np.repeat(np.arange(len(annotators)), annotators * (annotators - 1) // 2)
    first = [by_size[int(n)][0] for n in annotators]
    second = [by_size[int(n)][1] for n in annotators]
    if not first:
        return continuum, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return continuum, np.concatenate(first), np.concatenate(second)


# -- the alignment as a table --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class UnitaryAlignment:
    """Aligned units of different annotators; None for an annotator without a unit."""

    doc: str
    units: Mapping[str, Unit | None]
    disorder: float
    causes: Mapping[str, float]  # position, category and absence; they sum to the disorder

    @property
    def start(self) -> float:
        return min(unit.start for unit in self.units.values() if unit is not None)

    @property
    def end(self) -> float:
        return max(unit.end for unit in self.units.values() if unit is not None)

    def to_dict(self) -> dict[str, Any]:
        units = {
            who: None if u is None else {"start": u.start, "end": u.end, "label": _plain(u.label)}
            for who, u in self.units.items()
        }
        return plain({"document": self.doc, "disorder": self.disorder, **self.causes, "units": units})

    def in_text(self, text: str) -> str:
        """Return the marked passage with surrounding text."""
        start, end = int(self.start), int(self.end)
        inside = shorten_text(text[start:end], _AROUND)
        return f"{before(text, start, _AROUND)}[{inside}]{behind(text, end, _AROUND)}"


@dataclass(frozen=True, eq=False, repr=False)
class UnitaryAlignments(Sequence[UnitaryAlignment], Result):
    """All unitary alignments of a corpus, by document. Tables show the most costly ones."""

    for_reading: ClassVar[bool] = False  # a table for programs

    compared: ComparedUnits

    @property
    def corpus(self) -> Corpus:
        return self.compared.corpus

    @property
    def disorder(self) -> Floats:
        """Return the disorder of each unitary alignment."""
        return self.compared.alignment.disorder

    @property
    def gap(self) -> float:
        """Return the certified distance to the optimum, relative to the disorder; 0 if it is proven optimal."""
        return self.compared.alignment.overall_gap

    @cached_property
    def causes(self) -> Mapping[str, Floats]:
        """Return the disorder of each unitary alignment by cause: position, category, absence."""
        return Costs(self.compared.alignment, self.compared.dissimilarity).causes

    def __repr__(self) -> str:
        return f"<{self.summary()}>"

    def summary(self) -> str:
        return f"{len(self)} unitary alignments of {len(self.compared.units)} units"

    def __len__(self) -> int:
        return len(self.disorder)

    def __iter__(self) -> Iterator[UnitaryAlignment]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> UnitaryAlignment: ...
    @overload
    def __getitem__(self, index: slice) -> list[UnitaryAlignment]: ...
    def __getitem__(self, index: int | slice) -> UnitaryAlignment | list[UnitaryAlignment]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = range(len(self))[index]
        found, corpus = self.compared.alignment, self.corpus
        doc = int(self.compared.docs[found.continuum[k]])
        units: dict[str, Unit | None] = dict.fromkeys(corpus[corpus.docs[doc]].annotators)
        for member in found.members_unit[self._first[k] : self._first[k + 1]]:
            entry = int(self.compared.source.unit[member])
            units[corpus.annotators[corpus.annotator[entry]]] = corpus.unit(entry)
        causes = {cause: float(cost[k]) for cause, cost in self.causes.items()}
        return UnitaryAlignment(corpus.docs[doc], units, float(self.disorder[k]), causes)

    @cached_property
    def _first(self) -> Ints:
        return np.searchsorted(self.compared.alignment.members_group, np.arange(len(self) + 1))

    def worst(self, most: int = 10) -> list[UnitaryAlignment]:
        """Return the most costly unitary alignments."""
        return [self[int(k)] for k in np.argsort(-self.disorder, kind="stable")[:most]]

    def facts(self) -> list[str]:
        return [self.summary()]

    def tables(self) -> list[Table]:
        return [self.costly()]

    def costly(self, most: int = 10) -> Table:
        """Return a table of the most costly places, with surrounding text if it is known."""
        texts, causes = self.corpus.texts, tuple(self.causes)
        rows: list[tuple[Cell, ...]] = []
        for worst in self.worst(most):
            marked = "; ".join(f"{who} {_marked(unit)}" for who, unit in worst.units.items())
            text = (worst.in_text(texts[worst.doc]),) if worst.doc in texts else (("",) if texts else ())
            rows.append((worst.doc, worst.disorder, *(worst.causes[c] for c in causes), marked, *text))
        columns = ("document", "disorder", *causes, "annotators", *(("text",) if texts else ()))
        return Table(f"the {len(rows)} most costly places", columns, tuple(rows))

    # -- figures ------------------------------------------------------------------------------------------------------

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        """Return figures of the document with the highest disorder and of the causes of disorder."""
        docs = [self.corpus.docs[d] for d in self.compared.docs]
        if not docs:
            return {}
        worst = docs[int(np.argmax(self.compared.alignment.totals))]
        made: dict[str, Callable[[], Drawing]] = {"alignment": partial(self.timeline, worst)}
        if len(self.corpus.categories) > 1:
            made["disorder"] = partial(self.decomposed, "category")
        made["disorder by document" if "disorder" in made else "disorder"] = partial(self.decomposed, "document")
        return made

    def timeline(self, doc: str) -> TimelineFigure:
        """Return a figure of one document: `found.timeline("letter1").plot()`."""
        found, corpus = self.compared.alignment, self.corpus
        continuum = corpus[doc]  # raises for an unknown name
        lanes = continuum.annotators
        entries = self.compared.source.unit[found.members_unit]
        here = np.flatnonzero(corpus.doc[entries] == corpus.docs.index(doc))
        names = (*corpus.categories.names, "")
        marks = tuple(
            UnitMark(lanes.index(corpus.annotators[corpus.annotator[e]]), float(corpus.start[e]), float(corpus.end[e]),
                 names[corpus.label[e]])
            for e in entries[here]
        )  # fmt: skip
        members: dict[int, list[int]] = {}
        for m, group in enumerate(found.members_group[here].tolist()):
            members.setdefault(group, []).append(m)
        groups = tuple((float(self.disorder[group]), tuple(mine)) for group, mine in members.items())
        begin, end = corpus.extents[corpus.docs.index(doc)].tolist()
        return TimelineFigure(doc, lanes, marks, groups, corpus.categories.names, begin, end, corpus.texts.get(doc, ""))

    def decomposed(self, by: str) -> Stacked:
        """Return the disorder of each category or document by cause, in percent of the total."""
        found, corpus = self.compared.alignment, self.corpus
        if by == "category":
            q = len(corpus.categories)
            names = (*corpus.categories.names, NO_LABEL)
            key = corpus.label[self.compared.source.unit[found.members_unit]] % (q + 1)
            group, share = found.members_group, 1 / found.size[found.members_group]
        else:
            names = tuple(corpus.docs[d] for d in self.compared.docs)
            key, group, share = found.continuum, np.arange(len(self)), np.ones(len(self))
        whole = float(self.disorder.sum()) or 1.0
        sums = [100 / whole * sums_by(key, cost[group] * share, len(names)) for cost in self.causes.values()]
        there = np.bincount(key, minlength=len(names)) > 0
        amounts = tuple((names[k], tuple(float(one[k]) for one in sums)) for k in np.flatnonzero(there))
        return Stacked(f"disorder by {by}", by, tuple(self.causes), amounts)

    def to_dict(self) -> dict[str, Any]:
        return {"gap": plain(self.gap), "alignments": [one.to_dict() for one in self]}

    def flat(self) -> Table:
        """Return all unitary alignments as a table, one row per unit."""
        columns: dict[str, list[Any]] = self.columns()
        return Table("", tuple(columns), tuple(zip(*columns.values(), strict=True)))

    def columns(self) -> dict[str, list[Any]]:
        """Return columns for a data frame or file: one row per unit, with its unitary alignment and disorder."""
        found, corpus = self.compared.alignment, self.corpus
        group = found.members_group
        entry = self.compared.source.unit[found.members_unit]
        names = (*corpus.categories.names, "")

        def number(values: Floats) -> list[object]:
            return [int(v) if v.is_integer() else v for v in values.tolist()]

        return {
            "doc": [corpus.docs[d] for d in corpus.doc[entry]],
            "alignment": (group + 1).tolist(),
            "annotator": [corpus.annotators[a] for a in corpus.annotator[entry]],
            "start": number(corpus.start[entry]),
            "end": number(corpus.end[entry]),
            "label": [names[k] for k in corpus.label[entry]],
            "disorder": self.disorder[group].tolist(),
            **{cause: cost[group].tolist() for cause, cost in self.causes.items()},
        }


def _marked(unit: Unit | None) -> str:
    if unit is None:
        return "–"
    return f"{unit.start:.10g}–{unit.end:.10g}{'' if unit.label is None else f' {label_name(unit.label)}'}"


def _plain(label: Label | None) -> Label | None:
    """Return a label for JSON; a set of labels becomes its name."""
    return label_name(label) if isinstance(label, frozenset) else label
