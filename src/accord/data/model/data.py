"""What every kind of data answers: whose they are, what can be compared, how they are shown and chosen from."""

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

Rows = tuple[tuple[Any, ...], ...]
Rectangle = tuple[tuple[str, ...], Rows]  # columns, and rows of as many cells


class Fact(str):
    """A note that is not a warning: it states what was asked for, or what is plain in the data."""

    __slots__ = ()


class Choice(Fact):
    """A note on what an option of selection kept."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Marked:
    """What annotators marked freely, one row each: annotator, place, label (-1: none)."""

    annotator: Codes
    doc: Codes
    label: Codes
    labels: int  # how many there are
    looked: Bools  # documents × annotators


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """Labels that can be left out: the names of the categories, and the code of every entry."""

    names: tuple[str, ...]
    codes: Codes


class Data(ABC):
    """One kind of data. `kind` says what they are called; items stand for documents where data are in documents."""

    kind: ClassVar[Kind]
    annotators: tuple[str, ...]
    notes: tuple[str, ...]
    variable: str

    # -- what they are -------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """Of the items or documents."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """A fingerprint that does not depend on the order of the input."""

    @abstractmethod
    def __len__(self) -> int:
        """How many labels, units, boundaries or tokens there are."""

    @property
    def identified(self) -> bool:
        """Whether the annotator of each label is known; tables of counts do not say."""
        return True

    @property
    def n_items(self) -> int:
        """How many items or documents there are."""
        return len(self.names)

    @property
    def n_annotators(self) -> int:
        return int(self.took_part.sum())

    @property
    @abstractmethod
    def took_part(self) -> Bools:
        """Whether each annotator labelled or marked anything, or looked at a document."""

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
        """The measures that are scored where the user names none."""
        return self.kind.usual

    @property
    def features_compared(self) -> tuple[str, ...]:
        """The features of tokens; other data have one label, whatever it is called."""
        return ()

    @property
    def named(self) -> bool:
        """Whether item names identify items across data sets; tables of counts have no names."""
        return True

    @property
    def graded(self) -> bool:
        """Whether labels are numbers, so that a distance may have degrees."""
        return False

    @property
    def in_sets(self) -> bool:
        """Whether labels are sets, which may overlap."""
        return False

    # -- what can be compared ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def comparable(self) -> Bools:
        """Of each item or document, whether two annotators can be compared there."""

    @property
    @abstractmethod
    def left_out(self) -> dict[str, int]:
        """The number of items or documents that cannot be compared, by reason."""

    # -- how they are shown --------------------------------------------------------------------------------------

    @abstractmethod
    def about(self) -> list[str]:
        """What was read and what is left out, a line each."""

    @abstractmethod
    def summary(self) -> dict[str, Any]:
        """The facts of `about` as plain values, for programs."""

    @abstractmethod
    def described(self) -> list[tuple[str, str]]:
        """How the data are understood, a name and a fact each."""

    @abstractmethod
    def rows(self) -> Rectangle:
        """The table from which they are read back."""

    def first(self, most: int) -> Rectangle:
        """The first rows of that table, as the data are understood; items with all their labels."""
        columns, rows = self.only_named(self.names[:1]).rows() if self.n_items else self.rows()
        return columns, rows[:most]

    def files(self) -> dict[str, Rectangle]:
        """Tables by file name, for a folder from which nothing is lost."""
        return {f"{self.kind.plural}.csv": self.rows()}

    def doubts(self) -> list[str]:
        """What looks wrong in the data and changes a value, one line each."""
        return []

    def unsaid(self) -> list[str]:
        """What `rows` leaves out."""
        return []

    # -- choosing among them -------------------------------------------------------------------------------------

    @abstractmethod
    def only_annotators(self, names: Sequence[str]) -> Self:
        """The data of these annotators only."""

    @abstractmethod
    def only_named(self, names: Collection[str]) -> Self:
        """The items or documents with these names only."""

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Further columns, by whose values the data can be split."""

    @abstractmethod
    def by(self, column: str) -> dict[str, Self]:
        """One set of data for each value of a further column."""

    def without_ending(self, ending: str) -> Self:  # noqa: ARG002
        """The data with an ending removed from item names, so that items match those in another part of the data."""
        return self

    @abstractmethod
    def label_column(self, feature: str | None = None) -> LabelColumn:
        """The labels, of one feature where there are several."""

    @abstractmethod
    def without_category(self, code: int, feature: str | None = None) -> Self:
        """The data as if nobody had used the category."""

    # -- two of them ---------------------------------------------------------------------------------------------

    @abstractmethod
    def with_categories_of(self, other: Self) -> tuple[Self, Self]:
        """Both with all categories of either: coefficients that count categories, and weights, are then comparable."""

    @abstractmethod
    def joined(self, other: Self, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Self:
        """Both as one, items or documents named `a: …` and `b: …`; `mine` and `others` say who is who among all."""

    def marked(self) -> Marked | None:
        """What was marked freely; None where annotators label what is given."""
        return None

    # -- keeping them --------------------------------------------------------------------------------------------

    def with_notes(self, *notes: str) -> Self:
        """The data with further notes."""
        return self.noted(tuple(dict.fromkeys((*self.notes, *notes)))) if notes else self

    def noted(self, notes: tuple[str, ...]) -> Self:
        """The data with these notes instead of their own."""
        return replace(self, notes=notes)  # type: ignore[type-var]

    @cached_property
    def memo(self) -> Memo:
        """Results that measures keep for each other; not part of the data's value."""
        return Memo()

    def __getstate__(self) -> dict[str, Any]:
        """The state for pickling: the data without file positions and without kept results."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return kept | {"places": None} if "places" in kept else kept


class OneLabel(Data):
    """Data with one label per item, unit or boundary: a column of codes, and the categories they stand for."""

    label: Codes
    categories: Categories
    features: Mapping[str, Any]

    @property
    def category_sets(self) -> Mapping[str, Categories]:
        return {self.variable: self.categories}

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.features)

    def label_column(self, feature: str | None = None) -> LabelColumn:  # noqa: ARG002 - there is one
        return LabelColumn(self.categories.names, self.label)

    def recoded(self, categories: Categories) -> Self:
        """The same labels, with codes of other categories; a label that is not among them is left out."""
        codes = new_codes(self.categories, categories)[self.label]
        return replace(self, label=codes, categories=categories)  # type: ignore[type-var]

    def with_categories_of(self, other: Self) -> tuple[Self, Self]:
        if self.categories.names == other.categories.names:
            return self, other
        both = union(self.categories, other.categories)
        return self.recoded(both), other.recoded(both)


SIDES = ("a: ", "b: ")  # before the names of two sets of data that are joined


def joined_names(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """The names of both data sets, each with a prefix that says which one it is from."""
    return tuple(side + label_name(name) for side, names in zip(SIDES, (first, second), strict=True) for name in names)


def check_annotators(names: Sequence[str], known: Sequence[str]) -> None:
    there = set(known)
    for name in names:
        if name not in there:
            raise UnknownName("annotator", name, known)


def union(a: Categories, b: Categories) -> Categories:
    """The categories of both data sets together."""
    both = (*a, *(c for c in b if c not in set(a)))
    return Categories(both, declared=True) if a.declared and b.declared else arrange(both)


def new_codes(old: Categories, new: Categories) -> Codes:
    """The code of each old category among the new ones, and -1 behind the last."""
    number = {label: k for k, label in enumerate(new)}
    return np.array([*(number.get(label, -1) for label in old), -1], dtype=np.int32)


def some(names: Sequence[str], most: int = 20, *, told: bool = False) -> str:
    """The first names, and the number of all where there are more, unless it was `told` before."""
    others = "" if len(names) <= most else " …" if told else f" … ({len(names):,})"
    return ", ".join(names[:most]) + others


MOST_NAMES = 1_000  # of a list in a summary


def inside(names: Sequence[str], wanted: Collection[str]) -> Bools:
    """Which of the names are wanted."""
    chosen = set(wanted)
    return np.array([name in chosen for name in names], dtype=bool)
