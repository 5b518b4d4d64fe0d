"""Versions of texts → Texts: files of annotated text, a table of texts, tokens and texts in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import DataError, SpecError, counted, quoted
from accord.io.annotated_text import READERS, read_versions
from accord.io.columns import without_blank
from accord.io.reading import Reading
from accord.io.roles import ANNOTATOR, DOC, first_of
from accord.io.sources import Source
from accord.model.labels import label_name
from accord.model.texts import ONLY_DOCUMENT, Texts

TEXT = ("text", "transcription", "transcript")
_OF_TEXTS = {suffix for suffix in READERS if suffix not in {".txt", ".tsv"}}  # these may as well be tables


def are_texts(paths: Sequence[Path], how: Reading) -> bool:
    """Whether these files hold annotated texts: by the user's word, or because nothing else has such names."""
    if how.layout is not None:
        return how.layout == "texts" and not all(p.suffix.lower() in {".csv", ".parquet", ".pq"} for p in paths)
    files = [f for p in paths for f in (p.rglob("*") if p.is_dir() else [p]) if f.is_file()]
    return bool(files) and any(f.suffix.lower() in _OF_TEXTS for f in files)


def read_text_files(paths: Sequence[Path], how: Reading) -> Texts:
    """One file per annotator and document."""
    columns, texts, base = read_versions(paths, how.encoding, how.base)
    return _chosen(Texts.of(columns, texts, base), how)


def holds_texts(header: Sequence[str], how: Reading) -> bool:
    """A table of whole texts: who wrote what, and nothing else."""
    text = first_of(header, TEXT)
    if how.layout is not None or text is None or first_of(header, ANNOTATOR) is None:
        return how.layout == "texts" and text is not None
    return {text, first_of(header, ANNOTATOR), first_of(header, DOC)} >= set(header)


def read_text_table(sources: Sequence[Source], how: Reading) -> Texts:
    """`doc,annotator,text`: what stands between blanks is a token."""
    texts: dict[tuple[str, str], str] = {}
    nobody = 0
    for source in sources:
        doc, who, text = (first_of(source.header, names) for names in (DOC, ANNOTATOR, TEXT))
        if who is None or text is None:
            raise DataError(f"{source.name}: a table of texts has the columns doc, annotator, text")
        columns, _, rows = without_blank(*source.load([c for c in (doc, who, text) if c is not None]))
        cells = {}
        for name, column in columns.items():
            names = [*map(label_name, column.names), ""]
            cells[name] = [names[k] for k in column.codes]
        for row, (annotator, content) in enumerate(zip(cells[who], cells[text], strict=True)):
            if not annotator:
                nobody += 1
                continue
            key = (cells[doc][row] if doc else ONLY_DOCUMENT), annotator
            if key in texts:
                place = source.place(row if rows is None else int(rows[row]))
                raise DataError(f"{place}: the text of {quoted(key[0])} by {quoted(annotator)} is there twice")
            texts[key] = content
    told = (f"{counted(nobody, 'row')} without annotator left out",) if nobody else ()
    return _chosen(Texts.of_words(texts, how.base), how).told(*told)


def texts_in_memory(data: Any, texts: Any, base: Any) -> Texts:
    """Columns of tokens, {annotator: text} or {(doc, annotator): text}, and the pre-annotation."""
    if not isinstance(texts, Mapping):
        raise SpecError("texts is {annotator: text}, or {(doc, annotator): text}")
    if not isinstance(data, Mapping):
        data = {str(name): list(data[name]) for name in data.columns}
    return Texts.of(data, texts, base)


def _chosen(texts: Texts, how: Reading) -> Texts:
    if how.annotators or how.only or how.merge:
        raise SpecError("--annotators, --only and --merge are for labels of items and units, not for texts")
    return texts
