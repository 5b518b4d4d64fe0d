"""`Gold`: one row per item or unit with its decision and the versions of annotators; also as data."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Codes, Floats, Ints
from accord.core.errors import DataError, Interface, counted
from accord.core.excerpts import before, behind
from accord.core.tables import Cell, Result, Table, plain
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, Fact
from accord.data.model.labels import Categories, Label, arrange, as_number, encode, label_name, sort_key
from accord.data.model.labels import plain as plain_label
from accord.data.model.ratings import Ratings

UNSETTLED = ""  # the label of undecided rows
_OPEN = {"in or out": "existence", "place": "boundaries"}  # what is undecided, as tables show it
_CONTEXT = 40  # characters of context on each side of a unit
_BESIDE = 8  # most annotators shown side by side; for more, labels are counted


@dataclass(frozen=True)
class GoldRow:
    """A consensus: its label and position, its support, and the version of each annotator."""

    name: str  # of the item or document; in Python, an item's name may be a number or a date
    label: str
    support: int  # annotators who gave the label
    annotators: int  # annotators who could have given it
    tie: str  # what is undecided: "label", "in or out" (existence), "place" (boundaries), or several; empty: nothing
    alternatives: Mapping[str, float]  # labels with their shares or probabilities
    versions: Mapping[str, str]  # by annotator: the label; for a unit also its position, "12–15 PER"
    start: float | None = None
    end: float | None = None
    text: str = ""
    settled_by: str = "vote"
    distance: float | None = None  # sum of the distances between its labels at their level; None: labels are names
    range: float | None = None  # from the lowest to the highest label, for words in ranks

    @property
    def share(self) -> float:
        """Share of the label among annotators who could have given it; for sets, of exactly this set."""
        if self.settled_by == "members":
            return self.support / self.annotators if self.annotators else 0.0
        return self.alternatives.get(self.label, 0.0) if self.label else max(self.alternatives.values(), default=0.0)

    @property
    def entropy(self) -> float:
        """Entropy of the alternatives, in bits."""
        return -sum(p * math.log2(p) for p in self.alternatives.values() if p > 0) + 0.0

    @property
    def disputed(self) -> bool:
        return bool(self.tie) or len(set(self.versions.values())) > 1 or len(self.versions) < self.annotators

    @property
    def cost(self) -> float:
        """Number of pairs of annotators who disagree on this row."""
        given = len(self.versions)
        agree = sum(many**2 for many in Counter(self.versions.values()).values())
        return (given**2 - agree) // 2 + given * (self.annotators - given)

    @property
    def key(self) -> str:
        """Identify the row and the versions of its annotators, so that a decision does not match other data.

        The key begins with a letter because a spreadsheet would read 1234e5678901 as a number.
        """
        place = f"{self.name}\x1f{sorted(self.versions.items())}"
        return "k" + hashlib.sha256(place.encode()).hexdigest()[:12]

    @property
    def labels(self) -> dict[str, str]:
        """Labels by annotator, without the positions of units."""
        if self.start is None:
            return dict(self.versions)
        return {annotator: version.partition(" ")[2] for annotator, version in self.versions.items()}

    @property
    def place(self) -> tuple[Cell, ...]:
        return (self.name,) if self.start is None else (self.name, self.start, self.end)


@dataclass(frozen=True, repr=False)
class Gold(Result):
    """All rows, in the order of the data."""

    subject: ClassVar[str] = "Gold standard"
    is_data: ClassVar[bool] = True

    rows: tuple[GoldRow, ...]
    method: str
    noun: str  # item, document, token
    people: tuple[str, ...]
    notes: tuple[str, ...] = ()
    dropped: int = 0  # units with too little support
    decided: int = 0
    source: Any = field(default=None, repr=False, compare=False)  # the source data
    consensus: Any = field(default=None, repr=False, compare=False)  # for segmentations and texts, as data
    level: str | None = None  # the level of measurement of labels of items

    @property
    def in_units(self) -> bool:
        return any(row.start is not None for row in self.rows)

    @property
    def unsettled(self) -> tuple[GoldRow, ...]:
        """Rows with a tie, most costly first."""
        return _most_costly_first(row for row in self.rows if row.tie)

    @property
    def disputed(self) -> tuple[GoldRow, ...]:
        """Rows on which annotators differ, most costly first."""
        return _most_costly_first(row for row in self.rows if row.disputed)

    def summary(self) -> str:
        return f"gold standard by {self.rule}: {self._counts()}"

    @property
    def rule(self) -> str:
        """The method in words: `vote`, `median of the labels (ordinal)`."""
        return f"median of the labels ({self.level})" if self.method == "median" else self.method

    def _counts(self) -> str:
        what = "unit" if self.in_units else self.noun
        return f"{counted(len(self.rows), what)}, {len(self.unsettled):,} undecided"

    def facts(self) -> list[str]:
        dropped = [f"{counted(self.dropped, 'unit')} left out: marked by too few annotators"] if self.dropped else []
        decided = [f"{counted(self.decided, 'manual decision')} applied"] if self.decided else []
        return [self.summary(), *dropped, *decided, *self.notes]

    @property
    def columns(self) -> tuple[str, ...]:
        place = ("doc", "start", "end") if self.in_units else ("item",)
        return (*place, "label", "support", "share", "tie")

    def tables(self) -> list[Table]:
        if self.consensus is not None:  # these have no support or share
            return [Table("", self.columns[:2], tuple((*row.place, row.label) for row in self.rows)).first()]
        rows = tuple((*row.place, row.label or None, row.support, row.share, open_points(row)) for row in self.rows)
        columns = (*self.columns[:-1], "undecided")
        return [Table("", columns, rows, least=("undecided", "share", "support")).first()]

    def flat(self) -> Table:
        rows = tuple(
            (*row.place, row.label, row.support, row.share, row.tie, _distribution(row), row.entropy, row.settled_by)
            for row in self.rows
        )
        return Table("", (*self.columns, "alternatives", "entropy", "settled_by"), rows)

    def soft(self) -> list[dict[str, Any]]:
        """The label distribution of each row, for training."""
        return [
            {**dict(zip(self.columns, row.place, strict=False)), "distribution": dict(row.alternatives),
             "entropy": row.entropy}
            for row in self.rows
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "method": self.method,
                "measurement": self.level,
                "rows": [
                    {**dict(zip(self.columns, row.place, strict=False)), "label": row.label or None,
                     "support": row.support, "share": row.share, "tie": row.tie, "alternatives": dict(row.alternatives),
                     "entropy": row.entropy, "settled_by": row.settled_by}
                    for row in self.rows
                ],
                "unsettled": len(self.unsettled),
                "dropped": self.dropped,
                "decided": self.decided,
                "notes": list(self.notes),
            }
        )  # fmt: skip

    def to_data(self) -> Data:
        """Return the decided rows as data of one annotator, "gold", to score against or to convert."""
        return as_data(self)

    def to_settle(self) -> Table:
        """Return the undecided rows with all versions side by side and an empty column for decisions."""
        return versions_table(self.unsettled, self.people, self.in_units, decide=True)


def _most_costly_first(rows: Iterable[GoldRow]) -> tuple[GoldRow, ...]:
    """Sort by the distance between the labels at their level; for names this is the number of differing pairs."""
    return tuple(sorted(rows, key=lambda row: (-(row.distance or 0.0), -row.cost, sort_key(row.name))))


def open_points(row: GoldRow) -> str:
    """What is undecided, in words: label, existence, boundaries."""
    return ", ".join(_OPEN.get(part, part) for part in row.tie.split(", "))


def versions_table(rows: tuple[GoldRow, ...], people: tuple[str, ...], in_units: bool, decide: bool = False) -> Table:
    place = ("doc", "start", "end") if in_units else ("item",)
    columns = (*place, "not settled", *people, "text")
    cells = [(*row.place, row.tie, *(row.versions.get(name, "") for name in people), row.text) for row in rows]
    if decide:
        columns = ("key", *columns, "decision")
        cells = [(row.key, *line, "") for row, line in zip(rows, cells, strict=True)]
    return Table("", columns, tuple(cells))


def table_for_people(rows: tuple[GoldRow, ...], people: tuple[str, ...], in_units: bool) -> Table:
    """Versions side by side; with many annotators, counts of labels and the annotators who differ from the majority."""
    place = ("doc", "start", "end") if in_units else ("item",)
    if len(people) <= _BESIDE:
        versions = [
            (*row.place, open_points(row), *(row.versions.get(name, "") for name in people), row.text) for row in rows
        ]
        return Table("", (*place, "undecided", *people, "text"), tuple(versions))
    cells = tuple((*row.place, open_points(row), _by_label(row), row.text) for row in rows)
    return Table("", (*place, "undecided", "labels", "text"), cells).without_empty_columns()


def _by_label(row: GoldRow) -> str:
    annotators: dict[str, list[str]] = {}
    for name, label in row.versions.items():
        annotators.setdefault(label, []).append(name)
    first, *others = sorted(annotators.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    dissent = [f"{len(names)} {label} ({', '.join(names)})" for label, names in others]
    without = row.annotators - len(row.versions)  # annotators who saw the document and did not mark the unit
    return "; ".join([f"{len(first[1])} {first[0]}", *dissent, *([f"{without} none"] if without > 0 else [])])


def _distribution(row: GoldRow) -> str:
    return "; ".join(f"{label} {share:.3f}" for label, share in sorted(row.alternatives.items(), key=lambda p: -p[1]))


def unit_in_context(text: str | None, start: float, end: float) -> str:
    """Return a unit with the surrounding text."""
    if not text:
        return ""
    low, high = int(start), int(end)
    return " ".join(f"{before(text, low, _CONTEXT)}[{text[low:high]}]{behind(text, high, _CONTEXT)}".split())


def apply_decisions(gold: Gold, decisions: Mapping[str, tuple[str, str]]) -> Gold:
    """Apply manual decisions (label and location by key of the row); "-" removes a unit."""
    known = {row.key: row for row in gold.rows}
    strange = [where for key, (_, where) in decisions.items() if key not in known]
    if strange:
        raise DataError(
            "saved-file-invalid",
            f"{strange[0]}: this decision does not match the data ({len(strange):,} of {len(decisions):,} do not "
            "match); write the file again with --adjudicate, and enter the decisions there",
        )
    rows, taken, new = [], 0, 0
    for row in gold.rows:
        label = decisions.get(row.key, ("", ""))[0].strip()
        if not label:
            rows.append(row)
            continue
        taken += 1
        if label == "-" and row.start is not None:
            continue
        new += label not in row.alternatives
        support = list(row.labels.values()).count(label)
        rows.append(replace(row, label=label, support=support, tie="", settled_by="decision"))
    notes = (f"{counted(new, 'manual decision')} with a label that no annotator gave",) if new else ()
    return replace(gold, rows=tuple(rows), decided=taken, notes=(*gold.notes, *notes))


# -- The gold standard as data of one annotator, to score, convert or shuffle --


NAME = "gold"


def as_data(gold: Gold) -> Data:
    """Turn decided rows into data; the notes count what is left out."""
    open_labels = [row for row in gold.rows if "label" in row.tie.split(", ")]
    rows = [row for row in gold.rows if "label" not in row.tie.split(", ")]
    if gold.rows and not rows:
        raise DataError(
            "nothing-annotated",
            "all labels are tied, so there is no gold standard to write; --adjudicate FILE lists what to decide",
        )
    flagged = sum(bool(row.tie) for row in rows)
    what = "unit" if gold.in_units else gold.noun
    where = "the table of -o gold.csv" if Interface.command_line else "the result of accord.gold"
    notes = (
        *gold.facts(),
        *([f"{counted(len(open_labels), what)} left out because annotators are tied on the label"] * bool(open_labels)),
        *([f"{counted(flagged, what)} written although boundaries or existence are undecided"] * bool(flagged)),
        f"support, shares, ties and alternatives are not part of the data; they are in {where}",
    )
    facts = tuple(map(Fact, notes))
    source = gold.source
    if isinstance(source, Ratings):
        return _items(rows, source, facts)
    if isinstance(source, Corpus):
        return _units(rows, source, facts)
    assert gold.consensus is not None
    return replace(gold.consensus, annotators=(NAME,), notes=facts)


def _items(rows: Sequence[GoldRow], source: Ratings, notes: tuple[str, ...]) -> Ratings:
    codes, categories = _labels(rows, source)
    return Ratings(
        item=np.arange(len(rows), dtype=np.int32),
        annotator=np.zeros(len(rows), dtype=np.int32),
        label=codes,
        items=[row.name for row in rows],
        annotators=(NAME,),
        categories=categories,
        variable=source.variable,
        notes=notes,
        level=source.measurement,
    )


def _units(rows: Sequence[GoldRow], source: Corpus, notes: tuple[str, ...]) -> Corpus:
    alone = int((source.annotators_per_doc == 1).sum())
    if alone:
        notes = (*notes, Fact(f"{counted(alone, 'document')} left out: seen by one annotator only"))
    ground = source.only_docs(source.annotators_per_doc > 1)
    place = {name: k for k, name in enumerate(ground.docs)}
    doc = np.array([place[row.name] for row in rows], dtype=np.int64)
    start, end = (np.array([getattr(row, side) for row in rows], dtype=np.float64) for side in ("start", "end"))
    codes, categories = _labels(rows, source)
    return replace(
        ground,
        doc=doc,
        annotator=np.zeros(len(rows), dtype=np.int64),
        start=start,
        end=end,
        label=codes,
        annotators=(NAME,),
        categories=categories,
        extents=_extents(ground, doc, start, end),
        judged=np.ones((len(ground.docs), 1), dtype=bool),
        judged_given=True,
        features={},
        notes=notes,
        places=None,
    )


def _extents(ground: Corpus, doc: Ints, start: Floats, end: Floats) -> Floats:
    """Return extents as given, else from the first start to the last end."""
    low, high = np.full(len(ground.docs), np.inf), np.full(len(ground.docs), -np.inf)
    np.minimum.at(low, doc, start)
    np.maximum.at(high, doc, end)
    empty = ~np.isfinite(low)
    extents = np.stack([np.where(empty, 0.0, low), np.where(empty, 0.0, high)], axis=1)
    return np.where(ground.extent_given[:, None], ground.extents, extents)


def _labels(rows: Sequence[GoldRow], source: Ratings | Corpus) -> tuple[Codes, Categories]:
    """Return codes and categories: labels of the source, then computed or decided labels."""
    known = dict(zip(source.categories.names, source.categories, strict=True))
    sets = [label for label in source.categories if isinstance(label, frozenset)]
    members = {label_name(member): member for some in sets for member in some}

    def label(row: GoldRow) -> Label | None:
        if row.label in known:
            return known[row.label]
        if members:
            return frozenset(members.get(name, name) for name in row.label.split("|") if name)
        number = as_number(row.label)
        if source.categories.numeric and not math.isnan(number):
            return plain_label(number)
        return row.label or None

    codes, used = encode([label(row) for row in rows])
    there = set(source.categories)
    declared = [*source.categories, *(new for new in used if new not in there)]
    order = arrange(used, declared if source.categories.declared else None)
    place = {category: k for k, category in enumerate(order)}
    return np.array([*(place[category] for category in used), -1], dtype=np.int32)[codes], order
