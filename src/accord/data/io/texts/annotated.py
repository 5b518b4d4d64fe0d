"""Files that hold an annotator's version of a text, with its tokens: plain text and CorA-XML (CoNLL: conll.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from accord.core.errors import DataError
from accord.data.io.opening import decoded, encoding_of, stream_of, unreadable
from accord.data.io.reading import Reading
from accord.data.model.texts import words

_LARGEST = 1 << 28  # bytes of one text
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False}


class NotAnnotatedError(DataError):
    """A file of this suffix that holds something else: in a folder it is passed over."""


@dataclass
class FileVersion:
    """A text, its tokens as spans over it, and their features; `doc` where the file itself names the document."""

    pieces: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    features: dict[str, list[str | None]] = field(default_factory=dict)
    doc: str | None = None
    notes: list[str] = field(default_factory=list)
    size: int = 0  # of the text

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def append(self, text: str, blank: bool = True) -> int:
        """Text behind what is there, with a blank between; says where it begins."""
        if self.pieces and blank:
            self.pieces.append(" ")
            self.size += 1
        begin = self.size
        self.pieces.append(text)
        self.size += len(text)
        return begin

    def add(self, token: str, features: dict[str, str | None]) -> None:
        """A token behind the others."""
        self.start.append(self.append(token))
        self.end.append(self.size)
        for name, column in self.features.items():
            column.append(features.get(name))
        for name in [name for name in features if name not in self.features]:  # in the order of the file
            self.features[name] = [*[None] * (len(self.start) - 1), features[name]]


def content(path: Path, encoding: str | None) -> str:
    """The text of a file, or one clear line that says why there is none."""
    try:
        if path.stat().st_size > _LARGEST:
            raise DataError(f"{path}: larger than {_LARGEST >> 20} MB; cut the text into documents")
        with stream_of(path) as file:
            raw = file.read()
    except OSError as error:
        raise unreadable(path, error) from error
    text = decoded(raw, str(path), encoding or encoding_of(raw[:4]))
    if not text.strip():
        raise DataError(f"{path}: the file is empty{', there are only blanks in it' if text else ''}")
    if "\0" in text:
        raise DataError(f"{path}: a NUL at character {text.index(chr(0))}; is it UTF-16? say --encoding utf-16-le")
    return text


def plain_text(path: Path, how: Reading) -> Sequence[FileVersion]:
    """What stands between blanks is a token. Lines may end as they like."""
    text = content(path, how.encoding).replace("\r\n", "\n").replace("\r", "\n")
    _, start, end = words([text])
    return [FileVersion([text], start.tolist(), end.tolist())]


def cora_xml(path: Path, how: Reading) -> Sequence[FileVersion]:
    """CorA-XML: `<mod>` elements are tokens, `@trans` is their text, their children with `@tag` are features."""
    from lxml import etree

    version, encoding = FileVersion(), "utf-8" if how.encoding else None
    try:
        # The limits of the parser hold until it is known that nothing is declared; behind that, files may be large.
        with BytesIO(content(path, how.encoding).encode()) if how.encoding else stream_of(path) as file:
            if not file.read(1):
                raise DataError(f"{path}: the file is empty")
            file.seek(0)
            _, root = next(iter(etree.iterparse(file, events=("start",), encoding=encoding, **_SAFE)))
            if root.getroottree().docinfo.doctype:
                raise DataError(f"{path}: a document type is declared, which is not read; remove the line <!DOCTYPE …>")
            file.seek(0)
            for _, word in etree.iterparse(file, tag="mod", encoding=encoding, huge_tree=True, **_SAFE):
                version.add(*_word(path, word, how))
                word.clear(keep_tail=False)
    except OSError as error:
        raise unreadable(path, error) from error
    except etree.XMLSyntaxError as error:
        raise DataError(f"{path}:{error.lineno}: broken XML: {' '.join(error.msg.split())}") from error
    if not version.start:
        raise NotAnnotatedError(f"{path}: no <mod> in it; is it CorA-XML?")
    return [version]


def _word(path: Path, word: Any, how: Reading) -> tuple[str, dict[str, str | None]]:
    """The text and the features of a <mod>."""
    text = word.get("trans")
    if text is None:
        raise DataError(f"{path}:{word.sourceline}: a <mod> without trans")
    for symbol, meant in ((how.merge_symbol, " "), (how.split_symbol, "")):
        text = text.replace(symbol, meant) if symbol else text
    return text, {child.tag: child.get("tag") for child in word if child.get("tag") is not None}
