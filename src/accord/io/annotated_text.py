"""Files that hold one annotator's version of a text, with its tokens: CorA-XML, CoNLL-U and its kin, plain text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.errors import DataError, quoted
from accord.io.text import decoded, encoding_of, unreadable

_LARGEST = 1 << 28  # bytes of one text


@dataclass
class Version:
    """A text, its tokens as spans over it, and their features."""

    pieces: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    features: dict[str, list[str | None]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def add(self, token: str, features: dict[str, str | None], blank: bool = True) -> None:
        """A token behind the others, with a blank between."""
        if self.pieces and blank:
            self.pieces.append(" ")
        self.start.append((self.end[-1] if self.end else 0) + (bool(self.end) and blank))
        self.pieces.append(token)
        self.end.append(self.start[-1] + len(token))
        for name in {**self.features, **features}:
            column = self.features.setdefault(name, [None] * (len(self.start) - 1))
            column.append(features.get(name))


def _content(path: Path, encoding: str | None) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise DataError(f"{path}: larger than {_LARGEST >> 20} MB; cut the text into documents")
        raw = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    return decoded(raw, str(path), encoding or encoding_of(raw[:4]))


def plain_text(path: Path, encoding: str | None = None) -> Version:
    """What stands between blanks is a token."""
    text = _content(path, encoding)
    version, at = Version([text]), 0
    for word in text.split():
        at = text.index(word, at)
        version.start.append(at)
        at += len(word)
        version.end.append(at)
    return version


def conllu(path: Path, encoding: str | None = None) -> Version:
    """CoNLL-U: forms with SpaceAfter; lemma, upos and xpos are features. Multiword lines are passed over."""
    from conllu import parse
    from conllu.exceptions import ParseException

    version, blank = Version(), False
    try:
        sentences = parse(_content(path, encoding))
    except ParseException as error:
        raise DataError(f"{path}: not CoNLL-U: {str(error).splitlines()[0]}") from None
    for sentence in sentences:
        for word in sentence:
            if not isinstance(word["id"], int):
                continue
            known = {name: word.get(name) for name in ("lemma", "upos", "xpos")}
            version.add(word["form"], {name: value for name, value in known.items() if value not in {None, "_"}}, blank)
            blank = (word.get("misc") or {}).get("SpaceAfter") != "No"
        blank = True
    return version


def tabular(path: Path, encoding: str | None = None) -> Version:
    """Columns between tabulators or blanks, the token in the first; the others are features, by their number."""
    version, width = Version(), 0
    for number, line in enumerate(_content(path, encoding).splitlines(), start=1):
        if not line.strip() or line.startswith(("#", "-DOCSTART-")):
            continue
        token, *tags = line.split("\t") if "\t" in line else line.split()
        width = width or len(tags)
        if len(tags) != width:
            raise DataError(f"{path}:{number}: {len(tags) + 1} columns, but {width + 1} before")
        version.add(token, {f"column {k + 2}": tag for k, tag in enumerate(tags) if tag != "_"})
    return version


def cora_xml(path: Path, encoding: str | None = None, merge: str = "#", split: str = "|") -> Version:
    """CorA-XML: `<mod>` elements are tokens, `@trans` is their text, their children with `@tag` are features."""
    from lxml import etree

    del encoding  # the file says it itself
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.parse(str(path), parser).getroot()
    except OSError as error:
        raise unreadable(path, error) from None
    except etree.XMLSyntaxError as error:
        raise DataError(f"{path}:{error.lineno}: broken XML: {error.msg}") from None
    if root.getroottree().docinfo.doctype:
        raise DataError(f"{path}: a document type is declared, which is not read; remove the line <!DOCTYPE …>")
    version = Version()
    for word in root.iter("mod"):
        text = word.get("trans")
        if text is None:
            raise DataError(f"{path}:{word.sourceline}: a <mod> without trans")
        tags = {child.tag: child.get("tag") for child in word if child.get("tag") is not None}
        version.add(text.replace(merge, " ").replace(split, ""), tags)
    if not version.start:
        raise DataError(f"{path}: no <mod> in it; is it CorA-XML?")
    return version


Reader = Callable[..., Version]
READERS: dict[str, Reader] = {
    ".xml": cora_xml,
    ".conllu": conllu,
    ".conll": tabular,
    ".tsv": tabular,
    ".txt": plain_text,
}
BASES = ("base", "pre", "reference", "original", "source")  # the names a pre-annotation goes by


def named_files(paths: Sequence[Path]) -> dict[tuple[str, str], Path]:
    """(document, annotator) of every file: folders are annotators, else `document.annotator.txt`, else one document."""
    files = [f for p in paths for f in (sorted(p.rglob("*")) if p.is_dir() else [p])]
    files = [f for f in files if f.is_file() and f.suffix.lower() in READERS and not f.name.startswith((".", "README"))]
    if not files:
        listed = ", ".join(READERS)
        raise DataError(f"{', '.join(map(str, paths))}: no annotated text in it (looked for {listed})")
    folders = {f.parent for f in files}
    dotted = [f.stem.rpartition(".") for f in files]
    found: dict[tuple[str, str], Path] = {}
    for file, (doc, dot, who) in zip(files, dotted, strict=True):
        if len(folders) > 1:
            key = file.stem, file.parent.name
        elif all(sign for _, sign, _ in dotted):
            key = doc, who
        else:
            key = "document", file.stem
        if key in found:
            raise DataError(f"{file}: document {quoted(key[0])} of {quoted(key[1])} is there already: {found[key]}")
        found[key] = file
        del dot
    return found


def read_versions(
    paths: Sequence[Path], encoding: str | None, base: str | None
) -> tuple[dict[str, list[Any]], dict[tuple[str, str], str], str | None]:
    """All versions as columns of tokens, the texts, and which annotator is the pre-annotation."""
    files = named_files(paths)
    columns: dict[str, list[Any]] = {"doc": [], "annotator": [], "start": [], "end": []}
    texts: dict[tuple[str, str], str] = {}
    for (doc, annotator), path in files.items():
        version = READERS[path.suffix.lower()](path, encoding)
        texts[doc, annotator] = version.text
        many, before = len(version.start), len(columns["start"])
        columns["doc"] += [doc] * many
        columns["annotator"] += [annotator] * many
        columns["start"] += version.start
        columns["end"] += version.end
        for name in {**columns, **version.features}:
            if name not in {"doc", "annotator", "start", "end"}:
                column = columns.setdefault(name, [None] * before)
                column += version.features.get(name, [None] * many)
    annotators = {annotator for _, annotator in files}
    return columns, texts, base or next((name for name in BASES if name in annotators), None)
