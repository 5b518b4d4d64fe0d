"""WebAnno TSV 3, the tab-separated format of WebAnno and INCEpTION.

Files: .tsv that begins with `#FORMAT=WebAnno TSV 3`; a file per document and annotator, DOCUMENT/ANNOTATOR.tsv.
Keeps: spans (each feature of a layer is a variable) and chains of mentions.
Skips and counts: relations, slots, labels of links, comments, cells in columns that the header does not declare, and
the structure of the text, unless --label names it.
Reference: INCEpTION User Guide, appendix "WebAnno TSV 3.3 File format".

Each token has a line. The header declares its columns by layer. Offsets count UTF-16 code units, as in Java. `_` means
no annotation, and `*` means an annotation without a value. `|` separates annotations at one token, and `[2]` after a
value identifies an annotation that continues in the next line. The file does not contain text between sentences; the
reader fills it with blanks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import NamedTuple

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import (
    Annotation,
    Features,
    Layer,
    Mention,
    Span,
    Version,
    is_structure,
    layer_of,
    layers_of,
    read_versions,
    wanted_structure,
    without_labels,
)
from accord.data.io.formats.spans import Offsets, code_points, is_narrow, utf16, utf16_places, utf16_width
from accord.data.io.formats.writing import Draft, Mark, Material, file_names, tokens
from accord.data.io.reading import Reading

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.(\d))?\s*(?:\n|$)")
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]+)(?:\|(.*))?")
_WHERE = re.compile(r"([0-9]{1,12})-([0-9]{1,12})(?:\.([0-9]{1,12}))?\t([0-9]{1,12})-([0-9]{1,12})(?:\t|$)")
_STACKED = re.compile(r"((?:\\.?|[^\\|])*)(?:\||$)")  # escaped characters do not separate
_NUMBERED = re.compile(r"((?:\\.|[^\\])*)\[(\d+)\]")
_LINK = re.compile(r"(?<!\\)->(\d+)-(\d+)$")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_JAVA = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_NOTHING, _NO_VALUE = "_", "*"
_VALUELESS = frozenset((_NOTHING, _NO_VALUE, ""))
_NO_TOKEN = frozenset(("", "#", "\r"))  # first characters of other lines
_MOST_CELLS = 1 << 17  # in the cache
_KNOWN_COMMENTS = ("#FORMAT=", "#T_SP=", "#T_CH=", "#T_RL=", "#Text=", "#Sentence.id=")
_FAR = 10_000_000  # a sentence that begins this far after the previous one is damaged


def recognises(file: File) -> bool:
    return file.head.startswith((b"#FORMAT=WebAnno TSV 3", b"\xef\xbb\xbf#FORMAT=WebAnno TSV 3"))


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001 - same signature for all readers
    return read_versions(partial(version, how=how), mine, mine, how, run)


def version(file: File, how: Reading) -> Version:
    """Return one document by one annotator."""
    content = file.text(how.encoding).removeprefix("\ufeff")
    match = _FORMAT.match(content)
    if match is None:
        raise DataError(
            "invalid-record",
            f"{file.name}:1: {quoted(content.partition(chr(10))[0], 40)} is not a header of WebAnno TSV 3; "
            "expected #FORMAT=WebAnno TSV 3.3",
        )
    narrow = is_narrow(content)
    document = _Document(file.name, content, int(match[1] or 0), wanted_structure(how))
    return document.version(utf16 if narrow else _counting(content), narrow=narrow)


def _counting(content: str) -> Callable[[str], Offsets]:
    """Return how offsets count: UTF-16 as in Java, or characters if all tokens beyond U+FFFF show it."""
    lengths = []
    for line in content.split("\n"):
        where = _WHERE.match(line)
        if where is not None:
            token = line[where.end() :].partition("\t")[0]
            if not is_narrow(token):
                lengths.append((int(where[5]) - int(where[4]), len(token)))
    return code_points if lengths and all(said == length for said, length in lengths) else utf16


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda m: _SIGNS.get(m[1], m[1]), value) if "\\" in value else value


def _stack(cell: str) -> list[str]:
    return [one[1] for one in _STACKED.finditer(cell)][:-1] or [""] if "\\" in cell else cell.split("|")


def _from_java(text: str) -> str:
    r"""Decode characters that are written as \u1234, which versions up to 3.1 allow."""
    codes = _JAVA.sub(
        lambda m: b"".join(int(code, 16).to_bytes(2, "big") for code in m[0].split("\\u")[1:]).decode(
            "utf-16-be", "replace"
        ),
        text,
    )
    return _unescaped(codes)


@dataclass(frozen=True)
class _Layer:
    """Columns of a layer. A slot has two columns, for roles and for their targets."""

    kind: str  # SP: spans, CH: chains, RL: relations
    name: str
    first: int  # column
    columns: tuple[str, ...]  # features; _ROLE and _TARGET are not labels, "" is a layer without features

    @cached_property
    def behind(self) -> int:
        return self.first + len(self.columns)

    @cached_property
    def nothing(self) -> list[str]:
        """The cells of a token without annotations."""
        return [_NOTHING] * len(self.columns)

    @cached_property
    def is_structure(self) -> bool:
        return is_structure(self.name)


_ROLE, _TARGET = "ROLE_", "BT_"


def _columns(kind: str, said: str) -> tuple[str, ...]:
    """Return the columns of a layer. A slot declares role and target type; a relation ends with its base type."""
    columns: list[str] = []
    for name in said.split("|"):
        if name.startswith(_ROLE) and kind == "SP":
            columns.append(_ROLE)
        elif (columns and columns[-1] == _ROLE) or name.startswith(_TARGET):
            columns.append(_TARGET)
        elif name:
            columns.append(name)
    return tuple(columns) or ("",)


class _Mark(NamedTuple):
    """The cells of a layer for one annotation at a token."""

    layer: str
    keys: tuple[tuple[str, str], ...]  # the layer, and the numbers that identify it in the next token
    features: Features  # shared by all tokens with the same cells
    chain: str | None
    left: tuple[tuple[str, int], ...]  # skipped parts, if it begins here


class _Left(NamedTuple):
    """Skipped cells."""

    reason: str
    many: int


class _Cells:
    """Parsed cells of tokens. Cells are cached because they repeat in all files of a project."""

    def __init__(self, layers: tuple[_Layer, ...], wanted: frozenset[str]) -> None:
        self.layers, self.wanted = layers, wanted
        self.columns = layers[-1].behind if layers else 3
        self.known: dict[str, tuple[_Mark | _Left, ...]] = {}

    def marks(self, cells: str, place: str) -> tuple[_Mark | _Left, ...]:
        """Return the annotations in the cells, in the order of the layers."""
        if len(self.known) > _MOST_CELLS:
            self.known.clear()
        values = ["", "", "", *cells.rstrip("\r").split("\t")]
        if len(values) < self.columns:
            raise _cut_off(place, len(values), self.columns)
        found = [
            mark
            for layer in self.layers
            if (mine := values[layer.first : layer.behind]) != layer.nothing
            for mark in self._of(layer, mine, place)
        ]
        if behind := sum(bool(value) for value in values[self.columns :]):
            found.append(_Left("cells in columns that the header does not declare", behind))
        self.known[cells] = tuple(found)
        return self.known[cells]

    def _of(self, layer: _Layer, cells: Sequence[str], place: str) -> Iterator[_Mark | _Left]:
        if layer.kind == "RL":
            yield _Left("relations", len(_stack(cells[-1])))
        elif layer.is_structure and layer.name.rpartition(".")[2] not in self.wanted:
            yield _Left(f"annotations of {layer.name.rpartition('.')[2]}, which is structure of the text", 1)
        elif layer.kind == "CH":
            yield from _mentions(layer, cells, place)
        else:
            stacks = [_stack(cell) if "|" in cell else [cell] for cell in cells]
            for k in range(max(map(len, stacks))):
                yield _span(layer, [stack[k] if k < len(stack) else _NO_VALUE for stack in stacks])


def _span(layer: _Layer, values: Sequence[str]) -> _Mark:
    """Return one of the annotations at a token."""
    features: Features = {}
    numbers, slots = [], 0
    for name, said in zip(layer.columns, values, strict=True):
        if name == _TARGET:
            slots += said.count("-")
            continue
        value = said
        if said[-1:] == "]" and (numbered := _NUMBERED.fullmatch(said)) is not None:
            value = numbered[1]
            numbers.append(numbered[2])
        if value not in _VALUELESS and name and name != _ROLE:
            features[name] = _unescaped(value)
    left = (("slots: links from an annotation to others", slots),) if slots else ()
    return _Mark(layer.name, tuple((layer.name, number) for number in dict.fromkeys(numbers)), features, None, left)


def _mentions(layer: _Layer, cells: Sequence[str], place: str) -> Iterator[_Mark]:
    """Yield mentions. `coref->2-1` is the first link of chain 2. Only types of mentions are labels."""
    stacks = dict(zip(layer.columns, map(_stack, cells), strict=True))
    for k, link in enumerate(stacks.pop("referenceRelation", [])):
        match = _LINK.search(link)
        if match is None:
            raise DataError(
                "invalid-record", f"{place}: {quoted(link, 40)} is not a link of a chain; expected a link like *->1-2"
            )
        features: Features = {}
        for name, stack in stacks.items():
            value = _NUMBERED.sub(r"\1", stack[k]) if k < len(stack) else _NO_VALUE
            if name and value not in _VALUELESS:
                features[name] = _unescaped(value)
        left = (("labels of links between mentions", 1),) if link[: match.start()] != _NO_VALUE else ()
        yield _Mark(layer.name, ((layer.name, f"{match[1]}-{match[2]}"),), features, match[1], left)


def _cut_off(place: str, columns: int, declared: int) -> DataError:
    return DataError(
        "invalid-record", f"{place}: {columns} columns, but the header declares {declared}; export the document again"
    )


@lru_cache(maxsize=64)
def _cells_of(layers: tuple[_Layer, ...], wanted: frozenset[str]) -> _Cells:
    return _Cells(layers, wanted)


class _Pairs(dict[str, tuple[int, int]]):
    """Cache of cells with two numbers. All annotators of a document have the same tokens."""

    def __init__(self, pattern: str) -> None:
        self.pattern = re.compile(pattern)

    def __missing__(self, cell: str) -> tuple[int, int]:
        said = self.pattern.fullmatch(cell)
        if said is None:
            raise ValueError(cell)
        if len(self) > _MOST_CELLS:
            self.clear()
        self[cell] = found = (int(said[1]), int(said[2]))
        return found


_TOKENS = _Pairs(r"([0-9]{1,12})-([0-9]{1,12})(?:\.[0-9]{1,12})?")  # sentence and number; a part belongs to its token
_OFFSETS = _Pairs(r"([0-9]{1,12})-([0-9]{1,12})")


@dataclass(slots=True)
class _Found:
    """An annotation, which may continue in the next token."""

    mark: _Mark
    start: int
    end: int
    line: int  # of its first token
    token: str  # its first token
    surface: str | None
    sentence: int  # of its last token
    number: int  # of its last token

    def goes_on(self, sentence: int, number: int, start: int, end: int, token: str) -> bool:
        """Whether the annotation continues in this token, which must be the same or the next. Extend it if so."""
        if sentence == self.sentence:
            if number - self.number > 1:
                return False
        elif sentence != self.sentence + 1 or number != 1:
            return False
        if start < self.start:
            self.start, self.token = start, token
        self.end = max(self.end, end)
        self.sentence, self.number, self.surface = sentence, number, None
        return True


class _Document:
    def __init__(self, name: str, content: str, minor: int, wanted: frozenset[str]) -> None:
        self.name, self.content = name, content
        self.plain = _from_java if minor <= 1 else _unescaped
        self.cells = _cells_of(_header(content), wanted)
        self.sentences: list[tuple[int, int, str]] = []  # line, begin, text
        self.found: list[_Found] = []
        self.going: dict[tuple[str, str], _Found] = {}
        self.made = Version(None)

    def version(self, counting: Callable[[str], Offsets], *, narrow: bool) -> Version:
        """Return the annotations. With `narrow`, each character is one UTF-16 code unit, so offsets equal Python's."""
        width = len if narrow or counting is code_points else utf16_width
        self._scan()
        text = self._text(self.sentences, width)
        at = counting(text)
        odd = [one for one in self.found if not (narrow and text.startswith(one.token, one.start))]
        if not all(self._reads(text, at, one) for one in odd):
            self.made.leave("texts of sentences that do not match their tokens, so accord uses the tokens", self.name)
            text = self._text(self._tokens(), width)
            at = counting(text)
        made = self.made
        made.text = text
        name, spans = self.name, made.spans
        for one in self.found:
            (layer, _, features, chain, _), where = one.mark, f"{name}:{one.line}"
            start, end = (one.start, one.end) if narrow else (at(one.start), at(one.end))
            if start is None or end is None:
                raise DataError(
                    "invalid-record",
                    f"{where}: the offsets {one.start}-{one.end} split a character or are outside the text; "
                    "export the document again",
                )
            if chain is not None:
                made.mentions.append(Mention(layer, start, end, chain, where, one.surface))
            if chain is None or features:
                spans.append(Span(layer, start, end, features, where, one.surface))
        return made

    def _scan(self) -> None:
        """Collect annotations and the texts of sentences.

        Most lines are tokens without annotations. The content is split at empty cells, so a piece without a line break
        is a token without annotations. The first token of a sentence gives the offset of its text.
        """
        without = "\t_" * (self.cells.columns - 3)
        ends = [end for end in (f"{without}\t\n", f"{without}\n", f"{without}\t\r\n", f"{without}\r\n") if without]
        empty = next((end for end in ends if end in self.content), None)
        pieces = f"{self.content}\n".split(empty) if empty else [f"{self.content}\n"]
        text: list[str] = []
        before = 1  # lines that end within pieces, plus one
        for at, piece in [(at, piece) for at, piece in enumerate(pieces) if "\n" in piece]:
            *lines, rest = piece.split("\n")
            self._take(at + before, lines, text)
            before += len(lines)
            if text and rest:
                self._sentence(at + before, self._start(at + before, rest, without), text)

    def _take(self, first: int, lines: Sequence[str], text: list[str]) -> None:  # noqa: PLR0912 - inlined for speed
        """Parse lines from number `first`. `text` belongs to the sentence that starts with the next token."""
        known, going, found = self.cells.known, self.going, self.found
        for line, content in enumerate(lines, first):
            if content[:1] in _NO_TOKEN:
                if content.startswith("#Text="):
                    text.append(content[6:].rstrip("\r"))
                elif content.startswith("\r") and content != "\r":
                    self._bare(line, content)
                elif content[:1] == "#" and not content.startswith(_KNOWN_COMMENTS):
                    self.made.unused.add("lines that start with #", content[1:].partition("=")[0].strip() or "#")
                continue
            try:
                which, where, token, cells = content.split("\t", 3)
                sentence, number = _TOKENS[which]
                start, end = _OFFSETS[where]
            except ValueError:
                sentence, number, start, end, token, cells = self._bare(line, content.rstrip("\r"))
            if text:
                self._sentence(line, start, text)
            marks = known.get(cells)
            if marks is None:
                marks = self.cells.marks(cells, self._place(line))
            for mark in marks:
                if isinstance(mark, _Left):
                    self.made.leave(mark.reason, self._place(line), mark.many)
                    continue
                for key in mark.keys:
                    open_one = going.get(key)
                    if open_one is not None and open_one.goes_on(sentence, number, start, end, token):
                        break
                else:
                    one = _Found(mark, start, end, line, token, token or None, sentence, number)
                    found.append(one)
                    if mark.keys:
                        going[mark.keys[-1]] = one
                    for reason, count in mark.left:
                        self.made.leave(reason, self._place(line), count)

    def _start(self, number: int, line: str, without: str) -> int:
        """Return the start of a token without its empty cells."""
        try:
            _, where, _ = line.split("\t", 2)
            return _OFFSETS[where][0]
        except ValueError:
            return self._bare(number, f"{line}{without}")[2]

    def _sentence(self, line: int, start: int, text: list[str]) -> None:
        """Add a sentence. Its text starts at its first token."""
        self.sentences.append((line, start, self.plain(text[0] if len(text) == 1 else "\n".join(text))))
        text.clear()

    def _bare(self, number: int, line: str) -> tuple[int, int, int, int, str, str]:
        """Parse a token without cells, if the header declares no columns. Refuse any other line."""
        where = _WHERE.match(line)
        if where is None:
            raise DataError(
                "invalid-record",
                f"{self._place(number)}: {quoted(line, 40)} is not a token; "
                "expected sentence-token, start-end and token, separated by tabs: 1-1, 0-4, Anna",
            )
        cells = line.split("\t")
        if len(cells) < self.cells.columns:
            raise _cut_off(self._place(number), len(cells), self.cells.columns)
        return int(where[1]), int(where[2]), int(where[4]), int(where[5]), cells[2], ""

    def _place(self, line: int) -> str:
        return f"{self.name}:{line}"

    def _tokens(self) -> list[tuple[int, int, str]]:
        """Return all tokens, each as a sentence."""
        lines = enumerate(self.content.split("\n"), 1)
        found = [(number, where, line[where.end() :]) for number, line in lines if (where := _WHERE.match(line))]
        return [
            (number, int(where[4]), behind.partition("\t")[0].rstrip("\r"))
            for number, where, behind in found
            if where[3] is None
        ]

    def _reads(self, text: str, at: Offsets, one: _Found) -> bool:
        """Whether its first token occurs in the text at its offset."""
        start, token = at(one.start), one.token
        return start is not None and (text.startswith(token, start) or text.startswith(self.plain(token), start))

    def _text(self, pieces: Sequence[tuple[int, int, str]], width: Callable[[str], int]) -> str:
        """Join pieces at their offsets. The file does not contain the text between them."""
        made: list[str] = []
        length = 0
        farthest = _FAR + 10 * len(self.content)
        for line, begin, text in pieces:
            if begin > farthest:
                raise DataError(
                    "invalid-record",
                    f"{self._place(line)}: the offset {begin:,} is far beyond the text before it; "
                    "correct the offset, or export the document again",
                )
            if begin < length:
                raise DataError(
                    "invalid-record",
                    f"{self._place(line)}: the offset {begin:,} is within the text before it; "
                    "correct the offset, or export the document again",
                )
            if begin > length:
                made.append(" " * (begin - length - 1) + ("\n" if made else " "))
            made.append(text)
            length = begin + width(text)
        return "".join(made)


def _header(content: str) -> tuple[_Layer, ...]:
    """Return the layers of the header. Their columns follow id, offsets and token."""
    layers: list[_Layer] = []
    for line in content[: content.find("\n\n") + 1 or None].split("\n")[1:]:
        match = _LAYER.fullmatch(line.rstrip("\r"))
        if match is None:
            break
        name = layer_of(match[2].strip())
        name = name.removesuffix("Link") if match[1] == "CH" else name
        first = layers[-1].behind if layers else 3
        layers.append(_Layer(match[1], name, first, _columns(match[1], match[3] or "")))
    return tuple(layers)


# -- writing ---------------------------------------------------------------------------------------------------------

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}
_IN_TEXTS = str.maketrans(_ESCAPES)
_IN_VALUES = str.maketrans(_ESCAPES | {sign: f"\\{sign}" for sign in "[]|_;*"})
Place = tuple[int, int]


def write(material: Material) -> Draft:
    """Write version 3.3, as annotation/DOCUMENT/ANNOTATOR.tsv of a project. A line of the text is a sentence."""
    material.needs_units()
    material.needs_texts()
    material.needs_lengths()
    draft = Draft(blanks_alike=True)
    file_names(material, draft)
    layers = layers_of([*material.units], without_labels(material), draft)
    if any(text[:1].isspace() for text in material.texts.values()):
        draft.notes.append("blanks and line breaks before the first word of a text are written as blanks")
    cut: dict[str, list[Mark]] = defaultdict(list)  # all annotators of a document need the same tokens
    for doc, _, _, mark in material.all_marks():
        cut[doc].append(mark)
    for doc, annotator, marks in material.versions():
        text = material.texts[doc]
        content = _content(text, tokens(text, cut[doc]), layers, marks, doc)
        draft.add(f"annotation/{draft.docs[doc]}/{draft.annotators[annotator]}.tsv", content)
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
    """Yield the tokens of each line with tokens."""
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
    """Return the columns of each token. Annotations of several tokens have a number."""
    first, last = ({place[side]: k for k, place in enumerate(places)} for side in (0, 1))
    columns: list[list[str]] = []
    number = 0
    for layer in layers:
        at: dict[int, list[tuple[Annotation, int]]] = defaultdict(list)
        for one in layer.annotations(marks):
            begin, end = first.get(one.start), last.get(one.end)
            if begin is None or end is None:
                raise DataError(
                    "not-representable",
                    f"WebAnno TSV marks whole tokens, and {one.start}–{one.end} in {quoted(doc)} starts or ends "
                    "with a blank; use --to uima_xmi",
                )
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
