"""Ratings: at most one label for each item and annotator."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.core.arrays import Bools, Codes, Ints
from accord.core.errors import DataError, UnknownName, counted, quoted
from accord.data.kinds import ITEMS, Kind
from accord.data.model.data import (
    MOST_NAMES,
    OneLabel,
    Rectangle,
    check_annotators,
    inside,
    joined_names,
    some,
)
from accord.data.model.labels import (
    MISSING,
    Categories,
    Label,
    Numbers,
    arrange,
    counts_of,
    encode,
    looked_up,
    scrambled,
)
from accord.data.model.measurement import MOST_GRADES, ORDERED, Measurement, check_level, guess_level

# Rows of labels are encoded as integer keys to merge equal rows, as long as a key fits an integer.
_LARGEST_KEY = 2**62
NOT_KNOWN = "(not known)"  # the annotators of counts
NO_VALUE = "(no value)"  # the name of an empty cell in a further column
CHUNK = 1 << 22  # entries per step, so that a large table is not copied


class Places(Protocol):
    """The location of an entry in its file, for messages: `ratings.csv:17`."""

    def __call__(self, entry: int) -> str: ...


@dataclass(frozen=True)
class Feature:
    """A further column: the code of a name for each entry."""

    codes: Codes
    names: tuple[str, ...]

    def name(self, entry: int) -> str:
        code = int(self.codes[entry])
        return self.names[code] if code >= 0 else NO_VALUE


@dataclass(frozen=True, eq=False)
class Ratings(OneLabel):
    """One entry per label: three columns of codes, and the names they stand for.

    The data are stored in columns: thirty million ratings are three arrays. `times` is the number of items with the
    same row of labels, so that a confusion matrix needs one entry per cell.
    """

    item: Codes
    annotator: Codes
    label: Codes
    items: Sequence[str]
    annotators: tuple[str, ...]
    categories: Categories
    times: NDArray[np.int64] | None = None
    identified: bool = True  # False: only counts per category are known, not the annotators
    many: NDArray[np.int64] | None = None  # for counts: the number of annotators who gave each label; None: one
    variable: str = "label"
    features: Mapping[str, Feature] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    places: Places | None = None
    level: Measurement | None = None  # the level of measurement; None: as the labels show

    kind: ClassVar[Kind] = ITEMS

    # -- construction ------------------------------------------------------------------------------------------

    @classmethod
    def from_rows(
        cls,
        rows: NDArray[Any] | Sequence[Sequence[object]],
        annotators: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        categories: Sequence[Label] | None = None,
    ) -> Ratings:
        """Build from a row per item and a column per annotator; None and NaN are missing labels."""
        if isinstance(rows, np.ndarray) and rows.ndim == 2:
            n, r = rows.shape
            codes, labels = encode(rows)
        else:
            lists = [list(row) for row in rows]
            n, r = len(lists), max(map(len, lists), default=0)
            for i, row in enumerate(lists):
                if len(row) != r:
                    raise DataError(
                        "uneven-rows",
                        f"row {i + 1} has {len(row)} labels, others have {r}; use None for missing labels",
                    )
            codes, labels = encode([label for row in lists for label in row])
        return cls.assemble(
            item=np.repeat(np.arange(n, dtype=np.int32), r),
            items=list(items) if items is not None else Numbered(n),
            annotator=np.tile(np.arange(r, dtype=np.int32), n),
            annotators=tuple(annotators) if annotators is not None else tuple(f"A{g + 1}" for g in range(r)),
            label=codes,
            labels=labels,
            categories=categories,
        )

    @classmethod
    def from_counts(cls, counts: ArrayLike, categories: Sequence[Label], items: Sequence[str] | None = None) -> Ratings:
        """Build from a row per item and a column per category: the number of annotators who chose it."""
        table = check_counts(counts, "counts")
        n, q = table.shape
        if q != len(categories):
            raise DataError(
                "invalid-counts",
                f"counts have {q} columns but {len(categories)} categories are named; name one per column",
            )
        item, label = np.nonzero(table)
        return cls(
            item=item.astype(np.int32),
            annotator=np.zeros(len(item), dtype=np.int32),
            label=label.astype(np.int32),
            items=list(items) if items is not None else Numbered(n),
            annotators=(NOT_KNOWN,),
            categories=arrange((), categories),
            identified=False,
            many=table[item, label],
        )

    @classmethod
    def from_confusion(
        cls, matrix: ArrayLike, categories: Sequence[Label], annotators: tuple[str, str] = ("rows", "columns")
    ) -> Ratings:
        """Build from the confusion matrix of two annotators: rows are labels of the first, columns of the second."""
        table = check_counts(matrix, "a confusion matrix")
        q = len(categories)
        if table.shape != (q, q):
            raise DataError(
                "invalid-counts",
                f"the confusion matrix is {' × '.join(map(str, table.shape))}, but {q} categories need {q} × {q}; "
                "add the missing rows or columns",
            )
        order = arrange((), categories)
        first, second = np.nonzero(table)
        cells = len(first)
        return cls(
            item=np.repeat(np.arange(cells, dtype=np.int32), 2),
            annotator=np.tile(np.array([0, 1], dtype=np.int32), cells),
            label=np.stack([first, second], axis=1).ravel().astype(np.int32),
            items=[f"{order.names[a]} / {order.names[b]}" for a, b in zip(first, second, strict=True)],
            annotators=annotators,
            categories=order,
            times=table[first, second],
        )

    @classmethod
    def assemble(
        cls,
        *,
        item: Codes,
        items: Sequence[str],
        annotator: Codes,
        annotators: tuple[str, ...],
        label: Codes,
        labels: Sequence[Label],
        categories: Sequence[Label] | None = None,
        features: Mapping[str, Feature] | None = None,
        variable: str = "label",
        places: Places | None = None,
        notes: tuple[str, ...] = (),
    ) -> Ratings:
        """Build from entries as they were read: drop missing labels and sort the categories."""
        used = counts_of(label, len(labels)) > 0
        if isinstance(labels, Numbers) and categories is None and used.all():
            order, same = Categories(labels), True
        else:
            order = arrange((lab for lab, is_used in zip(labels, used, strict=True) if is_used), categories)
            rank = {lab: k for k, lab in enumerate(order)}
            table = np.array([rank.get(lab, MISSING) for lab in labels] + [MISSING], dtype=label.dtype)
            same = bool((table[:-1] == np.arange(len(labels))).all())
        ratings = cls(
            item=item,
            annotator=annotator,
            label=label if same else looked_up(table, label),
            items=items,
            annotators=annotators,
            categories=order,
            variable=variable,
            features=features or {},
            places=places,
            notes=notes,
        )
        return ratings.keep(ratings.label >= 0) if (ratings.label < 0).any() else ratings

    # -- properties --------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        what = (("item", self.n_items), ("annotator", self.n_annotators), ("category", len(self.categories)))
        return f"<Ratings: {', '.join(counted(n, noun) for noun, n in what)}>"

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """The number of times each item counts."""
        if self.times is None:
            return np.ones(len(self.items))
        return self.times.astype(np.float64)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """r_i: the number of labels of each item."""
        if self.many is None:
            return counts_of(self.item, len(self.items))
        sizes = np.zeros(len(self.items), dtype=np.int64)
        np.add.at(sizes, self.item, self.many)
        return sizes

    @property
    def n_items(self) -> int:
        """The number of items with at least one label."""
        return int(self.weight[self.sizes > 0].sum())

    @property
    def n_pairable(self) -> int:
        """The number of items with at least two labels; only these show agreement."""
        return int(self.weight[self.sizes > 1].sum())

    @cached_property
    def labels_per_annotator(self) -> NDArray[np.float64]:
        return self.summed(self.annotator, self.weight, len(self.annotators))

    @property
    def names(self) -> Sequence[str]:
        return self.items

    @property
    def took_part(self) -> Bools:
        return self.labels_per_annotator > 0

    @property
    def named(self) -> bool:
        return not isinstance(self.items, Unnamed) and (self.times is None or not (self.times > 1).any())

    @cached_property
    def measurement(self) -> Measurement:
        return self.level or guess_level(self.categories, self.variable, self.n_ratings)

    @property
    def graded(self) -> bool:
        return self.categories.numeric and self.measurement.level in ORDERED

    def with_level(self, level: Measurement | None = None) -> Ratings:
        """Return the ratings with this level, which parts of the data keep; by default, the level that labels show."""
        if level is not None:
            check_level(level, self.categories, self.variable)
            if level.level == "circular" and level.period is None:
                level = self._with_period(level)
        return replace(self, level=level or self.measurement)

    def _with_period(self, level: Measurement) -> Measurement:
        """Return a circular level with its period: that of weekdays or months, or the range of the labels plus 1."""
        scale, places = self.categories.scale, self.categories.positions
        if scale is not None and scale.period is not None:
            return replace(level, period=scale.period)
        reason = f"{level.reason}; the period is assumed from the labels"
        return replace(level, period=float(np.ptp(places)) + 1 if len(places) else 1.0, reason=reason)

    @property
    def usual_measures(self) -> tuple[str, ...]:
        """The usual measures at the level of the labels. Numbers and grades are not scored as names."""
        level = self.measurement
        weighted = ("kappa(weights=quadratic)",) * self.identified
        if not level.known and level.others:
            return tuple(f"alpha(distance={one})" for one in ("nominal", "ordinal", "interval")) + weighted
        if level.level == "sets":
            return "alpha(distance=masi)", "alpha(distance=jaccard)", "alpha(distance=nominal)", "percent"
        if level.level not in (*ORDERED, "circular"):
            return self.kind.usual
        if level.level == "circular":
            return ("alpha",)
        if level.level == "ordinal":
            few = ("ac(weights=ordinal)", "percent") if len(self.categories) <= MOST_GRADES else ()
            return "alpha", *weighted, *few
        return "alpha", *self._icc(), *weighted

    def _icc(self) -> tuple[str, ...]:
        """Return the ICC that fits: form 2 if most items have a label of every annotator, 1 for other equal numbers."""
        sizes = self.sizes[self.sizes > 1]
        if not len(sizes):
            return ()
        if self.identified and 2 * (sizes == self.n_annotators).sum() >= len(sizes):
            return ("icc(form=2)",)
        return ("icc(form=1)",) if (sizes == sizes[0]).all() else ()

    @property
    def comparable(self) -> Bools:
        return self.sizes > 1

    @property
    def left_out(self) -> dict[str, int]:
        empty = int(self.weight[self.sizes == 0].sum())
        return {"one_label": self.n_items - self.n_pairable, "no_label": empty}

    @property
    def n_ratings(self) -> int:
        return int((self.weight * self.sizes).sum())

    @cached_property
    def marginals(self) -> NDArray[np.float64]:
        """The number of labels of each category."""
        return self.summed(self.label, self.weight, len(self.categories))

    def summed(self, code: NDArray[np.integer], weight: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        """Sum the item weights of all labels, by code."""
        return weighted_counts(code, weight, self.item, size, self.many)

    @cached_property
    def one_by_one(self) -> Ratings:
        """The ratings with one entry per label, also for tables of counts."""
        if self.many is None:
            return self
        at = np.repeat(np.arange(len(self.label)), self.many)
        return replace(self.keep_at(at), many=None)

    def anonymised(self) -> Ratings:
        """Return the ratings without annotators: equal labels of an item become one entry with their number."""
        keys = [self.item, self.label, *(feature.codes for feature in self.features.values())]
        _, first, many = np.unique(np.stack(keys), axis=1, return_index=True, return_counts=True)
        return replace(
            self.keep_at(first),
            annotator=np.zeros(len(first), dtype=np.int32),
            annotators=(NOT_KNOWN,),
            identified=False,
            many=many.astype(np.int64),
        )

    @cached_property
    def by_annotator(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """The annotators who gave labels, and a row for each: their label of every item (-1: missing)."""
        present = np.flatnonzero(self.labels_per_annotator)
        line = np.zeros(len(self.annotators), dtype=np.intp)
        line[present] = np.arange(len(present))
        labels = np.full((len(present), len(self.items)), -1, dtype=np.int64)
        labels[line[self.annotator], self.item] = self.label
        return present, labels

    def place(self, entry: int) -> str:
        """Return the location of an entry in the file; if unknown, its item and annotator."""
        if self.places is not None:
            return self.places(entry)
        return f"item {quoted(self.items[int(self.item[entry])])}, {quoted(self.annotators[self.annotator[entry]])}"

    @cached_property
    def by_name(self) -> NDArray[np.int64]:
        """The rank of each annotator by name; annotators without labels are last."""
        absent, place = ~self.took_part, np.empty(len(self.annotators), dtype=np.int64)
        order = sorted(range(len(place)), key=lambda g: (bool(absent[g]), self.annotators[g]))
        place[order] = np.arange(len(place))
        return place

    @cached_property
    def in_order(self) -> NDArray[np.intp]:
        """The items sorted by labels and annotators, so that resampling does not depend on the order of the input."""
        whose = self.by_name[self.annotator] if self.identified else np.zeros(len(self), dtype=np.int64)
        mark = scrambled(((whose << 32) + self.label).astype(np.uint64))
        marks = np.zeros(len(self.items), dtype=np.uint64)
        np.add.at(marks, self.item, mark if self.many is None else mark * self.many.astype(np.uint64))
        return np.lexsort((self.weight, marks))

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the labels and annotators that does not depend on the order of the items."""
        state = hashlib.blake2b(digest_size=8)
        state.update(repr(self.annotators if self.identified else ()).encode())
        labels = self.categories.labels
        state.update(labels.array.data if isinstance(labels, Numbers) else repr(self.categories.names).encode())
        rows = self.compressed
        marks = np.zeros(len(rows.items), dtype=np.uint64)  # for each item, the sum of the hashes of its labels
        q = len(self.categories)
        known = (
            scrambled(np.arange(q * len(self.annotators), dtype=np.uint64))
            if q * len(self.annotators) < CHUNK
            else None
        )
        for at in range(0, len(rows), CHUNK):
            part = slice(at, at + CHUNK)
            key = rows.label[part].astype(np.int64)
            if self.identified:
                key += rows.annotator[part] * np.int64(q)
            mark = scrambled(key.astype(np.uint64)) if known is None else known[key]
            times = 1 if rows.many is None else rows.many[part].astype(np.uint64)
            np.add.at(marks, rows.item[part], mark * times)
        order = np.lexsort((rows.weight, marks))
        state.update(marks[order].data)
        state.update(rows.weight[order].data)
        return state.hexdigest()

    # -- display -----------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        who = f"{self.n_annotators:,} annotators" if self.identified else "annotators not identified"
        categories, labels = counted(len(self.categories), "category"), counted(self.n_ratings, "label")
        lines = [f"{counted(self.n_items, 'item')}, {who}, {categories}, {labels}"]
        out = self.left_out
        if out["one_label"]:
            lines.append(f"left out of the comparison: {counted(out['one_label'], 'item')} with only one label")
        if out["no_label"]:
            lines.append(f"left out: {counted(out['no_label'], 'item')} without any label")
        return lines

    def summary(self) -> dict[str, Any]:
        return {
            "items": self.n_items,
            "items_compared": self.n_pairable,
            "annotators": list(self.present[:MOST_NAMES]) if self.identified else None,
            "n_annotators": self.n_annotators if self.identified else None,
            "categories": list(self.categories.names[:MOST_NAMES]),
            "n_categories": len(self.categories),
            "ratings": self.n_ratings,
            "measurement": self.measurement.to_dict(),
            "notes": list(self.notes),
            "digest": self.digest,
        }

    def described(self) -> list[tuple[str, str]]:
        return [
            ("items", f"{self.n_items:,} ({self.n_pairable:,} with at least two labels)"),
            (
                "annotators",
                f"{self.n_annotators:,}: {some(self.present, told=True)}" if self.identified else "unknown",
            ),
            ("categories", some(self.categories.names)),
            ("measurement", self.measurement.in_words()),
            ("labels", f"{self.n_ratings:,}"),
        ]

    def rows(self) -> Rectangle:
        labels = self.categories.names
        columns = (self.item, self.annotator, self.label)
        rows = tuple(
            (self.items[i], self.annotators[a], labels[k])
            for i, a, k in zip(*(c.tolist() for c in columns), strict=True)
        )
        return ("item", "annotator", self.variable), rows

    def first(self, most: int) -> Rectangle:
        names = self.categories.names
        most = 0 if isinstance(self.items, Unnamed) else most
        shown = range(min(most, len(self.items)))  # for a confusion matrix, the cells
        there = np.flatnonzero(self.item < len(shown))
        found = list(zip(*(c[there].tolist() for c in (self.item, self.annotator, self.label)), strict=True))
        labels = {(i, a): names[k] for i, a, k in found}
        if self.identified:
            who = np.flatnonzero(self.took_part).tolist()
            rows = [(self.items[i], *(labels.get((i, a), "") for a in who)) for i in shown]
            return ("item", *self.present), tuple(rows)
        many = [1] * len(there) if self.many is None else self.many[there].tolist()
        told: dict[int, list[str]] = {}
        for (i, _, k), times in zip(found, many, strict=True):
            told.setdefault(i, []).append(f"{times:,} × {names[k]}" if times > 1 else names[k])
        rows = [(self.items[i], ", ".join(told.get(i, []))) for i in shown]
        return ("item", "labels"), tuple(rows)

    # -- selection ---------------------------------------------------------------------------------------------

    def only_annotators(self, names: Sequence[str]) -> Ratings:
        if not self.identified:
            raise DataError(
                "counts-without-annotators",
                "annotators cannot be selected, because counts do not record them; use a table with a label per "
                "annotator",
            )
        check_annotators(names, self.annotators)
        return self.keep(inside(self.annotators, names)[self.annotator])

    def only_named(self, names: Collection[str]) -> Ratings:
        return self.keep(inside(self.items, names)[self.item]).only_items()

    def without_ending(self, ending: str) -> Ratings:
        if not all(isinstance(name, str) and name.endswith(ending) for name in self.items):
            return self
        return replace(self, items=[name.removesuffix(ending) for name in self.items])

    def without_category(self, code: int, feature: str | None = None) -> Ratings:  # noqa: ARG002
        """Remove a category; its labels become missing."""
        return self.keep(self.label != code).only_items().recoded(self.categories.without(code))

    def joined(self, other: Ratings, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Ratings:
        counts = self.times is not None or other.times is not None
        return replace(
            self,
            item=np.concatenate([self.item, other.item + len(self.items)]),
            annotator=np.concatenate([mine[self.annotator], others[other.annotator]]),
            label=np.concatenate([self.label, other.label]),
            items=joined_names(self.items, other.items),
            annotators=annotators,
            times=np.concatenate([self.weight, other.weight]).astype(np.int64) if counts else None,
            identified=self.identified and other.identified,
            many=None if self.many is None and other.many is None else np.concatenate([_many(self), _many(other)]),
            features={},
            places=None,
        )

    def keep(self, mask: NDArray[np.bool_]) -> Ratings:
        """Keep the entries where the mask is true; items and annotators keep their codes."""
        return self.keep_at(np.flatnonzero(mask))

    def keep_at(self, at: NDArray[np.intp]) -> Ratings:
        """Keep the entries with these numbers."""
        features = {name: Feature(f.codes[at], f.names) for name, f in self.features.items()}
        places = None if self.places is None else Moved(self.places, at)
        return replace(
            self,
            item=self.item[at],
            annotator=self.annotator[at],
            label=self.label[at],
            many=None if self.many is None else self.many[at],
            features=features,
            places=places,
        )

    def by(self, feature: str) -> dict[str, Ratings]:
        """Split by the values of a further column."""
        if feature not in self.features:
            raise UnknownName("column", feature, self.features)
        column = self.features[feature]
        used = np.flatnonzero(counts_of(column.codes, len(column.names)))
        parts = {column.names[v]: self.keep(column.codes == v).only_items() for v in used}
        if (column.codes < 0).any():
            parts[NO_VALUE] = self.keep(column.codes < 0).only_items()
        return parts

    def only_items(self, kept: NDArray[np.bool_] | None = None) -> Ratings:
        """Keep these items; by default, the items with labels."""
        used = np.flatnonzero(self.sizes if kept is None else kept)
        renumber = np.zeros(len(self.items), dtype=np.int32)
        renumber[used] = np.arange(len(used), dtype=np.int32)
        times = None if self.times is None else self.times[used]
        named = not isinstance(self.items, Unnamed)
        items = [self.items[int(i)] for i in used] if named else Unnamed(len(used))
        return replace(self, item=renumber[self.item], items=items, times=times)

    def against_rest(self, category: int) -> Ratings:
        """Merge all other categories into "other"."""
        names = (self.categories.labels[category], "other")
        return replace(
            self,
            label=(self.label != category).astype(np.int32),
            categories=Categories(names, declared=True),
            level=None,
        )

    # -- compression -------------------------------------------------------------------------------------------

    @cached_property
    def compressed(self) -> Ratings:
        """The same data with each distinct row of labels once, and how often it occurs.

        A million items by three annotators over ten categories have at most 1,331 different rows. Rows are sorted by
        labels and annotator names, so that resampling does not depend on the order of the input.
        """
        base, r = len(self.categories) + 1, len(self.annotators)
        if not self.identified or r == 0 or r * np.log2(base) >= np.log2(_LARGEST_KEY):
            return self
        power = np.array([base**g for g in self.by_name.tolist()], dtype=np.int64)
        keys = np.zeros(len(self.items), dtype=np.int64)
        for at in range(0, len(self), CHUNK):
            part = slice(at, at + CHUNK)
            np.add.at(keys, self.item[part], (self.label[part] + np.int64(1)) * power[self.annotator[part]])
        if base**r <= 1 << 22:
            times = np.bincount(keys, weights=self.times, minlength=1)
            times[0] = 0  # key 0 is an item without labels
            distinct = np.flatnonzero(times)
            times = times[distinct]
        else:
            distinct, inverse = np.unique(keys, return_inverse=True)
            times = np.bincount(inverse, weights=self.times)
            if len(distinct) and distinct[0] == 0:
                distinct, times = distinct[1:], times[1:]
        digits = (distinct[:, None] // power[None, :]) % base
        rows, seats = np.nonzero(digits)
        return replace(
            self,
            item=rows.astype(np.int32),
            annotator=seats.astype(np.int32),
            label=(digits[rows, seats] - 1).astype(np.int32),
            items=Numbered(len(distinct)),
            times=np.rint(times).astype(np.int64),
            features={},
            places=None,
        )


@dataclass(frozen=True)
class Moved:
    """Locations of the entries that remain after a selection."""

    places: Places
    kept: NDArray[np.intp]

    def __call__(self, entry: int) -> str:
        return self.places(int(self.kept[entry]))


def _many(ratings: Ratings) -> NDArray[np.int64]:
    return np.ones(len(ratings), dtype=np.int64) if ratings.many is None else ratings.many


def weighted_counts(
    code: NDArray[np.integer],
    weight: NDArray[np.float64],
    row: NDArray[np.integer],
    size: int,
    many: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Sum the weights of the rows by code. Works in chunks, so that large tables are not copied."""
    if many is None and len(weight) and weight.min() == weight.max():  # equal weights need no lookup
        return counts_of(code, size).astype(np.float64) * float(weight[0])
    total = np.zeros(size)
    for at in range(0, len(code), CHUNK):
        part = slice(at, at + CHUNK)
        each = weight[row[part]] if many is None else weight[row[part]] * many[part]
        total += np.bincount(code[part], weights=each, minlength=size)
    return total


def check_counts(table: ArrayLike, what: str) -> NDArray[np.int64]:
    array = np.asarray(table, dtype=np.float64)
    if array.ndim != 2:
        raise DataError("invalid-counts", f"{what} must be a table of rows and columns, such as a list of lists")
    bad = ~np.isfinite(array) | (array < 0) | (array != np.floor(array)) | (array > 2**53)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise DataError(
            "invalid-counts",
            f"{what}: row {row + 1}, column {column + 1} is {array[row, column]:g}, not a count (0, 1, 2 …); correct "
            "the cell, or remove a column that is not a category",
        )
    return array.astype(np.int64)


@dataclass(frozen=True)
class Numbered(Sequence[str]):
    """The names 1…n, computed on demand."""

    n: int

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < self.n:
            raise IndexError(index)
        return str(index + 1)


class Unnamed(Numbered):
    """Numbers of distinct rows of labels; the names of the items are unknown."""
