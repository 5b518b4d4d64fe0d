"""`gold`: one label or unit from the versions of several annotators."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import numpy as np

from accord.answers import options
from accord.answers.gold.consensus import align_for_consensus, consensus
from accord.answers.gold.decisions import read_decisions
from accord.answers.gold.distances import distances_within, ranges
from accord.answers.gold.models import Believed, Labelled, bias_and_noise, dawid_skene, knows_nobody, mace
from accord.answers.gold.settled import UNSETTLED, Gold, GoldRow, apply_decisions, unit_in_context
from accord.answers.levels import notes_on_levels
from accord.answers.question import question
from accord.answers.scoring import kinds_of
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, UnknownName, counted, for_interface
from accord.core.options import Option
from accord.data.door import opened
from accord.data.kinds import TEXTS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.labels import label_name
from accord.data.model.measurement import ORDERED
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure as measure_named
from accord.measures.measure import Measure

METHODS = ("vote", "dawid_skene", "mace", "median", "mean", "bias_and_noise", "members")
BOUNDARIES = ("median", "mode", "union", "intersection")
_NUMBERS = ("mean", "bias_and_noise")
_MODELS: dict[str, Callable[[Labelled, Run], Believed]] = {"dawid_skene": dawid_skene, "mace": mace}
_CLOSE = 1e-9  # probabilities treated as equal
_UNLIKELY = 1e-6  # labels of lower probability are left out of distributions
_SURE = 0.5


_how = partial(Option, heading="Decision rule")


@question(
    "spans.csv -o gold.csv --adjudicate todo.csv",
    "spans.csv --decisions todo.csv -o gold.csv",
    "project/ -o gold/ --to brat",
)
def gold(
    data: options.Data,
    *,
    method: Annotated[
        str | None,
        _how(
            "vote, dawid_skene or mace (weight annotators by reliability); for an order: median; for numbers: median, "
            "mean or bias_and_noise; for sets: members. Default, by the level of measurement: vote (nominal), median "
            "(ordinal, interval, ratio), members (sets).",
            choices=METHODS,
        ),
    ] = None,
    boundaries: Annotated[
        str, _how("Boundaries of units: median, mode, union, intersection, or the name of an annotator.")
    ] = "median",
    threshold: Annotated[float, _how("Share of annotators who must have marked a unit.")] = 0.5,
    measure: Annotated[options.Measure, Option("Measure whose alignment is used.")] = None,
    decisions: Annotated[
        str | Path | None, _how("File of --adjudicate with the decisions filled in.", metavar="FILE", shape="file")
    ] = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Gold:
    """Make a gold standard from the labels of several annotators; flag ties.

    accord flags ties and never breaks them at random. Units are matched by the best alignment of the annotators.

    Returns
    -------
    Gold

    Examples
    --------
    >>> [row.label for row in accord.gold({"Ana": ["a", "b"], "Ben": ["a", "b"], "Cleo": ["a", "a"]}).rows]
    ['a', 'b']
    """  # fmt: skip
    run = Run(seed, progress or silent, jobs)
    if not 0 <= threshold <= 1:
        raise SpecError(
            "option-value",
            f"threshold must be a share of the annotators between 0 and 1, not {threshold:g}; try --threshold 0.5",
        )
    if method is not None and method not in METHODS:
        raise UnknownName("method", method, METHODS)
    given = opened(data, reading, kinds_of(measure), run)
    if isinstance(given, Ratings):
        settled = _of_items(given, method, run)
    elif isinstance(given, Corpus):
        settled = _of_units(given, method or "vote", boundaries, threshold, measure, run)
    else:
        settled = _of_others(given, method, run)
    return settled if decisions is None else apply_decisions(settled, read_decisions(Path(decisions)))


# -- items ---------------------------------------------------------------------------------------------------------


def _of_items(data: Ratings, method: str | None, run: Run) -> Gold:
    if not data.identified:
        raise DataError(
            "counts-without-annotators",
            "a table of counts does not identify annotators; a gold standard needs one row per label or one column "
            "per annotator",
        )
    sets = any(isinstance(label, frozenset) for label in data.categories)
    level = data.measurement
    chosen = method or ("members" if sets else "median" if level.level in ORDERED else "vote")
    if chosen == "members" and not sets:
        raise SpecError(
            "option-missing", "--method members needs sets; name the character between their members, as in --sets '|'"
        )
    votes = _votes(data)
    names = [data.items[k] for k in range(len(data.items))]
    notes: tuple[str, ...] = ()
    if chosen == "median":
        place = _places(data)
        amounts = level.level in {"interval", "ratio"}
        rows = [_middle(name, given, place, amounts) for name, given in zip(names, votes, strict=True)]
        notes = _between_two(data, rows)
    elif chosen in _NUMBERS:
        rows, notes = _numbers(data, chosen, names, votes)
    elif chosen == "members":
        rows = [_members(data, name, given) for name, given in zip(names, votes, strict=True)]
    elif chosen == "vote":
        rows = [_voted(name, given) for name, given in zip(names, votes, strict=True)]
    else:
        rows, notes = _modelled(data, chosen, names, votes, run)
    if method is None:
        notes = (*notes_on_levels({data.variable: data}, ()), *notes)
    rows = _with_distances(data, rows)
    kept = tuple(row for row in rows if row.versions)
    return Gold(kept, chosen, "item", data.present, notes, source=data, level=str(level))


def _with_distances(data: Ratings, rows: Sequence[GoldRow]) -> list[GoldRow]:
    """Add how far apart the labels of each item are, unless labels are names."""
    apart, widths = distances_within(data), ranges(data)
    if apart is None:
        return list(rows)
    wide: list[float | None] = [None] * len(rows) if widths is None else widths.tolist()
    return [replace(row, distance=d, range=w) for row, d, w in zip(rows, apart.tolist(), wide, strict=True)]


def _votes(data: Ratings) -> list[dict[str, str]]:
    """Return the label of each annotator, by item."""
    votes: list[dict[str, str]] = [{} for _ in range(len(data.items))]
    names = data.categories.names
    for item, annotator, label in zip(data.item.tolist(), data.annotator.tolist(), data.label.tolist(), strict=True):
        votes[item][data.annotators[annotator]] = names[label]
    return votes


def _voted(name: str, votes: Mapping[str, str]) -> GoldRow:
    counts = Counter(votes.values())
    most = max(counts.values(), default=0)
    first = [label for label, count in counts.items() if count == most]
    total = max(sum(counts.values()), 1)
    winner = first[0] if len(first) == 1 else UNSETTLED
    shares = {label: n / total for label, n in counts.items()}
    return GoldRow(name, winner, most, len(votes), "" if winner else "label", shares, dict(votes))


def _places(data: Ratings) -> dict[str, float]:
    """Return the place of each label in the order: the number, or the rank of a category."""
    categories = data.categories
    if not categories.numeric and data.measurement.level not in ORDERED:
        raise DataError(
            "measure-for-other-data",
            "--method median needs an order, and these labels are words without one; use --method vote, or list the "
            "order with --measurement ordinal and --categories",
        )
    places = categories.ranks if data.measurement.level == "ordinal" else categories.positions
    return dict(zip(categories.names, places.tolist(), strict=True))


def _middle(name: str, votes: Mapping[str, str], place: Mapping[str, float], amounts: bool) -> GoldRow:
    """Return the median label. Of two different labels in the middle, amounts have a mean; other labels are a tie."""
    ranked = sorted(votes.values(), key=place.__getitem__)
    row = replace(_voted(name, votes), settled_by="median")
    if not ranked:
        return row
    low, high = ranked[(len(ranked) - 1) // 2], ranked[len(ranked) // 2]
    if place[low] != place[high] and amounts:
        between = _as_label((place[low] + place[high]) / 2)
        return replace(row, label=between, tie="", support=sum(_as_label(place[one]) == between for one in ranked))
    if place[low] != place[high]:
        return replace(row, label=UNSETTLED, tie="label", support=max(ranked.count(low), ranked.count(high)))
    return replace(row, label=low, tie="", support=ranked.count(low))


def _between_two(data: Ratings, rows: Sequence[GoldRow]) -> tuple[str, ...]:
    """State how many items have two different labels in the middle, or a label that no annotator gave."""
    computed = sum(bool(row.label) and not row.tie and not row.support for row in rows)
    if computed:
        return (f"{counted(computed, 'median')} between the two middle numbers, which no annotator gave",)
    tied = sum(bool(row.tie) for row in rows)
    if not tied:
        return ()
    grades = data.measurement.known and data.measurement.level == "ordinal"
    mean = "; for their mean: --method mean" if data.categories.numeric and not grades else ""
    has = "has" if tied == 1 else "have"
    return (for_interface(f"{counted(tied, 'item')} {has} two different labels in the middle and no median{mean}"),)


def _members(data: Ratings, name: str, votes: Mapping[str, str]) -> GoldRow:
    """Decide a set member by member: more than half of the annotators include it; exactly half is a tie."""
    sets = dict(zip(data.categories.names, data.categories, strict=True))
    labels = [sets[vote] for vote in votes.values()]
    given = [label if isinstance(label, frozenset) else frozenset([label]) for label in labels]
    counts = Counter(name for members in given for name in sorted(map(label_name, members)))
    shares = {member: n / len(given) for member, n in counts.items()} if given else {}
    inside = frozenset(member for member, share in shares.items() if share > _SURE)
    tie = any(share == _SURE for share in shares.values())
    label = label_name(inside) if inside or not tie else UNSETTLED
    same = sum(vote == label for vote in votes.values())
    return GoldRow(name, label, same, len(votes), "label" if tie else "", shares, dict(votes), settled_by="members")


def _modelled(
    data: Ratings, method: str, names: Sequence[str], votes: Sequence[Mapping[str, str]], run: Run
) -> tuple[list[GoldRow], tuple[str, ...]]:
    labelled = Labelled(
        data.item.astype(np.int64), data.annotator.astype(np.int64), data.label.astype(np.int64), len(data.items),
        len(data.annotators), len(data.categories),
    )  # fmt: skip
    fitted = _MODELS[method](labelled, run)
    labels = data.categories.names
    rows = [
        _believed(name, given, labels, chances, method)
        for name, given, chances in zip(names, votes, fitted.posterior, strict=True)
    ]
    return rows, (*_as_names(data, method), *_doubts(fitted, labelled, method))


def _as_names(data: Ratings, method: str) -> tuple[str, ...]:
    """State that a model ignores the order of the labels."""
    if data.measurement.level not in ORDERED:
        return ()
    other = "median, mean or bias_and_noise" if data.categories.numeric else "median"
    ignored = f"{method} treats labels as names, so every difference counts the same; for the order: --method {other}"
    return (for_interface(ignored),)


def _doubts(fitted: Believed, labelled: Labelled, method: str) -> tuple[str, ...]:
    """Return reasons not to rely on a model."""
    doubts = [] if fitted.settled else [f"{method} did not converge in {fitted.steps} steps"]
    if method == "mace" and knows_nobody(fitted, labelled):
        unlike = "MACE treats nearly all labels as guesses, even labels on which annotators agree"
        doubts.append(for_interface(f"{unlike}: compare with --method dawid_skene or --method vote"))
    return tuple(doubts)


def _believed(name: str, votes: Mapping[str, str], labels: Sequence[str], chances: Floats, method: str) -> GoldRow:
    best = float(chances.max())
    first = np.flatnonzero(chances >= best - _CLOSE)
    label = labels[int(first[0])] if len(first) == 1 else UNSETTLED
    support = sum(vote == label for vote in votes.values())
    kept = np.flatnonzero(chances > _UNLIKELY)
    shares = chances[kept] / chances[kept].sum()  # renormalise after leaving out unlikely labels
    likely = {labels[k]: share for k, share in zip(kept.tolist(), shares.tolist(), strict=True)}
    return GoldRow(name, label, support, len(votes), "" if label else "label", likely, dict(votes), settled_by=method)


def _numbers(
    data: Ratings, method: str, names: Sequence[str], votes: Sequence[Mapping[str, str]]
) -> tuple[list[GoldRow], tuple[str, ...]]:
    values = data.categories.values
    if not data.categories.numeric:
        raise DataError(
            "measure-for-other-data",
            f"--method {method} needs numbers, and some labels are not numbers; use --method vote",
        )
    number = {name: float(value) for name, value in zip(data.categories.names, values, strict=True)}
    true: list[float]
    if method == "bias_and_noise":
        item, annotator = data.item.astype(np.int64), data.annotator.astype(np.int64)
        fitted = bias_and_noise(item, annotator, values[data.label], len(data.items), len(data.annotators))
        true = fitted.value.tolist()
    else:
        true = [_mean([number[vote] for vote in given.values()]) if given else math.nan for given in votes]
    rows = []
    for name, given, value in zip(names, votes, true, strict=True):
        support = sum(number[vote] == value for vote in given.values())
        rows.append(replace(_voted(name, given), label=_as_label(value), tie="", support=support, settled_by=method))
    return rows, ()


def _as_label(value: float) -> str:
    """Write a computed number with six digits, or with more if its integer part has more."""
    return f"{value:.{max(6, len(f'{abs(value):.0f}'))}g}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


# -- units ---------------------------------------------------------------------------------------------------------


def _of_units(
    data: Corpus, method: str, boundaries: str, threshold: float, spec: str | Measure | None, run: Run
) -> Gold:
    if method in {*_NUMBERS, "median", "members"}:
        raise SpecError(
            "measure-for-other-data",
            f"{method} applies to labels of items; for units, use --method vote, --method dawid_skene or --method mace",
        )
    if boundaries not in BOUNDARIES and boundaries not in data.annotators:
        raise UnknownName("rule for boundaries, or annotator,", boundaries, (*BOUNDARIES, *data.annotators))
    compared = align_for_consensus(data, measure_named(spec) if spec else None, run)
    corpus, alignment = compared.corpus, compared.alignment
    entry = compared.source.unit[alignment.members_unit]
    groups: list[list[int]] = [[] for _ in range(len(alignment.disorder))]
    for group, unit in zip(alignment.members_group.tolist(), entry.tolist(), strict=True):
        groups[group].append(unit)
    many = compared.units.annotators[alignment.continuum]
    whole = compared.source.whole[alignment.continuum]
    names = compared.names  # computed on each access
    rows, dropped = [], 0
    for units, n, integral, at in zip(groups, many.tolist(), whole.tolist(), alignment.continuum.tolist(), strict=True):
        if len(units) < threshold * n:
            dropped += 1
        else:
            rows.append(_unit_row(corpus, units, int(n), bool(integral), names[at], boundaries))
    rows.sort(key=lambda row: (row.name, row.start, row.end))
    notes: tuple[str, ...] = ()
    if method in _MODELS and rows:
        rows, notes = _relabelled(rows, method, run)
    return Gold(tuple(rows), method, "document", data.present, notes, dropped, source=data)


def _unit_row(corpus: Corpus, units: Sequence[int], n: int, integral: bool, doc: str, boundaries: str) -> GoldRow:
    names = corpus.categories.names
    labels: dict[str, str] = {}
    places: dict[str, tuple[float, float]] = {}
    for unit in units:
        annotator, code = corpus.annotators[int(corpus.annotator[unit])], int(corpus.label[unit])
        labels[annotator] = names[code] if code >= 0 else ""
        places[annotator] = float(corpus.start[unit]), float(corpus.end[unit])
    start, end, there = _placed(places, boundaries, integral)
    voted = _voted(doc, labels)
    only = set(labels.values()) == {""}
    unsettled = ("in or out" if 2 * len(units) == n else "", "" if there else "place", "" if only else voted.tie)
    tie = ", ".join(filter(None, unsettled))
    versions = {name: f"{places[name][0]:g}–{places[name][1]:g} {label}".strip() for name, label in labels.items()}
    text = unit_in_context(corpus.texts.get(doc), start, end)
    if integral:
        start, end = int(start), int(end)
    return replace(voted, versions=versions, annotators=n, tie=tie, start=start, end=end, text=text)


def _placed(places: Mapping[str, tuple[float, float]], boundaries: str, integral: bool) -> tuple[float, float, bool]:
    """Return the boundaries of a unit, and whether they are decided."""
    settled = True
    starts, ends = ([place[side] for place in places.values()] for side in (0, 1))
    if boundaries == "union":
        start, end = min(starts), max(ends)
    elif boundaries == "intersection":
        start, end = max(starts), min(ends)
    elif boundaries == "mode":
        start, end = (Counter(sorted(side)).most_common(1)[0][0] for side in (starts, ends))
    elif boundaries in places:
        start, end = places[boundaries]
    else:
        if any(_two_in_the_middle(side) for side in (starts, ends)):
            settled = False  # two equally frequent positions, and no annotator chose the midpoint
        start, end = (median(side) for side in (starts, ends))
        if integral:
            start, end = float(np.floor(start + 0.5)), float(np.floor(end + 0.5))
    there = start <= end
    return (start, end, settled) if there else (min(starts), max(ends), False)


def _two_in_the_middle(values: Sequence[float]) -> bool:
    ranked = sorted(values)
    return len(ranked) % 2 == 0 and ranked[len(ranked) // 2 - 1] != ranked[len(ranked) // 2]


def _relabelled(rows: Sequence[GoldRow], method: str, run: Run) -> tuple[list[GoldRow], tuple[str, ...]]:
    """Weight the labels of aligned units by a model; each unitary alignment is an item."""
    people = sorted({name for row in rows for name in row.versions})
    labels = sorted({label for row in rows for label in row.alternatives})
    entries = [
        (k, people.index(name), labels.index(label)) for k, row in enumerate(rows) for name, label in row.labels.items()
    ]
    item, annotator, label = (np.array(column, dtype=np.int64) for column in zip(*entries, strict=True))
    labelled = Labelled(item, annotator, label, len(rows), len(people), len(labels))
    fitted = _MODELS[method](labelled, run)
    relabelled = []
    for row, chances in zip(rows, fitted.posterior, strict=True):
        new = _believed(row.name, row.labels, labels, chances, method)
        tie = ", ".join(filter(None, (*(part for part in row.tie.split(", ") if part != "label"), new.tie)))
        relabelled.append(
            replace(
                row, label=new.label, support=new.support, tie=tie, alternatives=new.alternatives, settled_by=method
            )
        )
    return relabelled, _doubts(fitted, labelled, method)


# -- others --------------------------------------------------------------------------------------------------------


def _of_others(data: Data, method: str | None, run: Run) -> Gold:
    """Segmentations and texts have their own consensus; chains have no established method."""
    if data.kind.gold is None:
        raise SpecError(
            "measure-for-other-data",
            f"accord makes no gold standard of {data.kind.words}, because there is no established method; decide by "
            "hand with accord disagreements or accord report",
        )
    if method not in {None, "vote"}:
        raise SpecError(
            "measure-for-other-data",
            f"{method} applies to labels of items and units; for {data.kind.words}, use --method vote",
        )
    agreed = consensus(data, None, run).data
    columns, cells = agreed.rows()
    doc = columns.index("doc") if "doc" in columns else 0
    rest = [k for k, name in enumerate(columns) if name not in {"doc", "annotator"}]
    labels = [(str(row[doc]), " ".join(str(row[k]) for k in rest)) for row in cells]
    rows = tuple(GoldRow(*row, 0, data.n_annotators, "", {}, {}, settled_by="consensus") for row in labels)
    noun = "token" if data.kind is TEXTS else "document"
    return Gold(rows, data.kind.consensus, noun, data.present, source=data, consensus=agreed)
