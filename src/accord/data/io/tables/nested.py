"""Find annotators and labels in nested records, by content and at any depth.

`find_labels` examines the fields of records (JSON objects, or rows of a table with lists and objects in cells) and
returns a source with one row per label. It recognises:

- an object of labels by annotator: `annotations: {"Ann1": 0, "Ann2": 1}`
- a list of objects that name their annotator: `annotators: [{"annotator_id": 3, "label": "normal"}, …]`
- parallel lists or joined texts: `annotators: "Ann1,Ann2"` beside `annotations: "0,1"`
- names by label: `positive: ["Ana", "Ben"], negative: ["Cho"]`
- labels without annotators: lists `[1, 1, 2]`, lists of objects without names, counts `{"yes": 7, "no": 3}`

Values that are computed from labels (soft_label, majority) are never labels.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from accord.core.errors import DataError, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.fields import (
    ABOUT_ANSWERS,
    ABOUT_PEOPLE,
    BESIDE,
    COUNTS,
    DEEPEST,
    DERIVED,
    FEW,
    FEW_RECORDS,
    LABEL_WORDS,
    LONG_LABEL,
    NO_LABELS,
    OF_APPEN,
    Field,
    Path,
    Record,
    fields_of,
    is_computed,
    is_plain,
    names_people,
    words_of,
)
from accord.data.io.tables.roles import (
    ANNOTATOR,
    ASIDE,
    COULD_BE_ANNOTATORS,
    DOC,
    ITEM,
    LABEL,
    NO_VARIABLES,
    START,
    calls_a_time,
    calls_an_annotator,
    calls_annotators,
    describes_annotators,
    end_of,
    first_of,
    is_called,
    is_category,
    is_person,
    is_variable,
    plain_name,
)
from accord.data.io.tables.shapes import parts_of, rewrite
from accord.data.io.tables.sources import MemorySource
from accord.data.model.data import Fact, some

_MOST_LABELS = 20_000_000
_SEPARATORS = (",", ";", "|")
_DISTRIBUTION = {"dist", "distribution"}  # of labels: shares, but also counts or lists of annotators
_OURS = {"item", "annotator"}  # names of columns that are added
_GENERIC = LABEL_WORDS | {"individual", "human", "crowd", "value", "values", "other", "info", "result", "results"}
_NEARLY_ALL, _MOSTLY = 0.9, 0.8
_SELDOM = 0.1  # share of repeated labels up to which an annotator labelled an item again by mistake
_ROUNDED = 0.02  # rounding error of a sum of shares
_NUMBERS = re.compile(r"[+-]?\d+(?:\.\d+)?(?: [+-]?\d+(?:\.\d+)?)+")  # 0 1 1 0
_WORKER = re.compile(r"[wu][_\-]?\d+", re.IGNORECASE)  # w1, user u3
_SYSTEMS = re.compile(r"(?:llm|ai)?_?(?:model|system|llm|policy)(?:_?(?:id|name|tag|key))?")
_WRITTEN = {"text", "output", "response", "completion", "summary", "translation", "generation", "hypothesis", "content"}
_WRITTEN_BY = frozenset(
    """output outputs completion completions generation generations candidate candidates response responses summary
    summaries translation translations hypothesis hypotheses system systems model models result results""".split()  # noqa: SIM905
)
_ENDS_WITH_PERSON = re.compile(r"_(?:annotator|worker|rater|coder)_?(?:id|name)$")  # untimed_annotator_id
_NAME_OF_A_PERSON = ("id", "name", "username", "email", "key")
_ORDER = re.compile(
    r"(?:\b|_)(?:swap(?:ped)?|revers(?:ed|e)|flipped)(?:\b|_)|^(?:order_?)?(?:a_?b|b_?a)(?:_order)?$|^original$|"
    r"^order_?[12]$|"
    r"^(?:g|game_?)[12]_(?:winner|judg(?:e?ment)|score|verdict)$",
    re.IGNORECASE,
)


@dataclass
class Vote:
    """The labels that one annotator gives one record, by variable. The annotator is None if unknown."""

    record: int
    annotator: str | None
    labels: dict[Path, Any]
    part: str | None = None  # the part of the record that is labelled, such as a token


@dataclass
class Finding:
    """The labels found in a field."""

    field: Field
    votes: list[Vote]
    further: tuple[Field, ...] = ()  # other fields that contain these labels
    nameless: int = 0  # labels that are left out because their annotator is missing
    unscored: tuple[str, ...] = ()  # fields beside the labels that may be variables, but are not read

    @property
    def is_named(self) -> bool:
        return any(vote.annotator is not None for vote in self.votes)


# -- Records with labels inside --


def find_labels(records: Sequence[Record], name: str, how: Reading) -> MemorySource | None:
    """Return one row per label, or None if the records have no labels in lists, objects or joined texts."""
    records = rewrite(records)
    fields = fields_of([record.fields for record in records])
    if any(one.is_objects and _are_units(one) for one in fields):
        return None
    parts = parts_of(records, _item_names(records, fields, how, None))
    if parts and (inside := find_labels(parts, name, how)) is not None:
        return inside
    person = next((one for one in fields if one.is_scalar and is_annotator(one, len(records))), None)
    rated = {one.path: systems for one in fields if (systems := _rated_systems(one)) is not None}
    if person is None:
        _refuse_rated(rated, name)
    findings = _find_named(records, [one for one in fields if one.path not in rated], how)
    _refuse_rankings(findings, name)
    for one in (known for finding in findings for known in finding.further[:1] if known.is_objects):
        if _are_items(fields_of([item for value in one.present for item in value])):
            _refuse_siblings(one, fields, name)
    _refuse_people_by_label(fields, findings, name)
    if not findings and (_name_annotators(fields) or sum(_is_an_annotator(one) for one in fields) > 1):
        return None  # a column per annotator
    if not findings and person is not None:  # each record is the answer of an annotator, and a list is a set
        findings = _answers_of(person, fields)
        return _source(records, fields, findings, name, how) if findings else None
    if not findings:
        _refuse_both_orders(fields, name)
    if not findings and len(records) > 1:
        findings = _find_anonymous(records, fields)
    if not findings:
        below = _find_below(records, fields, name, how)
        if below is None:
            _refuse_empty(fields, name)
            _refuse_single(fields, name)
            _refuse_binary(fields, name)
            _refuse_sums(fields, name)
        return below
    return _source(records, fields, findings, name, how)


def is_annotator(one: Field, n: int) -> bool:
    """Whether a plain field names the annotator of each record."""
    plain = plain_name(one.name)
    if plain not in ANNOTATOR or plain in COULD_BE_ANNOTATORS:
        return False
    return n < FEW_RECORDS or len(set(map(str, one.present))) > 1


def _answers_of(annotator: Field, fields: Sequence[Field]) -> list[Finding]:
    """Return the answers in objects of records that name their annotator: answers: {"q1": "yes", "q2": "no"}."""
    if any(one.is_scalar and plain_name(one.name) in LABEL for one in fields):
        return []
    parents = [one for one in fields if one.is_object and one.calls_labels and not one.is_derived]
    inner = [one for one in fields if any(one.below(parent) for parent in parents)]
    labels = label_fields(inner, annotator.values) if all(one.is_scalar or one.is_list for one in inner) else []
    votes = [
        Vote(record, str(who), {one.path: one.values[record] for one in labels})
        for record, who in enumerate(annotator.values)
        if who is not None
    ]
    return [Finding(parents[0], votes, tuple(inner))] if labels and len(parents) == 1 else []


def _are_units(one: Field) -> bool:
    names = {str(name) for value in one.present for item in value[:3] for name in item}
    return first_of(tuple(names), START) is not None and end_of(tuple(names)) is not None


def _find_named(records: Sequence[Record], fields: Sequence[Field], how: Reading) -> list[Finding]:
    """Return the labels whose annotators are known."""
    people = [one for one in fields if _are_people(one, how)]
    findings: list[Finding] = []
    for one in fields:
        if any(one.below(known.field) for known in findings) or one.is_derived:
            continue
        if one.is_object and _keys_are_annotators(one, people, fields):
            findings += [known for known in _votes_by_name(one, fields) if not _tells_of_annotators(known)]
        elif one.is_objects:
            findings += _votes_in_objects(one, named=True)
    if not findings:
        findings = [finding for one in people for finding in _votes_side_by_side(one, fields, records)][:1]
    findings = [one for one in _names_by_label(fields) or findings if one.votes and one.is_named]
    return [one for one in findings if not one.field.words & BESIDE] or findings


def _tells_of_annotators(finding: Finding) -> bool:
    """Whether an object of annotators describes them: {"Ann1": "female", "Ann2": "male"} in each record."""
    who = [vote.annotator for vote in finding.votes]
    return all(
        _describes_annotators([vote.labels.get(path) for vote in finding.votes], who)
        for path in {path for vote in finding.votes for path in vote.labels}
    )


def _are_people(one: Field, how: Reading) -> bool:
    """Whether a field contains the names of several annotators: a list, or a text with a separator."""
    if one.name != how.annotator and not names_people(one.name):
        return False
    if one.is_list:
        return any(len(value) > 1 for value in one.present)
    return one.is_scalar and any(sign in str(value) for value in one.present for sign in _SEPARATORS)


def split_text(value: Any, sign: str) -> list[str]:
    return [part.strip() for part in str(value).split(sign)]


def _parts_of(one: Field) -> list[list[Any] | None] | None:
    """Return the parts of each value of a list, or of a text joined with a separator; None if it has none."""
    if one.is_list:
        return [None if value is None else list(value) for value in one.values]
    if not one.is_scalar or not any(isinstance(value, str) for value in one.present):
        return None
    signs = [sign for sign in _SEPARATORS if any(sign in str(value) for value in one.present)]
    signs = signs or [" "] * all(_NUMBERS.fullmatch(str(value)) for value in one.present if value != "")
    return None if not signs else [
        None if value is None or value == "" else split_text(value, signs[0]) for value in one.values
    ]  # fmt: skip


def _keys_are_annotators(one: Field, people: Sequence[Field], fields: Sequence[Field]) -> bool:
    """Whether the names in an object are annotators: listed beside it, called so, or different in each record."""
    entries = [
        (k, str(key), value)
        for k, by_name in enumerate(one.values)
        for key, value in (by_name or {}).items()
        if value is not None and not is_computed(str(key))
    ]
    keys = Counter(key for _, key, _ in entries)
    known = any(plain_name(key) in {*LABEL, *ASIDE, *ANNOTATOR} or words_of(key) & DERIVED for key in keys)
    known = known or _are_shares(one)
    kinds = {Mapping if isinstance(value, Mapping) else type(value) is list for *_, value in entries}
    if not keys or known or len(kinds) > 1:
        return False
    if any(_are_listed(one, names) for names in people):
        return True
    if 2 * sum(calls_an_annotator(key) and len(key) > 2 for key in keys) > len(keys):
        return True
    if (_are_counts(one) and words_of(one.name) & COUNTS) or any(is_category(key) or is_variable(key) for key in keys):
        return False
    if names_people(one.name) or (all(map(calls_an_annotator, keys)) and _are_variables_of(one, keys, fields)):
        return True
    return one.calls_labels and (
        _vary_like_people(keys, max(Counter(k for k, *_ in entries).values()))
        or (len(keys) > 1 and _are_sequences(entries, fields))
    )


def _are_variables_of(one: Field, keys: Counter[str], fields: Sequence[Field]) -> bool:
    """Whether another object beside it has the same names: scores: {"tone": {"A1": 3}, "style": {"A1": 2}}."""
    beside = [other for other in fields if other.is_object and other.path[:-1] == one.path[:-1] and other is not one]
    names = ({str(key) for value in other.present for key in value} for other in beside)
    return len(keys) > 1 and any(other == set(keys) for other in names)


def _are_shares(one: Field) -> bool:
    """Whether objects of numbers always have the sum 1: shares or probabilities of categories."""
    lists = [list(value.values()) for value in one.present if value]
    return len(lists) >= FEW_RECORDS and all(
        all(isinstance(n, int | float) for n in values) and abs(sum(values) - 1) < _ROUNDED for values in lists
    )


def _are_listed(one: Field, names: Field) -> bool:
    """Whether a field beside an object lists the names in it."""
    known = _parts_of(names)
    if known is None or names.path[:-1] != one.path[:-1]:
        return False
    both = [(set(map(str, k)), v) for k, v in zip(known, one.values, strict=True) if k and v]
    return bool(both) and sum(k >= set(v) for k, v in both) >= _NEARLY_ALL * len(both)


def _vary_like_people(keys: Counter[str], largest: int) -> bool:
    """Whether names differ between records and each comes several times, or all are names of persons."""
    if len(keys) > 2 * largest and keys.total() >= 2 * len(keys):
        return True
    return len(keys) > 1 and all(
        _WORKER.fullmatch(key) or (is_person(key) and len(key) > 2 and not key.isdecimal()) for key in keys
    )


def _votes_by_name(one: Field, fields: Sequence[Field]) -> list[Finding]:
    """Return the labels of an object of annotators: plain values, sets, a list per token, or objects."""
    entries = [
        (record, str(key), value)
        for record, by_name in enumerate(one.values)
        for key, value in (by_name or {}).items()
        if value is not None and not is_computed(str(key))
    ]
    values = [value for *_, value in entries]
    if all(isinstance(value, Mapping) for value in values) and _name_parts(values):
        path = (*one.path[:-1], one.name)
        parts = [(record, who, part, label) for record, who, given in entries for part, label in given.items()]
        return [Finding(one, [Vote(record, who, {path: label}, str(part)) for record, who, part, label in parts])]
    if all(isinstance(value, Mapping) for value in values):
        inner = fields_of(values)
        labels = label_fields(inner, [who for _, who, _ in entries], [record for record, *_ in entries])
        finding = Finding(one, [], unscored=left_out(inner, labels))
        for k, (record, who, _) in enumerate(entries):
            given = {(*one.path, *label.path): label.values[k] for label in labels}
            finding.votes.append(Vote(record, who, given))
        return [finding]
    if any(isinstance(value, Mapping) for value in values):
        return []
    if _are_sequences(entries, fields):
        votes = [
            Vote(record, who, {one.path: label}, str(place))
            for record, who, value in entries
            for place, label in enumerate(value, 1)
        ]
        return [Finding(one, votes)]
    return [Finding(one, [Vote(record, who, {one.path: value}) for record, who, value in entries])]


def _rated_systems(one: Field) -> tuple[Field, list[Field]] | None:
    """Return the field that names systems and the labels of their output: outputs: [{"model": "gpt-4", "score": 3}].

    In judgments: [{"model": "gpt-4", "label": "x"}], models are annotators. The name of the list or the text that a
    system wrote shows the difference. Lists inside that name annotators or contain several labels are read elsewhere.
    """
    if not one.is_objects:
        return None
    fields = fields_of([item for value in one.present for item in value])
    system = next((known for known in fields if known.is_scalar and _SYSTEMS.fullmatch(plain_name(known.name))), None)
    if system is None or _annotator_field(fields) not in {None, system}:
        return None
    inner = [known for known in fields if known is not system]
    people = sum(known.is_scalar and is_person(known.name) for known in inner)
    if people > 1 or any(known.is_objects or (known.is_list and _are_votes(known, fields)) for known in inner):
        return None
    written = any(known.is_text or (known.is_scalar and plain_name(known.name) in _WRITTEN) for known in inner)
    labels = label_fields(inner, system.values)
    return (system, labels) if labels and (written or words_of(one.name) & _WRITTEN_BY) else None


def _refuse_rated(rated: Mapping[Path, tuple[Field, list[Field]]], name: str) -> None:
    """Refuse labels of what systems wrote if no field names the raters."""
    for path, (system, labels) in rated.items():
        listed = some([".".join(known.path) for known in labels], 3)
        raise DataError(
            "annotators-needed",
            f"{name}: {quoted('.'.join(path))} names systems ({quoted(system.name)}) and labels of their output "
            f"({listed}), so systems are what was rated, and no field names the raters; write one row per label with "
            "the columns item, annotator, label",
        )


def _refuse_people_by_label(fields: Sequence[Field], findings: Sequence[Finding], name: str) -> None:
    """Refuse lists named after a label that name its annotators, if they are not read: annotators_toxic, …"""
    read = {one.path for finding in findings for one in (finding.field, *finding.further)}
    lists = [
        one
        for one in fields
        if one.is_list and any(one.present) and one.path not in read
        and any(names_people(part) for part in re.split(r"[\W_]+", one.name.lower()) if part != one.name.lower())
        and not one.calls_labels and not calls_an_annotator(one.name)
    ]  # fmt: skip
    if len(lists) > 1:
        shown = ", ".join(quoted(".".join(one.path)) for one in lists[:3])
        raise DataError(
            "roles-unclear",
            f"{name}: {shown} may name the annotators who gave a label; write one row per label with the columns item, "
            "annotator, label",
        )


def _refuse_rankings(findings: Sequence[Finding], name: str) -> None:
    """Refuse lists that order the same entries, because their order is the answer."""
    for one in findings:
        values = [label for vote in one.votes for label in vote.labels.values()]
        lists = [value for value in values if isinstance(value, list) and len(value) > 1]
        orders = {tuple(map(str, value)) for value in lists}
        if len(lists) == len(values) >= FEW_RECORDS and len({tuple(sorted(order)) for order in orders}) == 1 < len(
            orders
        ):
            raise DataError(
                "roles-unclear",
                f"{name}: the lists in {quoted('.'.join(one.field.path))} order the same entries "
                f"({some(sorted(lists[0], key=str), 3)}), so they are rankings; write one row per rank with the "
                "columns item (what is ranked), annotator, label (the rank)",
            )


def _name_parts(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the names in objects of labels are parts of the item, such as claims: they differ between records."""
    names = Counter(str(name) for one in objects for name in one)
    plain = all(value is None or is_plain(value) for one in objects for value in one.values())
    return plain and len(names) > 2 * max(map(len, objects)) and not any(map(is_variable, names))


def _are_sequences(entries: Sequence[tuple[int, str, Any]], fields: Sequence[Field]) -> bool:
    """Whether each annotator gives a list with a label for each token of the record."""
    if not entries or not all(isinstance(value, list) for *_, value in entries):
        return False
    lists = [one for one in fields if one.is_list and all(one.values[record] is not None for record, *_ in entries)]
    return any(
        all(len(value) == len(tokens.values[record]) for record, _, value in entries)
        and len({len(value) for *_, value in entries}) > 1
        for tokens in lists
    )


def _annotator_field(fields: Sequence[Field]) -> Field | None:
    """Return the field of objects that names the annotator: annotator_id, or id in an object `user`."""
    plain = [one for one in fields if one.is_scalar]
    by_name = {plain_name(one.name): one for one in reversed(plain)}
    known = next((by_name[name] for name in ANNOTATOR if name in by_name), None)
    if known is None:
        known = next((one for one in plain if names_people(one.name)), None)
    if known is None:
        inner = [one for one in plain if len(one.path) > 1 and names_people(one.path[-2])]
        known = next((one for end in _NAME_OF_A_PERSON for one in inner if plain_name(one.name) == end), None)
    if known is None:
        known = next((one for one in plain if _ENDS_WITH_PERSON.search(plain_name(one.name))), None)
    if known is None and "name" in by_name and all(_is_a_name(value) for value in by_name["name"].present):
        known = by_name["name"]
    return known


def _is_a_name(value: Any) -> bool:
    name = str(value)
    return len(name) > 2 and is_person(name) and not name.isdecimal()


def _votes_in_objects(one: Field, named: bool) -> list[Finding]:
    """Return the labels in a list of objects, with or without a field that names the annotator."""
    records = [record for record, value in enumerate(one.values) for _ in value or ()]
    objects = [item for value in one.values for item in value or ()]
    fields = fields_of(objects)
    annotator = _annotator_field(fields)
    if (annotator is not None) != named or (not named and not any(len(value or ()) > 1 for value in one.values)):
        return []
    if annotator is not None and is_called(annotator.name, COULD_BE_ANNOTATORS):
        lists = [inner for inner in fields if inner.is_list]
        if any(_are_votes(inner, fields) for inner in lists) or any(map(_has_annotators, fields)):
            return []  # objects are items, such as the answers of models, with labels inside
    names = [None] * len(objects) if annotator is None else annotator.values
    if annotator is not None:
        fields = [inner for inner in fields if inner is not annotator]
    elif not (one.calls_labels and not one.words & NO_LABELS) or _are_items(fields):
        return []
    labels = label_fields(fields, names, records)
    if not labels:
        return []
    part = _part_of(fields, list(zip(records, names, strict=True)))
    finding = Finding(one, [], unscored=left_out([known for known in fields if known is not part], labels))
    for k, record in enumerate(records):
        if named and is_nothing(names[k]):
            finding.nameless += 1
            continue
        given = {(*one.path, *label.path): label.values[k] for label in labels}
        name = None if names[k] is None else str(names[k])
        finding.votes.append(Vote(record, name, given, None if part is None else str(part.values[k])))
    return [finding]


def _has_annotators(one: Field) -> bool:
    """Whether a list of objects names annotators."""
    return one.is_objects and _annotator_field(fields_of([item for value in one.present for item in value])) is not None


def _are_items(fields: Sequence[Field]) -> bool:
    """Whether objects with these fields are items: deeper lists name annotators, or fields have their names."""
    lists = [one for one in fields if one.is_objects]
    if any(_has_annotators(one) or _are_items(fields_of([item for v in one.present for item in v])) for one in lists):
        return True
    return _name_annotators(fields)


def _name_annotators(fields: Sequence[Field]) -> bool:
    """Whether several fields of labels are named after annotators: annotator_1, rater_b. R2 and A1 may be anything."""
    return sum((one.is_scalar or one.is_list) and len(one.name) > 3 and calls_an_annotator(one.name)
               for one in fields) > 1  # fmt: skip


def _is_an_annotator(one: Field) -> bool:
    return one.is_scalar and calls_annotators(one.name.rstrip("0123456789_ "))


def _part_of(fields: Sequence[Field], given: Sequence[tuple[int, Any]]) -> Field | None:
    """Return the field that names a part of the record, if an annotator labels several parts of it."""
    if len(set(given)) == len(given) or all(name is None for _, name in given):
        return None
    for one in fields:
        if one.is_scalar and plain_name(one.name) in {*ITEM, *DOC} and len(one.present) == len(given):
            parts = {(record, name, str(value)) for (record, name), value in zip(given, one.values, strict=True)}
            shared = len({(record, part) for record, _, part in parts})
            if len(parts) == len(given) and shared < len(parts):
                return one
    return None


def label_fields(fields: Sequence[Field], annotators: Sequence[Any], items: Sequence[Any] | None = None) -> list[Field]:
    """Return the fields that contain labels: by name, otherwise all that describe neither annotator nor item.

    Beside a field with a name for labels, another field is a variable if its values show it. That needs `items`.
    """
    usable = _usable(fields)
    chosen = [one for one in usable if one.calls_labels]
    if chosen and items is not None:
        parents = {one.path[:-1] for one in chosen}
        chosen = [
            one
            for one in usable
            if one.calls_labels or (one.path[:-1] in parents and _is_further(one, items, annotators))
        ]
    chosen = chosen or usable
    if any(one.is_objects for one in fields):  # the labels may be deeper
        chosen = [one for one in chosen if len(set(map(str, one.present))) > 1]
    return [one for one in chosen if not _describes_annotators(one.values, annotators)]


def left_out(fields: Sequence[Field], labels: Sequence[Field]) -> tuple[str, ...]:
    """Return the names of fields that may be variables, but are not among the labels."""
    taken = {one.path for one in labels}
    return tuple(
        ".".join(one.path) for one in _usable(fields) if one.path not in taken and len(set(map(str, one.present))) > 1
    )


def _usable(fields: Sequence[Field]) -> list[Field]:
    """Return the fields whose names and values do not exclude labels."""
    appen = {"trust", "tainted"} <= {one.name for one in fields}
    return [
        one
        for one in fields
        if not (appen and one.name in OF_APPEN)
        and (one.is_scalar or one.is_list)
        and not one.is_text
        and not one.is_derived
        and plain_name(one.name) not in {*ASIDE, *NO_VARIABLES, *ITEM, *DOC}
        and not names_people(one.name)
        and not any(names_people(part) for part in one.path[:-1])
        and not plain_name(one.name).endswith(("_id", "_ids", "_at"))
        and not one.words & BESIDE
        and plain_name(one.name) not in ABOUT_PEOPLE
    ]


def _tells_of_rows(name: str) -> bool:
    """Whether the name of a field means a trait of the annotator, a time, a place or the state of an answer."""
    about = words_of(name) & {*NO_LABELS, *COUNTS, *ABOUT_ANSWERS, *ABOUT_PEOPLE}
    about = about if len(words_of(name)) == 1 else about - {"rank"}  # fluency_rank is a label
    return bool(about) or calls_a_time(name) or is_computed(name)


def _is_further(one: Field, items: Sequence[Any], annotators: Sequence[Any]) -> bool:
    """Whether a field beside labels is another variable: few values, which differ within items and annotators."""
    different = len(set(map(str, one.present)))
    few = one.is_scalar and different <= FEW and 2 * different <= len(one.present)
    if not few or any(map(_tells_of_rows, one.path)) or describes_annotators(one.name, None):
        return False
    by_item: dict[Any, dict[Any, list[str]]] = defaultdict(lambda: defaultdict(list))
    by_annotator: dict[Any, set[str]] = defaultdict(set)
    for k, (item, who, value) in enumerate(zip(items, annotators, one.values, strict=True)):
        if value is not None:
            by_item[item][k if who is None else who].append(str(value))
            by_annotator[who].add(str(value))
    between = any(len({tuple(sorted(given)) for given in by.values()}) > 1 for by in by_item.values())
    return between and any(len(given) > 1 for given in by_annotator.values())


def _describes_annotators(values: Sequence[Any], annotators: Sequence[Any]) -> bool:
    """Whether each annotator always has the same value, and different annotators have different ones."""
    by_name: dict[Any, Counter[str]] = defaultdict(Counter)
    for who, value in zip(annotators, values, strict=True):
        if who is not None and value is not None:
            by_name[who][str(value)] += 1
    total = sum(counts.total() for counts in by_name.values())
    different = {value for counts in by_name.values() for value in counts}
    return (
        len(by_name) > 1
        and total >= 3 * len(by_name)
        and len(different) > 1
        and all(len(counts) == 1 for counts in by_name.values())
    )


def _votes_side_by_side(people: Field, fields: Sequence[Field], records: Sequence[Record]) -> list[Finding]:
    """Return the labels in lists or joined texts that have as many parts as the list of annotators."""
    names = _parts_of(people)
    if names is None:
        return []
    aligned: dict[Path, list[list[Any] | None]] = {}
    for one in fields:
        if one is people or one.is_derived or (one.is_text and not one.is_list):
            continue
        parts = _parts_of(one) if one.is_list or one.is_scalar else None
        if parts is None:
            continue
        both = [(k, p, n) for k, (p, n) in enumerate(zip(parts, names, strict=True)) if p is not None and n]
        same = [(k, p, n) for k, p, n in both if len(p) == len(n)]
        if not any(len(p) > 1 for _, p, _ in same):
            continue
        if len(same) == len(both):
            aligned[one.path] = parts
        elif one.calls_labels and 2 * len(same) > len(both):
            k, p, n = next(three for three in both if len(three[1]) != len(three[2]))
            raise DataError(
                "invalid-record",
                f"{records[k].place}: {quoted('.'.join(people.path))} has {counted(len(n), 'name')}, but "
                f"{quoted('.'.join(one.path))} has {counted(len(p), 'label')}; correct this record",
            )
    who = [name for given in names for name in given or ()]
    labels = {
        path: parts
        for path, parts in aligned.items()
        if not _is_beside(
            path, [p for given, n in zip(parts, names, strict=True) for p in given or [None] * len(n or ())], who
        )
    }
    records_of = [k for k, given in enumerate(names) for _ in given or ()]
    flat = {
        path: Field(path, [p for given, n in zip(parts, names, strict=True) for p in given or [None] * len(n or ())])
        for path, parts in labels.items()
    }
    named = {path: parts for path, parts in labels.items() if words_of(path[-1]) & LABEL_WORDS}
    if named:
        named = {
            path: parts
            for path, parts in labels.items()
            if path in named or (len(flat[path].values) == len(who) and _is_further(flat[path], records_of, who))
        }
    chosen = (
        labels
        if len(named) < len(labels) and any(words_of(p) & LABEL_WORDS for path in labels for p in path[:-1])
        else named or labels
    )
    votes = [
        Vote(k, str(name), {path: parts[k][place] for path, parts in chosen.items() if parts[k]})  # type: ignore[index]
        for k, given in enumerate(names)
        for place, name in enumerate(given or ())
        if not is_nothing(name)
    ]
    nameless = sum(is_nothing(name) for given in names for name in given or ())
    unscored = left_out(list(flat.values()), [flat[path] for path in chosen])
    return [Finding(people, votes, nameless=nameless, unscored=unscored)] if chosen else []


def _is_beside(path: Path, values: Sequence[Any], annotators: Sequence[Any]) -> bool:
    """Whether values beside annotators are no labels: texts, times, or descriptions of the annotators."""
    words = words_of(path[-1])
    people = any(names_people(word) for word in words) and not words & LABEL_WORDS
    if words & BESIDE or plain_name(path[-1]) in ABOUT_PEOPLE or people:
        return True
    return Field(path, values).is_text or (len(values) == len(annotators) and _describes_annotators(values, annotators))


def _names_by_label(fields: Sequence[Field]) -> list[Finding]:
    """Return labels that are the names of sibling lists of annotators: yes: ["Ana"], no: ["Ben"]."""
    by_parent: dict[Path, list[Field]] = defaultdict(list)
    for one in fields:
        if any(one.present) and (one.is_list or one.is_objects) and not one.words & (DERIVED - _DISTRIBUTION):
            by_parent[one.path[:-1]].append(one)
    for parent, lists in by_parent.items():
        named = [(one, _names_in(one)) for one in lists if not words_of(one.name) & LABEL_WORDS]
        same = [(one, names) for one, names in named if names is not None]
        if len(same) < 2:
            continue
        people = {name for _, names in same for _, name in names}
        for one, names in named:
            further = [(record, str(name)) for record, value in enumerate(one.values) for name in value or ()]
            if names is None and one.is_list and further and {name for _, name in further} <= people:
                same.append((one, further))
        votes = [(record, name, one.name) for one, names in same for record, name in dict.fromkeys(names or ())]
        pairs = Counter((record, name) for record, name, _ in votes)
        if not pairs or 2 * len(votes) > 3 * len(pairs):
            continue  # each annotator is in most lists, so these are variables
        labels: dict[tuple[int, str], list[str]] = defaultdict(list)
        for record, name, label in votes:
            labels[record, name].append(label)
        several = any(len(given) > 1 for given in labels.values())
        path = parent or ("label",)
        return [
            Finding(
                Field(path, same[0][0].values),
                [
                    Vote(record, name, {path: given if several else given[0]})
                    for (record, name), given in labels.items()
                ],
                tuple(one for one, _ in same),
            )
        ]
    return []


def _names_in(one: Field) -> list[tuple[int, str]] | None:
    """Return record and annotator of each entry of a list of names or of objects without another label."""
    if one.is_objects:
        objects = [item for value in one.values for item in value or ()]
        inner = fields_of(objects)
        annotator = _annotator_field(inner)
        if any(plain_name(known.name).rpartition("_")[2] in LABEL for known in inner if known.is_scalar):
            return None
        records = [record for record, value in enumerate(one.values) for _ in value or ()]
        return None if annotator is None else [
            (record, str(name)) for record, name in zip(records, annotator.values, strict=True) if name is not None
        ]  # fmt: skip
    entries = [(record, str(name)) for record, value in enumerate(one.values) for name in value or ()]
    called = {
        name
        for _, name in entries
        if calls_an_annotator(name) or _WORKER.fullmatch(name) or (is_person(name) and len(name) > 2)
    }
    labels = words_of(one.name) & LABEL_WORDS
    return entries if called and called == {name for _, name in entries} and not labels else None


# -- Labels without annotators --


def _find_anonymous(records: Sequence[Record], fields: Sequence[Field]) -> list[Finding]:
    """Return labels whose annotators are unknown: lists of labels, lists of objects, counts per category."""
    findings: list[Finding] = []
    for one in fields:
        called_gold = one.is_list and one.words & DERIVED == {"gold"} and _repeat_labels(one)
        counted = one.is_object and one.words & DERIVED <= _DISTRIBUTION and _are_counts(one)
        if (one.is_derived and not called_gold and not counted) or any(one.below(known.field) for known in findings):
            continue
        if one.is_objects:
            findings += _votes_in_objects(one, named=False)
        elif one.is_list and _are_votes(one, fields):
            labels = [(record, label) for record, value in enumerate(one.values) for label in value or ()]
            findings.append(Finding(one, [Vote(record, None, {one.path: label}) for record, label in labels]))
        elif joins_votes(one, fields):
            parts = _parts_of(one) or []
            labels = [(record, label) for record, value in enumerate(parts) for label in value or ()]
            findings.append(Finding(one, [Vote(record, None, {one.path: label}) for record, label in labels]))
        elif one.is_object and _are_counts(one) and _keys_are_categories(one, fields):
            findings.append(_counted_votes(one, records))
    findings += [one for one in _like_siblings(fields, findings) if not one.field.is_derived]
    if any(not one.field.is_derived for one in findings):  # a distribution sums up the labels beside it
        findings = [one for one in findings if not one.field.is_object or not one.field.is_derived]
    return [one for one in findings if not _sums_up(one, findings)]


def _repeat_labels(one: Field) -> bool:
    """Whether lists have the same length and repeat labels: the votes that a gold label is made of."""
    lists = [value for value in one.present if value]
    return len({len(value) for value in lists}) == 1 and any(len(set(map(str, value))) < len(value) for value in lists)


def _like_siblings(fields: Sequence[Field], findings: Sequence[Finding]) -> list[Finding]:
    """Return lists beside lists of labels that always have as many entries: further variables."""
    known = {(one.field.path[:-1], _sizes(one.field)) for one in findings if one.field.is_list}
    taken = {one.field.path for one in findings}
    found = []
    for one in fields:
        if not one.is_list or one.path in taken or words_of(one.name) & NO_LABELS or names_people(one.name):
            continue
        labels = [(record, label) for record, value in enumerate(one.values) for label in value or ()]
        few = len({str(label) for _, label in labels}) <= FEW
        if few and (one.path[:-1], _sizes(one)) in known:
            found.append(Finding(one, [Vote(record, None, {one.path: label}) for record, label in labels]))
    return found


def _sizes(one: Field) -> tuple[int, ...]:
    return tuple(len(value or ()) for value in one.values)


def _sums_up(counts: Finding, findings: Sequence[Finding]) -> bool:
    """Whether counts sum up the labels of a list: each record has as many of both."""
    if not counts.field.is_object:
        return False
    many = Counter(vote.record for vote in counts.votes)
    return any(one.field.is_list and Counter(vote.record for vote in one.votes) == many for one in findings)


def _are_votes(one: Field, fields: Sequence[Field]) -> bool:
    """Whether lists contain one label per annotator: not a set, tokens, tags of tokens, or a vector."""
    lists = [value for value in one.present if len(value) > 1]
    if not lists or words_of(one.name) & NO_LABELS or names_people(one.name):
        return False
    labels = [label for value in one.present for label in value if label is not None]
    texts = [label for label in labels if isinstance(label, str)]
    if not labels or sum(map(len, texts)) > LONG_LABEL * len(texts) > 0 or _tag_tokens(one, fields):
        return False
    repeated = sum(len(set(map(str, value))) < len(value) for value in lists) / len(lists)
    different = len(set(map(str, labels)))
    numbers = all(
        (isinstance(label, int | float) and not isinstance(label, bool)) or _is_number(label) for label in labels
    )
    called_by_people = any(names_people(word) for word in one.words) or one.words & {"individual", "human", "crowd"}
    called = one.calls_labels or any(names_people(word) for part in one.path for word in words_of(part))
    vectors = [[float(label) for label in value if label is not None] for value in lists] if numbers else []
    if numbers and not called_by_people and _are_probabilities(vectors):
        return False
    if numbers and (_is_vector(vectors) or _is_binary(one) or _have_constant_sum(one)):
        return False
    if repeated >= 0.2 and (different <= FEW or 10 * different <= len(labels)):
        few = different <= 11 if numbers else different <= FEW
        return called or (few and repeated >= 0.5 and len(lists) >= FEW_RECORDS)
    return numbers and called


def joins_votes(one: Field, fields: Sequence[Field] = ()) -> bool:
    """Whether texts join the labels of several annotators: `yes;yes;no`. A set has no label twice."""
    if not one.calls_labels or one.is_derived or not one.is_scalar or one.is_text:
        return False
    parts = [value for value in _parts_of(one) or () if value]
    lists = Field(one.path, parts)
    several = [value for value in parts if len(value) > 1]
    repeated = sum(len(set(value)) < len(value) for value in several)
    return (
        len(parts) >= FEW_RECORDS
        and len(several) >= _MOSTLY * len(parts)
        and any(len(value) > 2 for value in several)
        and 2 * repeated > len(several)
        and _are_votes(lists, fields)
    )


def _is_vector(lists: Sequence[Sequence[float]]) -> bool:
    """Whether lists of numbers have one position per category: shares, or exactly one 1."""
    return len(set(map(len, lists))) == 1 and all(abs(sum(value) - 1) < 1e-3 for value in lists)


def _are_probabilities(lists: Sequence[Sequence[float]]) -> bool:
    """Whether lists of the same length contain numbers between 0 and 1 that seldom repeat, as from a model."""
    numbers = [number for value in lists for number in value]
    seldom = len(set(numbers)) > _MOSTLY * len(numbers)
    return len(set(map(len, lists))) == 1 and seldom and all(0 <= number <= 1 for number in numbers)


def _is_binary(one: Field) -> bool:
    """Whether lists of the same length contain only 0 and 1, and the name does not say whose they are."""
    lists = [value for value in one.present if value]
    same = len(set(map(len, lists))) == 1 and len(lists[0]) > 2
    said = one.words & {"votes", "vote", "answers", "individual", "human", "crowd"} or any(map(names_people, one.words))
    return same and not said and {str(label) for value in lists for label in value} <= {"0", "1", "0.0", "1.0"}


def _refuse_binary(fields: Sequence[Field], name: str) -> None:
    """Refuse lists of 0 and 1 that may have one position per annotator or one per category."""
    for one in fields:
        if one.is_list and one.calls_labels and not one.is_derived and _is_binary(one):
            raise DataError(
                "roles-unclear",
                f"{name}: each list in {quoted('.'.join(one.path))} has only 0 and 1, which may be one per annotator "
                "or one per category; write one row per label with the columns item, annotator, label",
            )


def _tag_tokens(one: Field, fields: Sequence[Field]) -> bool:
    """Whether each label belongs to a token: another list or a text of the record has as many words."""
    lengths = [(record, len(value)) for record, value in enumerate(one.values) if value]
    if len({length for _, length in lengths}) < 2:
        return False
    for other in fields:
        if other is one or not (other.is_list or other.is_scalar):
            continue
        sizes = [
            (length, _count_words(other.values[record]))
            for record, length in lengths
            if other.values[record] is not None
        ]
        words = [word for value in other.present if isinstance(value, list) for word in value]
        if other.is_list and (10 * len(set(map(str, words))) < len(words) or other.calls_labels):
            continue  # labels of another variable
        if (
            sizes
            and sum(a == b for a, b in sizes) >= _NEARLY_ALL * len(sizes)
            and len(sizes) >= _NEARLY_ALL * len(lengths)
        ):
            return True
    return False


def _count_words(value: Any) -> int:
    return len(value) if isinstance(value, list) else len(str(value).split())


def _are_counts(one: Field) -> bool:
    """Whether an object contains numbers of votes."""
    numbers = [number for value in one.present for number in value.values() if number is not None]
    return any(numbers) and all(
        isinstance(n, int | float) and not isinstance(n, bool) and isfinite(n) and 0 <= n == int(n) for n in numbers
    )


def _keys_are_categories(one: Field, fields: Sequence[Field]) -> bool:
    """Whether the names in an object of counts are categories, by the name of the field or by labels beside it."""
    keys = {str(key) for value in one.present for key in value}
    sums = {sum(filter(None, value.values())) for value in one.present}
    if len(keys) < 2 or len(keys) > FEW * 4 or max(sums) < 2:
        return False
    if words_of(one.name) & (COUNTS | _DISTRIBUTION):
        return True
    beside = (set(other.present) for other in fields if other.is_scalar and not other.below(one))
    if any(values <= keys for values in beside):
        return True
    if 2 * sum(map(is_category, keys)) > len(keys):
        return True
    return one.calls_labels and len(sums) == 1 and len(one.present) >= FEW_RECORDS and max(sums) > len(keys)


def _totals(one: Field) -> set[str]:
    """Return the names of numbers that are always the sum of the others: total."""
    filled = [value for value in one.present if value]
    names = set.intersection(*(set(value) for value in filled)) if filled else set()
    return {
        name
        for name in names
        if all(len(value) > 2 and 2 * value[name] == sum(filter(None, value.values())) for value in filled)
    }


def _counted_votes(one: Field, records: Sequence[Record]) -> Finding:
    votes: list[Vote] = []
    totals = _totals(one)
    for record, counts in enumerate(one.values):
        for label, number in (counts or {}).items():
            if label in totals:
                continue
            if len(votes) + (number or 0) > _MOST_LABELS:
                raise DataError(
                    "file-too-large",
                    f"{records[record].place}: {quoted('.'.join(one.path))} counts more than {_MOST_LABELS:,} labels; "
                    "write a table with a column per category, and use --layout counts",
                )
            votes += [Vote(record, None, {one.path: str(label)}) for _ in range(int(number or 0))]
    return Finding(one, votes)


def _refuse_both_orders(fields: Sequence[Field], name: str) -> None:
    """Refuse judgments of pairs in both orders, because the label is a position and not an answer."""
    every = list(fields)
    for one in fields:
        if one.is_objects:
            every += fields_of([item for value in one.values for item in value or ()], one.path)
    orders = [one for one in every if (one.is_object or one.is_objects or one.is_scalar) and _ORDER.search(one.name)]
    by_parent = Counter(one.path[:-1] for one in orders)
    if any(many > 1 for many in by_parent.values()):
        shown = ", ".join(quoted(one.name) for one in orders[:2])
        raise DataError(
            "roles-unclear",
            f"{name}: each pair was judged in both orders ({shown}), so a label means a position; write one row per "
            "judgment with the columns item (the pair and its order), annotator, label",
        )


def _refuse_empty(fields: Sequence[Field], name: str) -> None:
    """Refuse files of which the labels were removed, such as the test data of a competition."""
    for one in fields:
        empty = bool(one.present) and all(isinstance(value, Mapping | list) and not value for value in one.present)
        if empty and one.calls_labels and not one.is_derived and len(one.present) >= FEW_RECORDS:
            raise DataError(
                "nothing-annotated",
                f"{name}: {quoted('.'.join(one.path))} is empty in each record, so the file has no labels; give a file "
                "with labels",
            )


def _refuse_sums(fields: Sequence[Field], name: str) -> None:
    """Refuse numbers with a constant sum, because they are shares, votes per category or ranks."""
    for one in fields:
        if one.is_object and _are_shares(one):
            raise DataError(
                "annotators-needed",
                f"{name}: the numbers in {quoted('.'.join(one.path))} have the sum 1, so they are shares per category "
                "and not labels; give a file with the labels of each annotator",
            )
        if one.is_list and one.calls_labels and not one.is_derived and _have_constant_sum(one):
            raise DataError(
                "roles-unclear",
                f"{name}: the numbers in each list of {quoted('.'.join(one.path))} have the same sum, so they may be "
                "votes per category or ranks; for votes write a column per category, and use --layout counts",
            )


def _have_constant_sum(one: Field) -> bool:
    """Whether all lists have as many numbers and the same sum, but differ."""
    lists = [value for value in one.present if value]
    numbers = all(isinstance(n, int | float) and not isinstance(n, bool) and n >= 0 for value in lists for n in value)
    if not numbers or len(lists) < FEW_RECORDS or len(set(map(len, lists))) > 1 or len(lists[0]) < 2:
        return False
    return len({sum(value) for value in lists}) == 1 and len(set(map(tuple, lists))) > 1


def _refuse_single(fields: Sequence[Field], name: str) -> None:
    """Refuse labels in objects if each list has only one, because nothing can be compared."""
    for one in fields:
        single = one.is_list and all(len(value) < 2 for value in one.present)
        human = one.words & {"individual", "human", "crowd"} or any(map(names_people, one.words))
        if (
            single
            and (len(one.path) > 1 or human)
            and one.calls_labels
            and len(one.present) >= FEW_RECORDS
            and not one.is_derived
        ):
            raise DataError(
                "annotators-needed",
                f"{name}: each list in {quoted('.'.join(one.path))} has at most one label, so there is nothing to "
                "compare; give a file with the labels of several annotators",
            )


def _find_below(records: Sequence[Record], fields: Sequence[Field], name: str, how: Reading) -> MemorySource | None:
    """Look for items in lists of objects inside the records: a document with its sentences."""
    for one in fields:
        if not one.is_objects or one.is_derived:
            continue
        outer = _item_names(records, [f for f in fields if f is not one], how, None)
        inner = [
            Record(
                records[k].place, {**_plain_fields(records[k].fields), **item}, f"{outer[k]}/{_name_in(item, place)}"
            )
            for k, value in enumerate(one.values)
            for place, item in enumerate(value or (), 1)
        ]
        if len(inner) > len(records) and (source := find_labels(inner, name, how)) is not None:
            _refuse_siblings(one, fields, name)
            return source
    return None


def _refuse_siblings(one: Field, fields: Sequence[Field], name: str) -> None:
    """Refuse labels in one of several lists with the same fields, such as a list per label: they would be a part."""
    own = _names_inside(one)
    same = [other for other in fields if other.is_objects and other.path[:-1] == one.path[:-1] and not other.is_derived]
    same = [other for other in same if own and _names_inside(other) == own]
    if len(same) > 1:
        listed = some([".".join(other.path) for other in same], 4)
        raise DataError(
            "roles-unclear",
            f"{name}: the lists {listed} have the same fields and contain labels inside, and their names may be "
            "labels, too; write one row per label with the columns item, annotator, label",
        )


def _names_inside(one: Field) -> set[str]:
    return {str(name) for value in one.present for item in value for name in item}


def _plain_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what also holds for the objects inside a record: plain values, and the names of annotators.

    Objects are not passed on, because they would contain themselves.
    """
    return {
        name: value
        for name, value in fields.items()
        if (is_plain(value) and plain_name(name) not in ITEM)
        or (isinstance(value, list) and names_people(name) and all(map(is_plain, value)))
    }


def _name_in(fields: Mapping[str, Any], place: int) -> str:
    known = first_of([name for name, value in fields.items() if isinstance(value, str | int)], ITEM)
    return str(place if known is None else fields[known])


# -- The table --


def _source(
    records: Sequence[Record], fields: Sequence[Field], findings: Sequence[Finding], name: str, how: Reading
) -> MemorySource:
    """Return the labels as columns, with the plain fields of the records beside them."""
    named = any(one.is_named for one in findings)
    rows, several = _merged(findings) if named else (_by_position(findings), 0)
    rows = [row for row in rows if any(not is_nothing(value) for value in row.labels.values())]
    paths = list(dict.fromkeys(path for row in rows for path in row.labels))
    if not rows:
        raise DataError(
            "nothing-annotated", f"{name}: all lists and objects of labels are empty; give a file with labels"
        )
    many = Counter((row.record, path) for row in rows for path in row.labels)
    if not named and max(many.values()) < 2:
        shown = ", ".join(quoted(".".join(path)) for path in paths[:3])
        raise DataError(
            "annotators-needed",
            f"{name}: each item has only one label in {shown}; give a file with the labels of several annotators",
        )
    variables = _variable_names(paths)
    items = _item_names(records, fields, how, rows if named else None)
    columns: dict[str, list[Any]] = {"item": [_item_of(items[row.record], row.part) for row in rows]}
    if named:
        columns["annotator"] = [row.annotator for row in rows]
    sets = {path: as_sets([row.labels.get(path) for row in rows]) for path in paths}
    columns |= {variables[path]: sets[path] for path in paths}
    labels = tuple(variables.values())
    used = [known for one in findings for known in (one.field, *one.further)]
    for one in fields:
        title = ".".join(one.path)
        if one.is_scalar and title not in columns and not any(one.below(known) or one is known for known in used):
            columns[title] = [_as_plain(one.values[row.record]) for row in rows]
    unread = [
        one for one in fields
        if (one.is_objects or one.is_list) and any(one.present) and not one.is_derived and one.path not in variables
        and not any(one is known or one.below(known) for known in used)
    ]  # fmt: skip
    titles = [".".join(one.path) for one in unread]
    notes: list[str] = [Fact(f"{name}: lists not read as labels: {some(titles, 4)}")] if unread else []
    if unscored := list(dict.fromkeys(title for one in findings for title in one.unscored)):
        notes.append(Fact(f"columns not scored: {some(unscored, 8)}"))
    if nameless := sum(one.nameless for one in findings):
        notes.append(f"{name}: {counted(nameless, 'label')} without the name of an annotator left out")
    if several:
        notes.append(
            f"{name}: {counted(several, 'time')} an annotator gives an item several labels, so labels are read as sets"
        )
    if not named:
        notes.append(f"{name}: the labels in {some(list(labels), 4)} do not name their annotators")
    places = tuple(records[row.record].place for row in rows)
    return MemorySource(
        columns,
        name,
        is_file=True,
        notes=tuple(notes),
        places=places,
        anonymous=not named,
        labels=labels,
        item="item",
        annotator="annotator" if named else None,
    )


def _by_position(findings: Sequence[Finding]) -> list[Vote]:
    """Join the variables of each record in the order of labels, so that short lists leave few cells empty."""
    rows: dict[tuple[int, int], Vote] = {}
    for one in findings:
        many: Counter[int] = Counter()
        for vote in one.votes:
            row = rows.setdefault((vote.record, many[vote.record]), Vote(vote.record, None, {}))
            row.labels |= vote.labels
            many[vote.record] += 1
    return list(rows.values())


def _merged(findings: Sequence[Finding]) -> tuple[list[Vote], int]:
    """Join the variables of each record and annotator. Several labels of one annotator in a record give a set.

    Return also how often an annotator gives a record several labels.
    """
    rows: list[Vote] = []
    several = 0
    known: dict[tuple[int, str | None, str | None], Vote] = {}
    votes = [
        (vote.record, vote.annotator, vote.part, path) for one in findings for vote in one.votes for path in vote.labels
    ]
    seldom = len(votes) - len(set(votes)) < _SELDOM * len(votes)  # a repeated label is no set
    for vote in (vote for one in findings for vote in one.votes):
        key = (vote.record, vote.annotator, vote.part)
        row = known.get(key)
        if row is None:
            known[key] = Vote(vote.record, vote.annotator, dict(vote.labels), vote.part)
            rows.append(known[key])
        elif row.labels.keys().isdisjoint(vote.labels):
            row.labels |= vote.labels
        elif not seldom and all(_may_join(row.labels.get(path), label) for path, label in vote.labels.items()):
            several += any(row.labels[path] != label for path, label in vote.labels.items() if path in row.labels)
            for path, label in vote.labels.items():
                row.labels[path] = _joined(row.labels.get(path), label)
        else:
            rows.append(vote)  # a repeated label, which the reader of tables reports
    return rows, several


def _may_join(old: Any, new: Any) -> bool:
    return all(isinstance(one, str | list) and not _is_number(one) for one in (old, new))


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"\s*-?\d+(?:\.\d+)?\s*", value))


def _joined(old: Any, new: Any) -> Any:
    if old == new:
        return old
    return [*(old if isinstance(old, list) else [old]), *(new if isinstance(new, list) else [new])]


def is_nothing(value: Any) -> bool:
    return value is None or value in ("", "nan", "NaN") or (isinstance(value, float) and not isfinite(value))


def _as_plain(value: Any) -> Any:
    if isinstance(value, list):
        return [str(one) for one in value]
    return str(value) if isinstance(value, bool) else None if is_nothing(value) else value


def as_sets(values: Sequence[Any]) -> list[Any]:
    """Return labels; if one is a set, all are. A text "a,b" is a set if its parts are labels."""
    texts = {value for value in values if isinstance(value, str)}
    joined = {text for text in texts if "," in text and set(split_text(text, ",")) <= texts}
    if not joined and not any(isinstance(value, list) for value in values):
        return [_as_plain(value) for value in values]
    return [
        None if is_nothing(value)
        else _as_plain(value) if isinstance(value, list)
        else split_text(value, ",") if value in joined
        else [str(value)]
        for value in values
    ]  # fmt: skip


def _item_of(item: str, part: str | None) -> str:
    return item if part is None else f"{item}:{part}"


def _item_names(
    records: Sequence[Record], fields: Sequence[Field], how: Reading, rows: Sequence[Vote] | None
) -> list[str]:
    """Return the name of each record: from the object around it, from its fields, or its number."""
    if how.item is not None and (chosen := next((one for one in fields if ".".join(one.path) == how.item), None)):
        return [str(value) for value in chosen.values]
    keys = [record.key for record in records]
    if None not in keys and len(set(keys)) == len(keys):
        return [str(key) for key in keys]
    plain = [one for one in fields if one.is_scalar and len(one.present) == len(records) and not one.is_text]
    plain = [one for one in plain if len(one.path) == 1 and not any(isinstance(v, float | bool) for v in one.present)]
    known = sorted(
        (one for one in plain if plain_name(one.name) in ITEM), key=lambda one: ITEM.index(plain_name(one.name))
    )
    known += [one for one in plain if one not in known and words_of(one.name) & {"id", "uid", "uuid", "guid", "pairid"}]
    for one in known:
        names = [str(value) for value in one.values]
        if len(set(names)) == len(names):
            return names
    for one in known if rows is not None else ():
        pairs = [(str(one.values[row.record]), row.annotator, row.part) for row in rows or ()]
        if len(set(pairs)) == len(pairs) and len(set(one.values)) > 1:
            return [str(value) for value in one.values]
    if known:
        for other in plain:
            names = [f"{a}/{b}" for a, b in zip(known[0].values, other.values, strict=True)]
            if other is not known[0] and len(set(names)) == len(names):
                return names
    return [str(k) for k in range(1, len(records) + 1)]


def _variable_names(paths: Sequence[Path]) -> dict[Path, str]:
    """Return short names of variables: the last part of the path that distinguishes them and is no word for labels."""
    if len(paths) == 1:
        special = [part for part in paths[0] if not words_of(part) <= _GENERIC and not names_people(part)]
        return {paths[0]: special[-1] if special and special[-1] not in _OURS else paths[0][-1]}
    ends = {path: list(path) for path in paths}
    while len({parts[-1] for parts in ends.values()}) == 1 and all(len(parts) > 1 for parts in ends.values()):
        ends = {path: parts[:-1] for path, parts in ends.items()}
    for size in range(1, DEEPEST + 2):
        names = {path: ".".join(parts[-size:]) for path, parts in ends.items()}
        if len(set(names.values())) == len(paths) and not _OURS & set(names.values()):
            return names
    return {path: ".".join(path) for path in paths}
