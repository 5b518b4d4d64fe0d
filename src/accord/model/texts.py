"""Texts: versions of documents whose annotators may have changed the text itself, with tokens and their features."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import DataError, UnknownName, counted, quoted
from accord.model.graphemes import clusters
from accord.model.labels import MISSING, Categories, Codes, arrange, encode

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ONLY_DOCUMENT = "document"
BASE = -1  # the annotator of a pre-annotation
_PLACES = ("doc", "annotator", "start", "end")


@dataclass(frozen=True, eq=False)
class Column:
    """A feature: a code for each token, MISSING where it has none, and the categories."""

    codes: Codes
    categories: Categories


@dataclass(frozen=True, eq=False)
class Texts:
    """All tokens as columns. A version is the text of one annotator of a document, or its pre-annotation."""

    version: Codes  # of each token; tokens are sorted by version and place
    start: Ints  # in code points of the text of the version
    end: Ints
    features: Mapping[str, Column]
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    version_doc: Codes
    version_annotator: Codes  # BASE: what all started from
    strings: tuple[str, ...]  # the text of each version
    notes: tuple[str, ...] = ()
    variable: str = "text"

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Sequence[Any]],
        texts: Mapping[Any, str],
        base: str | tuple[Mapping[str, Sequence[Any]], str | Mapping[str, str]] | None = None,
    ) -> Texts:
        """From columns `annotator, start, end[, doc]` and features, and {annotator: text} or {(doc, annotator): text}.

        `base` is the pre-annotation: the name under which it stands among the annotators, or its own (columns, text),
        where text is {doc: text} when there are several documents.
        """
        return _made(columns, texts, base)

    @classmethod
    def of_words(cls, texts: Mapping[Any, str], base: str | None = None) -> Texts:
        """From plain texts: what stands between blanks is a token."""
        columns: dict[str, list[Any]] = {name: [] for name in _PLACES}
        for key, text in texts.items():
            doc, annotator = _named(key)
            at = 0
            for word in text.split():
                at = text.index(word, at)
                for name, value in zip(_PLACES, (doc, annotator, at, at + len(word)), strict=True):
                    columns[name].append(value)
                at += len(word)
        return _made(columns, texts, base)

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return (
            f"<Texts: {counted(len(self.docs), 'document')}, {counted(self.n_annotators, 'annotator')}, "
            f"{counted(len(self), 'token')}, features: {', '.join(self.features) or 'none'}>"
        )

    @property
    def identified(self) -> bool:
        """A text always says whose it is."""
        return True

    @property
    def n_items(self) -> int:
        """What is resampled: documents."""
        return len(self.docs)

    @property
    def n_annotators(self) -> int:
        return len(np.unique(self.version_annotator[self.version_annotator != BASE]))

    @property
    def has_base(self) -> bool:
        return bool((self.version_annotator == BASE).any())

    @property
    def categories(self) -> dict[str, Categories]:
        """Of each feature."""
        return {name: column.categories for name, column in self.features.items()}

    @cached_property
    def first_token(self) -> Ints:
        """Of each version, and the number of all tokens behind."""
        return np.searchsorted(self.version, np.arange(len(self.strings) + 1)).astype(np.int64)

    def tokens(self, version: int) -> slice:
        return slice(int(self.first_token[version]), int(self.first_token[version + 1]))

    def versions(self, doc: int) -> list[int]:
        """The annotators' versions of a document, in the order of their names."""
        mine = np.flatnonzero((self.version_doc == doc) & (self.version_annotator != BASE))
        return [int(v) for v in mine[np.argsort(self.version_annotator[mine], kind="stable")]]

    def base_of(self, doc: int) -> int | None:
        """The version that the annotators of a document started from."""
        found = np.flatnonzero((self.version_doc == doc) & (self.version_annotator == BASE))
        return int(found[0]) if len(found) else None

    def version_of(self, doc: str, annotator: str) -> int:
        if doc not in self.docs:
            raise UnknownName("document", doc, self.docs)
        if annotator not in self.annotators:
            raise UnknownName("annotator", annotator, self.annotators)
        mine = self.version_doc == self.docs.index(doc)
        found = np.flatnonzero(mine & (self.version_annotator == self.annotators.index(annotator)))
        if not len(found):
            raise DataError(f"annotator {quoted(annotator)} has no text of document {quoted(doc)}")
        return int(found[0])

    def token(self, index: int) -> str:
        """The text of a token."""
        return self.strings[int(self.version[index])][int(self.start[index]) : int(self.end[index])]

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data, whatever the order of the rows."""
        state = hashlib.blake2b(digest_size=8)
        names = {name: column.categories.names for name, column in sorted(self.features.items())}
        state.update(repr((self.docs, self.annotators, self.strings, names)).encode("utf-8", "surrogatepass"))
        columns = [self.version_doc, self.version_annotator, self.version, self.start, self.end]
        for column in (*columns, *(self.features[name].codes for name in names)):
            state.update(np.ascontiguousarray(column, dtype=np.int64).data)
        return state.hexdigest()

    def told(self, *notes: str) -> Texts:
        """The same, with more to tell."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *notes)))) if notes else self

    def only_docs(self, wanted: Bools) -> Texts:
        """Some documents alone."""
        kept = self._only(wanted[self.version_doc])
        docs = tuple(d for d, w in zip(self.docs, wanted, strict=True) if w)
        return replace(kept, docs=docs, version_doc=(np.cumsum(wanted) - 1)[kept.version_doc])

    def only_annotators(self, names: Sequence[str]) -> Texts:
        """Some annotators alone, with what they started from."""
        for name in names:
            if name not in self.annotators:
                raise UnknownName("annotator", name, self.annotators)
        wanted = np.array([*(name in names for name in self.annotators), True])  # BASE is the last
        return self._only(wanted[self.version_annotator])

    def _only(self, keep: Bools) -> Texts:
        """Some versions alone."""
        tokens, number = keep[self.version], np.cumsum(keep) - 1
        return replace(
            self,
            version=number[self.version[tokens]],
            start=self.start[tokens],
            end=self.end[tokens],
            features={name: Column(c.codes[tokens], c.categories) for name, c in self.features.items()},
            version_doc=self.version_doc[keep],
            version_annotator=self.version_annotator[keep],
            strings=tuple(s for s, k in zip(self.strings, keep, strict=True) if k),
        )


def _named(key: object) -> tuple[str, str]:
    """{annotator: text} or {(doc, annotator): text}."""
    if isinstance(key, tuple):
        if len(key) != 2:
            raise DataError(f"texts are named (document, annotator), not {quoted(key)}")
        return str(key[0]), str(key[1])
    return ONLY_DOCUMENT, str(key)


def _made(columns: Mapping[str, Sequence[Any]], texts: Mapping[Any, str], base: Any) -> Texts:
    named = {_named(key): text for key, text in texts.items()}
    table = {name: list(values) for name, values in columns.items()}
    single = {doc for doc, _ in named}
    _check_columns(table)
    table.setdefault("doc", [single.copy().pop() if len(single) == 1 else ONLY_DOCUMENT] * len(table["start"]))
    pre = "(base)"
    if isinstance(base, tuple):
        own, given = base
        while any(name == pre for _, name in named):
            pre += "′"
        more = {name: list(values) for name, values in own.items()}
        more["annotator"] = [pre] * len(more.get("start", []))
        _check_columns(more)
        more.setdefault("doc", [table["doc"][0] if table["doc"] else ONLY_DOCUMENT] * len(more["start"]))
        for name in {*table, *more}:
            size, extra = len(table["start"]), len(more["start"])
            table[name] = [*table.get(name, [None] * size), *more.get(name, [None] * extra)]
        docs_of_base: dict[Any, Any] = (
            dict(given) if isinstance(given, Mapping) else dict.fromkeys(sorted(single), given)
        )
        named |= {(str(doc), pre): text for doc, text in docs_of_base.items()}
    elif base is not None:
        pre = str(base)
        if not any(name == pre for _, name in named):
            raise UnknownName("pre-annotation", pre, sorted({name for _, name in named}))
    return _columnar(table, named, pre if base is not None else None)


def _check_columns(table: Mapping[str, list[Any]]) -> None:
    for name in ("annotator", "start", "end"):
        if name not in table:
            raise DataError(f"the tokens have no column {name}: columns are annotator, start, end, doc and features")
    sizes = {name: len(values) for name, values in table.items()}
    if len(set(sizes.values())) > 1:
        raise DataError(f"columns of tokens differ in length: {', '.join(f'{k} {v}' for k, v in sizes.items())}")


def _columnar(table: Mapping[str, list[Any]], named: Mapping[tuple[str, str], str], pre: str | None) -> Texts:
    docs = tuple(sorted({doc for doc, _ in named}))
    annotators = tuple(sorted({name for _, name in named if name != pre}))
    keys = sorted(named, key=lambda key: (key[0], key[1] != pre, key[1]))
    number = {key: k for k, key in enumerate(keys)}
    of_token = [(str(d), str(a)) for d, a in zip(table["doc"], table["annotator"], strict=True)]
    for row, key in enumerate(of_token):
        if key not in number:
            raise DataError(
                f"token {row + 1}: annotator {quoted(key[1])} has tokens in document {quoted(key[0])} but no text; "
                "give texts={(doc, annotator): text}"
            )
    version = np.array([number[key] for key in of_token], dtype=np.int64)
    start, end = _offsets(table["start"], "start"), _offsets(table["end"], "end")
    order = np.lexsort((end, start, version))
    strings = tuple(named[key] for key in keys)
    _check_places(version[order], start[order], end[order], order, keys, strings)
    features = {}
    for name, values in table.items():
        if name not in _PLACES:
            codes, labels = encode(values)
            categories = arrange(labels)
            code = {label: k for k, label in enumerate(categories.labels)}
            moved = np.array([*(code[label] for label in labels), MISSING], dtype=np.int64)
            features[name] = Column(moved[codes][order], categories)
    doc_code = {doc: k for k, doc in enumerate(docs)}
    code_of = {name: k for k, name in enumerate(annotators)} | {pre: BASE}
    of_doc = np.array([doc_code[doc] for doc, _ in keys], dtype=np.int64)
    whose = np.array([code_of[name] for _, name in keys], dtype=np.int64)
    made = Texts(version[order], start[order], end[order], features, docs, annotators, of_doc, whose, strings, ())
    return made.told(*_unicode_notes(made))


def _offsets(values: Sequence[Any], name: str) -> Ints:
    try:
        numbers = np.asarray(values, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if not np.isfinite(numbers).all() or (numbers != np.rint(numbers)).any():
        raise DataError(f"column {name} of the tokens has something that is not a whole number of characters")
    return numbers.astype(np.int64)


def _check_places(
    version: Ints, start: Ints, end: Ints, row: Ints, keys: Sequence[tuple[str, str]], strings: Sequence[str]
) -> None:
    def place(k: int) -> str:
        doc, annotator = keys[int(version[k])]
        return f"token {int(row[k]) + 1} ({doc}, {annotator})"

    sizes = np.array([len(s) for s in strings], dtype=np.int64)
    wrong = np.flatnonzero(end < start)
    if len(wrong):
        k = int(wrong[0])
        raise DataError(f"{place(k)}: end {end[k]} is before start {start[k]}; is the column a length?")
    outside = np.flatnonzero((start < 0) | (end > sizes[version] if len(version) else end < 0))
    if len(outside):
        k = int(outside[0])
        size = counted(int(sizes[version[k]]), "character")
        raise DataError(
            f"{place(k)}: {start[k]} to {end[k]} is outside the text, which has {size}; "
            "offsets count code points from 0, of the annotator's own text"
        )
    over = np.flatnonzero((version[1:] == version[:-1]) & (start[1:] < end[:-1]))
    if len(over):
        k = int(over[0])
        raise DataError(
            f"{place(k + 1)}: it starts at {start[k + 1]}, before the token ahead of it ends ({end[k]}); "
            "tokens of one annotator cannot overlap here, use gamma for units that do"
        )


def _unicode_notes(texts: Texts) -> Iterable[str]:
    """Documents whose versions write the same letters in different Unicode forms."""
    mixed = 0
    for doc in range(len(texts.docs)):
        mine = [texts.strings[v] for v in np.flatnonzero(texts.version_doc == doc)]
        if len(mine) > 1 and not all(s.isascii() for s in mine):
            seen = [set(clusters(s)) for s in mine]
            union = set().union(*seen)
            mixed += any(w != u and w in union for u in union if (w := unicodedata.normalize("NFC", u)) != u)
    if mixed:
        yield (
            f"{counted(mixed, 'document')} with the same letter in two Unicode forms (composed and decomposed): "
            "they count as different; text_gamma(fold_unicode=true) takes them as the same"
        )
