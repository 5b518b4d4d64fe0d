"""M2, the format of grammatical error correction: sentences with their corrections by several annotators.

Files: .m2, which names its annotators. If several files are by different annotators, their names are added.
Keeps: corrected passages as units of the variable `type`, labelled with the type of error; the correction is a column.
An annotator without a line for a sentence left it unchanged.
Skips and counts: comments of corrections, optional corrections marked as such, fields after the annotator.
Reference: Dahlmeier and Ng (2012), Better Evaluation for Grammatical Error Correction. NAACL.

Offsets count characters of the tokenised sentence, with blanks between tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import lines_of, watched
from accord.data.io.naming import annotators_of
from accord.data.io.reading import Reading

_EDIT = re.compile(r"A (-?\d+) (-?\d+)\|\|\|(.*?)\|\|\|(.*?)\|\|\|(.*?)\|\|\|(.*?)\|\|\|(.+?)(?:\|\|\|(.*))?")
_NOTHING = ("", "-NONE-")


def recognises(file: File) -> bool:
    lines = [line for line in file.beginning.split("\n")[:50] if line.strip()]
    return bool(lines) and lines[0].startswith("S ") and any("|||" in line and line.startswith("A ") for line in lines)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    export = Export()
    docs = [frozenset([file.stem]) for file in mine]
    people, _ = annotators_of([file.parts for file in mine], how, docs)
    for file, annotator in watched([*zip(mine, people, strict=True)], run):
        own = annotator if len(set(people)) > 1 else ""
        _take(export, file, own, how)
    return export


def _take(export: Export, file: File, own: str, how: Reading) -> None:
    doc, starts = "", [0]
    everybody: dict[str, None] = {}
    seen: list[str] = []
    for place, line in lines_of(file, how.encoding):
        if line.startswith("S"):
            doc = f"{file.stem if not own else 'sentence'} {len(seen) + 1}"
            starts = [0, *accumulate(len(token) + 1 for token in line[2:].split(" "))]
            export.document(doc, line[2:])
            seen.append(doc)
        elif line.startswith("A "):
            match = _EDIT.fullmatch(line)
            if match is None or not doc:
                raise DataError(
                    "invalid-record",
                    f"{place}: {quoted(line, 40)} is not a valid correction; expected, after a line with S: "
                    "A start end|||type|||words|||REQUIRED|||-NONE-|||annotator",
                )
            for name, cell, known in (("required", match[5], (*_NOTHING, "REQUIRED")), ("comment", match[6], _NOTHING)):
                export.unused.add("fields of corrections", name, cell not in known)
            export.unused.add("fields of corrections", "after the annotator", bool(match[8]))
            annotator = f"{own} {match[7]}".strip()
            everybody[annotator] = None
            export.saw(doc, annotator)
            first, last = int(match[1]), int(match[2])
            if first >= 0 and match[3] != "noop":
                if not first <= last < len(starts):
                    raise DataError(
                        "invalid-record",
                        f"{place}: tokens {first}–{last} are not in the sentence, which has {len(starts) - 1} tokens; "
                        "correct start and end",
                    )
                start = min(starts[first], starts[-1] - 1)
                end = max(start, starts[last] - 1) if last > first else start
                export.unit("type", doc, annotator, start, end, match[3], place=place, correction=match[4])
        else:
            raise DataError(
                "invalid-record", f"{place}: {quoted(line, 40)} is not a line of M2; lines start with S or A"
            )
    for name in seen:  # an unchanged sentence has no line of the annotator
        for annotator in everybody:
            export.saw(name, annotator)
