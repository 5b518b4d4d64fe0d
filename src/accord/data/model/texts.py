"""Texts: versions of documents in which annotators may have changed the text, with tokens and their features."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Bools, Codes, Ints
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.kinds import TEXTS, Kind
from accord.data.model.data import (
    MOST_NAMES,
    Data,
    LabelColumn,
    Marked,
    Rectangle,
    check_annotators,
    inside,
    joined_names,
    new_codes,
    some,
    union,
)
from accord.data.model.labels import MISSING, Categories, Label, arrange, encode, label_name

ONLY_DOCUMENT = "document"
BASE = -1  # the annotator of a pre-annotation
PRE = "base"  # the name of the pre-annotation in a table
_PLACES = ("doc", "annotator", "start", "end")
Place = Callable[[int], str]
_FARTHEST = 2.0**53  # above this, floating-point numbers do not represent all whole numbers
_LAST_BLANK = 0x3000
_BLANK = np.array([chr(k).isspace() for k in range(_LAST_BLANK + 1)])
_JOINER = 0x200D


@dataclass(frozen=True, eq=False)
class TokenColumn:
    """A feature of tokens: a code for each token (MISSING: no value), and the categories."""

    codes: Codes
    categories: Categories


@dataclass(frozen=True, eq=False)
class Texts(Data):
    """All tokens as columns. A version is one annotator's text of a document, or its pre-annotation."""

    version: Codes  # the version of each token; tokens are sorted by version and position
    start: Ints  # in code points of the version's text
    end: Ints
    features: Mapping[str, TokenColumn]
    docs: tuple[str, ...]
    annotators: tuple[str, ...]
    version_doc: Codes
    version_annotator: Codes  # BASE: the pre-annotation
    strings: tuple[str, ...]  # the text of each version
    notes: tuple[str, ...] = ()
    variable: str = "text"

    kind: ClassVar[Kind] = TEXTS

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Sequence[Any]],
        texts: Mapping[Any, str],
        base: str | tuple[Mapping[str, Sequence[Any]], str | Mapping[str, str]] | None = None,
    ) -> Texts:
        """Build from columns `annotator, start, end[, doc]`, features, and texts by annotator or (doc, annotator).

        `base` is the pre-annotation: its name among the annotators, or (columns, text). For several documents, this
        text is {doc: text}.
        """
        return _made(columns, texts, base)

    @classmethod
    def of_words(cls, texts: Mapping[Any, str], base: str | None = None) -> Texts:
        """Build from plain texts; tokens are separated by blanks."""
        keys, strings = [_named(key) for key in texts], tuple(texts.values())
        check_strings(keys, strings)
        _check_base(keys, base)
        return cls.of_arrays(keys, strings, *words(strings), {}, base)

    @classmethod
    def of_arrays(
        cls,
        keys: Sequence[tuple[str, str]],
        strings: Sequence[str],
        version: Codes,
        start: Ints,
        end: Ints,
        features: Mapping[str, tuple[Codes, Sequence[Label]]],
        base: str | None = None,
        place: Callable[[int], str] | None = None,
    ) -> Texts:
        """Build from arrays with a row per token: `version` is an index into the (document, annotator) of `keys`.

        A feature is codes and labels. `place` returns the location of a row for messages.
        """
        check_strings(keys, strings)
        in_order = sorted(range(len(keys)), key=lambda k: (keys[k][0], keys[k][1] != base, keys[k][1]))
        sorted_keys, sorted_strings = [keys[k] for k in in_order], tuple(strings[k] for k in in_order)
        number = np.empty(len(keys), dtype=np.int64)
        number[in_order] = np.arange(len(keys))
        of_token = number[version]
        order = np.lexsort((end, start, of_token))
        of_token, start, end = of_token[order], start[order], end[order]

        def where(k: int) -> str:
            row = int(order[k])
            which = f"token {row + 1}" if place is None else place(row)
            return f"{which} ({', '.join(sorted_keys[int(of_token[k])])})"

        check_places(of_token, start, end, np.array([len(s) for s in sorted_strings], dtype=np.int64), where)
        columns = {name: _column(codes, labels, order) for name, (codes, labels) in features.items()}
        docs = tuple(sorted({doc for doc, _ in keys}))
        annotators = tuple(sorted({name for _, name in keys if name != base}))
        doc_code = {doc: k for k, doc in enumerate(docs)}
        code_of: dict[str | None, int] = {base: BASE, **{name: k for k, name in enumerate(annotators)}}
        of_doc = np.array([doc_code[doc] for doc, _ in sorted_keys], dtype=np.int64)
        whose = np.array([code_of[name] for _, name in sorted_keys], dtype=np.int64)
        made = cls(of_token, start, end, columns, docs, annotators, of_doc, whose, sorted_strings)
        return made.with_notes(*unicode_notes(of_doc, sorted_strings))

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return (
            f"<Texts: {counted(len(self.docs), 'document')}, {counted(self.n_annotators, 'annotator')}, "
            f"{counted(len(self), 'token')}, features: {', '.join(self.features) or 'none'}>"
        )

    @property
    def names(self) -> tuple[str, ...]:
        return self.docs

    @property
    def _written(self) -> Bools:
        """True for the versions of annotators, False for pre-annotations."""
        return self.version_annotator != BASE

    @property
    def took_part(self) -> Bools:
        return np.bincount(self.version_annotator[self._written], minlength=len(self.annotators)) > 0

    @property
    def comparable(self) -> Bools:
        """True for documents with the texts of at least two annotators."""
        return np.bincount(self.version_doc[self._written], minlength=len(self.docs)) > 1

    @property
    def left_out(self) -> dict[str, int]:
        return {"one_annotator": int((~self.comparable).sum())}

    @property
    def has_base(self) -> bool:
        return bool((self.version_annotator == BASE).any())

    @property
    def features_compared(self) -> tuple[str, ...]:
        return tuple(self.features)

    @property
    def category_sets(self) -> dict[str, Categories]:
        return {name: column.categories for name, column in self.features.items()}

    @cached_property
    def first_token(self) -> Ints:
        """The first token of each version, followed by the number of all tokens."""
        return np.searchsorted(self.version, np.arange(len(self.strings) + 1)).astype(np.int64)

    def tokens(self, version: int) -> slice:
        return slice(int(self.first_token[version]), int(self.first_token[version + 1]))

    def versions(self, doc: int) -> list[int]:
        """Return the annotators' versions of a document, in the order of their names."""
        mine = np.flatnonzero((self.version_doc == doc) & (self.version_annotator != BASE))
        return [int(v) for v in mine[np.argsort(self.version_annotator[mine], kind="stable")]]

    def base_of(self, doc: int) -> int | None:
        """Return the pre-annotation of a document."""
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
            raise DataError(
                "nothing-shared", f"annotator {quoted(annotator)} has no text of document {quoted(doc)}; choose another"
            )
        return int(found[0])

    def token(self, index: int) -> str:
        """Return the text of a token."""
        return self.strings[int(self.version[index])][int(self.start[index]) : int(self.end[index])]

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the data that does not depend on the order of the rows."""
        state = hashlib.blake2b(digest_size=8)
        names = {name: column.categories.names for name, column in sorted(self.features.items())}
        state.update(repr((self.docs, self.annotators, self.strings, names)).encode("utf-8", "surrogatepass"))
        columns = [self.version_doc, self.version_annotator, self.version, self.start, self.end]
        for column in (*columns, *(self.features[name].codes for name in names)):
            state.update(np.ascontiguousarray(column, dtype=np.int64).data)
        return state.hexdigest()

    # -- display -----------------------------------------------------------------------------------------------

    def about(self) -> list[str]:
        features = f"features: {', '.join(self.features)}" if self.features else "no features"
        what = [("document", len(self.docs)), ("annotator", self.n_annotators), ("token", len(self))]
        base = "with a pre-annotation" if self.has_base else "no pre-annotation"
        return [", ".join([*(counted(n, noun) for noun, n in what), features, base])]

    def summary(self) -> dict[str, Any]:
        return {
            "documents": len(self.docs),
            "annotators": list(self.present[:MOST_NAMES]),
            "n_annotators": self.n_annotators,
            "features": {name: len(column.categories) for name, column in self.features.items()},
            "tokens": len(self),
            "pre_annotation": self.has_base,
            "notes": list(self.notes),
            "digest": self.digest,
        }

    def described(self) -> list[tuple[str, str]]:
        features = [f"{name} ({len(column.categories):,})" for name, column in self.features.items()]
        return [
            ("documents", f"{len(self.docs):,}: {some(self.docs, told=True)}"),
            ("annotators", f"{self.n_annotators:,}: {some(self.present, told=True)}"),
            ("tokens", f"{len(self):,}"),
            ("features", some(features) or "none"),
            ("pre-annotation", "yes" if self.has_base else "no"),
        ]

    def rows(self) -> Rectangle:
        """Return a row per token, with its text; if there is text between tokens, with the version's whole text."""
        version, start, end = (c.tolist() for c in (self.version, self.start, self.end))
        texts = [self.token(t) for t in range(len(self))]
        if any(self._outside(v).strip() for v in range(len(self.strings))):
            texts = [self.strings[v] for v in version]
        who = [PRE if a == BASE else self.annotators[a] for a in self.version_annotator.tolist()]
        docs = [self.docs[d] for d in self.version_doc.tolist()]
        labels = [[(*c.categories.names, "")[k] for k in c.codes.tolist()] for c in self.features.values()]
        rows = tuple(
            (docs[v], who[v], s, e, text, *tags)
            for v, s, e, text, *tags in zip(version, start, end, texts, *labels, strict=True)
        )
        return ("doc", "annotator", "start", "end", "text", *self.features), rows

    def files(self) -> dict[str, Rectangle]:
        return {"tokens.csv": self.rows()}

    def _outside(self, version: int) -> str:
        """Return the text of a version without its tokens."""
        text, mine = self.strings[version], self.tokens(version)
        left = np.concatenate([[0], self.end[mine]]).tolist()
        right = np.concatenate([self.start[mine], [len(text)]]).tolist()
        return "".join(text[a:b] for a, b in zip(left, right, strict=True))

    # -- selection ---------------------------------------------------------------------------------------------

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def by(self, column: str) -> dict[str, Texts]:
        raise SpecError(
            "option-not-for-data",
            f"--by {column}: texts cannot be split by a column; put the groups into separate folders and name both",
        )

    def only_named(self, names: Collection[str]) -> Texts:
        return self.only_docs(inside(self.docs, names))

    def label_column(self, feature: str | None = None) -> LabelColumn:
        """Return the labels of a feature, by default the first."""
        name = next(iter(self.features), None) if feature is None else feature
        if name is None:
            return LabelColumn((), np.zeros(0, dtype=np.int64))
        column = self.features[name]
        return LabelColumn(column.categories.names, column.codes)

    def without_category(self, code: int, feature: str | None = None) -> Texts:
        """Remove the tokens of a category; the texts do not change."""
        return self.only_tokens(self.label_column(feature).codes != code)

    def with_categories_of(self, other: Texts) -> tuple[Texts, Texts]:
        """Keep the features that both have, with the categories of both."""
        first: dict[str, TokenColumn] = {}
        second: dict[str, TokenColumn] = {}
        for name in (name for name in self.features if name in other.features):
            both = union(self.features[name].categories, other.features[name].categories)
            for side, data in ((first, self), (second, other)):
                column = data.features[name]
                side[name] = TokenColumn(new_codes(column.categories, both)[column.codes], both)
        return replace(self, features=first), replace(other, features=second)

    def joined(self, other: Texts, annotators: tuple[str, ...], mine: Ints, others: Ints) -> Texts:
        """Join both, which have the same features; pre-annotations keep their code."""
        whose = [
            np.where(side.version_annotator == BASE, BASE, seat[side.version_annotator])
            for side, seat in ((self, mine), (other, others))
        ]
        return replace(
            self,
            version=np.concatenate([self.version, other.version + len(self.strings)]),
            start=np.concatenate([self.start, other.start]),
            end=np.concatenate([self.end, other.end]),
            features={
                name: TokenColumn(np.concatenate([column.codes, other.features[name].codes]), column.categories)
                for name, column in self.features.items()
            },
            docs=joined_names(self.docs, other.docs),
            annotators=annotators,
            version_doc=np.concatenate([self.version_doc, other.version_doc + len(self.docs)]),
            version_annotator=np.concatenate(whose),
            strings=(*self.strings, *other.strings),
        )

    def marked(self) -> Marked:
        """Return tokens with the labels of their first feature."""
        mine = self._written[self.version]
        who, doc = self.version_annotator[self.version[mine]], self.version_doc[self.version[mine]]
        looked = np.zeros((len(self.docs), len(self.annotators)), dtype=bool)
        looked[self.version_doc[self._written], self.version_annotator[self._written]] = True
        labels = self.label_column()
        label = labels.codes[mine] if self.features else np.full(len(who), -1)
        return Marked(who, doc, label, len(labels.names), looked)

    def only_docs(self, wanted: Bools) -> Texts:
        """Keep the documents where the mask is true."""
        kept = self.only_versions(wanted[self.version_doc])
        docs = tuple(d for d, w in zip(self.docs, wanted, strict=True) if w)
        return replace(kept, docs=docs, version_doc=(np.cumsum(wanted) - 1)[kept.version_doc])

    def only_annotators(self, names: Sequence[str]) -> Texts:
        """Keep these annotators and the pre-annotations."""
        check_annotators(names, self.annotators)
        wanted = np.array([*(name in names for name in self.annotators), True])  # BASE is the last
        return self.only_versions(wanted[self.version_annotator])

    def only_tokens(self, keep: Bools) -> Texts:
        """Keep the tokens where the mask is true; the texts do not change."""
        return replace(
            self,
            version=self.version[keep],
            start=self.start[keep],
            end=self.end[keep],
            features={name: TokenColumn(c.codes[keep], c.categories) for name, c in self.features.items()},
        )

    def only_versions(self, keep: Bools) -> Texts:
        """Keep the versions where the mask is true."""
        tokens, number = keep[self.version], np.cumsum(keep) - 1
        return replace(
            self,
            version=number[self.version[tokens]],
            start=self.start[tokens],
            end=self.end[tokens],
            features={name: TokenColumn(c.codes[tokens], c.categories) for name, c in self.features.items()},
            version_doc=self.version_doc[keep],
            version_annotator=self.version_annotator[keep],
            strings=tuple(s for s, k in zip(self.strings, keep, strict=True) if k),
        )


def _named(key: object) -> tuple[str, str]:
    """Return (doc, annotator) for a key of {annotator: text} or {(doc, annotator): text}."""
    if isinstance(key, tuple):
        if len(key) != 2:
            raise DataError("invalid-position", f"keys of texts are (document, annotator), not {quoted(key)}")
        return label_name(key[0]), label_name(key[1])
    return ONLY_DOCUMENT, label_name(key)


def _column(codes: Codes, labels: Sequence[Label], order: Ints) -> TokenColumn:
    """Return a feature with codes in the order of the tokens and sorted categories."""
    categories = arrange([labels[k] for k in np.unique(codes[codes >= 0])])
    at = {label: k for k, label in enumerate(categories.labels)}
    moved = np.array([*(at.get(label, MISSING) for label in labels), MISSING], dtype=np.int64)
    return TokenColumn(moved[codes][order], categories)


def _made(columns: Mapping[str, Sequence[Any]], texts: Mapping[Any, str], base: Any) -> Texts:
    named = {_named(key): text for key, text in texts.items()}
    table = {name: _values(values) for name, values in columns.items()}
    docs = list(dict.fromkeys(map(label_name, table.get("doc", ()))))
    if len(docs) == 1 and not any(isinstance(key, tuple) for key in texts):  # texts of the only document, by annotator
        named = {(docs[0], who): text for (_, who), text in named.items()}
    single = {doc for doc, _ in named}
    _check_columns(table)
    only = next(iter(single)) if len(single) == 1 else ONLY_DOCUMENT
    table.setdefault("doc", [only] * len(table["start"]))
    pre = None
    if isinstance(base, tuple):
        own, given = base
        pre = "(base)"
        while any(name == pre for _, name in named):
            pre += "′"
        more = {name: _values(values) for name, values in own.items()}
        more["annotator"] = [pre] * len(more.get("start", []))
        _check_columns(more)
        more.setdefault("doc", [only] * len(more["start"]))
        size, extra = len(table["start"]), len(more["start"])
        for name in {**table, **more}:
            table[name] = [*table.get(name, [None] * size), *more.get(name, [None] * extra)]
        docs_of_base: Mapping[Any, Any] = given if isinstance(given, Mapping) else dict.fromkeys(sorted(single), given)
        named |= {(label_name(doc), pre): text for doc, text in docs_of_base.items()}
    elif base is not None:
        pre = label_name(base)
        _check_base(list(named), pre)
    keys = list(named)
    version = _versions(table["doc"], table["annotator"], keys)
    start, end = check_whole_offsets(table["start"], "start"), check_whole_offsets(table["end"], "end")
    features = {name: _encoded(values) for name, values in table.items() if name not in _PLACES}
    return Texts.of_arrays(keys, tuple(named.values()), version, start, end, features, pre)


def _check_base(keys: Sequence[tuple[str, str]], base: str | None) -> None:
    names = {name for _, name in keys}
    if base is not None and base not in names:
        raise UnknownName("pre-annotation", base, sorted(names))


def _values(values: Any) -> Any:
    return values if isinstance(values, np.ndarray) else list(values)


def _encoded(values: Any) -> tuple[Codes, Sequence[Label]]:
    """Return codes and labels; faster for columns that contain only text."""
    if isinstance(values, np.ndarray) or {*map(type, values)} != {str}:
        return encode(values)
    index = {value: k for k, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(index.__getitem__, values), dtype=np.int64, count=len(values)), list(index)


def _check_columns(table: Mapping[str, Any]) -> None:
    for name in ("annotator", "start", "end"):
        if name not in table:
            raise DataError(
                "column-missing",
                f"the tokens have no column {name}; give columns annotator, start, end, and optionally doc and "
                "features",
            )
    sizes = {name: len(values) for name, values in table.items()}
    if len(set(sizes.values())) > 1:
        raise DataError(
            "invalid-position",
            f"columns of tokens differ in length: {', '.join(f'{k} {v}' for k, v in sizes.items())}; give one value "
            "per "
            "token in each",
        )


def _versions(docs: Any, annotators: Any, keys: Sequence[tuple[str, str]]) -> Ints:
    """Return the index of each token's (document, annotator) in the keys."""
    (doc, doc_names), (who, who_names) = _encoded(docs), _encoded(annotators)
    for what, codes in (("document", doc), ("annotator", who)):
        if (codes < 0).any():
            raise DataError(
                "empty-cell",
                f"token {int(np.argmax(codes < 0)) + 1}: the {what} is empty; fill it in or remove the token",
            )
    at = {key: k for k, key in enumerate(keys)}
    pairs, inverse = np.unique(doc.astype(np.int64) * len(who_names) + who, return_inverse=True)
    named = [divmod(int(pair), len(who_names)) for pair in pairs]
    numbers = np.array([at.get((label_name(doc_names[d]), label_name(who_names[a])), -1) for d, a in named], np.int64)
    version = numbers[inverse]
    if (version < 0).any():
        row = int(np.argmax(version < 0))
        raise DataError(
            "invalid-position",
            f"token {row + 1}: annotator {quoted(label_name(who_names[who[row]]))} has tokens in document "
            f"{quoted(label_name(doc_names[doc[row]]))} but no text; give texts={{(doc, annotator): text}}",
        )
    return version


# -- checks of tokens and texts ------------------------------------------------------------------------------------


def check_whole_offsets(values: Any, name: str) -> Ints:
    """Return offsets as integers; raise DataError if one is not a whole number."""
    try:
        numbers = np.asarray(values, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        numbers = np.array([np.nan])
    if not (np.abs(numbers) < _FARTHEST).all() or (numbers != np.rint(numbers)).any():
        raise DataError(
            "invalid-position",
            f"column {name} of the tokens contains a value that is not a whole number; offsets count characters from 0",
        )
    return numbers.astype(np.int64)


def check_places(version: Ints, start: Ints, end: Ints, sizes: Ints, place: Place) -> None:
    """Raise DataError unless sorted tokens are inside their texts and do not overlap. `place` locates the k-th."""
    wrong = np.flatnonzero(end < start)
    if len(wrong):
        k = int(wrong[0])
        raise DataError(
            "end-before-start",
            f"{place(k)}: end {end[k]} is before start {start[k]}; if the column contains lengths, add start to them",
        )
    outside = np.flatnonzero((start < 0) | (end > sizes[version]))
    if len(outside):
        k = int(outside[0])
        size = counted(int(sizes[version[k]]), "character")
        raise DataError(
            "invalid-position",
            f"{place(k)}: {start[k]} to {end[k]} is outside the text, which has {size}; "
            "offsets count code points of the annotator's own text, from 0",
        )
    over = np.flatnonzero((version[1:] == version[:-1]) & (start[1:] < end[:-1]))
    if len(over):
        k = int(over[0])
        raise DataError(
            "overlapping-units",
            f"{place(k + 1)}: the token starts at {start[k + 1]}, before the previous token ends ({end[k]}); "
            "tokens of one annotator must not overlap, use gamma for overlapping units",
        )


def check_strings(keys: Sequence[tuple[str, str]], strings: Sequence[object]) -> None:
    """Raise DataError if a text is not a string or contains a NUL, which indicates a wrong encoding."""
    for (doc, annotator), text in zip(keys, strings, strict=True):
        if not isinstance(text, str):
            raise DataError(
                "invalid-position",
                f"the text of document {quoted(doc)} by {quoted(annotator)} is not a string: {quoted(text)}; give text",
            )
        if "\0" in text:
            raise DataError(
                "encoding",
                f"the text of document {quoted(doc)} by {quoted(annotator)} has a NUL character at "
                f"{text.index(chr(0))}; "
                "read the file again with its right encoding",
            )


def unicode_notes(version_doc: NDArray[np.integer], strings: Sequence[str]) -> Iterator[str]:
    """Yield a note on documents that encode the same letters in different Unicode forms. Versions are sorted."""
    apart = np.array([not text.isascii() and not unicodedata.is_normalized("NFC", text) for text in strings], bool)
    mixed = 0
    for doc in np.unique(version_doc[apart]):
        mine = strings[slice(*np.searchsorted(version_doc, [doc, doc + 1]))]
        union: set[str] = set().union(*(clusters(text) for text in mine)) if len(mine) > 1 else set()
        mixed += any(w != u and w in union for u in union if (w := unicodedata.normalize("NFC", u)) != u)
    if mixed:
        yield (
            f"{counted(mixed, 'document')} with the same letter in two Unicode forms (composed and decomposed); these "
            "count as different letters, use text_gamma(fold_unicode=true) to treat them as equal"
        )


# -- words, separated by blanks, found in all texts at once --------------------------------------------------------


def words(texts: Sequence[str]) -> tuple[Ints, Ints, Ints]:
    """Return the text number, start and end of each word."""
    whole = "\n".join(texts)  # a line break is a blank, so words do not span texts
    points = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ink = (points > _LAST_BLANK) | ~_BLANK[np.minimum(points, _LAST_BLANK)]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ink, [False]]).astype(np.int8)))
    start, end = edges[::2].astype(np.int64), edges[1::2].astype(np.int64)
    sizes = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    version = np.searchsorted(first, start, side="right").astype(np.int64) - 1
    return version, start - first[version], end - first[version]


# -- grapheme clusters, from the Unicode tables of the standard library --------------------------------------------


def clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text: letters with their marks."""
    at = [*np.flatnonzero(cluster_starts(text)).tolist(), len(text)]
    return [text[p:q] for p, q in pairwise(at)]


def cluster_starts(text: str) -> Bools:
    """Return whether a grapheme cluster starts at each code point.

    These are the extended grapheme clusters of Unicode (UAX 29), without the rules for prepended and conjunct letters.
    Marks, joined emoji, flags and the parts of Hangul syllables belong to the preceding letter.
    """
    points = code_points(text)
    starts = np.ones(len(points), dtype=bool)
    if not len(points) or (int(points.max()) < 0x300 and "\r" not in text):
        return starts
    kinds, where = np.unique(points, return_inverse=True)
    category = np.array([unicodedata.category(chr(int(k))) for k in kinds])
    marks = np.isin(category, ("Mn", "Me", "Mc")) | np.isin(kinds, (0x200C, _JOINER, 0xFF9E, 0xFF9F))
    marks |= ((kinds >= 0x1F3FB) & (kinds <= 0x1F3FF)) | ((kinds >= 0xE0020) & (kinds <= 0xE007F))
    control = np.isin(category, ("Cc", "Zl", "Zp"))
    flags = (kinds >= 0x1F1E6) & (kinds <= 0x1F1FF)
    picture = (category == "So") & ~flags
    painted = (
        picture | (kinds == 0xFE0F) | ((kinds >= 0x1F3FB) & (kinds <= 0x1F3FF))
    )  # pictures and their variation selectors
    before, after = where[:-1], where[1:]
    joined = marks[after] & ~control[before]
    joined[1:] |= picture[after][1:] & (points[1:-1] == _JOINER) & painted[before[:-1]]
    joined |= (points[:-1] == 13) & (points[1:] == 10)
    joined |= _hangul_joined(points)
    flag = flags[where]
    if flags.any():
        at = np.arange(len(points))
        since = at - np.maximum.accumulate(np.where(flag, -1, at))
        joined |= (flag & (since % 2 == 0))[1:] & flag[:-1]
    starts[1:] = ~joined
    return starts


def _hangul_joined(points: Ints) -> Bools:
    def between(*ranges: tuple[int, int]) -> Bools:
        return np.logical_or.reduce([(points >= p) & (points <= q) for p, q in ranges])

    lead, vowel = between((0x1100, 0x115F), (0xA960, 0xA97C)), between((0x1160, 0x11A7), (0xD7B0, 0xD7C6))
    tail, syllable = between((0x11A8, 0x11FF), (0xD7CB, 0xD7FB)), between((0xAC00, 0xD7A3))
    open_ = syllable & ((points - 0xAC00) % 28 == 0)
    p, q = slice(None, -1), slice(1, None)
    return (
        (lead[p] & (lead | vowel | syllable)[q])
        | ((vowel | open_)[p] & (vowel | tail)[q])
        | ((tail | (syllable & ~open_))[p] & tail[q])
    )


def code_points(text: str) -> Ints:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
