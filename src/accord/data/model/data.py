"""The interface of all kinds of data: annotators, comparability, display, selection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from accord.core.arrays import Bools, Codes, Ints
from accord.core.errors import UnknownName
from accord.core.fingerprints import Memo
from accord.data.kinds import Kind
from accord.data.model.labels import Categories, arrange, label_name
from accord.data.model.measurement import Measurement

Rows = tuple[tuple[Any, ...], ...]
Rectangle = tuple[tuple[str, ...], Rows]  # column names, and rows with one cell per column


class Fact(str):
    """A note that is not a warning: it states what the user requested, or an obvious fact about the data."""

    __slots__ = ()


class Choice(Fact):
    """A note on what a selection option kept."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Marked:
    """Freely marked annotations, one row each: annotator, document, label (-1: none)."""

    annotator: Codes
    doc: Codes
    label: Codes
    labels: int  # the number of labels
    looked: Bools  # documents × annotators: True where the annotator saw the document


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """The names of the categories, and the code of every entry."""

    names: tuple[str, ...]
    codes: Codes


class Data(ABC):
    """Base of all kinds of data. Where data are in documents, the items of this interface are the documents."""

    kind: ClassVar[Kind]
    annotators: tuple[str, ...]
    notes: tuple[str, ...]
    variable: str

    # -- properties ----------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names of the items or documents."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """A fingerprint that does not depend on the order of the input."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of labels, units, boundaries or tokens."""

    @property
    def identified(self) -> bool:
        """Whether the annotator of each label is known; it is unknown for tables of counts."""
        return True

    @property
    def n_items(self) -> int:
        """The number of items or documents."""
        return len(self.names)

    @property
    def n_annotators(self) -> int:
        return int(self.took_part.sum())

    @property
    @abstractmethod
    def took_part(self) -> Bools:
        """For each annotator, whether they labelled or marked anything, or saw a document."""

    @property
    def present(self) -> tuple[str, ...]:
        """The annotators who took part."""
        return tuple(name for name, there in zip(self.annotators, self.took_part, strict=True) if there)

    @property
    @abstractmethod
    def category_sets(self) -> Mapping[str, Categories]:
        """The categories of each variable: one for most data, one for each feature of tokens."""

    @property
    def usual_measures(self) -> tuple[str, ...]:
        """The measures that accord computes if the user names none."""
        return self.kind.usual

    @property
    def features_compared(self) -> tuple[str, ...]:
        """The features of tokens; empty for other data, which have one label."""
        return ()

    @property
    def named(self) -> bool:
        """Whether item names identify items across data sets; tables of counts have no names."""
        return True

    @property
    def measurement(self) -> Measurement | None:
        """The level of measurement of the labels; None where the measures do not depend on it."""
        return None

    @property
    def graded(self) -> bool:
        """Whether labels are numbers on a scale, so that differences and means have a meaning."""
        return False

    # -- comparability -------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def comparable(self) -> Bools:
        """For each item or document, whether at least two annotators can be compared on it."""

    @property
    @abstractmethod
    def left_out(self) -> dict[str, int]:
        """The number of items or documents that cannot be compared, by reason."""

    # -- display -------------------------------------------------------------------------------------------------

    @abstractmethod
    def about(self) -> list[str]:
        """Return lines that state what was read and what is left out."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """Return the facts of `about` as plain values, for programs."""

    @abstractmethod
    def described(self) -> list[tuple[str, str]]:
        """Return how accord understood the data, as pairs of a name and a fact."""

    @abstractmethod
    def rows(self) -> Rectangle:
        """Return the data as a table that accord can read again."""

    def first(self, most: int) -> Rectangle:
        """Return the first rows for display; items are shown with all their labels."""
        columns, rows = self.only_named(self.names[:1]).rows() if self.n_items else self.rows()
        return columns, rows[:most]

    def files(self) -> dict[str, Rectangle]:
        """Return tables by file name; together they contain all of the data."""
        return {f"{self.kind.plural}.csv": self.rows()}

    def doubts(self) -> list[str]:
        """Return lines on suspicious data that affect values."""
        return []

    def unsaid(self) -> list[str]:
        """Return lines on what `rows` cannot contain."""
        return []

    # -- selection -----------------------------------------------------------------------------------------------

    @abstractmethod
    def only_annotators(self, names: Sequence[str]) -> Self:
        """Keep only the data of these annotators."""

    @abstractmethod
    def only_named(self, names: Collection[str]) -> Self:
        """Keep only the items or documents with these names."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Further columns by which the data can be split."""

    @abstractmethod
    def by(self, column: str) -> dict[str, Self]:
        """Split the data by the values of a further column."""

    def without_ending(self, ending: str) -> Self:  # noqa: ARG002
        """Remove an ending from item names, so that items match items in another part of the data."""
        return self

    @abstractmethod
    def label_column(self, feature: str | None = None) -> LabelColumn:
        """Return the labels; of one feature if there are several."""

    @abstractmethod
    def without_category(self, code: int, feature: str | None = None) -> Self:
        """Return the data without a category."""

    # -- two data sets -------------------------------------------------------------------------------------------

    @abstractmethod
    def with_categories_of(self, other: Self) -> tuple[Self, Self]:
        """Return both with the categories of both, so that weights and the number of categories are the same."""

    @abstractmethod
    def joined(self, other: Self, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Self:
        """Join both; items or documents are named `a: …` and `b: …`.

        `mine` and `others` are the positions of the annotators of each among the joint `annotators`.
        """

    def marked(self) -> Marked | None:
        """Return freely marked annotations; None where annotators label given items."""
        return None

    # -- notes and pickling --------------------------------------------------------------------------------------

    def with_notes(self, *notes: str) -> Self:
        """Return the data with further notes."""
        return self.noted(tuple(dict.fromkeys((*self.notes, *notes)))) if notes else self

    def noted(self, notes: tuple[str, ...]) -> Self:
        """Return the data with these notes instead of their own."""
        return replace(self, notes=notes)  # type: ignore[type-var]

    @cached_property
    def memo(self) -> Memo:
        """A cache that measures share; it is not part of the data's value."""
        return Memo()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickling: the data without file positions and without the cache."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return kept | {"places": None} if "places" in kept else kept


class OneLabel(Data):
    """Data with one label per item, unit or boundary: a column of codes, and the categories."""

    label: Codes
    categories: Categories
    features: Mapping[str, Any]

    @property
    def category_sets(self) -> Mapping[str, Categories]:
        return {self.variable: self.categories}

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.features)

    def label_column(self, feature: str | None = None) -> LabelColumn:  # noqa: ARG002 - there is only one
        return LabelColumn(self.categories.names, self.label)

    def recoded(self, categories: Categories) -> Self:
        """Recode the labels for other categories; labels that are not among them become missing."""
        codes = new_codes(self.categories, categories)[self.label]
        return replace(self, label=codes, categories=categories)  # type: ignore[type-var]

    def with_categories_of(self, other: Self) -> tuple[Self, Self]:
        if self.categories.names == other.categories.names:
            return self, other
        both = union(self.categories, other.categories)
        return self.recoded(both), other.recoded(both)


SIDES = ("a: ", "b: ")  # prefixes of names when two data sets are joined


def joined_names(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Return the names of both data sets, with a prefix for the data set."""
    return tuple(side + label_name(name) for side, names in zip(SIDES, (first, second), strict=True) for name in names)


def check_annotators(names: Sequence[str], known: Sequence[str]) -> None:
    there = set(known)
    for name in names:
        if name not in there:
            raise UnknownName("annotator", name, known)


def union(a: Categories, b: Categories) -> Categories:
    """Return the categories of both data sets together."""
    both = (*a, *(c for c in b if c not in set(a)))
    return Categories(both, declared=True) if a.declared and b.declared else arrange(both)


def new_codes(old: Categories, new: Categories) -> Codes:
    """Return the new code of each old category, followed by -1 for missing labels."""
    number = {label: k for k, label in enumerate(new)}
    return np.array([*(number.get(label, -1) for label in old), -1], dtype=np.int32)


def some(names: Sequence[str], most: int = 20, *, told: bool = False) -> str:
    """Return the first names; if there are more, also their number, unless it was printed before (`told`)."""
    others = "" if len(names) <= most else " …" if told else f" … ({len(names):,})"
    return ", ".join(names[:most]) + others


MOST_NAMES = 1_000  # in a list of a summary


def inside(names: Sequence[str], wanted: Collection[str]) -> Bools:
    """Return, for each name, whether it is wanted."""
    chosen = set(wanted)
    return np.array([name in chosen for name in names], dtype=bool)
