"""Standoff format of brat, the rapid annotation tool for texts.

Files: .ann (also .a1 and .a2, from BioNLP tasks) with the text in the .txt of the same name; a folder per annotator. An
empty .ann means that the annotator read the text and marked nothing.
Keeps: text-bound annotations (T) as units of the variable `type`; attributes (A, M) are further variables. Each
fragment of a discontinuous span is a unit.
Skips and counts: events, relations, equivalences, notes, normalisations.
Reference: brat manual, "brat standoff format" (https://brat.nlplab.org/standoff.html).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.parsing import lines_of, watched
from accord.data.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, renamed, underlined
from accord.data.io.reading import Reading

TYPE = "type"  # the variable for types of spans; each attribute is a variable with its own name
_SUFFIXES = (".ann", ".a1", ".a2")
_LINE = re.compile(r"(?:[TEARMNW]\d+|#\d*|\*)\t")
_SPAN = re.compile(r"(?P<type>\S+) (?P<places>\d+ \d+(?:;\d+ \d+)*)")
_LEFT = {"E": "events", "R": "relations", "*": "equivalences", "#": "notes of annotators", "N": "normalisations",
         "W": "words"}  # fmt: skip


def recognises(file: File) -> bool:
    if file.suffix not in _SUFFIXES:
        return False
    lines = file.beginning.lstrip().split("\n", 1)
    return not lines[0] or _LINE.match(lines[0]) is not None


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:
    """Read brat files. In BioNLP tasks, .a1 (given) and .a2 (added) of a document are one annotation."""
    texts = {(file.folder, file.stem): file for file in files if file.suffix == ".txt"}
    together: dict[tuple[tuple[str, ...], str], list[File]] = defaultdict(list)
    for file in mine:
        together[file.folder, file.stem].append(file)
    contents = [_text(parts[0], texts, how) for parts in together.values()]
    export = Export()
    keys = export.name_files([parts[0] for parts in together.values()], how, contents)
    for parts, (doc, annotator), text in watched([*zip(together.values(), keys, contents, strict=True)], run):
        export.document(doc, text)
        export.saw(doc, annotator)
        _Version(doc, annotator, export).take([line for file in parts for line in lines_of(file, how.encoding)])
    return export


def _text(file: File, texts: dict[tuple[tuple[str, ...], str], File], how: Reading) -> str:
    beside = texts.get((file.folder, file.stem))
    if beside is None:
        raise DataError(
            "file-missing", f"{file.name}: the text {file.stem}.txt is missing; copy it into the same folder"
        )
    return beside.text(how.encoding)


class _Version:
    """One annotator's annotations of a document."""

    def __init__(self, doc: str, annotator: str, export: Export) -> None:
        self.doc, self.annotator, self.export = doc, annotator, export

    def take(self, lines: Sequence[tuple[str, str]]) -> None:
        attributes = self._attributes(lines)
        for place, line in lines:
            if line.startswith("T"):
                self._span(place, line, attributes)
            elif line[0] in _LEFT:
                self.export.leave(_LEFT[line[0]], f"{line.split(chr(9))[0]} at {place}")
            elif line[0] not in "AM":
                raise DataError(
                    "invalid-record",
                    f"{place}: {quoted(line, 40)} is not a line of brat standoff; "
                    "expected an id (T1, A1), a tab, and the annotation",
                )

    def _attributes(self, lines: Sequence[tuple[str, str]]) -> dict[str, dict[str, str]]:
        """Return the attributes of each span. An attribute without a value gets the value "yes"."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for place, line in lines:
            if line[0] not in "AM":
                continue
            said = line.partition("\t")[2].split(maxsplit=2)
            if len(said) < 2:
                raise DataError(
                    "invalid-record",
                    f"{place}: the attribute lacks a name or a target; expected an id, a tab, and: Name T1 value",
                )
            name, target, value = said[0], said[1], said[2] if len(said) > 2 else "yes"
            if not target.startswith("T"):
                self.export.leave("attributes of events and relations", f"{name} of {target} at {place}")
            elif name in found[target]:
                self.export.leave("further values of an attribute of the same span", f"{name} of {target} at {place}")
            else:
                found[target][name] = value
        return found

    def _span(self, place: str, line: str, attributes: dict[str, dict[str, str]]) -> None:
        key, _, rest = line.partition("\t")
        where, _, surface = rest.partition("\t")
        match = _SPAN.fullmatch(where)
        if match is None:
            raise DataError(
                "invalid-record", f"{place}: {quoted(where, 40)} is not a valid span; expected: Type start end"
            )
        fragments = [(int(low), int(high)) for low, high in (pair.split() for pair in match["places"].split(";"))]
        own = attributes.get(key, {})
        features = {name: value for name, value in own.items() if name not in {"place", "surface"}}
        self.export.fragmented += len(fragments) > 1
        for (start, end), part in zip(fragments, _parts(surface, fragments), strict=True):
            self.export.unit(
                TYPE, self.doc, self.annotator, start, end, match["type"],
                place=place, surface=part, **{"span": key, **features},
            )  # fmt: skip
            for name, value in own.items():
                variable = name if name != TYPE else f"{name} (attribute)"
                self.export.unit(variable, self.doc, self.annotator, start, end, value, place=place, surface=part)


def _parts(surface: str, fragments: Sequence[tuple[int, int]]) -> list[str | None]:
    """Return the text of each fragment. brat separates fragments by a blank."""
    lengths = [end - start for start, end in fragments]
    if len(fragments) == 1:
        return [surface or None]
    if sum(lengths) + len(lengths) - 1 != len(surface):
        return [None] * len(fragments)
    ends = [sum(lengths[: k + 1]) + k for k in range(len(lengths))]
    return [surface[end - length : end] for end, length in zip(ends, lengths, strict=True)]


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """Write a folder per annotator. One variable is the type of spans, and the others are attributes of these spans."""
    material.needs_units()
    material.needs_texts()
    material.needs_labels()
    material.needs_one_line()
    draft = Draft(dict(FOLDERS))
    file_names(material, draft)
    main = TYPE if TYPE in material.units else next(iter(material.units))
    others = [name for name in material.units if name != main]
    draft.variables = {**renamed(others, underlined, "variable", draft), main: TYPE}
    types = sorted({mark.label or "" for _, _, variable, mark in material.all_marks() if variable == main})
    types_there = renamed(types, underlined, "label", draft)
    for doc, annotator, marks in material.versions():
        folder = f"{draft.annotators[annotator]}/{draft.docs[doc]}"
        draft.add(f"{folder}.txt", material.texts[doc])
        spans = [(mark, types_there[mark.label or ""]) for mark in marks[main]]
        attributes = {draft.variables[name]: marks[name] for name in others}
        draft.add(f"{folder}.ann", "".join(_written(material, doc, spans, attributes)))
    draft.labels[main] = types_there
    return draft


def _written(
    material: Material, doc: str, spans: Sequence[tuple[Mark, str]], attributes: dict[str, list[Mark]]
) -> Iterator[str]:
    text = material.texts[doc]
    for k, (mark, kind) in enumerate(spans, 1):
        start, end = int(mark.start), int(mark.end)
        yield f"T{k}\t{kind} {start} {end}\t{' '.join(text[start:end].splitlines())}\n"
    number = 0
    for name, marks in attributes.items():
        free: dict[tuple[float, float], list[int]] = defaultdict(list)  # spans without the attribute
        for k, (mark, _) in enumerate(spans, 1):
            free[mark.start, mark.end].append(k)
        for mark in marks:
            if not free[mark.start, mark.end]:
                raise DataError(
                    "not-representable",
                    f"brat attributes need a span, and {mark.start}–{mark.end} in {quoted(doc)}, where {quoted(name)} "
                    "has a label, has no span; convert one variable with --label",
                )
            number += 1
            yield f"A{number}\t{name} T{free[mark.start, mark.end].pop(0)} {mark.label}\n"
