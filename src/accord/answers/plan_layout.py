"""Designs: `layout` assigns documents to annotators; `crossing` compares two annotators per item with all."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from accord.answers.scoring import score_data
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, counted, for_interface, quoted
from accord.core.probability import t_quantile
from accord.core.result import ROW, Result, Score, forest
from accord.core.tables import Cell, Drawing, Interval, Table, plain
from accord.data.door import checks_options, opened
from accord.data.model.ratings import Ratings
from accord.measures.catalogue import measure as measure_named
from accord.measures.intervals.cases import in_range
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure


@dataclass(frozen=True, repr=False)
class Layout(Result):
    """Assignment of documents to annotators."""

    subject: ClassVar[str] = "Design"
    is_data: ClassVar[bool] = True

    annotators: tuple[str, ...]
    rows: tuple[tuple[str, str], ...]  # document, annotator

    @property
    def loads(self) -> dict[str, int]:
        """Number of documents per annotator."""
        given = dict.fromkeys(self.annotators, 0)
        for _, name in self.rows:
            given[name] += 1
        return given

    @property
    def meetings(self) -> dict[tuple[str, str], int]:
        """Number of common documents of each pair of annotators."""
        by_doc: dict[str, list[str]] = {}
        for doc, name in self.rows:
            by_doc.setdefault(doc, []).append(name)
        met = dict.fromkeys(combinations(self.annotators, 2), 0)
        place = {name: k for k, name in enumerate(self.annotators)}
        for names in by_doc.values():
            for pair in combinations(sorted(names, key=place.__getitem__), 2):
                met[pair] += 1
        return met

    def summary(self) -> str:
        docs = len(dict.fromkeys(doc for doc, _ in self.rows))
        return f"{counted(docs, 'document')} for {counted(len(self.annotators), 'annotator')}"

    def tables(self) -> list[Table]:
        loads, met = tuple(self.loads.items()), tuple((f"{a} – {b}", n) for (a, b), n in self.meetings.items())
        return [
            Table("documents and annotators", ("doc", "annotator"), self.rows).first(),
            Table("documents per annotator", ("annotator", "documents"), loads).first(),
            Table("common documents of pairs of annotators", ("pair", "documents"), met).first(),
        ]

    def to_dict(self) -> dict[str, Any]:
        return {"layout": [list(row) for row in self.rows], "loads": self.loads}

    def flat(self) -> Table:
        return Table("", ("doc", "annotator"), self.rows)


@dataclass(frozen=True, repr=False)
class Crossing(Result):
    """A coefficient under a design, its standard errors, and the gain of full crossing (FC1) over pairs (PC2)."""

    subject: ClassVar[str] = "Two annotators per item compared with all"

    score: Score  # of the data as given: standard error for these annotators
    se_annotators: float | None  # added if the annotators are a sample
    two_per_item: Score | None  # mean over simulated PC2 designs; its se includes items and the choice of pairs
    se_choice: float | None  # part of it due to the choice of pairs
    note: str
    se_full: tuple[float, float] | None = None  # for two per item: range of the standard error of full crossing
    full_from: int = 0  # items labelled by all annotators, if they determine this error

    def summary(self) -> str:
        two = "" if self.two_per_item is None else f"; two annotators per item: {self.two_per_item.summary()}"
        return f"{self.score.summary()}{two}"

    def tables(self) -> list[Table]:
        rows: list[tuple[Cell, ...]] = [("data as given", self.score.value, self.score.interval, self.score.se)]
        if self.two_per_item is not None:
            two = self.two_per_item
            rows.append(("two annotators per item (PC2)", two.value, two.interval, two.se))
        if self.se_full is not None:
            low, high = self.se_full
            rows.append(
                ("full crossing (FC1)", None, None, f"{low:z.3f}" if low == high else f"{low:z.3f} to {high:z.3f}")
            )
        notes = [self.note]
        if self.se_choice is not None:
            notes.append(f"part of the standard error due to the choice of two annotators: {self.se_choice:z.3f}")
        if self.se_annotators is not None:
            notes.append(
                f"if the annotators are a sample, their sampling adds {self.se_annotators:z.3f} to the standard error "
                "(add the squares)"
            )
        columns = (self.score.measure, "value", "interval", "standard error")
        return [Table("", columns, tuple(rows), tuple(notes))]

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        two = {} if self.two_per_item is None else {"two annotators per item": self.two_per_item}
        return {"forest": lambda: forest({"data as given": self.score, **two}, "", "design")}

    def to_dict(self) -> dict[str, Any]:
        two = None if self.two_per_item is None else self.two_per_item.brief()
        facts: dict[str, Any] = {"se_annotators": self.se_annotators, "se_choice": self.se_choice, "note": self.note}
        facts |= {"se_full": self.se_full, "full_from": self.full_from}
        return plain({"score": self.score.brief(), "two_per_item": two, **facts})

    def flat(self) -> Table:
        """One row per design; the standard error of full crossing has two limits."""
        low, high = self.se_full or (None, None)
        designs = [("as they are", self.score), *([("PC2", self.two_per_item)] if self.two_per_item else [])]
        rows: list[tuple[Cell, ...]] = [(name, *s.row(), None, None) for name, s in designs]
        if self.se_full is not None:
            rows.append(("FC1", self.score.measure, *[None] * (len(ROW) - 1), low, high))
        return Table("", ("design", *ROW, "se_from", "se_to"), tuple(rows))


_ENOUGH_WHOLE = 10  # items labelled by all annotators; with fewer, their spread is unreliable
_ROUNDS, _CELLS = 20, 2_000_000  # exchanges between documents: rounds, and cells examined in each


@checks_options
def layout(
    documents: int | Sequence[str],
    annotators: int | Sequence[str],
    *,
    per_document: int = 2,
    everybody: int = 0,
    seed: int = 0,
) -> Layout:
    """Assign documents to annotators in a balanced design.

    All annotators get the same number of documents (± 1). Every two annotators share the same number of documents:
    ± 1 with two annotators per document, approximately with more.

    Parameters
    ----------
    documents : int or list of str
        Number of documents, or their names.
    annotators : int or list of str
        Number of annotators, or their names.
    per_document : int, default 2
        Number of annotators per document.
    everybody : int, default 0
        Number of documents, drawn at random, for all annotators.
    seed : int, default 0
        Random seed.

    Returns
    -------
    Layout
        With `rows` (pairs of document and annotator), `loads` and `meetings`.

    Raises
    ------
    SpecError
        If the design is impossible, or agreement cannot be measured in it.

    Examples
    --------
    >>> accord.layout(6, ["Ana", "Ben", "Chloé"]).loads
    {'Ana': 4, 'Ben': 4, 'Chloé': 4}
    """
    docs = _named(documents, "doc")
    people = _named(annotators, "annotator")
    if len(people) < 2:
        raise SpecError("option-value", "a design needs at least two annotators; name them, as in --team Ana,Ben")
    for what, many in (("per_document", per_document), ("everybody", everybody)):
        if isinstance(many, bool) or not isinstance(many, int):
            raise SpecError("option-value", f"{what} must be a whole number, not {quoted(many)}")
    if not 1 <= per_document <= len(people):
        raise SpecError(
            "option-value",
            f"{per_document} annotators per document are impossible with {len(people)} annotators; choose "
            f"--per-document from 1 to {len(people)}",
        )
    if not 0 <= everybody <= len(docs):
        raise SpecError(
            "option-value",
            f"{everybody} documents for all annotators are impossible with {len(docs)} documents; choose --everybody "
            f"from 0 to {len(docs)}",
        )
    if per_document == 1 and not everybody:
        raise SpecError(
            "option-missing",
            "with one annotator per document agreement cannot be measured; use --per-document 2 or more, or give some "
            "documents to all with --everybody 10",
        )
    rng = Run(seed).rng(10)
    order = rng.permutation(len(docs))
    r = len(people)
    load, met = np.zeros(r), np.zeros((r, r), dtype=np.int64)
    teams = np.empty((len(docs) - everybody, per_document), dtype=np.int64)
    for k in range(len(teams)):
        teams[k] = _team(per_document, load, met, rng)
        load[teams[k]] += 1
        met[np.ix_(teams[k], teams[k])] += 1
    _exchange(teams, met, rng)
    of = {int(d): range(r) if k < everybody else sorted(teams[k - everybody]) for k, d in enumerate(order)}
    return Layout(people, tuple((doc, people[g]) for d, doc in enumerate(docs) for g in of[d]))


def _team(size: int, load: np.ndarray, met: np.ndarray, rng: np.random.Generator) -> list[int]:
    """Choose annotators with the fewest documents; among them, those with the fewest common documents."""
    team: list[int] = []
    for _ in range(size):
        often = met[:, team].sum(axis=1) if team else np.zeros(len(load))
        key = np.lexsort((rng.random(len(load)), often, load))
        team.append(next(int(g) for g in key if g not in team))
    return team


def _exchange(teams: np.ndarray, met: np.ndarray, rng: np.random.Generator) -> None:
    """Exchange annotators between documents to balance pairs; the number of documents per annotator is unchanged."""
    size = teams.shape[1]
    doc, apart = np.repeat(np.arange(len(teams)), size), ~np.eye(size, dtype=bool)
    fair = np.ceil(met[np.triu_indices(len(met), 1)].mean())
    for _ in range(_ROUNDS):
        crowded = (met[teams[:, :, None], teams[:, None, :]] * apart).max(axis=(1, 2), initial=0) > fair
        moved = False
        for slot in rng.permutation(np.flatnonzero(crowded[doc]))[: _CELLS // max(1, teams.size)]:
            mine = doc[slot]
            g, others = teams.flat[slot], teams.ravel()
            with_g = met[g][teams].sum(axis=1)  # per document: how often g shares documents with its team
            here = teams[mine]
            with_here = met[:, here].sum(axis=1)[
                others
            ]  # per slot: how often its annotator shares documents with this team
            theirs = met[others[:, None], teams[doc]].sum(axis=1)
            own = np.diag(met)
            gain = (with_g[mine] - own[g]) + (theirs - own[others])
            cost = (with_here - met[others, g]) + (with_g[doc] - met[g, others])
            free = ~np.isin(others, here) & ~(teams == g).any(axis=1)[doc]
            worth = np.where(free, gain - cost - 2 * (size - 1), -1)
            best = int(np.argmax(worth))
            if worth[best] <= 0:
                continue
            h, away = others[best], doc[best]
            for team, leaves, comes in ((teams[mine], g, h), (teams[away], h, g)):
                rest = team[team != leaves]
                met[leaves, rest] -= 1
                met[rest, leaves] -= 1
                met[comes, rest] += 1
                met[rest, comes] += 1
                team[team == leaves] = comes
            moved = True
        if not moved:
            return


def _named(given: int | Sequence[str], kind: str) -> tuple[str, ...]:
    if isinstance(given, int) and not isinstance(given, bool):
        if given < 1:
            raise SpecError("option-value", f"a design needs at least one {kind}, not {given}")
        width = len(str(given))
        return tuple(f"{kind}{k + 1:0{width}}" for k in range(given))
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SpecError("option-value", f"a design needs a number of {kind}s or their names, not {quoted(given)}")
    names = tuple(str(name) for name in given)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise SpecError("option-value", f"{quoted(twice)} is named twice; remove one")
    if not names:
        raise SpecError("option-value", f"a design needs at least one {kind}; name some, or give their number")
    return names


@checks_options
def crossing(
    data: Any,
    measure: str | Measure = "ac",
    *,
    designs: int = 200,
    level: float = 0.95,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Crossing:
    """Compare two annotators per item with all annotators (Gwet 2021, section 9.4).

    Parameters
    ----------
    data : data
        Anything that `accord.read` accepts, or data that were read.
    measure : str or Measure, default "ac"
        A measure on items.
    designs : int, default 200
        Number of simulated designs with two annotators per item.
    level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Random seed.
    progress : callable, optional
        Called with the task, the number of finished steps and the total.
    jobs : int, optional
        Number of workers for long computations; the result does not depend on it. Default: all cores.
    **reading
        Options of `accord.read`.

    Returns
    -------
    Crossing
        The coefficient of the data as given, with its variance, and the coefficient with two annotators per item.

    Raises
    ------
    DataError
        If the measure is not for items, or the data do not identify annotators.
    SpecError
        If `designs` is below 2.

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": list("aabb"), "Ben": list("aabb"), "Eve": list("abbb")}
    >>> round(accord.crossing(rows, designs=20).score.value, 3)
    0.676
    """
    chosen, run = measure_named(measure), Run(seed, progress, jobs)
    if designs < 2:
        raise SpecError("option-value", f"designs must be at least 2, not {designs}, because their spread is computed")
    ratings = opened(data, reading, (chosen.data,), run)
    if not isinstance(ratings, Ratings) or not chosen.on_items or not ratings.identified:
        raise DataError(
            "measure-for-other-data",
            "--crossing needs labels of items with named annotators and a coefficient on items; try --measure ac",
        )
    found = score_data(ratings, chosen, Settings("linearised", level), run).score
    both = score_data(ratings, chosen, Settings("unconditional", level), run).score
    se_annotators = both.details.get("se_annotators")
    sizes = ratings.sizes[ratings.sizes > 0]
    if (sizes > 2).mean() < 0.5:
        return _full(found, se_annotators, ratings, chosen, run)
    values, errors = np.empty(designs), np.empty(designs)
    for k in range(designs):
        progress("drawing designs", k, designs)
        part = two_of_each(ratings, run.rng(11, k))
        one = score_data(part, chosen, Settings("linearised", level), run).score
        values[k], errors[k] = one.value, one.se if one.se is not None else math.nan
    progress("drawing designs", designs, designs)
    kept = ~np.isnan(values)
    mean, se = float(values[kept].mean()), float(np.sqrt(np.nanmean(errors[kept] ** 2)))
    half = t_quantile(found.n - 1, (1 + level) / 2) * se
    two = Score(mean, str(chosen), se=se, n=found.n)
    two = replace(two, interval=Interval(*in_range(chosen, two, mean - half, mean + half), level, "linearised"))
    note = f"two annotators per item: mean over {counted(designs, 'simulated design')} drawn from these data"
    return Crossing(found, se_annotators, two, float(values[kept].std(ddof=1)), note)


def _full(score: Score, se_annotators: float | None, ratings: Ratings, chosen: Measure, run: Run) -> Crossing:
    """Return the standard error of full crossing (FC1), from two labels per item (PC2).

    To first order, the influence of an item is the mean over its pairs of annotators. So full crossing has no larger
    error. Pairs of one item are not negatively correlated, so its error is no smaller than with r(r − 1)/2 independent
    pairs. Items labelled by all annotators determine the error itself.
    """
    sizes, r = ratings.sizes, ratings.n_annotators
    if (sizes[sizes > 0] == 2).mean() < 0.5 or score.se is None:
        note = "too few items have two or more labels to estimate the standard error of full crossing"
        return Crossing(score, se_annotators, None, None, note)
    whole = np.flatnonzero(sizes == r)
    if r > 2 and len(whole) >= _ENOUGH_WHOLE:
        alone = ratings.keep(np.isin(ratings.item, whole)).only_items()
        known = score_data(alone, chosen, Settings("linearised"), run).score.se
        if known is not None:
            error = known * math.sqrt(len(whole) / score.n)
            note = f"full crossing (FC1): estimated from the {len(whole)} items that all {r} annotators labelled"
            return Crossing(score, se_annotators, None, None, note, (error, error), len(whole))
    pairs = r * (r - 1) / 2
    note = for_interface(
        "two labels per item (PC2) give only limits of the standard error of full crossing (FC1); to estimate it, let "
        f"all annotators label {_ENOUGH_WHOLE} items (plan with --everybody {_ENOUGH_WHOLE})"
    )
    return Crossing(score, se_annotators, None, None, note, (score.se / math.sqrt(pairs), score.se))


def two_of_each(ratings: Ratings, rng: np.random.Generator) -> Ratings:
    """Choose two labels of each item at random."""
    order = np.lexsort((rng.random(len(ratings)), ratings.item))
    first = np.searchsorted(ratings.item[order], np.arange(len(ratings.items)))
    rank = np.arange(len(order)) - first[ratings.item[order]]
    kept = np.zeros(len(ratings), dtype=bool)
    kept[order[rank < 2]] = True
    return ratings.keep(kept)
