"""Units → WebAnno TSV 3.3: annotation/DOCUMENT/ANNOTATOR.tsv, as projects have it. A line of the text is a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from accord.core.errors import DataError, quoted
from accord.data.io.formats.layers_writing import Annotation, Layer, layers_of, without_labels
from accord.data.io.formats.offsets import utf16_places
from accord.data.io.formats.writing import Draft, Mark, Material, file_names, tokens

_SIGNS = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}
_IN_TEXTS = str.maketrans(_SIGNS)
_IN_VALUES = str.maketrans(_SIGNS | {sign: f"\\{sign}" for sign in "[]|_;*"})
Place = tuple[int, int]


def write(material: Material) -> Draft:
    material.needs_units()
    material.needs_texts()
    material.needs_lengths()
    draft = Draft(blanks_alike=True)
    file_names(material, draft)
    layers = layers_of([*material.units], without_labels(material), draft)
    if any(text[:1].isspace() for text in material.texts.values()):
        draft.notes.append("blanks and line breaks before the first word of a text are written as blanks")
    cut: dict[str, list[Mark]] = defaultdict(list)  # tokens are the same for all annotators of a document
    for doc, _, _, mark in material.all_marks():
        cut[doc].append(mark)
    for doc, who, marks in material.versions():
        text = material.texts[doc]
        content = _content(text, tokens(text, cut[doc]), layers, marks, doc)
        draft.add(f"annotation/{draft.docs[doc]}/{draft.annotators[who]}.tsv", content)
    return draft


def _content(
    text: str, places: Sequence[Place], layers: Sequence[Layer], marks: Mapping[str, list[Mark]], doc: str
) -> str:
    lines = ["#FORMAT=WebAnno TSV 3.3", *(f"#T_SP={'|'.join([layer.kind, *layer.named])}" for layer in layers), ""]
    cells = _cells(places, layers, marks, doc)
    at = utf16_places(text)
    sentences = list(_sentences(text, places))
    for number, some in enumerate(sentences, 1):
        begin = places[some[0]][0]
        end = places[sentences[number][0]][0] if number < len(sentences) else len(text)
        lines += ["", f"#Text={text[begin:end].translate(_IN_TEXTS)}"]
        for k, token in enumerate(some, 1):
            start, stop = places[token]
            word = text[start:stop].translate(_IN_TEXTS)
            lines.append("\t".join([f"{number}-{k}", f"{at[start]}-{at[stop]}", word, *cells[token]]) + "\t")
    return "\n".join(lines) + "\n"


def _sentences(text: str, places: Sequence[Place]) -> Iterator[list[int]]:
    """Tokens of each line that has any."""
    some: list[int] = []
    for k, (start, _) in enumerate(places):
        if some and "\n" in text[places[some[-1]][1] : start]:
            yield some
            some = []
        some.append(k)
    if some:
        yield some


def _cells(
    places: Sequence[Place], layers: Sequence[Layer], marks: Mapping[str, list[Mark]], doc: str
) -> list[list[str]]:
    """The columns of each token: annotations that are stacked, or of several tokens, have a number."""
    first, last = ({place[side]: k for k, place in enumerate(places)} for side in (0, 1))
    columns: list[list[str]] = []
    number = 0
    for layer in layers:
        at: dict[int, list[tuple[Annotation, int]]] = defaultdict(list)
        for one in layer.annotations(marks):
            begin, end = first.get(one.start), last.get(one.end)
            if begin is None or end is None:
                raise DataError(f"WebAnno TSV marks tokens, and {one.start}–{one.end} in {quoted(doc)} begins or ends "
                                "with a blank: it would be shorter; uima_xmi holds it")  # fmt: skip
            number += 1
            for k in range(begin, end + 1):
                at[k].append((one, number if end > begin else 0))
        columns += [[_stacked(at.get(k, ()), feature) for k in range(len(places))] for feature in layer.named or [""]]
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in places]


def _stacked(there: Sequence[tuple[Annotation, int]], feature: str) -> str:
    values = []
    for one, number in there:
        value = one.features[feature].translate(_IN_VALUES).replace("->", "\\->") if feature in one.features else "*"
        values.append(f"{value}[{number}]" if number else value)
    return "|".join(values) or "_"
