"""K, κ and α over potential boundaries: each position between two atoms is an item, labelled boundary or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from accord.core.arrays import Floats, Ints, ascending
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, quoted
from accord.core.result import Score
from accord.data.model.labels import Categories, Label
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import BOUNDARY, Segmentations, ranges
from accord.measures.items.coefficients import CohenKappa, KrippendorffAlpha, ScottPi
from accord.measures.items.evidence import ItemEvidence
from accord.measures.items.item_measure import ItemMeasure
from accord.measures.measure import Measure
from accord.measures.resampling import Contributions, Sampled, by_kind
from accord.measures.segmentations.comparisons import check_segmentations

NO_BOUNDARY = "no boundary"
_MOST_TYPES = 62  # one bit per type
_NONE = np.zeros(0, dtype=np.int64)
ELSEWHERE = "elsewhere"  # all positions of a document without a boundary
ENDS = "ends"  # the start and the end of a document
_AT_ENDS = -1


@dataclass(frozen=True, eq=False)
class PlaceEvidence(ItemEvidence):
    """Potential boundaries as items. Positions of a text are dependent, so texts are resampled instead of positions."""

    segmentations: Segmentations = field(kw_only=True)
    doc: Ints = field(kw_only=True)  # document of each item of `source`

    @classmethod
    def over(cls, found: ItemEvidence, every: PlacesAsItems, data: Segmentations) -> PlaceEvidence:
        return cls(found.source, found.rows, found.times, found.distance, segmentations=data, doc=every.doc)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the documents."""
        return tuple(self.segmentations.docs[int(d)] for d in np.unique(self.doc))

    @property
    def cluster(self) -> Ints:
        """Return the index of each item's document among the names."""
        return np.searchsorted(np.unique(self.doc), self.doc)


@dataclass(frozen=True, repr=False)
class PlaceMeasure(ItemMeasure):
    """A coefficient on items, applied to potential boundaries. A near miss counts as full disagreement."""

    ends: bool = False

    data: ClassVar[str] = "segmentations"
    default_interval: ClassVar[str] = "bootstrap"  # positions of one text are dependent

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.ends, bool):
            raise SpecError("measure-option", f"{self.name}: ends must be true or false, not {quoted(self.ends)}")

    def conventions(self) -> tuple[tuple[Measure, str], ...]:
        why = "without the ends of each text" if self.ends else "with the ends of each text"
        return (*super().conventions(), (replace(self, ends=not self.ends), f"{why}, which all annotators mark"))

    def observe(self, data: Any, run: Run | None = None) -> PlaceEvidence:
        check_segmentations(data, self.name)
        if self.ends and len(data.categories) > 1:
            raise DataError(
                "measure-option",
                f"{self.name}(ends=true): the ends of a text have no type, but these boundaries have several; "
                "use ends=false",
            )
        every = places(data, self.ends)
        found = super().observe(every.ratings, run)
        key = ("place evidence", self.metric, self.ends)
        return data.memo.once(key, lambda: PlaceEvidence.over(found, every, data))

    def sampled(self, evidence: Any, run: Run, named: bool = True) -> Sampled:  # noqa: ARG002
        """Return the documents; the value depends on how often each row of labels occurs in them."""
        source, weight = evidence.source, evidence.by_item.times.astype(np.float64)
        _, first, kind = np.unique(source.by_annotator[1].T, axis=0, return_index=True, return_inverse=True)
        alike = source.keep(np.isin(source.item, first)).only_items()
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first)] = np.arange(len(first))
        few = ItemEvidence(alike, alike, alike.weight, evidence.distance)

        def value(often: Floats) -> float:
            return self.value_of(few.weighted(often))

        values = by_kind(evidence.cluster, place[kind.ravel()], weight, len(first), value)
        names = evidence.names
        return Sampled(names, np.ones(len(names)), values, labels=len(source.label), by_draw=True)

    def contributions(self, evidence: Any, named: bool = False) -> Contributions:
        found = super().contributions(evidence, named)
        return replace(found, cluster=evidence.cluster) if named else found

    def explain(self, evidence: Any, score: Score) -> dict[str, Any]:
        facts, source = super().explain(evidence, score), evidence.segmentations
        return facts | {
            "documents": len(source.docs),
            "documents_compared": int(source.comparable.sum()),
            "left_out": source.left_out,
            "boundaries": len(source),
        }


@dataclass(frozen=True, repr=False)
class AlphaBoundaries(PlaceMeasure, KrippendorffAlpha):
    """Krippendorff's α with a label for each potential boundary: boundary or none, or the set of boundary types."""

    name: ClassVar[str] = "alpha_boundaries"
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str] = "α over potential boundaries"
    source: ClassVar[str] = "Krippendorff 1980; Hearst 1997; Artstein & Poesio 2008, 4.3.1"


@dataclass(frozen=True, repr=False)
class PiBoundaries(PlaceMeasure, ScottPi):
    """K (Siegel & Castellan, Fleiss, multi-π) with a label for each potential boundary: boundary or none."""

    name: ClassVar[str] = "pi_boundaries"
    aliases: ClassVar[tuple[str, ...]] = ("k_boundaries",)
    title: ClassVar[str] = "K (multi-π) over potential boundaries"
    source: ClassVar[str] = "Siegel & Castellan 1988; Hearst 1997; Artstein & Poesio 2008, 4.3.1"


@dataclass(frozen=True, repr=False)
class KappaBoundaries(PlaceMeasure, CohenKappa):
    """κ (Cohen, Davies & Fleiss) with a label for each potential boundary: boundary or none."""

    name: ClassVar[str] = "kappa_boundaries"
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str] = "κ over potential boundaries"
    source: ClassVar[str] = "Cohen 1960; Davies & Fleiss 1982; Artstein & Poesio 2008, 4.3.1"


@dataclass(frozen=True, eq=False)
class PlaceNames(Sequence[str]):
    """Names `document: position`, created on access."""

    docs: tuple[str, ...]
    doc: Ints
    position: Ints

    def __len__(self) -> int:
        return len(self.doc)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        place = {0: ELSEWHERE, _AT_ENDS: ENDS}.get(int(self.position[index]), self.position[index])
        return f"{self.docs[self.doc[index]]}: {place}"


@dataclass(frozen=True, eq=False)
class PlacesAsItems:
    """Ratings of all potential boundaries, and the document of each item."""

    ratings: Ratings
    doc: Ints


def places(data: Segmentations, ends: bool = False) -> PlacesAsItems:
    """Return one item per position with a boundary, and one weighted item for all other positions of a document.

    The cost does not grow with the length of the text. With `ends`, the start and the end of a document are two more
    positions, which all annotators mark as boundaries.
    """
    return data.memo.once(("places", ends), lambda: _places(data, ends))


def _places(data: Segmentations, ends: bool) -> PlacesAsItems:
    docs = np.flatnonzero(data.comparable)
    wanted = np.zeros(len(data.docs), dtype=bool)
    wanted[docs] = True
    rows = np.flatnonzero(wanted[data.doc])
    owner = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))
    entry = np.flatnonzero(wanted[data.doc[owner]])
    stride = int(data.lengths.max()) + 1
    place = data.doc[owner[entry]] * np.int64(stride) + data.position[entry]
    # Position 0 of a document represents all positions without a boundary.
    items = ascending(np.concatenate([docs * np.int64(stride), place]))
    first = np.searchsorted(items, docs * stride)
    used = np.diff(np.append(first, len(items))) - 1
    times = np.ones(len(items), dtype=np.int64)
    times[first] = data.lengths[docs] - 1 - used
    items, times = items[times > 0], times[times > 0]
    if ends:  # one item with weight 2, after all others of its document
        items = np.concatenate([items, docs * np.int64(stride) + data.lengths[docs]])
        order = np.argsort(items, kind="stable")
        items, times = items[order], np.concatenate([times, np.full(len(docs), 2)])[order]
    doc, position = np.divmod(items, stride)
    position = np.where(position == data.lengths[doc], _AT_ENDS, position)
    # Every segmentation labels all items of its document; the default label is no boundary.
    start = np.searchsorted(items, data.doc[rows] * np.int64(stride))
    count = np.searchsorted(items, (data.doc[rows] + 1) * np.int64(stride)) - start
    item = ranges(start, count)
    before = np.cumsum(count) - count
    code, labels = _labels(data, entry)
    label = np.zeros(len(item), dtype=np.int32)
    number = np.full(len(data.doc), -1)
    number[rows] = np.arange(len(rows))
    whose = number[owner[entry]]
    label[before[whose] + np.searchsorted(items, place) - start[whose]] = code
    if ends:
        label[before + count - 1] = 1
    made = Ratings(
        item=item,
        annotator=np.repeat(data.annotator[rows], count),
        label=label,
        items=PlaceNames(data.docs, doc, position),
        annotators=data.annotators,
        categories=Categories(labels),
        times=times,
        notes=data.notes,
    )
    return PlacesAsItems(made, doc)


def _labels(data: Segmentations, entry: np.ndarray[Any, np.dtype[np.intp]]) -> tuple[Any, tuple[Label, ...]]:
    """Return the label of each position with a boundary, from 1, and the labels; several types form a set."""
    if len(data.categories) < 2:
        return 1, (NO_BOUNDARY, BOUNDARY)
    if not len(entry):
        return _NONE, (frozenset(),)
    owner = np.repeat(np.arange(len(data.doc)), np.diff(data.offsets))[entry]
    new = np.concatenate([[True], (np.diff(owner) != 0) | (np.diff(data.position[entry]) != 0)])
    codes = data.label[entry].astype(np.int64)
    used, code = np.unique(codes, return_inverse=True)
    if len(used) > _MOST_TYPES:
        raise DataError(
            "measure-option",
            f"{len(used)} types of boundaries are too many to form sets (limit: {_MOST_TYPES}); merge some types",
        )
    sets = np.bitwise_or.reduceat(np.int64(1) << code, np.flatnonzero(new))
    distinct, which = np.unique(sets, return_inverse=True)
    names = [frozenset(data.categories[int(t)] for b, t in enumerate(used) if int(mask) >> b & 1) for mask in distinct]
    return (which + 1)[np.cumsum(new) - 1], (frozenset(), *names)
