"""Clean labels: remove missing ones, fold case and space, split sets, select and merge categories."""

from __future__ import annotations

import ast
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.core.arrays import Codes
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.columns import Column, measurements
from accord.data.io.tables.roles import computed_among, in_full
from accord.data.model.corpus import Corpus
from accord.data.model.data import Choice, Fact
from accord.data.model.labels import MANY, Label, Numbers, as_number, counts_of, label_name, merge_labels, times_of
from accord.data.model.ratings import Feature, Ratings

_DECIMAL = re.compile(r"[+-]?\d+,(\d+)")
_WHOLE = re.compile(r"\s*-?(?:0|[1-9]\d*)(?:\.0+)?\s*")  # 1, 1.0; but not 01
_RECORDS = re.compile(r"""\s*\[?\s*\{\s*["'][^"']*["']\s*:""")  # JSON in a cell
LIKE_MISSING = {"na", "n/a", "n.a.", "#n/a", "<na>", "nan", "none", "null", "-", "--", "–", "?", "missing", ".", "k.a.",
                "k. a.", "keine angabe", "fehlt", "no answer", "not applicable", "sans objet", "did not answer",
                "not answered", "no response", "prefer not to say", "prefer not to answer"}  # fmt: skip
# Codes that programs and annotators write for "no label". Among words, "none", "-" and "missing" may be categories.
_NO_LABEL = {"na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "?", "did not answer", "not answered"}
_SIGNS = {"-", "--", "–", "."}  # among words of several letters
_AMONG_NUMBERS = {"*", "skip", "skipped", "unanswered", "refused", "blank", "empty"}  # no label only among numbers
_EXACT = 2**53  # from here on, a float cannot distinguish whole numbers, such as long identifiers
_FEW_NAMES = 200  # labels or annotators that are compared
_INFERRED = "because all other labels are"


@dataclass(frozen=True)
class Cleaned:
    """Cleaned labels, the number of missing labels by reason, and notes."""

    column: Column
    left_out: dict[str, int]
    notes: list[str] = field(default_factory=list)


def clean_together(
    columns: Sequence[Column],
    how: Reading,
    tables: Sequence[tuple[bool, Callable[[int], str]]],
    times: NDArray[np.int64] | None = None,
    *,
    infer_missing: bool = True,
) -> list[Cleaned]:
    """Clean the labels of several tables alike. `tables` has for each whether it is a file, and a function for places.

    `times` gives the number of labels that each entry of a counted table represents. `infer_missing`: codes such as NA
    are missing if the other labels show it.
    """
    few = sum(len(column.names) for column in columns) <= MANY
    every = [name for column in columns for name in column.names] if few and len(columns) > 1 else []
    codes = _infer_missing(columns, how, times) if infer_missing else {}
    typed = not all(is_file for is_file, _ in tables)
    same, notes = same_labels([column.names for column in columns], typed=typed) if few else ({}, [])
    cleaned = [
        clean(column, how, *table, every, times, codes, same) for column, table in zip(columns, tables, strict=True)
    ]
    if cleaned:
        cleaned[0].notes.extend(notes)
    if len(cleaned) > 1:
        _ask_once(cleaned)
        if every:
            names = dict.fromkeys(label_name(label) for table in cleaned for label in table.column.names)
            cleaned[0].notes.extend(_spelled_differently(names))
    return cleaned


def same_labels(columns: Sequence[Sequence[Label]], *, typed: bool) -> tuple[dict[Label, Label], list[str]]:
    """Return labels that are the same as another one, with that one, and notes: 1.0 and 1, TRUE and True.

    1.10 and 1.1 of one column may be codes, and so may 01 and 1. If labels are `typed`, as in memory, the text 1 is not
    the number 1.
    """
    plain = (label for names in columns for label in names if not isinstance(label, frozenset))
    every = dict.fromkeys(label for label in plain if isinstance(label, str) or not typed)
    by_value: dict[float, list[Label]] = defaultdict(list)
    for label in every:
        if not math.isnan(value := as_number(label)) and abs(value) < _EXACT:
            by_value[value].append(label)
    groups = [_one_number(labels, columns) for labels in by_value.values() if len(labels) > 1]
    words = [label for label in every if label != ""]
    if {label_name(label).casefold() for label in words} == {"true", "false"}:
        by_word: dict[str, list[Label]] = defaultdict(list)
        for label in words:
            by_word[label_name(label).casefold()].append(label)
        groups += by_word.values()
    groups = [group for group in groups if len(group) > 1]
    shown = [", ".join(map(quoted, dict.fromkeys(map(_spelling, group)))) for group in groups[:3]]
    notes = [Fact(f"labels read as the same: {'; '.join(shown)}{' …' if len(groups) > 3 else ''}")] if groups else []
    return {label: group[0] for group in groups for label in group[1:]}, list(notes)


def _spelling(label: Label) -> str:
    return label if isinstance(label, str) else label_name(label)


def _one_number(labels: Sequence[Label], columns: Sequence[Sequence[Label]]) -> list[Label]:
    """Return the labels of equal value that are the same label, first the one to keep: a number, or a short text."""
    sure = [label for label in labels if not isinstance(label, str) or _WHOLE.fullmatch(label)]
    if len(sure) < len(labels) and all(len(set(labels).intersection(names)) < 2 for names in columns):
        sure = list(labels)
    return sorted(sure, key=lambda label: (isinstance(label, str), len(_spelling(label))))


def _infer_missing(columns: Sequence[Column], how: Reading, times: NDArray[np.int64] | None) -> dict[str, str]:
    """Return labels that mean missing, each with the reason, which names the option that keeps them.

    NA, - or None among numbers is no number. NA, NULL or ? among words is missing if it is in the minority; "none" and
    "-" may be categories. Categories that the user declares are kept.
    """
    if "" in how.missing:
        return {}
    counts: Counter[str] = Counter()
    for column in columns:
        if isinstance(column.names, Numbers):
            continue
        many = counts_of(column.codes, len(column.names)) if times is None else times_of(
            column.codes, times, len(column.names)
        )  # fmt: skip
        for label, number in zip(column.names, many, strict=True):
            counts[label_name(label)] += int(number)
    declared = {label_name(label) for label in how.categories or ()}
    known = LIKE_MISSING | _AMONG_NUMBERS
    codes = {name for name in counts if name.strip().casefold() in known} - {*declared, *how.missing}
    others = {name: n for name, n in counts.items() if n and name.strip() and name not in {*codes, *how.missing}}
    if not codes or len(others) < 2:
        return {}
    if any(math.isnan(as_number(name)) for name in others):
        codes = {name for name in codes if name.strip().casefold() not in _AMONG_NUMBERS}
    if all(not math.isnan(as_number(name)) for name in others):
        kind, found = "numbers", {name for name in codes if name.strip().casefold() != "none" or name == "None"}
    elif all(math.isnan(as_number(name)) and any(map(str.isalpha, name)) for name in others):
        signs = _SIGNS if all(len(name.strip()) > 1 for name in others) else set()
        kind, found = "words", {name for name in codes if name.strip().casefold() in _NO_LABEL | signs}
        found = found if sum(counts[name] for name in found) < sum(others.values()) else set()
    else:
        return {}
    return {name: f'{quoted(name)}, {_INFERRED} {kind}; use --missing "" to keep it as a label' for name in found}


def _ask_once(cleaned: Sequence[Cleaned]) -> None:
    """Join the notes of all tables on a label that may mean missing."""
    times: Counter[str] = Counter()
    for table in cleaned:
        for question in filter(None, map(_ASKED.fullmatch, table.notes)):
            times[question["label"]] += int(question["times"].replace(",", ""))
        table.notes[:] = [note for note in table.notes if not _ASKED.fullmatch(note)]
    cleaned[0].notes.extend(_asked(label, number) for label, number in times.items())


def clean(
    column: Column,
    how: Reading,
    is_file: bool,
    place: Callable[[int], str],
    every: Sequence[Label] = (),
    times: NDArray[np.int64] | None = None,
    inferred: Mapping[str, str] | None = None,
    same: Mapping[Label, Label] | None = None,
) -> Cleaned:
    """Clean one column. `every` has the labels of all tables if there are several.

    `inferred` has labels that mean missing because of the other labels, with the reason. `same` has other spellings of
    labels.
    """
    inferred, same = inferred or {}, same or {}
    if len(column.names) > MANY and not how.missing and not how.keep_empty and how.sets is None:
        numbers = measurements(column)
        if numbers is not None:
            return Cleaned(*_measured(column, *numbers))
    column, as_sets = _lists_as_sets(column, how, every or column.names)
    column, decimals = _with_points(column, how, every or column.names)
    index: dict[Label, int] = {}
    recode = np.full(len(column.names) + 1, -1, dtype=column.codes.dtype)
    reasons: dict[int, str] = {}
    for code, written in enumerate(column.names):
        label = written if left_out(written, how, is_file) else same.get(written, written)
        reason = left_out(label, how, is_file) or (inferred.get(label_name(label)) if inferred else None)
        if reason:
            reasons[code] = reason
            continue
        folded = _folded(label, how)
        if isinstance(folded, str) and _RECORDS.match(folded):
            entry = int(np.flatnonzero(column.codes == code)[0])
            raise DataError(
                "invalid-label",
                f"{place(entry)}: the label is a JSON record ({quoted(folded, 40)}); write its fields into columns, "
                "with one row per label or unit",
            )
        if isinstance(folded, str) and _swallows_rows(folded):
            entry = int(np.flatnonzero(column.codes == code)[0])
            raise DataError(
                "uneven-rows",
                f"{place(entry)}: the label {quoted(folded)} contains lines that look like rows; close the quote "
                "before it. If the label is meant to have several lines, use --fold space",
            )
        folded = _as_set(folded, how)
        recode[code] = index.setdefault(folded, len(index))
    labels = list(index)
    if times is None:
        counts, absent = counts_of(column.codes, len(column.names)), int((column.codes < 0).sum())
    else:
        counts, absent = times_of(column.codes, times, len(column.names)), int(times[column.codes < 0].sum())
    missing: dict[str, int] = defaultdict(int)
    for code, reason in reasons.items():
        if counts[code]:
            missing[reason] += int(counts[code])
    if absent:
        missing["no value"] += absent
    notes = [*as_sets, *decimals, *_look_alikes(labels, column, recode, counts, how)]
    notes += [] if every else _spelled_differently([label_name(label) for label in labels])
    unchanged = (recode[:-1] == np.arange(len(column.names))).all() and len(labels) == len(column.names)
    order = None
    if column.order is not None:
        order = tuple(
            dict.fromkeys(
                _as_set(_folded(lab, how), how)
                for lab in column.order
                if not left_out(lab, how, is_file) and label_name(lab) not in inferred
            )
        )
    cleaned = Column(column.codes if unchanged else recode[column.codes], labels, order)
    return Cleaned(cleaned, {reason: n for reason, n in missing.items() if n}, notes)


def _lists_as_sets(column: Column, how: Reading, every: Sequence[Label]) -> tuple[Column, list[str]]:
    """Turn lists in the notation of Python or JSON into sets. Their order has no meaning."""
    known = [lab for lab in every if lab != ""] if len(every) <= MANY and how.sets is None else []
    if not known or not all(isinstance(lab, str) and lab.startswith("[") and lab.endswith("]") for lab in known):
        return column, []
    sets: dict[Label, Label] = {"": ""}
    for lab in known:
        try:
            cells = ast.literal_eval(str(lab))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return column, []
        if not all(isinstance(entry, str | int | float) for entry in cells):
            return column, []
        sets[lab] = frozenset(str(entry) for entry in cells)
    return Column(column.codes, [sets[lab] for lab in column.names]), [
        f"labels like {quoted(known[0])} are read as sets"
    ]


def _with_points(column: Column, how: Reading, every: Sequence[Label]) -> tuple[Column, list[str]]:
    """Convert decimal commas. A label 1,2 may also be the codes 1 and 2, and 1,200 may be a thousand."""
    if how.sets is not None or len(every) > MANY or not any(isinstance(lab, str) and "," in lab for lab in every):
        return column, []
    names = [label_name(lab).strip() for lab in column.names]
    known = [
        name
        for name in (label_name(lab).strip() for lab in every)
        if name and name.casefold() not in LIKE_MISSING and name not in how.missing
    ]
    written = [number for name in known if (number := _DECIMAL.fullmatch(name))]
    whole = [name for name in known if "," not in name]
    if not written or len(written) + len(whole) < len(known) or any(math.isnan(as_number(name)) for name in whole):
        return column, []
    example = quoted(written[0][0])
    if all(len(number[1]) == 3 for number in written):
        return column, [f"labels like {example} are read as words; if they are numbers, remove the comma"]
    if all(_are_codes(number[0], whole) for number in written):
        return column, [
            f'labels like {example} are read as words; use --sets "," if they are two codes, or write 1.5 for 1,5'
        ]
    labels: list[Label] = [name.replace(",", ".") if _DECIMAL.fullmatch(name) else lab
                           for name, lab in zip(names, column.names, strict=True)]  # fmt: skip
    return Column(column.codes, labels, column.order), [
        f"labels like {example} are read as numbers with a decimal comma"
    ]


def _are_codes(name: str, whole: Sequence[str]) -> bool:
    """Whether a label is two codes in ascending order, each of which also occurs alone."""
    first, _, second = name.partition(",")
    return first in whole and second in whole and float(first) < float(second)


def _measured(column: Column, numbers: np.ndarray, empty: np.ndarray) -> tuple[Column, dict[str, int]]:
    """Code measurements by their number, so that 1.5 and 1.50 are the same."""
    distinct, inverse = np.unique(numbers[~empty], return_inverse=True)
    recode = np.full(len(numbers) + 1, -1, dtype=np.int32)
    recode[np.flatnonzero(~empty)] = inverse
    missing = int(np.isin(column.codes, np.flatnonzero(empty)).sum()) if empty.any() else 0
    return Column(recode[column.codes], Numbers(distinct)), {"empty cell": missing} if missing else {}


def note_missing(cleaned: Iterable[Cleaned]) -> tuple[str, ...]:
    """Return notes on missing labels and the reasons."""
    total: dict[str, int] = defaultdict(int)
    for table in cleaned:
        for reason, number in table.left_out.items():
            total[reason] += number
    total = dict(sorted(total.items(), key=lambda entry: _INFERRED in entry[0]))  # what accord guessed comes last
    notes = [f"{counted(n, 'label')} missing ({why})" for why, n in total.items()]
    return tuple(note if _INFERRED in note else Fact(note) for note in notes)


def declared_categories(how: Reading, label: Column | None = None) -> tuple[Label, ...] | None:
    """Return the declared categories, folded and split like labels. Default: the levels of an ordered factor."""
    if how.categories is None:
        if label is not None and label.order == ():
            raise DataError(
                "invalid-label",
                "the columns order their categories differently; declare one order with --categories "
                f"{quoted(','.join(map(label_name, label.names)), 400)}",
            )
        return label.order if label is not None else None
    return tuple(_as_set(_folded(lab, how), how) for lab in how.categories)


def _swallows_rows(label: str) -> bool:
    """Whether a label of several lines looks like rows behind an unclosed quote."""
    return any(line.count(sign) > 1 for line in label.splitlines()[1:] for sign in ",;\t|")


def note_order(how: Reading, label: Column) -> tuple[str, ...]:
    """Return a note on the order of categories that the data declare."""
    if how.categories is not None or label.order is None:
        return ()
    shown = " < ".join(label_name(level) for level in label.order[:8]) + (" …" if len(label.order) > 8 else "")
    return (f"categories in the order of the data: {shown}",)


def _as_set(label: Label, how: Reading) -> Label:
    if how.sets is None or not isinstance(label, str):
        return label
    return frozenset(part.strip() for part in label.split(how.sets) if part.strip())


def left_out(label: Label, how: Reading, is_file: bool) -> str | None:
    """Return the reason why a label counts as missing, or None."""
    if label == "" and is_file and not how.keep_empty:
        return "empty cell"
    if label != "" and not how.keep_empty and _folded(label, how) == "":
        return "only spaces"
    name = label_name(label)
    return f"declared missing: {quoted(name)}" if name in how.missing else None


def _folded(label: Label, how: Reading) -> Label:
    if isinstance(label, str):
        if "space" in how.fold:
            label = re.sub(r"\s+", " ", label.strip())
        if "case" in how.fold:
            label = label.casefold()
    return label


def note_two_types(label: Column) -> tuple[str, ...]:
    """Return notes on labels that occur both as number and as text, e.g. 1 in Parquet and "1" in CSV."""
    if len(label.names) > 5_000:
        return ()
    names = [label_name(lab) for lab in label.names]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    return tuple(
        f"label {quoted(name)} occurs as a number and as text, and accord counts these as different labels; store "
        "all of them as text, or all as numbers"
        for name in twice
    )


def _sets_in_other_orders(labels: Sequence[str]) -> list[str]:
    """Return a note if labels may be the same set in different orders, such as `a#b` and `b#a`."""
    for sign in "#|;,":
        seen: dict[frozenset[str], str] = {}
        for label in labels:
            parts = frozenset(part.strip() for part in label.split(sign))
            if len(parts) > 1 and seen.setdefault(parts, label) != label:
                two = f"{quoted(seen[parts])} and {quoted(label)}"
                return [f"labels {two} are counted as different; if they are sets, use --sets {quoted(sign)}"]
    return []


def _asked(label: str, times: int) -> str:
    return f"label {label} occurs {times:,} times; if it means missing, use --missing {label}"


_ASKED = re.compile(r"(?s)label (?P<label>.+) occurs (?P<times>[\d,]+) times; if it means missing, use --missing .+")


def _look_alikes(labels: Sequence[Label], column: Column, recode: Codes, counts: np.ndarray, how: Reading) -> list[str]:
    """Return notes on labels that differ only by case or space, or look like missing values. Nothing is changed."""
    notes: list[str] = []
    if len(labels) > 5_000:
        return notes
    number = np.zeros(len(labels), dtype=np.int64)
    for code in range(len(column.names)):
        if recode[code] >= 0:
            number[recode[code]] += counts[code]
    numbers: dict[float, list[str]] = defaultdict(list)
    for k, label in enumerate(labels):
        name = label_name(label)
        if isinstance(label, str) and not math.isnan(value := as_number(label)):
            numbers[value].append(name.strip())
        if name.strip().casefold() in LIKE_MISSING and "" not in how.missing and label not in (how.categories or ()):
            notes.append(_asked(quoted(name), int(number[k])))
    for names in numbers.values():
        if len(set(names)) > 1:
            same = ", ".join(quoted(name) for name in dict.fromkeys(names))
            notes.append(f"labels {same} are the same number but counted as different; use --merge to join them")
    return notes + _sets_in_other_orders([label for label in labels if isinstance(label, str)])


def _spelled_differently(labels: Iterable[str]) -> list[str]:
    """Return notes on labels that differ only by case or space."""
    groups: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        groups[_bare(label)].append(label)
    notes = []
    for names in map(list, map(dict.fromkeys, groups.values())):  # for a number and its text, see note_two_types
        if len(names) > 1:
            listed = ", ".join(quoted(name) for name in names)
            notes.append(f"labels {listed} are counted as different; use {_folding(names, ' and ')} to join them")
    return notes


def _folding(names: Sequence[str], joint: str = " ") -> str:
    """Return the options that make some of these labels the same."""
    spaced = len({re.sub(r"\s+", " ", name.strip()) for name in names}) < len(names)
    cased = len({name.casefold() for name in names}) < len(names)
    kinds = [kind for kind, so in (("case", cased), ("space", spaced)) if so]
    return joint.join(f"--fold {kind}" for kind in kinds or ["case", "space"])


def _bare(label: str) -> str:
    return re.sub(r"\s+", " ", label.strip()).casefold()


def refuse_other_case(ratings: Ratings) -> None:
    """Refuse annotators who never agree because they spell the same labels in another case: YES and yes."""
    names = ratings.categories.names
    if len(names) > _FEW_NAMES or len({_bare(name) for name in names}) == len(names) or not ratings.identified:
        return
    used = [
        {names[int(k)] for k in np.unique(ratings.label[ratings.annotator == a])}
        for a in range(len(ratings.annotators))
    ]
    for a, b in combinations(range(min(len(used), _FEW_NAMES)), 2):
        folded = [{_bare(name) for name in used[k]} for k in (a, b)]
        if used[a] and used[b] and not used[a] & used[b] and (folded[0] <= folded[1] or folded[1] <= folded[0]):
            other = {_bare(name): name for name in used[b]}
            name = next(name for name in sorted(used[a]) if _bare(name) in other)
            two = (name, other[_bare(name)])
            raise DataError(
                "invalid-label",
                f"{quoted(ratings.annotators[a])} and {quoted(ratings.annotators[b])} spell the same labels in "
                f"different ways ({quoted(two[0])}, {quoted(two[1])}), so they never agree; use {_folding(two)}",
            )


# -- Selection: --only, --annotators, --merge --


def choice_masks(
    label: Column, features: Mapping[str, Feature], annotators: Sequence[str], annotator: Codes, how: Reading
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield each selecting option with a mask of the entries that it keeps."""
    for column, values in how.filters.items():
        if column:
            names, where = features[column].names, features[column].codes
        else:
            used = counts_of(label.codes, len(label.names)) > 0
            names = tuple(label_name(lab) if u else "" for lab, u in zip(label.names, used, strict=True))
            where = label.codes
        for value in values:
            if value not in names:
                raise UnknownName(f"value of {column}" if column else "label", value, [n for n in names if n])
        yield "--only", np.isin(where, [k for k, name in enumerate(names) if name in values])
    if how.annotators:
        for name in how.annotators:
            if name not in annotators:
                raise UnknownName("annotator", name, annotators)
        wanted = np.array([name in how.annotators for name in annotators])
        yield "--annotators", wanted[annotator]


def keep_chosen(
    label: Column,
    features: Mapping[str, Feature],
    annotators: Sequence[str],
    annotator: Codes,
    how: Reading,
    times: NDArray[np.int64] | None = None,
) -> tuple[Column, list[str]]:
    """Drop labels that are not selected. Return the column and notes. `times`: the number of labels per entry."""

    def left(codes: Codes) -> int:
        return int((codes >= 0).sum() if times is None else times[codes >= 0].sum())

    notes: list[str] = []
    codes = label.codes
    for option, mask in choice_masks(label, features, annotators, annotator, how):
        before = left(codes)
        codes = np.where(mask, codes, np.asarray(-1, dtype=codes.dtype))
        notes.append(Choice(f"{option}: {left(codes):,} of {before:,} labels kept"))
    return Column(codes, label.names, label.order), notes


def leave_out_computed(
    label: Column, annotators: Sequence[str], annotator: Codes, how: Reading
) -> tuple[Column, list[str]]:
    """Drop the labels of annotators, files or sheets whose names mean agreed or predicted labels: gold, final.

    Return the column and notes. At least two annotators must be left. `--annotators` names those that count.
    """
    if how.annotators:
        return label, []
    used = np.bincount(annotator[(label.codes >= 0) & (annotator >= 0)], minlength=len(annotators)) > 0
    present = [name for name, there in zip(annotators, used, strict=True) if there]
    computed = computed_among(present, outputs=not how.with_models)
    if not computed or len(present) < 2:
        return label, []
    listed, every = ", ".join(map(quoted, computed[:4])), f"--annotators {in_full(','.join(present))}"
    people = len(present) - len(computed)
    if people < 2 and how.annotators_in is not None:
        return label, []  # the user declares them
    if people < 2:
        raise DataError(
            "annotators-needed",
            f"{listed} may be agreed or predicted labels and not those of an annotator, and {people or 'no'} other "
            f"annotator is left; use {every} to compare all, or add the labels of another annotator",
        )
    mask = np.isin(annotator, [k for k, name in enumerate(annotators) if name in computed])
    codes = np.where(mask, np.asarray(-1, dtype=label.codes.dtype), label.codes)
    return Column(codes, label.names, label.order), [
        f"not read as annotators, because their names mean agreed or predicted labels: {listed}; use {every} to "
        "include them"
    ]


D = TypeVar("D", Ratings, Corpus)


def apply_merge(data: D, how: Reading) -> D:
    """Apply each --merge in turn."""
    for text in how.merge:
        names, sign, target = text.rpartition("=")
        if not sign or not names or not target:
            example = quoted(f"{text.strip('=') or 'a,b'}=other")
            raise SpecError(
                "option-value",
                f"--merge {quoted(text)} has no target; write the labels, = and the new label, for example --merge "
                f"{example}",
            )
        table, categories = merge_labels(data.categories, dict.fromkeys(names.split(","), target))
        data = replace(data, label=table[data.label], categories=categories)
    return data
