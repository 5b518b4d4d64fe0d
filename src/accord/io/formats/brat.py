"""brat standoff: `T1<tab>Type start end<tab>text` in .ann, the text in the .txt beside it; a folder per annotator.

Fragments of a discontinuous span are a unit each. An empty .ann says that somebody looked and marked nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.writing import FOLDERS, Draft, Mark, Material, file_names, renamed, underlined
from accord.io.naming import named
from accord.io.reading import Reading

TYPE = "type"  # the variable of the types of spans; attributes are variables of their own name
_LINE = re.compile(r"(?:[TEARMNW]\d+|#\d*|\*)\t")
_SPAN = re.compile(r"(?P<type>\S+) (?P<places>\d+ \d+(?:;\d+ \d+)*)")
_LEFT = {"E": "events", "R": "relations", "*": "equivalences", "#": "notes of annotators", "N": "normalisations"}
_LEFT |= {"W": "words"}


def recognises(file: File) -> bool:
    if file.suffix != ".ann":
        return False
    lines = file.beginning.lstrip().split("\n", 1)
    return not lines[0] or _LINE.match(lines[0]) is not None


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:
    texts = {(file.folder, file.stem): file for file in files if file.suffix == ".txt"}
    contents = [_text(file, texts, how) for file in mine]
    names = named([file.parts for file in mine], how, contents)
    export = Export(notes=[names.said] if names.said else [])
    for file, (doc, annotator), text in zip(mine, names.keys, contents, strict=True):
        export.document(doc, text)
        export.saw(doc, annotator)
        _Version(file, doc, annotator, text, export).take(file.text(how.encoding))
    return export


def _text(file: File, texts: dict[tuple[tuple[str, ...], str], File], how: Reading) -> str:
    beside = texts.get((file.folder, file.stem))
    if beside is None:
        raise DataError(f"{file.name}: there is no {file.stem}.txt beside it; brat keeps the text there")
    return beside.text(how.encoding)


class _Version:
    """One annotator's annotations of a document."""

    def __init__(self, file: File, doc: str, annotator: str, text: str, export: Export) -> None:
        self.file, self.doc, self.annotator, self.text, self.export = file, doc, annotator, text, export

    def take(self, content: str) -> None:
        lines = [(number, line.rstrip("\r")) for number, line in enumerate(content.split("\n"), 1) if line.strip()]
        attributes = self._attributes(lines)
        for number, line in lines:
            if line.startswith("T"):
                self._span(f"{self.file.name}:{number}", line, attributes)
            elif line[0] in _LEFT:
                self.export.leave(_LEFT[line[0]], f"{line.split(chr(9))[0]} in {self.file.name}")
            elif line[0] not in "AM":
                raise DataError(f"{self.file.name}:{number}: {quoted(line, 40)} is no line of brat standoff")

    def _attributes(self, lines: Sequence[tuple[int, str]]) -> dict[str, dict[str, str]]:
        """Attributes by the span that they are about; one without a value is there or not."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for number, line in lines:
            if line[0] in "AM":
                said = line.partition("\t")[2].split(maxsplit=2)
                if len(said) < 2:
                    raise DataError(f"{self.file.name}:{number}: an attribute says its name and its target")
                found[said[1]][said[0]] = said[2] if len(said) > 2 else "yes"
        return found

    def _span(self, place: str, line: str, attributes: dict[str, dict[str, str]]) -> None:
        key, _, rest = line.partition("\t")
        where, _, surface = rest.partition("\t")
        said = _SPAN.fullmatch(where)
        if said is None:
            raise DataError(f"{place}: {quoted(where, 40)} is no span; it is written: Type start end")
        fragments = [(int(low), int(high)) for low, high in (pair.split() for pair in said["places"].split(";"))]
        features = {"span": key, **attributes.get(key, {})}
        whole = len(fragments) == 1
        if not whole:
            self.export.fragmented += 1
        for start, end in fragments:
            part = surface if whole and surface else None
            self.export.unit(
                TYPE, self.doc, self.annotator, start, end, said["type"], place=place, surface=part, **features
            )
            for name, value in attributes.get(key, {}).items():
                self.export.unit(name, self.doc, self.annotator, start, end, value, place=place)


# -- writing ---------------------------------------------------------------------------------------------------------


def write(material: Material) -> Draft:
    """A folder per annotator. One variable is the type of spans, others are attributes of the same spans."""
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
    for doc, who, marks in material.versions():
        folder = f"{draft.annotators[who]}/{draft.docs[doc]}"
        draft.add(f"{folder}.txt", material.texts[doc])
        spans = [(mark, types_there[mark.label or ""]) for mark in marks[main]]
        attributes = {draft.variables[name]: marks[name] for name in others}
        draft.add(f"{folder}.ann", "".join(_lines(material, doc, spans, attributes)))
    draft.labels[main] = types_there
    return draft


def _lines(
    material: Material, doc: str, spans: Sequence[tuple[Mark, str]], attributes: dict[str, list[Mark]]
) -> Iterator[str]:
    text = material.texts[doc]
    for k, (mark, kind) in enumerate(spans, 1):
        start, end = int(mark.start), int(mark.end)
        yield f"T{k}\t{kind} {start} {end}\t{' '.join(text[start:end].splitlines())}\n"
    number = 0
    for name, marks in attributes.items():
        free: dict[tuple[float, float], list[int]] = defaultdict(list)  # spans that do not have the attribute yet
        for k, (mark, _) in enumerate(spans, 1):
            free[mark.start, mark.end].append(k)
        for mark in marks:
            if not free[mark.start, mark.end]:
                raise DataError(
                    f"brat has attributes on spans alone, and no span is where {quoted(name)} marks "
                    f"{mark.start}–{mark.end} in {quoted(doc)}: convert one variable with --label"
                )
            number += 1
            yield f"A{number}\t{name} T{free[mark.start, mark.end].pop(0)} {mark.label}\n"
