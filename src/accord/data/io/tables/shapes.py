"""Rewrite nested records that store labels in rare ways, so that nested.py finds them in the usual ones.

- Objects beside each other become one object: `annotator_1: {…}, annotator_2: {…}`.
- Pairs become objects: `[["Ann1", "yes"], ["Ann2", "no"]]`.
- A label with a list of its annotators becomes one object per annotator: `{"class": "x", "annotators": ["a", "b"]}`.
- Parts of a record become records of their own: `{"bart": {"reviews": […]}, "t5": {"reviews": […]}}`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data.io.tables.fields import LABEL_WORDS, Record, is_plain, names_people, names_systems, words_of
from accord.data.io.tables.roles import A_SIDE, calls_an_annotator, is_category, is_variable

_FEWEST = 3  # pairs that show a pattern


def rewrite(records: Sequence[Record]) -> list[Record]:
    """Return the records with one object for all annotators, and one object per label."""
    fields = [{str(name): value for name, value in record.fields.items()} for record in records]
    for name in _pairs(fields):
        fields = [
            {**one, name: [{"annotator": who, "label": label} for who, label in one[name]]} if one.get(name) else one
            for one in fields
        ]
    fields = [{name: _per_annotator(value) for name, value in one.items()} for one in fields]
    beside = _annotators_beside(fields)
    if beside and "annotators" not in {name for one in fields for name in one}:
        fields = [
            {
                **{name: value for name, value in one.items() if name not in beside},
                "annotators": {name: one[name] for name in beside if one.get(name)} or None,
            }
            for one in fields
        ]
    return [replace(record, fields=one) for record, one in zip(records, fields, strict=True)]


def _annotators_beside(fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the fields with the names of annotators that contain objects: annotator_1: {…}, human: {…}, llm: {…}."""
    every = dict.fromkeys(name for one in fields for name in one)
    names = [name for name in every if calls_an_annotator(name) or A_SIDE.fullmatch(name)]
    values = {name: [one[name] for one in fields if one.get(name) is not None] for name in names}
    found = [name for name in names if values[name] and all(isinstance(value, Mapping) for value in values[name])]
    same = [{str(key) for value in values[name] for key in value} for name in found]
    return found if len(found) > 1 and set.intersection(*same) else []


def _pairs(fields: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the fields with pairs of annotator and label: lists of two entries whose first entries are persons."""
    found = []
    for name in dict.fromkeys(name for one in fields for name in one):
        values = [one[name] for one in fields if one.get(name)]
        if not all(isinstance(value, list) and all(map(_is_pair, value)) for value in values):
            continue
        firsts = Counter(str(who) for value in values for who, _ in value)
        labels = Counter(str(label) for value in values for _, label in value)
        once = all(len({str(who) for who, _ in value}) == len(value) for value in values)
        several = any(len(value) > 1 for value in values) and len(values) >= _FEWEST
        shared = sum(many > 1 for many in firsts.values()) > len(firsts) / 2
        if once and several and shared and 2 * len(labels) <= labels.total() and not any(map(is_category, firsts)):
            found.append(name)
    return found


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str | int) and is_plain(value[1])


def _per_annotator(value: Any) -> Any:
    """Return an object per annotator for a list of objects that list their annotators."""
    if not isinstance(value, list) or not value or not all(isinstance(one, Mapping) for one in value):
        return value
    people = [name for name in value[0] if names_people(str(name))]
    if len(people) != 1 or not all(
        isinstance(one.get(people[0]), list) and all(map(is_plain, one[people[0]])) for one in value
    ):
        return value
    beside = [inner for one in value for name, inner in one.items() if name != people[0]]
    if any(isinstance(inner, list | Mapping) for inner in beside):
        return value  # parallel lists, or items with labels inside
    return [
        {**{name: inner for name, inner in one.items() if name != people[0]}, "annotator": who}
        for one in value
        for who in one[people[0]]
    ]


def parts_of(records: Sequence[Record], outer: Sequence[str]) -> list[Record]:
    """Return the parts of records, if objects with the names of systems or numbers contain the labels."""
    names = dict.fromkeys(str(name) for record in records for name in record.fields)
    for name in names:
        if _are_parts(name, [record.fields[name] for record in records if record.fields.get(name)]):
            return [
                _part(record, item, key, name, value)
                for record, item in zip(records, outer, strict=True)
                for key, value in (record.fields.get(name) or {}).items()
            ]
    systems = [name for name in names if any(isinstance(record.fields.get(name), Mapping | list) for record in records)]
    systems = [
        name
        for name in systems
        if _are_parts("", [{name: one.fields[name]} for one in records if name in one.fields], systems)
    ]
    if len(systems) > 1:
        return [
            _part(record, item, name, "", record.fields[name])
            for record, item in zip(records, outer, strict=True)
            for name in systems
            if record.fields.get(name)
        ]
    return []


def _part(record: Record, item: str, key: str, name: str, value: Any) -> Record:
    """Return a part of a record, with the plain fields and the list of annotators of the record."""
    beside = {
        title: inner
        for title, inner in record.fields.items()
        if is_plain(inner) or (isinstance(inner, list) and names_people(str(title)))
    }
    wrapped = isinstance(value, list) or all(calls_an_annotator(str(inner)) for inner in value)
    own = {name or "labels": value} if wrapped else value
    return Record(f"{record.place}, {key}", {**beside, **own, "part": str(key)}, f"{item}/{key}")


def _are_parts(name: str, values: Sequence[Any], keys: Sequence[str] = ()) -> bool:
    """Whether objects have systems or numbers as names, with the labels of each in lists or objects inside."""
    if not values or not all(isinstance(value, Mapping) for value in values):
        return False
    keys = keys or list(dict.fromkeys(str(key) for value in values for key in value))
    inner = [one for value in values for one in value.values() if one]
    if not inner or any(is_variable(key) or is_category(key) or calls_an_annotator(key) for key in keys):
        return False
    systems = names_systems(keys)
    if systems and all(isinstance(one, list) and len(one) > 1 and all(map(is_plain, one)) for one in inner):
        return bool(words_of(name) & LABEL_WORDS)
    if not all(isinstance(one, Mapping) for one in inner):
        return False
    if systems and all(calls_an_annotator(str(key)) for one in inner for key in one):
        return True
    same = set.intersection(*({str(key) for key in one} for one in inner))
    deep = any(isinstance(one[key], Mapping) or _are_objects(one[key]) for one in inner for key in one)
    numbered = all(key.isdecimal() for key in keys) and not words_of(name) & LABEL_WORDS and not names_people(name)
    return bool(same) and deep and (systems or numbered)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)


__all__ = ["parts_of", "rewrite"]
