"""Labels and categories: sorting, numbers, codes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes
from accord.core.errors import DataError, UnknownName, quoted
from accord.data.model.word_scales import WordScale, recognise_scale

Label: TypeAlias = Hashable

MISSING = -1
MANY = 10_000  # with more distinct numbers, labels are measurements, not categories


@dataclass(frozen=True, eq=False)
class Numbers(Sequence[Label]):
    """Distinct numbers in order, kept as an array to save memory."""

    array: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: int) -> Label:  # type: ignore[override]
        return plain(self.array[index])


@dataclass(frozen=True)
class Categories(Sequence[Label]):
    """The set of labels in order: as declared; else by number, in the order of a known scale of words, or by name."""

    labels: tuple[Label, ...] | Numbers
    declared: bool = False  # the user declared the order

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Label]:
        return iter(self.labels)

    def __getitem__(self, index: int) -> Label:  # type: ignore[override]
        return self.labels[index]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(label_name(label) for label in self.labels)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The labels as numbers; NaN for labels that are not numbers."""
        if isinstance(self.labels, Numbers):
            return self.labels.array
        return np.array([as_number(label) for label in self.labels], dtype=np.float64)

    @property
    def numeric(self) -> bool:
        return len(self.labels) > 0 and not bool(np.isnan(self.values).any())

    @cached_property
    def sets(self) -> bool:
        """Whether some labels are sets of several members, so that labels can agree in part."""
        several = (isinstance(label, frozenset) and len(label) > 1 for label in self.labels)
        return not isinstance(self.labels, Numbers) and any(several)

    @cached_property
    def positions(self) -> NDArray[np.float64]:
        """The positions x_k on a scale: the numbers themselves, or the ranks 1…q if labels are words."""
        return self.values if self.numeric else self.ranks

    @property
    def ranks(self) -> NDArray[np.float64]:
        return np.arange(1.0, len(self.labels) + 1)

    def without(self, code: int) -> Categories:
        """Return all categories but one."""
        return Categories(tuple(label for k, label in enumerate(self) if k != code), declared=self.declared)

    @cached_property
    def scale(self) -> WordScale | None:
        """The scale that the words are on, if their order is known and the user declared no other."""
        found = None if self.declared or isinstance(self.labels, Numbers) else recognise_scale(self.labels)
        return found if found is not None and found.order == self.labels else None

    @property
    def guessed_order(self) -> bool:
        """Whether labels are words sorted by name, because neither the user nor a known scale orders them."""
        return not self.declared and not self.numeric and len(self.labels) > 2 and self.scale is None


def counts_of(codes: Codes, size: int) -> NDArray[np.int64]:
    """Count each code; -1 is ignored. Works in chunks, because bincount would copy the whole column."""
    total = np.zeros(size, dtype=np.int64)
    for at in range(0, len(codes), 1 << 22):
        part = codes[at : at + (1 << 22)]
        total += np.bincount(part if int(part.min()) >= 0 else part[part >= 0], minlength=size)
    return total


def times_of(codes: Codes, times: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Count each code, where each entry counts `times`; -1 is ignored."""
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, codes[codes >= 0], times[codes >= 0])
    return total


def looked_up(table: Codes, codes: Codes) -> Codes:
    """Return table[codes], where -1 is the last entry of the table. Works in chunks to save memory."""
    found = np.empty(len(codes), dtype=table.dtype)
    for at in range(0, len(codes), 1 << 22):
        part = slice(at, at + (1 << 22))
        np.take(table, codes[part], mode="wrap", out=found[part])
    return found


def label_name(label: Label) -> str:
    """Return a label as text: sets are joined by |, 1.0 is written as 1."""
    if isinstance(label, frozenset):
        return "|".join(sorted(label_name(member) for member in label))
    if isinstance(label, float) and label.is_integer() and abs(label) < 1e15:
        return str(int(label))
    return str(label)


def as_number(label: Label) -> float:
    """Return the number that a label is or spells; NaN if it is not a number."""
    if isinstance(label, frozenset):
        return math.nan
    if isinstance(label, str):
        text = label.strip()
        if not text or text[-1] not in "0123456789.":  # "nan", "inf", "1e"
            return math.nan
        try:
            number = float(text.replace("_", "x"))  # 1_000 is a name, not a number
        except ValueError:
            return math.nan
    else:
        try:
            number = float(label)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            return math.nan
    return number if math.isfinite(number) else math.nan


def is_missing(value: object) -> bool:
    """Return whether a value is missing: None, NaN or the missing value of a library."""
    if value is None or type(value).__name__ in {"NAType", "NaTType", "MaskedConstant"}:
        return True
    return isinstance(value, float | np.floating) and math.isnan(value)


def sort_key(label: Label) -> tuple[bool, float, str, str]:
    """Sort by number, then by name; 1 always precedes "1"."""
    number = as_number(label)
    word = math.isnan(number)
    return word, 0.0 if word else number, label_name(label), type(label).__name__


def arrange(used: Iterable[Label], declared: Sequence[Label] | None = None) -> Categories:
    """Return the categories of the labels that occur; if the user declared categories, in that order."""
    found = set(used)
    if declared is None:
        order = tuple(sorted(found, key=sort_key))
        scale = recognise_scale(order)
        return Categories(order if scale is None else scale.order)
    order = tuple(_same_type(label, found) for label in declared)
    for label in order:
        if order.count(label) > 1:
            raise DataError(
                "invalid-label",
                f"category {quoted(label_name(label))} is declared twice; name each category once in --categories",
            )
    unknown = sorted(found.difference(order), key=sort_key)
    if unknown:
        listed = ", ".join(quoted(label_name(label)) for label in unknown[:5])
        which = "label {} is" if len(unknown) == 1 else "labels {} are"
        raise DataError(
            "undeclared-category",
            f"{which.format(listed)} not among the declared categories; extend --categories, or use --missing to "
            "ignore a label",
        )
    return Categories(order, declared=True)


def merge_labels(categories: Categories, groups: Mapping[str, str]) -> tuple[Codes, Categories]:
    """Merge labels as in {"a": "c", "b": "c"}: return the new code of each label (-1 last) and the new categories."""
    known = set(categories.names)
    for name in groups:
        if name not in known:
            raise UnknownName("label to merge", name, categories.names)
    present = {label_name(lab): lab for lab in categories}
    numbers = all(isinstance(lab, int | float) for lab in categories)
    targets: dict[str, Label] = {name: present.get(target, target) for name, target in groups.items()}
    for name, target in targets.items():
        if numbers and isinstance(target, str) and not np.isnan(as_number(target)):
            targets[name] = plain(as_number(target))
    merged: list[Label] = [targets.get(label_name(lab), lab) for lab in categories]
    order = list(dict.fromkeys(merged))
    final = Categories(tuple(order), declared=True) if categories.declared else arrange(order)
    at = {lab: k for k, lab in enumerate(final.labels)}
    return np.array([*(at[lab] for lab in merged), MISSING], dtype=np.int32), final


def _same_type(declared: Label, found: set[Label]) -> Label:
    """Convert a declared label to the type in the data: `--categories 1,2,3` declares text, data may have numbers."""
    if declared in found:
        return declared
    if not isinstance(declared, str):
        return label_name(declared) if label_name(declared) in found else declared
    number = as_number(declared)
    if not math.isnan(number) and any(isinstance(label, int | float) for label in found):
        return int(number) if number.is_integer() else number
    return declared


def encode(values: Sequence[object] | NDArray[np.generic]) -> tuple[Codes, Sequence[Label]]:
    """Return codes in order of first appearance, and the labels they stand for; None and NaN become MISSING (-1)."""
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and array.dtype.kind in "mM":
        array = array.astype(str)
    if array is not None and array.dtype.kind in "iuf":
        return _encode_numbers(array.ravel())
    codes = np.empty(len(values) if array is None else array.size, dtype=np.int32)
    index: dict[Label, int] = {}
    for i, raw in enumerate(values if array is None else array.ravel().tolist()):
        if is_missing(raw):
            codes[i] = MISSING
            continue
        codes[i] = index.setdefault(plain(raw), len(index))
    return codes, list(index)


def plain(value: object) -> Label:
    """Convert NumPy scalars and sets to plain, hashable Python values; 1.0 becomes 1, "1" stays text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return str(value)  # True == 1 in Python, but they are different labels
    if isinstance(value, set | frozenset | list | tuple):
        return frozenset(plain(member) for member in value)
    if isinstance(value, float):
        if math.isinf(value):
            raise DataError(
                "invalid-label",
                "an infinite number cannot be a label; replace it by a finite number or by a missing value",
            )
        return int(value) if value.is_integer() else value
    if not isinstance(value, Hashable):
        raise DataError(
            "invalid-label",
            f"a label of type {type(value).__name__} cannot be compared: {quoted(value)}; convert labels to text or "
            "numbers",
        )
    return value


def _encode_numbers(array: NDArray[np.generic]) -> tuple[Codes, Sequence[Label]]:
    codes = np.full(array.shape, MISSING, dtype=np.int32)
    known = ~np.isnan(array) if array.dtype.kind == "f" else np.ones(array.shape, dtype=bool)
    present = array[known]
    if array.dtype.kind == "f" and np.isinf(present).any():
        raise DataError(
            "invalid-label", "an infinite number cannot be a label; replace it by a finite number or by a missing value"
        )
    if len(present) and array.dtype.kind in "iu" and int(present.max()) - int(present.min()) < 65536:
        low = int(present.min())  # for a small range, a lookup table is faster than sorting
        shifted = present.astype(np.int64) - low
        used = np.flatnonzero(np.bincount(shifted))
        table = np.zeros(int(shifted.max()) + 1, dtype=np.int32)
        table[used] = np.arange(len(used), dtype=np.int32)
        codes[known] = table[shifted]
        return codes, [int(u) + low for u in used]
    distinct, inverse = np.unique(present, return_inverse=True)
    codes[known] = inverse
    if len(distinct) > MANY and float(np.abs(distinct.astype(np.float64)).max()) < 2**53:
        return codes, Numbers(distinct.astype(np.float64))
    return codes, [plain(value) for value in distinct.tolist()]


def scrambled(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers with all bits mixed (the finaliser of SplitMix64)."""
    x = (x + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
