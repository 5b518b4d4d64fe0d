"""CoNLL columns with chunks: a token and its tags on each line, IOB1, IOB2, BIOES, BILOU; a blank line ends a sentence.

The text is the tokens with blanks between them. Each column of chunks is a variable, or, if that is said, an annotator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from accord.errors import DataError, quoted
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.naming import named
from accord.io.reading import Reading

_TAG = re.compile(r"O|[BIESLUM]-.+")
_BARE = re.compile(r"O|[BIESLUM](?:-.+)?")  # chunks of one kind need no name, where the suffix says that these are tags
_OF_CHUNKS = (".conll", ".iob", ".iob2", ".bio", ".tags")
_DOCUMENT = re.compile(r"#\s*(?:newdoc(?:\s+id)?|id|doc_id|document)\s*[=:]\s*(?P<name>\S.*?)\s*")
_STARTS, _ENDS = "BSU", "ESLU"
_NAMELESS = "chunk"


@dataclass
class _Tokens:
    """A document: its text, and per column of chunks the tag of each token, with where tokens are."""

    name: str | None
    text: list[str] = field(default_factory=list)
    size: int = 0
    spans: list[tuple[int, int]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)  # tokens before which a sentence begins

    def add(self, cells: list[str], line: int) -> None:
        between = "\n" if len(self.spans) in self.breaks else " "
        if self.spans:
            self.text.append(between)
            self.size += 1
        self.spans.append((self.size, self.size + len(cells[0])))
        self.text.append(cells[0])
        self.size += len(cells[0])
        self.rows.append(cells)
        self.lines.append(line)


def recognises(file: File) -> bool:
    """Columns of the same number on every line, the last of which are chunks, and at least one that begins."""
    if file.suffix not in {*_OF_CHUNKS, ".tsv", ".txt", ""}:
        return False
    lines = file.beginning.split("\n")
    rows = [
        _cells(line)
        for line in lines[:2000][: -1 if len(lines) > 1 else None]
        if line.strip() and not _is_comment(line)
    ]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return False
    return _is_chunks([row[-1] for row in rows], _tag_of(file))


def _tag_of(file: File) -> re.Pattern[str]:
    return _BARE if file.suffix in _OF_CHUNKS else _TAG


def _is_comment(line: str) -> bool:
    """A line that is about the tokens; a token may begin with # itself."""
    if line.startswith("-DOCSTART-"):
        return True
    return line.startswith(("# ", "#\t")) and not _TAG.fullmatch(_cells(line)[-1])


def _cells(line: str) -> list[str]:
    return line.rstrip("\r\n").split("\t") if "\t" in line else line.split()


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    found = [list(_documents(file, how)) for file in mine]
    names = named([file.parts for file in mine], how, ["\n".join("".join(doc.text) for doc in docs) for docs in found])
    export = Export(notes=[names.said] if names.said else [])
    for file, docs, (doc, who) in zip(mine, found, names.keys, strict=True):
        width = min((len(row) for one in docs for row in one.rows), default=0)
        columns = [
            k for k in range(1, width) if _is_chunks([row[k] for one in docs for row in one.rows], _tag_of(file))
        ]
        if not columns:
            raise DataError(f"{file.name}: no column of chunks, such as B-PER, I-PER, O")
        for number, one in enumerate(docs, 1):
            called = one.name or (doc if len(docs) == 1 else f"{doc} {number}")
            export.document(called, "".join(one.text))
            for k in columns:
                variable, annotator = _roles(k, columns, who, how)
                export.saw(called, annotator)
                for first, last, label in _chunks([row[k] for row in one.rows]):
                    export.unit(variable, called, annotator, one.spans[first][0], one.spans[last][1], label,
                                place=f"{file.name}:{one.lines[first]}")  # fmt: skip
    return export


def _roles(column: int, columns: Sequence[int], who: str, how: Reading) -> tuple[str, str]:
    """Variable and annotator of a column."""
    if how.annotators_in == "columns":
        return "label", f"column {column + 1}"
    return ("label" if len(columns) == 1 else f"column {column + 1}"), who


def _is_chunks(tags: Sequence[str], like: re.Pattern[str]) -> bool:
    return all(like.fullmatch(tag) for tag in tags) and any(tag != "O" for tag in tags)


def _are_numbered(lines: Sequence[str]) -> bool:
    """Whether tokens are the second column, behind their number in the sentence."""
    rows = [_cells(line) for line in lines if line.strip() and not _is_comment(line)]
    if not rows or any(len(row) < 3 or not row[0].isdecimal() for row in rows):
        return False
    numbers = [int(row[0]) for row in rows]
    return numbers[0] in {0, 1} and all(b in {a + 1, numbers[0]} for a, b in pairwise(numbers))


def _documents(file: File, how: Reading) -> Iterator[_Tokens]:
    current, width = _Tokens(None), 0
    lines = file.text(how.encoding).split("\n")
    skipped = 1 if _are_numbered(lines) else 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            current.breaks.add(len(current.spans))
            continue
        if _is_comment(line):
            name = _DOCUMENT.fullmatch(line.strip())
            if line.startswith("-DOCSTART-") or name:
                if current.spans:
                    yield current
                current = _Tokens(name["name"] if name else None)
            continue
        cells = _cells(line)[skipped:]
        width = width or len(cells)
        if len(cells) != width:
            raise DataError(
                f"{file.name}:{number}: {len(cells)} columns where lines before have {width}: {quoted(line, 40)}"
            )
        current.add(cells, number)
    if current.spans:
        yield current


def _chunks(tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """First and last token and label of each chunk; what begins and ends one is said by any of the schemes."""
    first: int | None = None
    label = ""
    for k, tag in enumerate([*tags, "O"]):
        sign, _, name = tag.partition("-")
        if first is not None and (sign in _STARTS or tag == "O" or name != label):
            yield first, k - 1, label or _NAMELESS
            first = None
        if tag != "O":
            if first is None:
                first, label = k, name
            if sign in _ENDS:
                yield first, k, label or _NAMELESS
                first = None
