"""Data as tables that are read back: units, segmentations, labels of items, tokens of texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.model.corpus import Corpus
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import BASE, Texts
from accord.simulate.kinds import Data
from accord.simulate.kinds.texts import PRE

Rows = tuple[tuple[Any, ...], ...]
Table = tuple[tuple[str, ...], Rows]


def as_table(data: Data) -> Table:
    """Columns and rows of the table for this kind of data."""
    if isinstance(data, Corpus):
        return _of_units(data)
    if isinstance(data, Segmentations):
        return _of_segmentations(data)
    return _of_ratings(data) if isinstance(data, Ratings) else _of_texts(data)


def files(data: Data) -> dict[str, Table]:
    """The tables of a folder that is read back as it was: how long documents are and who looked at them as well."""
    if not isinstance(data, Corpus):
        names: dict[type, str] = {Segmentations: "segmentations", Ratings: "ratings", Texts: "tokens"}
        return {f"{names[type(data)]}.csv": as_table(data)}
    extents = tuple((doc, *map(_position, pair)) for doc, pair in zip(data.docs, data.extents.tolist(), strict=True))
    looked = tuple(
        (data.docs[d], data.annotators[a]) for d, a in zip(*(i.tolist() for i in data.judged.nonzero()), strict=True)
    )
    return {
        "units.csv": as_table(data),
        "docs.csv": (("doc", "begin", "end"), extents),
        "judged.csv": (("doc", "annotator"), looked),
    }


def lost(data: Data) -> list[str]:
    """What a table of units cannot say."""
    if not isinstance(data, Corpus):
        return []
    marked = {*zip(data.doc.tolist(), data.annotator.tolist(), strict=True)}
    idle = int(data.judged.sum()) - len(marked)
    if not idle:
        return []
    return [
        f"{idle:,} times an annotator marked nothing in a document, which a table of units cannot say; "
        "-o FOLDER writes judged.csv and docs.csv, too"
    ]


def _position(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _of_units(data: Corpus) -> Table:
    labels = (*data.categories.names, "")
    columns = (data.doc, data.annotator, data.start, data.end, data.label)
    units = tuple(
        (data.docs[d], data.annotators[a], _position(s), _position(e), labels[k])
        for d, a, s, e, k in zip(*(c.tolist() for c in columns), strict=True)
    )
    return ("doc", "annotator", "start", "end", "label"), units


def _of_segmentations(data: Segmentations) -> Table:
    """Masses; boundaries with their types where they have any."""
    pairs = zip(data.doc.tolist(), data.annotator.tolist(), strict=True)
    names = [(data.docs[d], data.annotators[a]) for d, a in pairs]
    if len(data.categories) < 2:
        return ("doc", "annotator", "masses"), tuple((*who, " ".join(map(str, data.masses(*who)))) for who in names)
    types = data.categories.names
    typed = [f"{p}:{types[k]}" for p, k in zip(data.position.tolist(), data.label.tolist(), strict=True)]
    first = data.offsets.tolist()
    rows = tuple(
        (*who, " ".join(typed[first[s] : first[s + 1]]), int(data.lengths[data.doc[s]])) for s, who in enumerate(names)
    )
    return ("doc", "annotator", "boundaries", "length"), rows


def _of_ratings(data: Ratings) -> Table:
    labels = data.categories.names
    columns = (data.item, data.annotator, data.label)
    rows = tuple(
        (data.items[i], data.annotators[a], labels[k]) for i, a, k in zip(*(c.tolist() for c in columns), strict=True)
    )
    return ("item", "annotator", data.variable), rows


def _of_texts(data: Texts) -> Table:
    """The text of each token; where text stands between tokens, the whole text of the version."""
    texts = [data.token(t) for t in range(len(data))]
    if not _blank_between(data):
        texts = [data.strings[v] for v in data.version.tolist()]
    who = [PRE if a == BASE else data.annotators[a] for a in data.version_annotator.tolist()]
    docs = [data.docs[d] for d in data.version_doc.tolist()]
    labels = [[(*c.categories.names, "")[k] for k in c.codes.tolist()] for c in data.features.values()]
    version, start, end = (c.tolist() for c in (data.version, data.start, data.end))
    rows = tuple(
        (docs[v], who[v], s, e, text, *tags)
        for v, s, e, text, *tags in zip(version, start, end, texts, *labels, strict=True)
    )
    return ("doc", "annotator", "start", "end", "text", *data.features), rows


def _blank_between(data: Texts) -> bool:
    """Whether all text outside of tokens is blank."""
    return all(not _outside(data, v).strip() for v in range(len(data.strings)))


def _outside(data: Texts, version: int) -> str:
    """The text of a version without its tokens."""
    text, mine = data.strings[version], data.tokens(version)
    left = np.concatenate([[0], data.end[mine]]).tolist()
    right = np.concatenate([data.start[mine], [len(text)]]).tolist()
    return "".join(text[a:b] for a, b in zip(left, right, strict=True))
