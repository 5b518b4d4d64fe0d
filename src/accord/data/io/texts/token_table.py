"""Tables of texts → Texts: whole texts, tokens with the text beside them or in a column, tokens in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from accord.core.arrays import Ints
from accord.core.errors import DataError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.texts.beside import WAYS, TextsBeside
from accord.data.io.texts.files import base_among
from accord.data.io.texts.rows import TEXT, TOKEN, Key, Rows, listed
from accord.data.model.labels import label_name
from accord.data.model.texts import Texts, check_places, words

_LARGEST = 1 << 28  # characters of texts that are made from tokens
_FAR = 1_000_000  # of them blank, beyond what tokens usually leave between them: a place is wrong


def whole_texts(rows: Rows, how: Reading) -> Texts:
    """A row per document and annotator: what stands between blanks is a token. Or a row per token, in order."""
    column = rows.found(TOKEN) or rows.found(TEXT)
    if column is None:
        raise DataError(f"{rows.name}: no column holds the text (columns: {listed(rows.header)})")
    cells = rows.cells(column)
    often = np.bincount(rows.version, minlength=len(rows.keys))
    if often.max() > 1:
        if rows.found(TOKEN) or len(rows.columns) > 1 or not any(" " in cell.strip() for cell in cells):
            return _tokens_in_order(rows, cells, column, how)
        row = int(np.flatnonzero(_again(rows.version))[0])
        doc, who = rows.keys[rows.version[row]]
        raise DataError(f"{rows.place(row)}: the text of {quoted(doc)} by {quoted(who)} occurs twice")
    more = [name for name in rows.columns if name != column]
    if more:
        rows.notes.append(f"not used, as each row is a whole text: {', '.join(more)}")
    strings = [""] * len(rows.keys)
    for version, cell in zip(rows.version.tolist(), cells, strict=True):
        strings[version] = cell
    empty = sum(not text.strip() for text in strings)
    if empty:
        rows.notes.append(f"{counted(empty, 'text')} without a word")
    return Texts.of_arrays(rows.keys, strings, *words(strings), {}, base_among(rows.keys, how)).with_notes(*rows.notes)


def _again(version: Ints) -> np.ndarray:
    """Rows whose version is there before."""
    seen = np.ones(len(version), dtype=bool)
    seen[np.unique(version, return_index=True)[1]] = False
    return seen


def _tokens_in_order(rows: Rows, cells: list[str], column: str, how: Reading) -> Texts:
    """Tokens joined by blanks; a row without one is left out."""
    features = rows.features(how, [column])
    sizes = np.array([len(cell) for cell in cells], dtype=np.int64)
    kept = np.flatnonzero(sizes > 0)
    if len(kept) < len(sizes):
        rows.notes.append(f"{counted(len(sizes) - len(kept), 'row')} without a token left out")
    order = kept[np.argsort(rows.version[kept], kind="stable")]
    version = rows.version[order]
    stop = np.cumsum(sizes[order] + 1)
    first = np.searchsorted(version, np.arange(len(rows.keys) + 1))
    before = np.concatenate([[0], stop])[first]
    end = stop - before[version] - 1
    strings = [" ".join([cells[k] for k in order[a:b]]) for a, b in pairwise(first)]
    columns = {name: (codes[order], labels) for name, (codes, labels) in features.items()}
    base = base_among(rows.keys, how)
    return Texts.of_arrays(rows.keys, strings, version, end - sizes[order], end, columns, base).with_notes(*rows.notes)


def tokens(rows: Rows, beside: TextsBeside, how: Reading) -> Texts:
    """Tokens as spans: the text column has each token, or the annotator's whole text; else the texts stand beside."""
    column = rows.found(TOKEN) or rows.found(TEXT)
    if column is None:
        return _with_texts(rows, _texts_beside(rows, beside), how)
    texts = rows.columns[column]
    sizes = np.array([*(len(label_name(name)) for name in texts.names), 0], dtype=np.int64)[texts.codes]
    fits = sizes == rows.end - rows.start
    if fits.all():
        strings = _rebuilt(rows, rows.cells(column))
    else:
        first = np.unique(rows.version, return_index=True)[1]
        same = texts.codes == texts.codes[first][rows.version]
        if not same.all():
            row = int(np.flatnonzero(~fits)[0])
            raise DataError(
                f"{rows.place(row)}: column {column} has {counted(int(sizes[row]), 'character')}, neither the token "
                f"from {rows.start[row]} to {rows.end[row]} nor, the same on all rows, the annotator's whole text"
            )
        strings = [label_name(texts.names[code]) for code in texts.codes[first]]
    return _with_texts(rows, dict(zip(rows.keys, strings, strict=True)), how, column)


def _rebuilt(rows: Rows, cells: Sequence[str]) -> list[str]:
    """Texts from their tokens, with blanks where no token is."""
    order = np.lexsort((rows.end, rows.start, rows.version))
    version, start, end = rows.version[order], rows.start[order], rows.end[order]
    sizes = np.zeros(len(rows.keys), dtype=np.int64)
    np.maximum.at(sizes, version, end)
    check_places(version, start, end, sizes, lambda k: rows.place(int(order[k])))
    if int(sizes.sum()) > min(_LARGEST, _FAR + 10 * sum(map(len, cells))):
        raise DataError(f"{rows.name}: texts of {int(sizes.sum()):,} characters; are start and end characters?")
    first = np.searchsorted(version, np.arange(len(rows.keys) + 1))
    gap = start.copy()
    gap[1:] -= np.where(version[1:] == version[:-1], end[:-1], 0)
    pieces = [" " * g + cells[k] for g, k in zip(gap.tolist(), order.tolist(), strict=True)]
    return ["".join(pieces[a:b]) for a, b in pairwise(first)]


def _texts_beside(rows: Rows, beside: TextsBeside) -> dict[Key, str]:
    """Each annotator's own text; or, where nobody has one, the text of the document."""
    wanted = list(dict.fromkeys([*rows.keys, *beside.looked]))
    beside.expect(doc for doc, _ in wanted)
    found = {key: beside.own(key) for key in wanted}
    if not any(text is not None for text in found.values()):
        found = {key: beside.shared(key[0]) for key in wanted}
        if any(text is not None for text in found.values()):
            rows.notes.append("nobody has a text of their own: all tokens are on the text of the document")
    texts = {key: text for key, text in found.items() if text is not None}
    if not texts:
        raise DataError(
            f"{rows.name}: the text is missing: give a column text, {WAYS} (DOC.ANNOTATOR.txt, ANNOTATOR/DOC.txt "
            "or DOC.txt); for units alone use gamma"
        )
    lost = [key for key in rows.keys if key not in texts]
    if lost:
        doc, who = lost[0]
        rows.notes.append(f"{counted(len(lost), 'version')} without text left out ({doc} by {who} …): give {WAYS}")
    return texts


def _with_texts(rows: Rows, texts: Mapping[Key, str], how: Reading, *used: str) -> Texts:
    """Rows are tokens of these texts; a row whose text is unknown is left out."""
    features = rows.features(how, used)
    keys = list(texts)
    at = {key: k for k, key in enumerate(keys)}
    version = np.array([at.get(key, -1) for key in rows.keys], dtype=np.int64)[rows.version]
    kept = np.flatnonzero(version >= 0)
    columns = {name: (codes[kept], labels) for name, (codes, labels) in features.items()}

    def place(row: int) -> str:
        return rows.place(int(kept[row]))

    arrays = version[kept], rows.start[kept], rows.end[kept]
    made = Texts.of_arrays(keys, list(texts.values()), *arrays, columns, base_among(keys, how), place)
    return made.with_notes(*rows.notes)
