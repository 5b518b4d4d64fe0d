"""WebAnno TSV 3.x: a line per token, whose columns the header declares by layers; offsets are UTF-16, as in Java.

`_` is no annotation, `*` one without a value; `|` separates annotations at one token, and `[2]` behind a value tells
which of them goes on in the next line. Text between sentences is not in the file: it is blank here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.layers import Features, Mention, Span, Version, fill, is_structure, layer_of, wanted_structure
from accord.io.formats.offsets import Offsets, code_points, utf16
from accord.io.formats.people import people
from accord.io.formats.webanno_tsv_writing import write
from accord.io.reading import Reading

__all__ = ["read", "recognises", "version", "write"]

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.(\d+))?\s*")
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]+)(?:\|(.*))?")
_WHERE = re.compile(r"(\d+)-(\d+)(?:\.(\d+))?\t(\d+)-(\d+)\t")
_WHOLE = re.compile(r"\d+-\d+\t")  # a token, and no part of one
_STACKED = re.compile(r"((?:\\.?|[^\\|])*)(?:\||$)")  # what is escaped separates nothing
_NUMBERED = re.compile(r"((?:\\.|[^\\])*)\[(\d+)\]")
_LINK = re.compile(r"(?<!\\)->(\d+)-(\d+)$")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_JAVA = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_NOTHING, _NO_VALUE = "_", "*"
_FAR = 10_000_000  # a sentence that begins so far beyond the one before it is damaged


def recognises(file: File) -> bool:
    return file.head.startswith((b"#FORMAT=WebAnno TSV 3", b"\xef\xbb\xbf#FORMAT=WebAnno TSV 3"))


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001 - as all readers
    export = Export()
    fill(export, people(export, mine, [version(file, how) for file in mine], how))
    return export


def version(file: File, how: Reading) -> Version:
    """One document by one annotator."""
    content = file.text(how.encoding)
    lines = content.split("\n")
    said = _FORMAT.fullmatch(lines[0].rstrip("\r"))
    if said is None:
        raise DataError(f"{file.name}:1: {quoted(lines[0], 40)} is no WebAnno TSV 3")
    counting = utf16 if content.isascii() or max(content) < "\U00010000" else _counting(lines)
    return _Document(file.name, lines, int(said[1] or 0), wanted_structure(how)).version(counting)


def _counting(lines: Sequence[str]) -> Callable[[str], Offsets]:
    """Java counts in UTF-16; files that other programs wrote may count characters: tokens beyond the BMP tell."""
    lengths = []
    for line in lines:
        where = _WHERE.match(line)
        if where is not None:
            token = line[where.end() :].partition("\t")[0]
            if len(token) < _width(token):
                lengths.append((int(where[5]) - int(where[4]), len(token)))
    return code_points if lengths and all(said == length for said, length in lengths) else utf16


def _width(text: str) -> int:
    """In units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _unescaped(value: str) -> str:
    return _ESCAPED.sub(lambda m: _SIGNS.get(m[1], m[1]), value) if "\\" in value else value


def _stack(cell: str) -> list[str]:
    return [one[1] for one in _STACKED.finditer(cell)][:-1] or [""] if "\\" in cell else cell.split("|")


def _from_java(text: str) -> str:
    r"""Until version 3.1, any sign could be written as \u1234."""
    codes = _JAVA.sub(
        lambda m: b"".join(int(code, 16).to_bytes(2, "big") for code in m[0].split("\\u")[1:]).decode(
            "utf-16-be", "replace"
        ),
        text,
    )
    return _unescaped(codes)


@dataclass(frozen=True)
class _Layer:
    """Columns of a layer. A slot has two of them, for roles and for their targets."""

    kind: str  # SP: spans, CH: chains, RL: relations
    name: str
    first: int  # column
    columns: tuple[str, ...]  # features; _ROLE and _TARGET are no labels, "" stands for a layer without features

    @property
    def behind(self) -> int:
        return self.first + len(self.columns)


_ROLE, _TARGET = "ROLE_", "BT_"


def _columns(kind: str, said: str) -> tuple[str, ...]:
    """A slot is declared by its role and, behind it, the type of its targets; a relation ends with that of its base."""
    columns: list[str] = []
    for name in said.split("|"):
        if name.startswith(_ROLE) and kind == "SP":
            columns.append(_ROLE)
        elif (columns and columns[-1] == _ROLE) or name.startswith(_TARGET):
            columns.append(_TARGET)
        elif name:
            columns.append(name)
    return tuple(columns) or ("",)


@dataclass
class _Row:
    """A token, or a part of one, with annotations."""

    line: int
    at: tuple[int, int]  # sentence and token
    start: int
    end: int
    token: str
    cells: list[str]  # all columns, the first three as well


@dataclass
class _Found:
    """An annotation, which may go on in the next token."""

    layer: str
    start: int
    end: int
    features: Features
    line: int  # its first
    surface: str | None
    at: tuple[int, int]  # sentence and token of its last line
    chain: str | None = None


class _Document:
    def __init__(self, name: str, lines: Sequence[str], minor: int, wanted: frozenset[str]) -> None:
        self.name, self.lines, self.wanted = name, lines, wanted
        self.plain = _from_java if minor <= 1 else _unescaped
        self.layers = self._header()
        self.columns = self.layers[-1].behind if self.layers else 3
        self.rows: list[_Row] = []
        self.sentences: list[tuple[int, int, str]] = []  # line, begin, text
        self.found: list[_Found] = []
        self.going: dict[tuple[str, str], _Found] = {}

    def place(self, line: int) -> str:
        return f"{self.name}:{line}"

    def version(self, counting: Callable[[str], Offsets]) -> Version:
        self._scan()
        text = self._text(self.sentences, counting)
        at = counting(text)
        made = Version(text)
        if not all(_reads(text, at, row, self.plain) for row in self.rows):
            made.leave("texts of sentences: their tokens do not fit them, and hold", self.name)
            made.text = text = self._text(self._tokens(), counting)
            at = counting(text)
        for row in self.rows:
            for layer in self.layers:
                if any(cell != _NOTHING for cell in row.cells[layer.first : layer.behind]):
                    self._take(row, layer, made)
        for one in self.found:
            start, end, where = at(one.start), at(one.end), self.place(one.line)
            if start is None or end is None:
                raise DataError(f"{where}: the offsets {one.start}-{one.end} are no places in the text")
            if one.chain is not None:
                made.mentions.append(Mention(one.layer, start, end, one.chain, where, one.surface))
            if one.chain is None or one.features:
                made.spans.append(Span(one.layer, start, end, one.features, where, one.surface))
        return made

    def _header(self) -> list[_Layer]:
        """Layers, whose columns come behind id, offsets and token."""
        layers: list[_Layer] = []
        for line in self.lines[1:]:
            said = _LAYER.fullmatch(line.rstrip("\r"))
            if said is None:
                break
            name = layer_of(said[2].strip())
            name = name.removesuffix("Link") if said[1] == "CH" else name
            first = layers[-1].behind if layers else 3
            layers.append(_Layer(said[1], name, first, _columns(said[1], said[3] or "")))
        return layers

    def _scan(self) -> None:
        """Lines with annotations, and where sentences begin; most lines have none, and are passed over at once."""
        without = "\t_" * (self.columns - 3)
        empty = (f"{without}\t", without, f"{without}\t\r", f"{without}\r")
        text: list[str] = []
        for number, line in enumerate(self.lines, 1):
            if not text and line.endswith(empty) and line.count("\t") >= self.columns - 1 and line[0] != "#":
                continue
            if line.startswith("#Text="):
                text.append(line[6:].rstrip("\r"))
            elif line and line[0] != "#" and line != "\r":
                row = self._row(number, line.rstrip("\r"))
                if text:
                    self.sentences.append((number, row.start, self.plain("\n".join(text))))
                    text = []
                if any(cell != _NOTHING for cell in row.cells[3:]):
                    self.rows.append(row)

    def _row(self, number: int, line: str) -> _Row:
        where = _WHERE.match(line)
        if where is None:
            raise DataError(f"{self.place(number)}: {quoted(line, 40)} is no token; it is written: 1-1, 0-4, token")
        cells = line.split("\t")
        if len(cells) < self.columns:
            raise DataError(
                f"{self.place(number)}: {len(cells)} columns, where {self.columns} are declared; is the file cut off?"
            )
        start, end = int(where[4]), int(where[5])
        return _Row(number, (int(where[1]), int(where[2])), start, end, cells[2], cells[: self.columns])

    def _tokens(self) -> list[tuple[int, int, str]]:
        """All tokens, as if each were a sentence."""
        rows = (self._row(n, line.rstrip("\r")) for n, line in enumerate(self.lines, 1) if _WHOLE.match(line))
        return [(row.line, row.start, row.token) for row in rows]

    def _text(self, pieces: Sequence[tuple[int, int, str]], counting: Callable[[str], Offsets]) -> str:
        """Pieces where they begin; what is between them is not in the file."""
        width = len if counting is code_points else _width
        made: list[str] = []
        length = 0
        for line, begin, text in pieces:
            if begin > length + _FAR:
                raise DataError(f"{self.place(line)}: the offset {begin:,} is far beyond the text before it")
            if begin < length:
                raise DataError(f"{self.place(line)}: the offset {begin:,} is within the text before it")
            if begin > length:
                made.append(" " * (begin - length - 1) + ("\n" if made else " "))
            made.append(text)
            length = begin + width(text)
        return "".join(made)

    def _take(self, row: _Row, layer: _Layer, made: Version) -> None:
        cells = row.cells[layer.first : layer.behind]
        if layer.kind == "RL":
            made.leave("relations", self.place(row.line), len(_stack(cells[-1])))
        elif is_structure(layer.name) and layer.name.rpartition(".")[2] not in self.wanted:
            made.leave(f"annotations of {layer.name.rpartition('.')[2]}, the text's structure", self.place(row.line))
        elif layer.kind == "CH":
            self._mentions(row, layer, cells, made)
        else:
            self._spans(row, layer, cells, made)

    def _spans(self, row: _Row, layer: _Layer, cells: Sequence[str], made: Version) -> None:
        stacks = [_stack(cell) if "|" in cell else [cell] for cell in cells]
        for k in range(max(map(len, stacks))):
            features: Features = {}
            number, slots = "", 0
            for name, stack in zip(layer.columns, stacks, strict=True):
                value = stack[k] if k < len(stack) else _NO_VALUE
                if name == _TARGET:
                    slots += value.count("-")
                    continue
                if value[-1:] == "]" and (numbered := _NUMBERED.fullmatch(value)) is not None:
                    value, number = numbered[1], numbered[2]
                if name and name != _ROLE and value not in {_NO_VALUE, _NOTHING, ""}:
                    features[name] = _unescaped(value)
            if self._add(row, layer.name, number, features) and slots:
                made.leave("slots: links from an annotation to others", self.place(row.line), slots)

    def _mentions(self, row: _Row, layer: _Layer, cells: Sequence[str], made: Version) -> None:
        """`coref->2-1` is the first link of chain 2; the type of a mention is a label, that of a link is none."""
        stacks = dict(zip(layer.columns, map(_stack, cells), strict=True))
        links = stacks.pop("referenceRelation", [])
        for k, link in enumerate(links):
            said = _LINK.search(link)
            if said is None:
                raise DataError(f"{self.place(row.line)}: {quoted(link, 40)} is no link of a chain, such as *->1-2")
            features: Features = {}
            for name, stack in stacks.items():
                value = _NUMBERED.sub(r"\1", stack[k]) if k < len(stack) else _NO_VALUE
                if name and value not in {_NO_VALUE, _NOTHING, ""}:
                    features[name] = _unescaped(value)
            new = self._add(row, layer.name, f"{said[1]}-{said[2]}", features, chain=said[1])
            if new and link[: said.start()] != _NO_VALUE:
                made.leave("labels of links between mentions", self.place(row.line))

    def _add(self, row: _Row, layer: str, number: str, features: Features, chain: str | None = None) -> bool:
        """A new annotation, or one that goes on here: numbers may begin again in the next sentence."""
        known = self.going.get((layer, number)) if number else None
        if known is not None and _goes_on(known.at, row.at):
            known.start, known.end = min(known.start, row.start), max(known.end, row.end)
            known.at, known.surface = row.at, None
            return False
        one = _Found(layer, row.start, row.end, features, row.line, row.token or None, row.at, chain)
        self.found.append(one)
        if number:
            self.going[layer, number] = one
        return True


def _goes_on(before: tuple[int, int], now: tuple[int, int]) -> bool:
    """Whether a token is the same, or the next one; how long a sentence is does not matter."""
    return (now[0] == before[0] and now[1] - before[1] <= 1) or (now[0] == before[0] + 1 and now[1] == 1)


def _reads(text: str, at: Offsets, row: _Row, plain: Callable[[str], str]) -> bool:
    start, end = at(row.start), at(row.end)
    return (
        start is not None and end is not None and end <= len(text) and text[start:end] in {row.token, plain(row.token)}
    )
