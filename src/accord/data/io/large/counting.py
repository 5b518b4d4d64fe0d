"""Distinct rows of labels, and how often each occurs, from an engine that packs a row into words of bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, counted, quoted
from accord.data.io.large.engines import Engine, Named
from accord.data.io.reading import Reading
from accord.data.io.tables.cleaning import left_out
from accord.data.model.labels import Label, is_missing, label_name, plain, sort_key

_BITS = 62  # of a word; a sum of words stays an integer everywhere
_MOST_WORDS = 64
_MOST_ROWS = 20_000_000
Columns: TypeAlias = tuple[Named, Named, Named]  # item, annotator, label


@dataclass(frozen=True)
class CountedRows:
    """Entries of distinct rows, as a table has them: a code of an item, an annotator, a label for each.

    Labels that are missing are entries, too, so that they are told as from a file.
    """

    item: Ints
    annotator: Ints
    label: Ints
    annotators: tuple[str, ...]
    labels: tuple[Label, ...]
    times: Ints  # of each entry: for how many of the table it stands
    items: Ints  # of each distinct row: how many items have it


class _Pair:
    """An annotator and a label: their cells, and what these mean; how often they come together."""

    def __init__(self, who: Any, what: Any, nowhere: bool, times: int) -> None:
        self.cells = (who, what)
        self.who = _text(who)
        self.what: Label | None = None if is_missing(what) else plain(what)
        self.nowhere = nowhere  # the item has no name
        self.times = times

    def is_given(self, how: Reading) -> bool:
        """Whether the label is one."""
        return self.what is not None and left_out(self.what, how, is_file=True) is None


@dataclass(frozen=True)
class Layout:
    """Where in the words each annotator has his bits: one says that there is a label, the others which."""

    annotators: int
    labels: int

    @property
    def code_bits(self) -> int:
        return max(1, (self.labels - 1).bit_length())

    @property
    def per_word(self) -> int:
        return _BITS // (self.code_bits + 1)

    @property
    def words(self) -> int:
        return max(1, -(-self.annotators // self.per_word))

    def word(self, annotator: int, label: int) -> tuple[int, ...]:
        """What a label of an annotator adds to the words of its item."""
        place, at = divmod(annotator, self.per_word)
        bits = (1 << self.code_bits | label) << at * (self.code_bits + 1)
        return tuple(bits if w == place else 0 for w in range(self.words))

    def unpacked(self, words: Ints) -> tuple[Ints, Ints, Ints]:
        """Row, annotator and label of each label in the words of the rows."""
        rows, who, what = [], [], []
        for annotator in range(self.annotators):
            place, at = divmod(annotator, self.per_word)
            bits = words[:, place] >> at * (self.code_bits + 1)
            there = np.flatnonzero(bits >> self.code_bits & 1)
            rows.append(there)
            who.append(np.full(len(there), annotator))
            what.append(bits[there] & ((1 << self.code_bits) - 1))
        row, annotator_of, label = (np.concatenate([np.zeros(0, dtype=np.int64), *part]) for part in (rows, who, what))
        order = np.argsort(row, kind="stable")
        return row[order], annotator_of[order], label[order]


def counted_rows(engine: Engine, columns: Columns, how: Reading, ordered: bool) -> CountedRows:
    """`ordered`: annotators come as in a file, by first appearance; else, in a database, by name."""
    for column in columns:
        if not column.cell:
            raise DataError(
                f"{engine.name}: column {quoted(column.name)} is neither text nor whole or floating numbers: make a "
                "view in which it is"
            )
    pairs = [_Pair(*cells) for cells in engine.seen(*columns)]
    if not ordered:
        pairs.sort(key=lambda pair: (sort_key(pair.who), sort_key("" if pair.what is None else pair.what)))
    pairs = [pair for pair in pairs if not (pair.nowhere and pair.who == "" and pair.what in {None, ""})]
    given = [pair for pair in pairs if pair.is_given(how)]
    for pair in given:
        for empty, role in ((pair.nowhere, "item"), (pair.who == "", "annotator")):
            if empty:
                raise DataError(f"{engine.name}: the {role} is empty, but there is a label: {quoted(pair.what)}")
    who = {name: k for k, name in enumerate(dict.fromkeys(pair.who for pair in pairs if pair.who))}
    what = {label: k for k, label in enumerate(dict.fromkeys(pair.what for pair in given))}
    layout = Layout(len(who), len(what))
    if layout.words > _MOST_WORDS:
        raise DataError(
            f"{engine.name}: rows of {counted(len(who), 'annotator')} with {counted(len(what), 'category')} are too "
            "long to be counted: name a view that has fewer"
        )
    words_of_pairs = {pair.cells: layout.word(who[pair.who], what[pair.what]) for pair in given}
    keys = [(*cells, *words) for cells, words in words_of_pairs.items()]
    if engine.sums:
        _refuse_repeats(engine, columns, keys)
    found = engine.rows(*columns, keys, _MOST_ROWS)
    if len(found) > _MOST_ROWS:
        raise DataError(
            f"{engine.name}: more than {_MOST_ROWS:,} items have rows of labels that differ: with so many annotators "
            "or categories there is little to count; name a view that has fewer"
        )
    words, labels, times = found[:, :-2], found[:, -2], found[:, -1]
    row, annotator, label = layout.unpacked(words)
    if (np.bincount(row, minlength=len(found)) != labels).any():
        _refuse_repeats(engine, columns, keys)
        raise DataError(f"{engine.name}: the table changed while it was counted: try again")
    order = np.lexsort(words.T)
    rank = np.empty(len(found), dtype=np.int64)
    rank[order] = np.arange(len(found))
    missing = _missing([pair for pair in pairs if not pair.is_given(how)])
    nothing = missing.pop(None, 0)
    codes = [*range(len(what), len(what) + len(missing)), -1]
    bare = np.flatnonzero(labels == 0)
    entry = np.argsort(rank[row], kind="stable")
    return CountedRows(
        item=np.concatenate([rank[row][entry], np.zeros(len(codes), dtype=np.int64), rank[bare]]),
        annotator=np.concatenate([annotator[entry], np.zeros(len(codes) + len(bare), dtype=np.int64)]),
        label=np.concatenate([label[entry], np.array(codes), np.full(len(bare), -1)]),
        annotators=tuple(who),
        labels=(*what, *missing),
        times=np.concatenate(
            [
                times[row][entry],
                np.array([*missing.values(), nothing], dtype=np.int64),
                np.zeros(len(bare), dtype=np.int64),
            ]
        ),
        items=times[order],
    )


def _missing(pairs: Sequence[_Pair]) -> dict[Label | None, int]:
    """How often each label that means none occurs; None where there is no value at all."""
    total: dict[Label | None, int] = {}
    for pair in pairs:
        total[pair.what] = total.get(pair.what, 0) + pair.times
    return total


def _refuse_repeats(engine: Engine, columns: Columns, keys: Sequence[tuple[Any, ...]]) -> None:
    found = engine.twice(*columns, keys)
    if found is not None:
        item, who = (quoted(_text(cell)) for cell in found)
        raise DataError(
            f"{engine.name}: {who} labels item {item} twice; the first, the last, or trials can be chosen among in a "
            "file that fits into memory: here, name a view that has one label of each annotator and item"
        )


def _text(cell: Any) -> str:
    return "" if is_missing(cell) else label_name(plain(cell))
