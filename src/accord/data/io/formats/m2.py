"""M2: sentences with their corrections by several annotators. Units are the places that were changed, by their type.

Offsets are those of characters in the sentence as it stands, its tokens with blanks between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.by_file import watched
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.naming import annotators_of
from accord.data.io.reading import Reading

_EDIT = re.compile(r"A (-?\d+) (-?\d+)\|\|\|(.*?)\|\|\|(.*?)\|\|\|.*?\|\|\|.*?\|\|\|(.+)")


def recognises(file: File) -> bool:
    lines = [line for line in file.beginning.split("\n")[:50] if line.strip()]
    return bool(lines) and lines[0].startswith("S ") and any("|||" in line and line.startswith("A ") for line in lines)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    docs = [frozenset([file.stem]) for file in mine]
    people, _ = annotators_of([file.parts for file in mine], how, docs)
    for file, who in watched([*zip(mine, people, strict=True)], run):
        own = who if len(set(people)) > 1 else ""
        _take(export, file, own, how)
    return export


def _take(export: Export, file: File, own: str, how: Reading) -> None:
    doc, starts, number = "", [0], 0
    everybody: dict[str, None] = {}
    seen: list[str] = []
    for line_number, line in enumerate(file.text(how.encoding).split("\n"), 1):
        place = f"{file.name}:{line_number}"
        line = line.rstrip("\r")  # noqa: PLW2901
        if line.startswith("S"):
            tokens = line[2:].split(" ")
            number += 1
            doc = f"{file.stem if not own else 'sentence'} {number}"
            starts = [0]
            for token in tokens:
                starts.append(starts[-1] + len(token) + 1)
            export.document(doc, " ".join(tokens))
            seen.append(doc)
        elif line.startswith("A "):
            said = _EDIT.fullmatch(line)
            if said is None or not doc:
                raise DataError(
                    f"{place}: {quoted(line, 40)} is no correction: A start end|||type|||words|||…|||annotator"
                )
            annotator = f"{own} {said[5]}".strip()
            everybody[annotator] = None
            export.saw(doc, annotator)
            first, last = int(said[1]), int(said[2])
            if first >= 0 and said[3] != "noop":
                if not first <= last < len(starts):
                    raise DataError(f"{place}: the sentence has {len(starts) - 1} tokens, not {last}")
                start = min(starts[first], starts[-1] - 1)
                end = max(start, starts[last] - 1) if last > first else start
                export.unit("type", doc, annotator, start, end, said[3], place=place, correction=said[4])
        elif line.strip():
            raise DataError(f"{place}: {quoted(line, 40)} is no line of M2")
    for name in seen:  # a sentence that an annotator left as it is has no line of theirs
        for annotator in everybody:
            export.saw(name, annotator)
