"""WebAnno TSV 3.x: a line per token, whose columns the header declares by layers; offsets are UTF-16, as in Java.

`_` is no annotation, `*` one without a value; `|` separates annotations at one token, and `[2]` behind a value tells
which of them goes on in the next line. Text between sentences is not in the file: it is blank here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.layers import Features, Mention, Span, Version, fill, is_structure, layer_of, wanted_structure
from accord.io.formats.offsets import Offsets, code_points, utf16
from accord.io.formats.people import people
from accord.io.formats.webanno_tsv_writing import write
from accord.io.reading import Reading

__all__ = ["read", "recognises", "version", "write"]

_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.(\d))?\s*(?:\n|$)")
_LAYER = re.compile(r"#T_(SP|CH|RL)=([^|]+)(?:\|(.*))?")
_WHERE = re.compile(r"([0-9]{1,12})-([0-9]{1,12})(?:\.([0-9]{1,12}))?\t([0-9]{1,12})-([0-9]{1,12})(?:\t|$)")
_STACKED = re.compile(r"((?:\\.?|[^\\|])*)(?:\||$)")  # what is escaped separates nothing
_NUMBERED = re.compile(r"((?:\\.|[^\\])*)\[(\d+)\]")
_LINK = re.compile(r"(?<!\\)->(\d+)-(\d+)$")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_JAVA = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}
_NOTHING, _NO_VALUE = "_", "*"
_VALUELESS = frozenset((_NOTHING, _NO_VALUE, ""))
_FAR = 10_000_000  # a sentence that begins so far beyond the one before it is damaged


def recognises(file: File) -> bool:
    return file.head.startswith((b"#FORMAT=WebAnno TSV 3", b"\xef\xbb\xbf#FORMAT=WebAnno TSV 3"))


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001 - as all readers
    export = Export()
    fill(export, people(export, mine, [version(file, how) for file in mine], how))
    return export


def version(file: File, how: Reading) -> Version:
    """One document by one annotator."""
    content = file.text(how.encoding).removeprefix("\ufeff")
    said = _FORMAT.match(content)
    if said is None:
        raise DataError(f"{file.name}:1: {quoted(content.partition(chr(10))[0], 40)} is no WebAnno TSV 3")
    counting = utf16 if content.isascii() or max(content) < "\U00010000" else _counting(content)
    return _Document(file.name, content, int(said[1] or 0), wanted_structure(how)).version(counting)


def _counting(content: str) -> Callable[[str], Offsets]:
    """Java counts in UTF-16; files that other programs wrote may count characters: tokens beyond the BMP tell."""
    lengths = []
    for line in content.split("\n"):
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

    @cached_property
    def behind(self) -> int:
        return self.first + len(self.columns)

    @cached_property
    def nothing(self) -> list[str]:
        """Its cells where nothing is annotated."""
        return [_NOTHING] * len(self.columns)

    @cached_property
    def is_structure(self) -> bool:
        return is_structure(self.name)


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


@dataclass(slots=True)
class _Found:
    """An annotation, which may go on in the next token."""

    layer: str
    start: int
    end: int
    features: Features
    line: int  # its first
    token: str  # its first
    surface: str | None
    at: tuple[int, int]  # sentence and token of its last line
    chain: str | None = None


class _Row(NamedTuple):
    """A token, or a part of one."""

    line: int
    sentence: int
    number: int  # of the token
    part: bool
    start: int
    end: int
    cells: list[str]  # all columns, the first three as well


class _Document:
    def __init__(self, name: str, content: str, minor: int, wanted: frozenset[str]) -> None:
        self.name, self.content, self.wanted = name, content, wanted
        self.plain = _from_java if minor <= 1 else _unescaped
        self.layers = self._header()
        self.columns = self.layers[-1].behind if self.layers else 3
        self.sentences: list[tuple[int, int, str]] = []  # line, begin, text
        self.found: list[_Found] = []
        self.going: dict[tuple[str, str], _Found] = {}
        self.made = Version(None)

    def place(self, line: int) -> str:
        return f"{self.name}:{line}"

    def version(self, counting: Callable[[str], Offsets]) -> Version:
        self._scan()
        text = self._text(self.sentences, counting)
        at = counting(text)
        if not all(self._reads(text, at, one) for one in self.found):
            self.made.leave("texts of sentences: their tokens do not fit them, and hold", self.name)
            text = self._text(self._tokens(), counting)
            at = counting(text)
        made = self.made
        made.text = text
        for one in self.found:
            start, end, where = at(one.start), at(one.end), f"{self.name}:{one.line}"
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
        for line in self.content[: self.content.find("\n\n") + 1 or None].split("\n")[1:]:
            said = _LAYER.fullmatch(line.rstrip("\r"))
            if said is None:
                break
            name = layer_of(said[2].strip())
            name = name.removesuffix("Link") if said[1] == "CH" else name
            first = layers[-1].behind if layers else 3
            layers.append(_Layer(said[1], name, first, _columns(said[1], said[3] or "")))
        return layers

    def _scan(self) -> None:
        """Lines with annotations, and where sentences begin. Most lines have none: the text is split at these."""
        without = "\t_" * (self.columns - 3)
        ends = [end for end in (f"{without}\t\n", f"{without}\n", f"{without}\t\r\n", f"{without}\r\n") if without]
        empty = next((end for end in ends if end in self.content), None)
        pieces = self.content.split(empty) if empty else [self.content]
        text: list[str] = []
        line = 1
        for piece in pieces[:-1]:
            if "\n" in piece:
                *lines, rest = piece.split("\n")
                for number, one in enumerate(lines, line):
                    self._line(number, one, text)
                line += len(lines)
                if text:
                    self._sentence(self._row(line, f"{rest}{without}"), text)
            line += 1
        for number, one in enumerate(pieces[-1].split("\n"), line):
            self._line(number, one, text)

    def _line(self, number: int, line: str, text: list[str]) -> None:
        if line.startswith("#Text="):
            text.append(line[6:].rstrip("\r"))
        elif line and line[0] != "#" and line != "\r":
            row = self._row(number, line.rstrip("\r"))
            if text:
                self._sentence(row, text)
            cells = row.cells
            for layer in self.layers:
                mine = cells[layer.first : layer.behind]
                if mine != layer.nothing:
                    self._take(row, layer, mine)

    def _sentence(self, row: _Row, text: list[str]) -> None:
        """Its text begins with its first token."""
        self.sentences.append((row.line, row.start, self.plain("\n".join(text))))
        text.clear()

    def _row(self, number: int, line: str) -> _Row:
        where = _WHERE.match(line)
        if where is None:
            raise DataError(f"{self.place(number)}: {quoted(line, 40)} is no token; it is written: 1-1, 0-4, token")
        cells = line.split("\t")
        if len(cells) < self.columns:
            raise DataError(
                f"{self.place(number)}: {len(cells)} columns, where {self.columns} are declared; is the file cut off?"
            )
        sentence, token, part, start, end = where.groups()
        return _Row(number, int(sentence), int(token), part is not None, int(start), int(end), cells)

    def _tokens(self) -> list[tuple[int, int, str]]:
        """All tokens, as if each were a sentence."""
        lines = enumerate(self.content.split("\n"), 1)
        rows = [self._row(number, line.rstrip("\r")) for number, line in lines if _WHERE.match(line)]
        return [(row.line, row.start, row.cells[2]) for row in rows if not row.part]

    def _reads(self, text: str, at: Offsets, one: _Found) -> bool:
        """Whether its first token stands in the text where it is said to be."""
        start, token = at(one.start), one.token
        return start is not None and (text.startswith(token, start) or text.startswith(self.plain(token), start))

    def _text(self, pieces: Sequence[tuple[int, int, str]], counting: Callable[[str], Offsets]) -> str:
        """Pieces where they begin; what is between them is not in the file."""
        width = len if counting is code_points else _width
        made: list[str] = []
        length = 0
        for line, begin, text in pieces:
            if begin > _FAR + 10 * len(self.content):
                raise DataError(f"{self.place(line)}: the offset {begin:,} is far beyond the text before it")
            if begin < length:
                raise DataError(f"{self.place(line)}: the offset {begin:,} is within the text before it")
            if begin > length:
                made.append(" " * (begin - length - 1) + ("\n" if made else " "))
            made.append(text)
            length = begin + width(text)
        return "".join(made)

    def _take(self, row: _Row, layer: _Layer, cells: Sequence[str]) -> None:
        if layer.kind == "RL":
            self.made.leave("relations", self.place(row.line), len(_stack(cells[-1])))
        elif layer.is_structure and layer.name.rpartition(".")[2] not in self.wanted:
            what = f"annotations of {layer.name.rpartition('.')[2]}, the text's structure"
            self.made.leave(what, self.place(row.line))
        elif layer.kind == "CH":
            self._mentions(row, layer, cells)
        else:
            stacks = [_stack(cell) if "|" in cell else [cell] for cell in cells]
            for k in range(max(map(len, stacks))):
                self._span(row, layer, [stack[k] if k < len(stack) else _NO_VALUE for stack in stacks])

    def _span(self, row: _Row, layer: _Layer, values: Sequence[str]) -> None:
        """One annotation of those at a token."""
        features: Features = {}
        number, slots = "", 0
        for name, said in zip(layer.columns, values, strict=True):
            if name == _TARGET:
                slots += said.count("-")
                continue
            value = said
            if said[-1:] == "]" and (numbered := _NUMBERED.fullmatch(said)) is not None:
                value, number = numbered.groups()
                if self._goes_on(row, layer.name, number):
                    return
            if value not in _VALUELESS and name and name != _ROLE:
                features[name] = _unescaped(value)
        self._add(row, layer.name, number, features)
        if slots:
            self.made.leave("slots: links from an annotation to others", self.place(row.line), slots)

    def _mentions(self, row: _Row, layer: _Layer, cells: Sequence[str]) -> None:
        """`coref->2-1` is the first link of chain 2; the type of a mention is a label, that of a link is none."""
        stacks = dict(zip(layer.columns, map(_stack, cells), strict=True))
        for k, link in enumerate(stacks.pop("referenceRelation", [])):
            said = _LINK.search(link)
            if said is None:
                raise DataError(f"{self.place(row.line)}: {quoted(link, 40)} is no link of a chain, such as *->1-2")
            number = f"{said[1]}-{said[2]}"
            if self._goes_on(row, layer.name, number):
                continue
            features: Features = {}
            for name, stack in stacks.items():
                value = _NUMBERED.sub(r"\1", stack[k]) if k < len(stack) else _NO_VALUE
                if name and value not in _VALUELESS:
                    features[name] = _unescaped(value)
            self._add(row, layer.name, number, features, chain=said[1])
            if link[: said.start()] != _NO_VALUE:
                self.made.leave("labels of links between mentions", self.place(row.line))

    def _goes_on(self, row: _Row, layer: str, number: str) -> bool:
        """An annotation goes on in the same token or the next one; numbers may begin again in another sentence."""
        known = self.going.get((layer, number))
        if known is None:
            return False
        sentence, token = known.at
        same = row.sentence == sentence and row.number - token <= 1
        if not same and not (row.sentence == sentence + 1 and row.number == 1):
            return False
        if row.start < known.start:
            known.start, known.token = row.start, row.cells[2]
        known.end = max(known.end, row.end)
        known.at, known.surface = (row.sentence, row.number), None
        return True

    def _add(self, row: _Row, layer: str, number: str, features: Features, chain: str | None = None) -> None:
        token, at = row.cells[2], (row.sentence, row.number)
        one = _Found(layer, row.start, row.end, features, row.line, token, token or None, at, chain)
        self.found.append(one)
        if number:
            self.going[layer, number] = one
