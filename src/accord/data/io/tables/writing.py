"""Write data as tables: a folder that preserves everything, or one table."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from accord.core.errors import DataError, SpecError, quoted
from accord.data.io.formats.writing import Draft, file_name, renamed
from accord.data.io.tables.cells import lines_of
from accord.data.io.tables.columns import polars
from accord.data.io.tables.sources import PARQUET_SUFFIXES
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, Rectangle, some
from accord.data.model.labels import label_name
from accord.data.model.ratings import Ratings
from accord.data.model.texts import Texts

_SEPARATOR = {".tsv": "\t", ".tab": "\t"}


def write(found: Mapping[str, Data], suffix: str, wide: bool) -> Draft:
    """Return tables by variable. `suffix` is the suffix of one table, or empty for a folder."""
    for name, data in found.items():
        if isinstance(data, Ratings) and not (data.identified and data.named):
            raise DataError(
                "counts-without-annotators",
                f"{quoted(name)}: counts record neither annotators nor items and cannot be converted; convert the "
                "table of labels instead",
            )
    if wide and not all(isinstance(data, Ratings) for data in found.values()):
        raise SpecError(
            "option-not-for-data",
            "wide tables are for labels of items, and these are other data; leave out --wide",
        )
    ratings = {name: data for name, data in found.items() if isinstance(data, Ratings)}
    if len(ratings) == len(found):
        return _ratings(ratings, suffix, wide)
    if suffix:
        return _one(found, suffix)
    return _folder(next(iter(found.values()))) if len(found) == 1 else _folders(found)


def _ratings(found: Mapping[str, Ratings], suffix: str, wide: bool) -> Draft:
    """Write labels of items: one column per variable, or for a single variable one column per annotator."""
    name = "" if suffix else "ratings.csv"
    if wide and len(found) > 1:
        raise DataError(
            "not-representable",
            f"a wide table contains one variable, but there are {', '.join(map(quoted, found))}; select one with "
            "--label COLUMN",
        )
    if wide:
        data = next(iter(found.values()))
        draft = Draft({"layout": "wide", "item": "item", "label": tuple(data.present)})
        draft.variables[data.variable] = "label"
        table = _wide(data)
    else:
        draft = Draft({"layout": "long", "item": "item", "annotator": "annotator", "label": tuple(found)})
        table = _long(found)
    draft.add(name, _content(table, suffix or ".csv"))
    return draft


def _long(found: Mapping[str, Ratings]) -> Rectangle:
    """Return one row per item and annotator. Further columns of one variable are empty for others."""
    features = {name: None for data in found.values() for name in data.features if name not in found}
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for variable, data in found.items():
        triples = zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True)
        for entry, (i, a, k) in enumerate(triples):
            row = rows.setdefault((label_name(data.items[i]), data.annotators[a]), {})
            if variable in row:
                raise DataError(
                    "not-representable",
                    f"{quoted(data.annotators[a])} labels {quoted(data.items[i])} several times; use --repeats first "
                    "or --repeats last",
                )
            row[variable] = data.categories.names[k]
            for name in features:
                if name in data.features and data.features[name].codes[entry] >= 0:
                    row[name] = data.features[name].name(entry)
    columns = (*found, *features)
    for taken in ("item", "annotator"):
        if taken in columns:
            raise DataError(
                "not-representable",
                f"a variable is named {quoted(taken)} like a column of the table; rename it in the data",
            )
    body = tuple((*key, *(row.get(name, "") for name in columns)) for key, row in rows.items())
    return ("item", "annotator", *columns), body


def _wide(data: Ratings) -> Rectangle:
    cells: dict[str, dict[str, str]] = {}
    for i, a, k in zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True):
        cells.setdefault(label_name(data.items[i]), {})[data.annotators[a]] = data.categories.names[k]
    if "item" in data.present:
        raise DataError(
            "not-representable", 'an annotator is named "item" like the column of items; rename the annotator'
        )
    rows = tuple((item, *(row.get(who, "") for who in data.present)) for item, row in cells.items())
    return ("item", *data.present), rows


def _one(found: Mapping[str, Data], suffix: str) -> Draft:
    if len(found) > 1:
        raise DataError(
            "not-representable",
            f"one table contains one variable, but there are {some([quoted(name) for name in found], 4)}; select one "
            "with --label COLUMN, or write a folder",
        )
    data = next(iter(found.values()))
    draft = Draft({"layout": data.kind.layouts[0]}, texts=False, variables={data.variable: "label"})
    draft.add("", _content(_rows(data), suffix))
    return draft


def _rows(data: Data) -> Rectangle:
    """Return the rows of the data with further columns."""
    columns, rows = data.rows()
    if not isinstance(data, Corpus):
        return columns, rows
    more = [name for name in data.features if name not in columns]
    cells = [[data.features[name].name(k) if data.features[name].codes[k] >= 0 else "" for name in more]
             for k in range(len(rows))]  # fmt: skip
    return (*columns, *more), tuple((*row, *further) for row, further in zip(rows, cells, strict=True))


def _folders(found: Mapping[str, Data]) -> Draft:
    """Write one folder per variable."""
    draft = Draft()
    draft.parts = renamed(found, file_name, "variable", draft)
    draft.notes.append("each variable is a separate folder; read the folders separately")
    for name, data in found.items():
        part = _ratings({name: data}, "", wide=False) if isinstance(data, Ratings) else _folder(data)
        draft.files |= {f"{draft.parts[name]}/{path}": content for path, content in part.files.items()}
    return draft


def _folder(data: Data) -> Draft:
    if isinstance(data, Texts):
        return _texts(data)
    draft = Draft({"layout": data.kind.layouts[0]}, variables={data.variable: "label"})
    tables = {name: table for name, table in data.files().items() if table[1]}
    if isinstance(data, Corpus):
        tables = {"units.csv": _rows(data), **_documents(data), "judged.csv": tables["judged.csv"]}
        if not len(tables["units.csv"][1]):
            raise DataError(
                "nothing-annotated",
                "no annotator marked anything, so there are no units to write; check --only and --annotators",
            )
    for name, table in tables.items():
        draft.add(name, _content(table, PurePath(name).suffix))
    return draft


def _texts(data: Texts) -> Draft:
    """Write whole texts and, if they have features, their tokens."""
    if (data.version_annotator < 0).any():
        raise DataError(
            "not-representable",
            "a table cannot represent the base version that all annotators corrected; convert the original files "
            "instead",
        )
    versions = zip(data.version_doc.tolist(), data.version_annotator.tolist(), data.strings, strict=True)
    rows = tuple((data.docs[d], data.annotators[a], text) for d, a, text in versions)
    draft = Draft({"layout": "texts", **({"label": tuple(data.features)} if data.features else {})})
    draft.add("docs.csv" if data.features else "texts.csv", _content((("doc", "annotator", "text"), rows), ".csv"))
    if data.features:
        draft.add("tokens.csv", _content(data.rows(), ".csv"))
    return draft


def _documents(corpus: Corpus) -> dict[str, Rectangle]:
    """Return the given extents and the texts of documents."""
    given = zip(corpus.docs, corpus.extents.tolist(), corpus.extent_given.tolist(), strict=True)
    rows = [
        (doc, repr(begin).removesuffix(".0"), repr(end).removesuffix(".0"), corpus.texts.get(doc, ""))
        for doc, (begin, end), known in given
        if known or doc in corpus.texts
    ]
    if not rows:
        return {}
    kept = 4 if corpus.texts else 3
    return {"docs.csv": (("doc", "begin", "end", "text")[:kept], tuple(row[:kept] for row in rows))}


def _content(table: Rectangle, suffix: str) -> str | bytes:
    columns, rows = table
    if suffix in PARQUET_SUFFIXES:
        return _parquet(columns, rows)
    return lines_of(columns, rows, _SEPARATOR.get(suffix, ","))


def _parquet(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    pl = polars()
    cells = {name: [row[k] for row in rows] for k, name in enumerate(columns)}
    frame = pl.DataFrame(
        {
            name: [
                None if cell == "" else float(str(cell)) if name in {"start", "end"} else str(cell) for cell in values
            ]
            for name, values in cells.items()
        }
    )
    made = io.BytesIO()
    frame.write_parquet(made)
    return made.getvalue()
