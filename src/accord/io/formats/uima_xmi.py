"""UIMA CAS in XMI, as DKPro, WebAnno and INCEpTION write it; a TypeSystem.xml beside it says what features hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from accord.errors import DataError, quoted
from accord.io.formats.cas import REFERENCE, SET, Cas, Structure, Types, TypeSystems, as_set, number
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.layers import Features, Version, fill, is_structure, layer_of, wanted_structure
from accord.io.formats.parsing import local, xml_of
from accord.io.formats.people import people
from accord.io.reading import Reading

_ID = "{http://www.omg.org/XMI}id"
_PLACE = frozenset((_ID, "sofa", "begin", "end"))
_NAMESPACE, _END = "http:///", ".ecore"


def recognises(file: File) -> bool:
    return b"http:///uima/cas.ecore" in file.head and b"http://www.omg.org/XMI" in file.head


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:
    types = TypeSystems(files)
    export = Export()
    fill(export, people(export, mine, [version(file, types.of(file), how) for file in mine], how))
    return export


def version(file: File, types: Types, how: Reading) -> Version:
    """One document by one annotator."""
    root = xml_of(file)
    if local(root) != "XMI":
        raise DataError(f"{file.name}: {quoted(local(root), 40)} is no XMI of a CAS")
    cas = Cas(file.name, types, wanted_structure(how))
    for element in root:
        kind = _kind(element.tag)
        if kind.startswith("uima.cas."):
            _of_cas(cas, kind, element)
        elif cas.is_passed(kind):
            cas.leave("tokens, sentences and other structure of the text", f"{local(element)} in {file.name}")
        else:
            _annotation(cas, kind, element)
    _settle(cas, root)
    return cas.version()


@lru_cache(maxsize=10_000)
def _kind(tag: str) -> str:
    """{http:///webanno/custom.ecore}Span → webanno.custom.Span"""
    namespace, _, name = tag.removeprefix("{").rpartition("}")
    package = namespace.removeprefix(_NAMESPACE).removesuffix(_END).replace("/", ".")
    return f"{package}.{name}" if package and package != "uima.noNamespace" else name


def _of_cas(cas: Cas, kind: str, element: Any) -> None:
    key = element.get(_ID, "")
    if kind == "uima.cas.Sofa":
        cas.texts[key] = element.get("sofaString")
        cas.views[key] = element.get("sofaID", "")
    elif kind == "uima.cas.View":
        cas.members = (cas.members or set()) | set(element.get("members", "").split())
    elif kind.endswith("Array") and kind != "uima.cas.FSArray":
        cas.arrays[key] = [child.text or "" for child in element] or element.get("elements", "").split()


def _annotation(cas: Cas, kind: str, element: Any) -> None:
    said = dict(element.items())
    place = f"{cas.name}:{element.sourceline}"
    if "sofa" not in said:
        if "target" in said:
            cas.leave("slots: links from an annotation to others", place)
        return
    start, end = (number(said[side], side, place) if side in said else None for side in ("begin", "end"))
    if start is None and cas.types.has_place(kind):
        cas.leave("annotations without a place", place)
        return
    features: Features = {}
    references: dict[str, str] = {}
    for name, value in said.items():
        if name not in _PLACE and value != "":
            holds = cas.types.holds(kind, name)
            if holds == REFERENCE or (holds == SET and cas.types.is_shared(kind, name)):
                references[name] = value
            elif holds == SET:
                _set(features, name, value.split())
            else:
                features[name] = value
    several: dict[str, list[str]] = {}
    for child in element:
        several.setdefault(local(child), []).append(child.text or "")
    for name, values in several.items():
        _set(features, name, values)
    key = said.get(_ID, "")
    cas.structures.append(Structure(key, kind, said["sofa"], start, end, features, references, place))


def _settle(cas: Cas, root: Any) -> None:
    """Arrays that stand elsewhere; and, where no type says it, whether numbers are labels or lead to annotations."""
    unknown: dict[tuple[str, str], list[tuple[Structure, str]]] = {}
    for one in cas.structures:
        for name, key in list(one.references.items()):
            if key in cas.arrays:
                _set(one.features, name, cas.arrays[key])
                del one.references[name]
        for name, value in one.features.items():
            if isinstance(value, str) and cas.types.holds(one.kind, name) is None:
                unknown.setdefault((layer_of(one.kind), name), []).append((one, value))
    kinds: dict[str, str] = {}
    for feature, found in unknown.items():
        cas.unsure[feature] = False
        keys = [value.split() for _, value in found]
        if all(key.isdigit() for several in keys for key in several):
            kinds = kinds or {element.get(_ID, ""): _kind(element.tag) for element in root}
            if all(key in cas.arrays for several in keys for key in several):
                for one, value in found:
                    _set(one.features, feature[1], [text for key in value.split() for text in cas.arrays[key]])
            else:
                cas.unsure[feature] = _lead_to_annotations(keys, kinds)


def _set(features: Features, name: str, values: Sequence[str]) -> None:
    label = as_set(values)
    if label is not None:
        features[name] = label


def _lead_to_annotations(keys: Sequence[Sequence[str]], kinds: Mapping[str, str]) -> bool:
    """Numbers that are all keys of structures of one type, which is no part of the text; or lists of keys."""
    targets = {kinds.get(key, "") for several in keys for key in several}
    if "" in targets:
        return False
    lists = any(len(several) > 1 for several in keys)
    return lists or (len(targets) == 1 and not any(is_structure(k) or k.startswith("uima.") for k in targets))
