"""DocBin of spaCy, its binary format of documents.

Files: .spacy. The user data of documents name the annotator, else each file is one.
Keeps: entities (variable `ents`) and groups of spans (a variable each) as units; categories as labels of items.
Skips and counts: spans without a label, tags and relations of tokens, user data that names neither.
Reference: spaCy documentation, "DocBin: Serialization format" (https://spacy.io/api/docbin).

The reader unpacks the file with msgpack only. Unpacking it with spaCy could run code from an untrusted file.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.core.context import Run
from accord.core.errors import DataError
from accord.data.io.formats.export import Export, annotator_in, named_by
from accord.data.io.formats.files import LARGEST, File
from accord.data.io.formats.parsing import watched
from accord.data.io.reading import Reading
from accord.data.io.unused import Unused, has_content

_ORTH, _ENT_IOB, _ENT_TYPE = 65, 77, 78  # numbers of attributes
_BEGINS, _INSIDE = 3, 1  # of ENT_IOB
_SPAN = struct.Struct(">QQQllll")  # id, knowledge base, label, first and last token, first and last character
# spaCy numbers its own symbols, and identifies all other strings by a hash.
_SYMBOLS: tuple[tuple[int, str], ...] = (
    (64, "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD SENT_START "
         "SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL "
         "SPACE"),
    (380, "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY "
          "ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj "
          "csubjpass dep det dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num "
          "number oprd obj obl parataxis partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl "
          "rcmod root xcomp acl ENT_KB_ID MORPH ENT_ID IDX _"),
)  # fmt: skip
_KNOWN = {first + k: name for first, names in _SYMBOLS for k, name in enumerate(names.split())}

# Attributes of tokens that annotators may set, and that are not read.
_ASIDE = {code: name for code, name in _KNOWN.items() if name in {
    "LEMMA", "POS", "TAG", "DEP", "HEAD", "MORPH", "ENT_KB_ID", "ENT_ID",
}}  # fmt: skip
_PARTS = frozenset((
    "version", "attrs", "tokens", "spaces", "lengths", "strings", "cats", "flags", "user_data", "span_groups",
))  # fmt: skip


def recognises(file: File) -> bool:
    return file.suffix == ".spacy" and file.head[:1] == b"\x78"


@dataclass
class _Doc:
    text: str
    units: list[tuple[str, int, int, str]] = field(default_factory=list)  # variable, start, end, label
    cats: dict[str, float] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)
    unused: Unused = field(default_factory=Unused)


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001
    found = [[*_docs(file)] for file in watched(mine, run)]
    # A document without a name is named by its position, which is the same in the files of all annotators.
    named = [[named_by(doc.about) or f"text {k}" for k, doc in enumerate(docs, 1)] for docs in found]
    export = Export()
    people = export.name_annotators(mine, how, [frozenset(names) for names in named])
    for file, docs, names, of_file in zip(mine, found, named, people, strict=True):
        for doc, name in zip(docs, names, strict=True):
            annotator, place = annotator_in(doc.about) or of_file, f"{file.name}, {name}"
            export.same_text(name, doc.text, file)
            export.unused.update(doc.unused)
            _pass_data(export, doc.about)
            export.saw(name, annotator)
            for variable, start, end, label in doc.units:
                export.span(variable, name, annotator, start, end, label, place=place)
            chosen = [label for label, score in doc.cats.items() if score >= 0.5]
            if doc.cats:
                export.label("cats", name, annotator, chosen, place=place)
    labels: list[Any] = export.labels["cats"].columns["label"] if "cats" in export.labels else []
    if labels and all(len(label) == 1 for label in labels):
        labels[:] = [label[0] for label in labels]
    return export


def _pass_data(export: Export, data: Mapping[str, Any]) -> None:
    """Count user data that name neither the document nor the annotator."""
    for name, value in data.items():
        named = value in {named_by(data), annotator_in({name: value})} if isinstance(value, str) else False
        export.unused.add("user data of documents", name, not named and has_content(value))


def _unpack(packed: bytes, file: File) -> Any:
    try:
        import msgpack
    except ImportError:
        raise DataError(
            "missing-package",
            f"{file.name}: reading a spaCy DocBin needs msgpack; pip install 'accord[spacy]' (in a checkout: pip "
            "install '.[spacy]')",
        ) from None
    try:
        return msgpack.unpackb(packed, strict_map_key=False, use_list=True, ext_hook=lambda _code, _data: None)
    except MemoryError:
        raise
    except Exception as error:  # msgpack raises many kinds of errors
        raise DataError(
            "file-damaged", f"{file.name}: not a valid DocBin: {error}; write it again with spaCy"
        ) from error


def _docs(file: File) -> Iterator[_Doc]:
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(file.bytes(), LARGEST)
    except zlib.error as error:
        raise DataError(
            "file-damaged", f"{file.name}: not a valid DocBin: {error}; write it again with spaCy"
        ) from error
    if inflater.unconsumed_tail:
        raise DataError(
            "file-too-large", f"{file.name}: unpacks to more than {LARGEST >> 20} MB; split it into several files"
        )
    whole = _unpack(content, file)
    try:
        yield from _of(whole, file)
    except (KeyError, TypeError, ValueError, IndexError, struct.error) as error:
        raise DataError(
            "file-damaged", f"{file.name}: not a valid DocBin: {error!r}; write it again with spaCy"
        ) from error


def _of(whole: Mapping[str, Any], file: File) -> Iterator[_Doc]:
    attributes = list(whole["attrs"])
    tokens = np.frombuffer(whole["tokens"], dtype="<u8").reshape(-1, len(attributes))
    spaces = np.frombuffer(whole["spaces"], dtype=bool)
    lengths = np.frombuffer(whole["lengths"], dtype="<i4")
    strings = {_hash(string): string for string in whole["strings"]} | _KNOWN | {0: ""}
    column = {attribute: k for k, attribute in enumerate(attributes)}
    ends, empty = np.cumsum(lengths), np.array([0, _hash("_")], dtype="<u8")  # codes of attributes without a value
    for k, (end, length) in enumerate(zip(ends.tolist(), lengths.tolist(), strict=True)):
        rows, blank = tokens[end - length : end], spaces[end - length : end]
        words = [strings[int(code)] for code in rows[:, column[_ORTH]]]
        text, places = _laid_out(words, blank.tolist())
        doc = _Doc(text)
        for attribute, name in _ASIDE.items():
            if attribute in column:
                values = rows[:, column[attribute]]
                doc.unused.add("attributes of tokens", name, int((~np.isin(values, empty)).sum()))
        if not k:
            doc.unused.add_keys("parts of the file", whole, _PARTS)
        if _ENT_IOB in column and _ENT_TYPE in column:
            iob = rows[:, column[_ENT_IOB]].tolist()
            types = [strings.get(int(code), "") for code in rows[:, column[_ENT_TYPE]]]
            doc.units += [("ents", places[a][0], places[b][1], name) for a, b, name in _entities(iob, types)]
        doc.units += _groups(_at(whole.get("span_groups"), k), places, strings, doc.unused, file)
        doc.cats = dict(_at(whole.get("cats"), k) or {})
        doc.about = _user_data(_at(whole.get("user_data"), k), file)
        yield doc


def _at(values: Any, k: int) -> Any:
    return values[k] if isinstance(values, list) and k < len(values) else None


def _laid_out(words: Sequence[str], blank: Sequence[bool]) -> tuple[str, list[tuple[int, int]]]:
    places, pieces, at = [], [], 0
    for word, space in zip(words, blank, strict=True):
        places.append((at, at + len(word)))
        pieces.append(word + " " * space)
        at += len(word) + space
    return "".join(pieces), places


def _entities(iob: Sequence[int], types: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first token, last token and label of each entity."""
    first: int | None = None
    for k in range(len(iob) + 1):
        inside = k < len(iob) and iob[k] == _INSIDE
        if first is not None and not inside:
            yield first, k - 1, types[first]
            first = None
        if k < len(iob) and iob[k] == _BEGINS:
            first = k


def _groups(
    packed: Any, places: Sequence[tuple[int, int]], strings: Mapping[int, str], unused: Unused, file: File
) -> Iterator[tuple[str, int, int, str]]:
    """Yield the spans of all groups. Each group is a variable with the same name."""
    groups = _unpack(packed, file) if packed else {}
    # Packed groups are the keys of a map, or, in older versions, a list.
    for one in groups:
        group = _unpack(one, file)
        for span in group["spans"]:
            key, base, label, first, last, _, _ = _SPAN.unpack(span)
            unused.add("identifiers of spans", "span id", bool(key))
            unused.add("identifiers of spans", "knowledge base", bool(base))
            if first < last:
                yield str(group["name"]), places[first][0], places[last - 1][1], strings.get(label, "")


def _user_data(packed: Any, file: File) -> dict[str, Any]:
    """Return the plain values in the user data of a document. Other values are ignored."""
    inner = _unpack(packed, file) if isinstance(packed, bytes) else packed
    if not isinstance(inner, Mapping) or "keys" not in inner:
        return dict(inner) if isinstance(inner, Mapping) else {}
    keys, values = ([*_unpack(inner[part], file)] for part in ("keys", "values"))
    return {str(key): value for key, value in zip(keys, values, strict=False)}


def _hash(string: str) -> int:
    """Return the hash by which spaCy identifies a string: MurmurHash64A of its UTF-8, with seed 1."""
    data, factor, mask = string.encode("utf-8"), 0xC6A4A7935BD1E995, 0xFFFFFFFFFFFFFFFF
    value = (1 ^ (len(data) * factor)) & mask
    whole = len(data) & ~7
    for (k,) in struct.iter_unpack("<Q", data[:whole]):
        mixed = (k * factor) & mask
        mixed = ((mixed ^ (mixed >> 47)) * factor) & mask
        value = ((value ^ mixed) * factor) & mask
    if rest := data[whole:]:
        value = ((value ^ int.from_bytes(rest, "little")) * factor) & mask
    value = ((value ^ (value >> 47)) * factor) & mask
    return value ^ (value >> 47)
