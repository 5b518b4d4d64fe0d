"""Corrections in the text, in the format of the Ukrainian corpus UA-GEC.

Files: .ann or .txt with `{source=>correction:::error_type=Type}`; a file per annotator.
Keeps: corrected passages of the source text as units of the variable `type`, labelled with the type of error; the
correction is a column. An insertion has no length.
Skips and counts: corrections without a type, further attributes of corrections, versions with a different source.
Reference: Syvokon et al. (2023), UA-GEC: Grammatical Error Correction and Fluency Corpus for the Ukrainian Language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from accord.core.context import Run
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import watched
from accord.data.io.reading import Reading

_EDIT = re.compile(r"\{(?P<source>[^{}]*?)=>(?P<correction>[^{}]*?):::(?P<about>[a-z_]+=[^{}]*)\}")
_ATTRIBUTE = re.compile(r"(?:^|:::)(?!error_type=)(?P<name>[a-z_]+)=")
_TYPE = re.compile(r"(?:^|:::)error_type=(?P<type>[^:]*)")


def recognises(file: File) -> bool:
    match = _EDIT.search(file.beginning) if file.suffix in {".ann", ".txt"} else None
    return match is not None and _TYPE.search(match["about"]) is not None


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    """Read files with corrections, and .ann files without any if others have some."""
    suffixes = {file.suffix for file in mine}
    known = set(mine)
    every = [file for file in files if file in known or (file.suffix in suffixes and file.suffix == ".ann")]
    export = Export()
    keys = export.name_files(every, how)
    for file, (doc, annotator) in watched([*zip(every, keys, strict=True)], run):
        pieces = list(_pieces(file.text(how.encoding)))
        text = "".join(source for source, _ in pieces)
        if export.texts.get(doc, text) != text:
            export.leave("versions whose source differs from another annotator's version", file.name)
            continue
        export.document(doc, text)
        export.saw(doc, annotator)
        at = 0
        for source, edit in pieces:
            if edit is not None:
                place = f"{file.name}, character {edit.start()}"
                kind = _TYPE.search(edit["about"])
                for further in _ATTRIBUTE.finditer(edit["about"]):
                    export.unused.add("attributes of corrections", further["name"])
                if kind is None:
                    export.leave("corrections without a type", place)
                else:
                    correction = {"correction": edit["correction"]}
                    export.unit("type", doc, annotator, at, at + len(source), kind["type"], place=place, **correction)
            at += len(source)
    return export


def _pieces(content: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield the pieces of the source, each with its correction or None."""
    at = 0
    for edit in _EDIT.finditer(content):
        yield content[at : edit.start()], None
        yield edit["source"], edit
        at = edit.end()
    yield content[at:], None
