"""UIMA CAS in JSON, written by INCEpTION, the UIMA SDK and dkpro-cassis.

Files: .json with `%FEATURE_STRUCTURES`; a file per document and annotator, DOCUMENT/ANNOTATOR.json.
Keeps: spans (each feature of a layer is a variable), chains of mentions, features of documents as labels of items.
Skips and counts: relations, slots, deleted annotations, further views, and the structure of the text.
Reference: Apache UIMA, "JSON CAS" specification (uima-uimaj-io-jsoncas).

Names with % belong to the format, names with @ are references, and names with # are numbers that JSON cannot represent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from accord.core.context import Run
from accord.core.errors import DataError, quoted
from accord.data.io.formats.export import Export
from accord.data.io.formats.files import File
from accord.data.io.formats.layers import SETS, Cas, Features, Types, Version, as_set, read_versions, wanted_structure
from accord.data.io.formats.parsing import json_of
from accord.data.io.reading import Reading
from accord.data.model.labels import label_name

_BEGINNING = re.compile(r'\{\s*"%(?:TYPES|FEATURE_STRUCTURES|VIEWS|HEADER)"\s*:')
_OLDER = re.compile(r'\{\s*"(?:_context|@context|_views|_referenced_fss)"\s*:\s*\{\s*"[_@]')  # of UIMA 2
_WHOLE = frozenset(("%TYPES", "%FEATURE_STRUCTURES", "%VIEWS", "%HEADER"))
_PLACE = frozenset(("@sofa", "begin", "end"))


def recognises(file: File) -> bool:
    text = file.beginning.lstrip()
    return _BEGINNING.match(text) is not None or _OLDER.match(text) is not None


def read(mine: Sequence[File], files: Sequence[File], how: Reading, run: Run) -> Export:  # noqa: ARG001 - same signature for all readers
    return read_versions(partial(version, how=how), mine, mine, how, run)


def version(file: File, how: Reading) -> Version:
    """Return one document by one annotator."""
    if _OLDER.match(file.beginning.lstrip()):
        raise DataError(
            "export-not-usable", f"{file.name}: JSON of UIMA 2 has no types; export it as UIMA CAS JSON or UIMA CAS XMI"
        )
    held = _object(json_of(file, how.encoding), file.name)
    whole = {key: value for key, value in held.items() if key not in _WHOLE}
    cas = Cas(file.name, _types(held.get("%TYPES"), file.name), wanted_structure(how))
    cas.unused.add_keys("keys of the document", whole, ())
    structures = [
        (f"{file.name}, structure {one.get('%ID', k)}", one)
        for k, one in enumerate(_objects(held.get("%FEATURE_STRUCTURES"), file.name), 1)
    ]
    for place, one in structures:
        _of_cas(cas, one, place)
    for view in _object(held.get("%VIEWS"), file.name).values():
        members = _object(view, file.name).get("%MEMBERS")
        if not isinstance(members, list | None):
            raise DataError(
                "invalid-record", f"{file.name}: %MEMBERS of a view is not a list; export the document again"
            )
        cas.members = (cas.members or set()) | set(map(str, members or []))
    for place, one in structures:
        kind = _kind(one, place)
        if kind.startswith("uima.cas.") or kind.endswith("[]"):
            continue
        if cas.is_passed(kind):
            cas.leave("tokens, sentences and other structure of the text", place)
        else:
            _annotation(cas, kind, one, place)
    return cas.version()


def _object(value: Any, place: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DataError(
            "invalid-record", f"{place}: {quoted(value, 40)} is not a JSON object; export the document again"
        )
    return value


def _objects(value: Any, place: str) -> list[dict[str, Any]]:
    """Return the structures of a list, or of an object by key, as in an early version of the format."""
    if isinstance(value, dict):
        return [{"%ID": key, **_object(one, place)} for key, one in value.items()]
    if not isinstance(value, list | None):
        raise DataError("invalid-record", f"{place}: %FEATURE_STRUCTURES is not a list; export the document again")
    return [_object(one, place) for one in value or []]


def _kind(one: dict[str, Any], place: str) -> str:
    kind = one.get("%TYPE")
    if not isinstance(kind, str):
        raise DataError("invalid-record", f"{place}: the structure has no %TYPE; add the name of its type")
    return kind


def _types(said: Any, place: str) -> Types:
    types = Types()
    for name, described in _object(said, place).items():
        fields = _object(described, place)
        types.parents[name] = str(fields.get("%SUPER_TYPE") or "")
        types.ranges[name] = {
            key: str(_object(field, place).get("%RANGE") or "")
            for key, field in fields.items()
            if not key.startswith("%")
        }
    return types


def _of_cas(cas: Cas, one: dict[str, Any], place: str) -> None:
    key, kind = str(one.get("%ID", "")), _kind(one, place)
    if kind == "uima.cas.Sofa":
        text = one.get("sofaString")
        if not isinstance(text, str | None):
            raise DataError("invalid-record", f"{place}: sofaString is not a text; export the document again")
        cas.texts[key], cas.views[key] = text, str(one.get("sofaID", ""))
    elif kind in SETS and isinstance(elements := one.get("%ELEMENTS"), list):
        cas.arrays[key] = [_text(element) for element in elements if not isinstance(element, dict | list)]


def _text(value: Any) -> str:
    """Return a value as XMI writes it, so that both notations give the same labels."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return label_name(value)


def _annotation(cas: Cas, kind: str, one: dict[str, Any], place: str) -> None:
    sofa, begin, end = (one.get(name) for name in ("@sofa", "begin", "end"))
    if not cas.takes(kind, sofa, begin, place, link="@target" in one):
        return
    features: Features = {}
    references: dict[str, str] = {}
    for name, value in one.items():
        if name[:1] in {"%", "^"} or name in _PLACE or value is None or value == "":
            continue
        if name.startswith("@"):
            label = as_set(cas.arrays[str(value)]) if str(value) in cas.arrays else None
            if label is not None:
                features[name[1:]] = label
            elif str(value) not in cas.arrays:
                references[name[1:]] = str(value)
        elif isinstance(value, dict | list):
            raise DataError(
                "invalid-record",
                f"{place}: feature {quoted(name, 30)} is {quoted(value, 30)}; expected a text, number, true or false",
            )
        else:
            features[name.removeprefix("#")] = _text(value)
    cas.add(str(one.get("%ID", "")), kind, str(sofa), begin, end, features, references, place)
