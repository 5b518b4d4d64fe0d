"""`intra`: agreement of annotators with themselves, unstable items, and settings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Annotated, Any, ClassVar

import numpy as np

from accord.answers import options
from accord.answers.annotator_figures import wilson_interval
from accord.answers.compare_groups import compare_groups
from accord.answers.gold.distances import distances_within
from accord.answers.levels import are_amounts, notes_on_levels
from accord.answers.options import LEVEL
from accord.answers.question import question
from accord.answers.scoring import Scored, at_level, score_data
from accord.answers.trend import time_order
from accord.core.arrays import Bools, Floats, Ints
from accord.core.context import Run
from accord.core.errors import DataError, SpecError, UnknownName, counted
from accord.core.options import Option
from accord.core.probability import t_below, t_quantile
from accord.core.result import ROW, Result, Score, forest
from accord.core.tables import Cell, Drawing, Interval, Table, ends, plain
from accord.data.door import is_data, opened
from accord.data.io.tables.roles import ANNOTATOR, plain_name
from accord.data.kinds import ITEMS, kind_named
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.data.model.repeats import WHAT, WHO, are_trials, numbered
from accord.measures.catalogue import measure as measure_named
from accord.measures.distances.spaces import sums_by
from accord.measures.intervals.cases import in_range
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure, check_kind

_MOST_SHOWN = 10


@dataclass(frozen=True)
class Flips:
    """How often the repetitions of an item differ."""

    n: int  # repeated items, by annotator
    flipped: int
    interval: Interval | None  # of the share
    differ: float  # share of differing pairs of repetitions, which does not grow with their number
    repetitions: float  # mean per item

    @property
    def share(self) -> float:
        return self.flipped / self.n if self.n else math.nan

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "share": self.share}


@dataclass(frozen=True)
class Setting:
    """Repetitions under the same values of columns: prompt, temperature, version."""

    values: tuple[str, ...]
    flips: Flips
    score: Score


@dataclass(frozen=True)
class Between:
    """Two settings: common items, the share of differing pairs (one of each), and agreement."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    n: int
    differ: float
    score: Score | None


@dataclass(frozen=True)
class Unstable:
    """An item with differing repetitions."""

    item: str
    annotator: str
    settings: int  # number of settings in which they differ
    differ: float  # share of differing pairs of repetitions, mean over settings
    labels: Mapping[str, int]
    distance: float | None = None  # mean distance of two repetitions at the level of the labels; None: names


@dataclass(frozen=True, repr=False)
class Intra(Result):
    """Agreement of annotators with themselves: all (errors clustered by item or document), and each."""

    subject: ClassVar[str] = "Agreement of annotators with themselves"

    score: Score
    annotators: Mapping[str, Score]
    noun: str = "item"
    flips: Mapping[str, Flips] = field(default_factory=dict)  # labels of items: of all (""), and of each annotator
    by: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    between: tuple[Between, ...] = ()
    unstable: tuple[Unstable, ...] = ()  # least stable first
    notes: tuple[str, ...] = ()
    amounts: bool = False  # the labels are numbers on a scale

    def summary(self) -> str:
        return f"{self.score.summary()}, {counted(len(self.annotators), 'annotator')}"

    def tables(self) -> list[Table]:
        tables = [self._annotators()]
        if self.settings:
            tables.append(self._settings())
        if self.between:
            tables.append(self._between())
        if self.unstable:
            tables.append(self._unstable())
        return tables

    def _annotators(self) -> Table:
        def row(name: str, shown: str, score: Score) -> tuple[Cell, ...]:
            cells = (shown, score.value, score.limits, score.n)
            return (*cells, *_flip_cells(self.flips[name])[2:4]) if name in self.flips else cells

        rows = [row("", "all", self.score), *(row(name, name, s) for name, s in self.annotators.items())]
        notes = [f"{name}: {s.undefined}" for name, s in self.annotators.items() if s.undefined]
        notes.append(
            "each annotator is compared with themselves; the standard error of all is clustered by " + self.noun
        )
        if self.flips:
            small = "; a small change of a number counts" if self.amounts else ""
            notes.append(f"items that change: share of repeated items whose labels are not all the same{small}")
        if self.by:
            notes.append("this table treats labels of all settings as repetitions")
        more = ("items that change", "interval") if self.flips else ()
        columns = ("annotator", self.score.measure, "interval", f"{self.noun}s", *more)
        return Table("", columns, tuple(rows), (*notes, *self.notes))

    def _settings(self) -> Table:
        rows = tuple(
            (*s.values, *_flip_cells(s.flips), s.flips.differ if s.flips.n else None,
             None if s.score.undefined else s.score.value, s.score.limits)
            for s in self.settings
        )  # fmt: skip
        notes = tuple(f"{' · '.join(s.values)}: {s.score.undefined}" for s in self.settings if s.score.undefined)
        flips = ("items that change", "interval", "differing pairs")
        columns = (*self.by, "items", "repetitions", *flips, self.score.measure, "interval")
        return Table("within each setting", columns, rows, notes)

    def _between(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for pair in self.between:
            value, interval = (pair.score.value, pair.score.limits) if pair.score else (None, None)
            differ = pair.differ if pair.n else None
            rows.append((" · ".join(pair.one), " · ".join(pair.other), pair.n, differ, value, interval))
        columns = ("setting", "other setting", "items", "differing pairs", self.score.measure, "interval")
        return Table("between settings", columns, tuple(rows)).first()

    def _unstable(self) -> Table:
        by = ("settings",) if self.by else ()
        rows = tuple(
            (row.item, row.annotator, *((row.settings,) if self.by else ()), row.differ,
             ", ".join(f"{label} {n}" for label, n in row.labels.items()))
            for row in self.unstable[:_MOST_SHOWN]
        )  # fmt: skip
        title = f"the {_MOST_SHOWN} least stable of {len(self.unstable):,} items that change"
        whole = len(self.unstable) <= _MOST_SHOWN
        return Table(
            "items that change" if whole else title, ("item", "annotator", *by, "differing pairs", "labels"), rows
        )  # fmt: skip

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": lambda: forest(self.annotators, "", "annotator", whole=self.score)}

    def to_dict(self) -> dict[str, Any]:
        each = {name: score.brief() for name, score in self.annotators.items()}
        return plain(
            {
                "score": self.score.brief(),
                "annotators": each,
                "flips": {name or "all": one.to_dict() for name, one in self.flips.items()},
                "by": list(self.by),
                "settings": [
                    {"values": dict(zip(self.by, one.values, strict=True)), "flips": one.flips.to_dict(),
                     "score": one.score.brief()}
                    for one in self.settings
                ],
                "between": [
                    {"one": list(one.one), "other": list(one.other), "n": one.n, "differ": one.differ,
                     "score": one.score.brief() if one.score else None}
                    for one in self.between
                ],
                "unstable": [asdict(one) for one in self.unstable],
                "notes": list(self.notes),
            }
        )  # fmt: skip

    def flat(self) -> Table:
        """The first row, without a name, is for all annotators; rows of settings follow."""
        flip = ("flip_items", "repetitions", "flip", "flip_low", "flip_high", "pairs_differ")

        def cells(flips: Flips | None) -> tuple[Cell, ...]:
            if flips is None or not flips.n:
                return (None,) * len(flip)
            return (flips.n, flips.repetitions, flips.share, *ends(flips.interval), flips.differ)

        empty = ("",) * len(self.by)
        scores = [("", self.score), *self.annotators.items()]
        rows = [(name, *empty, *s.row(), *cells(self.flips.get(name))) for name, s in scores]
        rows += [("", *setting.values, *setting.score.row(), *cells(setting.flips)) for setting in self.settings]
        return Table("", ("annotator", *self.by, *ROW, *flip), tuple(rows))


def _flip_cells(flips: Flips) -> tuple[Cell, ...]:
    """Items, repetitions, the share of items that change, its interval."""
    times = int(flips.repetitions) if flips.n and flips.repetitions.is_integer() else flips.repetitions
    return (flips.n, times, flips.share, flips.interval) if flips.n else (0, None, None, None)


@dataclass(frozen=True, eq=False)
class Repetitions:
    """One row per item and annotator; the annotators of the data are the repetitions."""

    data: Data
    what: tuple[str, ...]  # item or document of each row
    each: Mapping[str, Data]  # each annotator separately


@question("ratings.csv -m alpha", "runs.jsonl --by prompt --by temperature")
def intra(
    data: options.Data,
    measure: Annotated[options.Measure, Option("A measure.")] = None,
    *,
    by: Annotated[
        str | Sequence[str],
        Option(
            "Column with the setting of each label, such as prompt or temperature; repeatable. Compares repetitions "
            "within each setting, and settings with each other.",
            metavar="COLUMN",
            heading=options.MEASURES,
            shape="texts",
        ),
    ] = (),
    level: options.Level = LEVEL,
    seed: options.Seed = 0,
    **reading: Any,
) -> Intra:
    """Score how well annotators or models agree with themselves.

    Repetitions are rows with the same item and annotator in a long table of labels. For every kind of data, they may
    also be annotators with numbered names: columns `Ana_1`, `Ana_2` of a wide table, or the same names in a long one.

    Returns
    -------
    Intra

    Raises
    ------
    DataError
        If no annotator labelled an item twice.

    Examples
    --------
    >>> rows = {"item": [1, 2, 1, 2], "annotator": ["Ana"] * 4, "label": ["a", "b", "a", "a"]}
    >>> accord.intra(rows, "percent").score.value
    0.5

    References
    ----------
    Gwet (2021), section 9.6.
    """  # fmt: skip
    if reading.get("repeats", "error") not in {"error", "trials"}:
        raise SpecError(
            "option-conflict", "accord intra compares repetitions, so --repeats cannot be used; leave it out"
        )
    chosen, run = measure_named(measure or ITEMS.main), Run(seed)
    columns = options.texts_in(by)
    again: dict[str, Any] = {} if is_data(data) or chosen.data != ITEMS.name else {"repeats": "trials"}
    if columns and not is_data(data):
        again["by"] = columns
    found = opened(data, {**reading, **again}, (chosen.data,))
    chosen = at_level(chosen, found)
    check_kind(chosen.name, kind_named(chosen.data), found)
    trials, noun = _trials(found), found.kind.noun
    each = {who: _agreement(part, chosen, level, run) for who, part in trials.each.items()}
    whole = score_data(trials.data, chosen, Settings("none"), run)
    made = Intra(with_clustered_error(whole, trials.what, level, run, noun), each, noun)
    if not isinstance(trials.data, Ratings):
        if columns:
            raise SpecError(
                "option-not-for-data",
                f"--by applies to labels of items, and these are {found.kind.words}; name settings as numbered "
                "annotators, such as Ana_1, and leave it out",
            )
        return made
    of_each = {
        who: count_flips(part, level, part.names) for who, part in trials.each.items() if isinstance(part, Ratings)
    }
    level_notes = notes_on_levels({found.variable: found}, () if measure is None else (chosen,))
    made = replace(made, notes=level_notes, amounts=are_amounts(found))
    made = replace(made, flips={"": count_flips(trials.data, level, trials.what), **of_each})
    if not columns:
        return replace(made, unstable=list_unstable(trials.data, None))
    if not are_trials(trials.data):
        raise SpecError(
            "option-not-for-data",
            "--by needs a long table with one row per repetition; rearrange the table, or leave it out",
        )
    asked = SettingGroups.of(trials.data, columns)

    def clustered_score(part: Ratings) -> Score:
        if not part.comparable.any():
            return Score(math.nan, str(chosen), undefined="no item is repeated")
        inside = _of_rows(part)
        try:
            return with_clustered_error(
                score_data(inside.data, chosen, Settings("none"), run), inside.what, level, run, noun
            )
        except DataError as error:
            return Score(math.nan, str(chosen), undefined=str(error))

    between, reason = asked.between(chosen, level, seed)
    notes = (f"settings were not compared by {chosen.name}: {reason}",) if reason else ()
    if between and not reason and len(set(trials.what)) < len(trials.what):
        notes = ("between settings, an item of several annotators counts several times, so intervals may be too short",)
    return replace(
        made,
        by=columns,
        settings=asked.each(clustered_score, level),
        between=between,
        unstable=list_unstable(trials.data, asked),
        notes=(*notes, *level_notes),
    )


def _agreement(part: Data, chosen: Measure, level: float, run: Run) -> Score:
    """Agreement of one annotator with themselves."""
    noun = part.kind.noun
    if not part.comparable.any():
        does = "labels" if noun == ITEMS.noun else "annotates"
        return Score(math.nan, str(chosen), undefined=f"{does} no {noun} twice")
    try:
        return score_data(part, chosen, Settings(level=level), run).score
    except DataError as error:
        return Score(math.nan, str(chosen), undefined=str(error))


def _trials(data: Data) -> Repetitions:
    if isinstance(data, Ratings) and are_trials(data):
        return _of_rows(data)
    groups = numbered(data.present)
    many = {annotator: names for annotator, names in groups.items() if len(names) > 1}
    if not many or all(plain_name(annotator) in ANNOTATOR for annotator in many):  # rater_1 and rater_2 are two people
        raise DataError(
            "nothing-shared",
            "no annotator labelled an item twice; give a long table that repeats the same item and annotator, or "
            "number the names of annotators: Ana_1, Ana_2",
        )
    return _of_names(data, groups)


def _of_rows(ratings: Ratings) -> Repetitions:
    """Repetitions in a long table: rows with the same item and annotator, kept in two columns."""
    annotators = _of_each_row(ratings, WHO)
    whose = np.array([*annotators, ""], dtype=object)[:-1]
    each = {
        annotator: ratings.keep((whose == annotator)[ratings.item]).only_items()
        for annotator in dict.fromkeys(annotators)
    }
    return Repetitions(ratings, _of_each_row(ratings, WHAT), each)


def _of_each_row(ratings: Ratings, column: str) -> tuple[str, ...]:
    """Return the item, or the annotator, of each row."""
    feature, code = ratings.features[column], np.zeros(len(ratings.items), dtype=np.int64)
    code[ratings.item] = feature.codes
    return tuple(feature.names[k] for k in code.tolist())


def _of_names(data: Data, groups: Mapping[str, Sequence[str]]) -> Repetitions:
    """Repetitions by name: pool the documents of Ana_1 and Ana_2 with those of others, as trial 1 and trial 2."""
    each = {annotator: data.only_annotators(names) for annotator, names in groups.items()}
    several = [annotator for annotator, names in groups.items() if len(names) > 1]
    trials = tuple(f"trial {k + 1}" for k in range(max(len(groups[annotator]) for annotator in several)))

    def seats(annotator: str) -> np.ndarray:
        place = {name: k for k, name in enumerate(groups[annotator])}
        return np.array([place.get(name, 0) for name in each[annotator].annotators], dtype=np.int64)

    pooled, what = each[several[0]], list(each[several[0]].names)
    for k, annotator in enumerate(several[1:]):
        mine = seats(several[0]) if k == 0 else np.arange(len(trials), dtype=np.int64)
        what += each[annotator].names
        pooled = pooled.joined(each[annotator], trials, mine, seats(annotator))
    return Repetitions(pooled, tuple(what), each)


def with_clustered_error(whole: Scored, clusters: Sequence[str], level: float, run: Run, noun: str = "item") -> Score:
    """Add a standard error clustered by item, because labels of one item are not independent."""
    if whole.score.undefined is not None:
        return whole.score
    number = {name: k for k, name in enumerate(dict.fromkeys(clusters))}
    code = np.array([number[name] for name in clusters])
    clustered = _linearised(whole, code, len(number)) or _left_out(whole, code, run)
    chosen, score = whole.measure, whole.score
    if clustered is None:
        return replace(score, details={**score.details, "interval": f"no interval, because there is only one {noun}"})
    variance, many = clustered
    se = math.sqrt(variance)
    half = t_quantile(many - 1, (1 + level) / 2) * se
    error = score.kind == "error"
    low, high = in_range(chosen, score, score.value - half, score.value + half)
    interval = Interval(low, high, level, f"clustered by {noun}")
    p = 2 * t_below(many - 1, -abs(score.value) / se) if se > 0 and not error else None
    return replace(score, se=se, interval=interval, p=p, details={**score.details, "clusters": many, "df": many - 1})


def _linearised(whole: Scored, code: np.ndarray, clusters: int) -> tuple[float, int] | None:
    """Variance and number of clusters by linearisation; None if the measure has none."""
    given = whole.measure.contributions(whole.evidence, named=True)
    if given is None:
        return None
    off = sums_by(code, (given.values - float(given.times @ given.values) / given.n) * given.times, clusters)
    many = int(np.count_nonzero(sums_by(code, given.times, clusters)))  # α ignores items labelled once
    return (float((off**2).sum()) * many / (many - 1) / given.n**2, many) if many > 1 else None


def _left_out(whole: Scored, code: np.ndarray, run: Run) -> tuple[float, int] | None:
    """Variance and number of clusters by leaving out one cluster at a time."""
    chosen, evidence = whole.measure, whole.evidence
    sample = chosen.sampled(evidence, run)
    if sample is None:
        return None
    of_name = dict(zip(whole.data.names, code.tolist(), strict=True))
    mine = np.array([of_name[name] for name in sample.names])
    there = np.unique(mine[sample.times > 0])
    if len(there) < 2:
        return None
    values = sample.drawn(np.where(mine[None, :] == there[:, None], 0.0, sample.times[None, :]))
    if np.isnan(values).any():
        return None
    spread = float(((values - values.mean()) ** 2).sum()) * (len(there) - 1) / len(there)
    return spread + chosen.chance_error(evidence, whole.score.value) ** 2, len(there)


# -- Items that change, by settings, and the agreement of settings --


_MOST_SETTINGS = 100


def count_flips(ratings: Ratings, level: float, what: Sequence[str]) -> Flips:
    """Count rows with differing repetitions; `what` is the item of each row."""
    many, distinct, differ = _rows(ratings)
    again = many > 1
    if not again.any():
        return Flips(0, 0, None, float("nan"), float("nan"))
    flipped = distinct[again] > 1
    interval = _interval(flipped, np.array(what, dtype=object)[again].tolist(), level)
    return Flips(len(flipped), int(flipped.sum()), interval, float(differ[again].mean()), float(many[again].mean()))


def _interval(flipped: Bools, what: Sequence[str], level: float) -> Interval | None:
    """Wilson's interval with an effective number of rows, because items are sampled with all their rows.

    If no row differs from the others, the correlation within items is unknown, and each item counts once.
    """
    n, share = len(flipped), float(flipped.mean())
    number = {name: k for k, name in enumerate(dict.fromkeys(what))}
    items = len(number)
    if items == n:
        return wilson_interval(float(flipped.sum()), n, level)
    worth: float = items
    if 0 < share < 1 and items > 1:
        off = np.bincount([number[name] for name in what], weights=flipped - share)
        variance = float((off**2).sum()) * items / (items - 1) / n**2
        worth = min(n, share * (1 - share) / variance) if variance > 0 else n
    interval = wilson_interval(share * worth, worth, level)
    return interval and replace(interval, method="wilson, clustered by item")


def _rows(ratings: Ratings) -> tuple[Ints, Ints, Floats]:
    """For each row: the number of labels, of distinct labels, and the share of differing pairs."""
    rows, q = len(ratings.items), len(ratings.categories)
    key, count = np.unique(ratings.item * np.int64(q) + ratings.label, return_counts=True)
    row = key // q
    many = np.bincount(ratings.item, minlength=rows)
    same = np.bincount(row, weights=count * (count - 1.0), minlength=rows)
    pairs = many * (many - 1.0)
    differ = 1 - np.divide(same, pairs, out=np.ones(rows), where=pairs > 0)
    return many, np.bincount(row, minlength=rows), differ


@dataclass(frozen=True, eq=False)
class SettingGroups:
    """Repetitions grouped by the values of columns."""

    ratings: Ratings  # one row per item and annotator
    columns: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # of each setting, in order
    code: Ints  # setting of each entry

    @classmethod
    def of(cls, ratings: Ratings, columns: Sequence[str]) -> SettingGroups:
        for name in columns:
            if name not in ratings.features:
                raise UnknownName("column", name, [n for n in ratings.features if n not in {WHAT, WHO}])
        given = list(zip(*([ratings.features[c].name(e) for e in range(len(ratings))] for c in columns), strict=True))
        rank: list[dict[str, int]] = []
        for k in range(len(columns)):
            names = list(dict.fromkeys(setting[k] for setting in given))
            rank.append({names[at]: place for place, at in enumerate(time_order(names)[0])})
        values = sorted(set(given), key=lambda setting: [rank[k][value] for k, value in enumerate(setting)])
        if len(values) > _MOST_SETTINGS:
            raise DataError(
                "option-value",
                f"--by: {', '.join(columns)} gives {len(values):,} settings, more than {_MOST_SETTINGS}; choose "
                "columns with fewer values",
            )
        place = {setting: k for k, setting in enumerate(values)}
        return cls(
            ratings, tuple(columns), tuple(values), np.array([place[setting] for setting in given], dtype=np.int64)
        )

    def part(self, setting: int) -> Ratings:
        return self.ratings.keep(self.code == setting).only_items()

    def each(self, score: Callable[[Ratings], Score], level: float) -> tuple[Setting, ...]:
        parts = map(self.part, range(len(self.values)))
        return tuple(
            Setting(values, count_flips(part, level, _of_each_row(part, WHAT)), score(part))
            for values, part in zip(self.values, parts, strict=True)
        )

    def between(self, chosen: Measure, level: float, seed: int) -> tuple[tuple[Between, ...], str]:
        """Compare settings with each other; also return why agreement is missing, if it is."""
        if len(self.values) < 2:
            return (), ""
        names = [" · ".join(one) for one in self.values]
        order = np.lexsort((np.arange(len(self.code)), self.code, self.ratings.item))
        key = (self.ratings.item * np.int64(len(names)) + self.code)[order]
        rank = np.empty(len(key), dtype=np.int64)
        rank[order] = np.arange(len(key)) - np.searchsorted(key, key, side="left")
        seats = sorted({*zip(self.code.tolist(), rank.tolist(), strict=True)})
        seat = {one: k for k, one in enumerate(seats)}
        annotator = np.array([seat[one] for one in zip(self.code.tolist(), rank.tolist(), strict=True)], dtype=np.int32)
        people = tuple(f"{names[s]} #{k + 1}" for s, k in seats)
        data = replace(self.ratings, annotator=annotator, annotators=people, features={}, places=None)
        groups = {name: [people[k] for k, (s, _) in enumerate(seats) if s == at] for at, name in enumerate(names)}
        reason, scores = "", {}
        try:
            scores = dict(compare_groups(data, groups, chosen, level=level, seed=seed).between)
        except DataError as error:
            reason = str(error)
        pairs = []
        for a, b in combinations(range(len(names)), 2):
            n, differ = self._differ(a, b)
            pairs.append(Between(self.values[a], self.values[b], n, differ, scores.get(f"{names[a]} – {names[b]}")))
        return tuple(pairs), reason

    def _differ(self, a: int, b: int) -> tuple[int, float]:
        """Return rows with labels of both settings, and the share of differing pairs (one of each)."""
        rows, q = len(self.ratings.items), len(self.ratings.categories)
        counts = []
        for setting in (a, b):
            mine = self.code == setting
            keys = self.ratings.item[mine] * np.int64(q) + self.ratings.label[mine]
            counts.append(np.unique(keys, return_counts=True))
        size = [np.bincount(keys // q, weights=times, minlength=rows) for keys, times in counts]
        common, first, second = np.intersect1d(counts[0][0], counts[1][0], return_indices=True)
        same = np.bincount(common // q, weights=counts[0][1][first] * counts[1][1][second], minlength=rows)
        both = (size[0] > 0) & (size[1] > 0)
        if not both.any():
            return 0, float("nan")
        return int(both.sum()), float((1 - same[both] / (size[0] * size[1])[both]).mean())


def list_unstable(ratings: Ratings, settings: SettingGroups | None) -> tuple[Unstable, ...]:
    """Return rows with differing repetitions, least stable first; within settings if there are some.

    Numbers, grades and sets are sorted by their distance, names by the share of differing pairs.
    """
    parts = [ratings] if settings is None else [settings.part(k) for k in range(len(settings.values))]
    flipped: Counter[str] = Counter()
    differ: dict[str, list[float]] = {}
    apart: dict[str, list[float]] = {}
    for part in parts:
        many, distinct, shares = _rows(part)
        sums = distances_within(part)
        for row in np.flatnonzero(many > 1).tolist():
            flipped[part.items[row]] += int(distinct[row] > 1)
            differ.setdefault(part.items[row], []).append(float(shares[row]))
            if sums is not None:
                apart.setdefault(part.items[row], []).append(float(sums[row] / (many[row] * (many[row] - 1) / 2)))
    labels: dict[str, Counter[str]] = {}
    whose: dict[str, tuple[str, str]] = {}
    names, what, annotator = ratings.categories.names, ratings.features.get(WHAT), ratings.features.get(WHO)
    for entry, (row, label) in enumerate(zip(ratings.item.tolist(), ratings.label.tolist(), strict=True)):
        name = ratings.items[row]
        labels.setdefault(name, Counter())[names[label]] += 1
        whose[name] = (what.name(entry), annotator.name(entry)) if what and annotator else (name, "")
    unstable = [
        Unstable(
            *whose[name], flipped[name], float(np.mean(shares)), dict(labels[name].most_common()),
            float(np.mean(apart[name])) if name in apart else None,
        )
        for name, shares in differ.items()
        if flipped[name]
    ]  # fmt: skip
    return tuple(sorted(unstable, key=lambda one: (-(one.distance or 0.0), -one.differ)))
