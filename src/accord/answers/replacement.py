"""`replace`: the alternative annotator test of a model, and agreement with and without the model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as copied
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np

from accord.answers import options
from accord.answers.alternative_test import (
    PASSED,
    Alternative,
    assess_model,
    check_rates,
    epsilon_of,
    make_likeness,
    usual_score,
)
from accord.answers.compare import compare
from accord.answers.compare_groups import GroupAgreement, compare_groups
from accord.answers.comparison import Comparison
from accord.answers.levels import are_amounts, notes_on_levels
from accord.answers.options import LEVEL
from accord.answers.question import question
from accord.answers.scoring import kinds_of
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, UnknownName, counted, quoted
from accord.core.figures.bars import Forest, ForestRow
from accord.core.options import Option
from accord.core.result import Result
from accord.core.tables import Cell, Drawing, Table, ends, percent, plain
from accord.data.door import is_data, names_of, opened
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data, check_annotators, some
from accord.data.model.ratings import Ratings
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

_MOST_CATEGORIES = 50
_FEWEST_PEOPLE = 3  # Calderon, Reichart & Dror 2025


@dataclass(frozen=True)
class OwnLabels:
    """Labels of an annotator that no other person gave to the item, and the majority label instead."""

    annotator: str
    n: int
    share: float
    pairs: tuple[tuple[str, str, int], ...]  # majority label, own label, count


@dataclass(frozen=True, repr=False)
class Replacement(Result):
    """The results of models tested against people."""

    subject: ClassVar[str] = "Alternative annotator test"

    models: tuple[Alternative, ...]
    epsilon: float
    q: float
    score: str
    n: int
    noun: str
    measurement: str | None = None  # the level of labels of items
    groups: GroupAgreement | None = None
    swaps: tuple[tuple[str, str, Comparison], ...] = ()  # model, person
    shares: tuple[tuple[str, str, float, float], ...] = ()  # model, category, share among people, share of the model
    own: tuple[OwnLabels, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def left_out(self) -> dict[str, int]:
        """People with too few items to be tested, by name."""
        return {name: n for t in self.models for name, n in t.left_out.items()}

    def summary(self) -> str:
        return ", ".join(f"{t.model}: winning rate {t.winning_rate:.2f}" for t in self.models)

    def facts(self) -> list[str]:
        return [
            f"alternative annotator test by {self.score}{f' ({self.measurement})' if self.measurement else ''}: margin "
            f"ε = {self.epsilon:g}, false discovery rate q = {self.q:g}",
            *self.notes,
        ]

    def tables(self) -> list[Table]:
        return [self._verdicts(), self._people(), *self._beside()]

    def _verdicts(self) -> Table:
        level = next((percent(t.interval.level) for t in self.models if t.interval), "")
        rows: list[tuple[Cell, ...]] = [
            (t.model, t.winning_rate, "passed" if t.passed else "not passed", t.advantage, t.interval,
             len(t.humans), _needed(t))
            for t in self.models
        ]  # fmt: skip
        columns = ("model", "winning rate", "result", "advantage probability", f"{level} interval", "people",
                   f"{self.noun}s needed")  # fmt: skip
        few = tuple(
            f"{t.model} was compared with only {len(t.humans)} people; the authors of the test require at least "
            f"{_FEWEST_PEOPLE}"
            for t in self.models
            if len(t.humans) < _FEWEST_PEOPLE
        )
        notes = (
            "winning rate: share of people for whom the model is shown to be at least as good; passed at "
            f"{percent(PASSED)} or more",
            f"advantage probability: share of {self.noun}s on which the model agrees with the other people at least as "
            "well as the person does",
            *few,
        )
        return Table("can a model replace a person?", columns, tuple(rows), notes)

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": self._forest}

    def _forest(self) -> Forest:
        """Share of items on which a model agrees with the others at least as well as a person does."""
        rows = [ForestRow(t.model, t.advantage, t.interval) for t in self.models]
        rows += [
            ForestRow(f"{t.model} instead of {h.annotator}", h.advantage, n=h.n) for t in self.models for h in t.humans
        ]
        return Forest("", tuple(rows), "model", "advantage probability", reference=0.5)

    def _people(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (t.model, h.annotator, h.n, h.advantage, h.p, "yes" if h.rejected else "no")
            for t in self.models
            for h in t.humans
        ]  # fmt: skip
        columns = ("model", "person", f"{self.noun}s", "advantage probability", "p", "model wins")
        return Table("results per person", columns, tuple(rows))

    def _beside(self) -> list[Table]:
        tables: list[Table] = []
        if self.groups is not None:
            tables += [copied(table, title=f"{table.title}") for table in self.groups.tables()[:1]]
        if self.swaps:
            level = percent(self.swaps[0][2].interval.level)
            swapped = tuple((m, h, c.a.value, c.b.value, c.difference, c.interval, c.p) for m, h, c in self.swaps)
            columns = ("model", "instead of", "people only", "with model", "difference", f"{level} interval", "p")
            title = f"{self.swaps[0][2].a.measure} if the model replaces a person"
            tables.append(Table(title, columns, swapped))
        if self.shares:
            tables.append(
                Table(
                    "shares of the categories",
                    ("model", "category", "share of people", "share of the model"),
                    self.shares,
                )
            )
        if self.own:
            own = tuple(
                (
                    labels.annotator,
                    labels.n,
                    labels.share,
                    "; ".join(f"{a} → {b} ({k})" for a, b, k in labels.pairs[:2]),
                )
                for labels in self.own
            )
            heads = ("annotator", "items", "share", "most frequent: majority label → own label")
            tables.append(Table("labels that no other person gave to the item", heads, own))
        return tables

    def closing(self) -> list[str]:
        good = [t.model for t in self.models if t.passed]
        if good:
            return [
                f"{', '.join(good)} passed: at least as good as {percent(PASSED)} or more of the people, within the "
                "margin ε."
            ]
        return [f"No model passed. More {self.noun}s may help: see {self.noun}s needed; empty if no number is enough."]

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "models": [
                    {
                        "model": one.model,
                        "winning_rate": one.winning_rate,
                        "advantage_probability": one.advantage,
                        "interval": vars(one.interval) if one.interval else None,
                        "passed": one.passed,
                        "needed": _needed(one),
                        "humans": [
                            {"annotator": h.annotator, "n": h.n, "p": h.p, "rejected": h.rejected,
                             "advantage": h.advantage}
                            for h in one.humans
                        ],
                    }
                    for one in self.models
                ],
                "epsilon": self.epsilon,
                "q": self.q,
                "score": self.score,
                "measurement": self.measurement,
                "n": self.n,
                "left_out": self.left_out,
                "groups": self.groups.to_dict() if self.groups else None,
                "swaps": [{"model": m, "instead_of": h, **c.to_dict()} for m, h, c in self.swaps],
                "shares": [
                    dict(zip(("model", "category", "people", "share"), row, strict=True)) for row in self.shares
                ],
                "own_labels": [vars(one) for one in self.own],
                "notes": list(self.notes),
            }
        )  # fmt: skip

    def flat(self) -> Table:
        columns = ("model", "winning_rate", "passed", "advantage_probability", "low", "high", "annotator", "n", "p",
                   "rejected", "advantage")  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (t.model, t.winning_rate, t.passed, t.advantage, *ends(t.interval), h.annotator, h.n, h.p,
             h.rejected, h.advantage)
            for t in self.models
            for h in t.humans
        ]  # fmt: skip
        return Table("", columns, tuple(rows))


def _needed(test: Alternative) -> int | None:
    return int(test.needed) if math.isfinite(test.needed) else None


_test = partial(Option, heading="Alternative annotator test")
Family = Annotated[
    str | None,
    _test(
        "Column that states for each label whether a `model` or a `human` gave it.",
        metavar="COLUMN", complete="columns", formerly=("kind",),
    ),
]  # fmt: skip
Epsilon = Annotated[
    float | str,
    _test(
        "Margin by which the model may be behind a person: a share, or the kind of people: experts (0.2), skilled "
        "(0.15), crowd (0.1).",
        metavar="SHARE|NAME", shape="text",
    ),
]  # fmt: skip
Rate = Annotated[float, _test("False discovery rate of the tests.")]
Likeness = Annotated[
    str | None,
    _test(
        "How agreement with the others is scored: accuracy, neg_rmse (numbers, or ranks of grades), jaccard (sets), "
        "gamma (units). Default: by the level of measurement."
    ),
]
MinPeople = Annotated[int, _test("Minimum number of people per item.", formerly=("least_people",))]
MinItems = Annotated[int, _test("Minimum number of items per person.", formerly=("least_items",))]


@question("labels.csv --models gpt,llama --epsilon skilled")
def replace(
    data: options.Data,
    models: Annotated[options.Names, _test("Annotators that are models.", metavar="X,Y", shape="names")] = None,
    *,
    family: Family = None,
    people: Annotated[
        options.Names,
        _test("Annotators who are people. Default: all others.", metavar="X,Y", shape="names"),
    ] = None,
    epsilon: Epsilon = "experts",
    q: Rate = 0.05,
    score: Likeness = None,
    min_people: MinPeople = 2,
    min_items: MinItems = 30,
    measure: Annotated[options.Measure, Option("Measure of agreement to show with the test.")] = None,
    level: options.Level = LEVEL,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Replacement:
    """Test whether a model can replace a human annotator.

    This is the alternative annotator test of Calderon et al. 2025.

    A model may be `epsilon` behind a person because it costs less. With `family` and without `models`, accord tests all
    models of the column.

    Returns
    -------
    Replacement

    Raises
    ------
    DataError
        If there are fewer than two people: the test compares model and person by their agreement with other people.

    Examples
    --------
    >>> people = {"Ana": list("aabbaabb") * 5, "Ben": list("aabbabbb") * 5, "Eve": list("abbbaabb") * 5}
    >>> accord.replace({"item": range(40), **people, "gpt": list("aabbaabb") * 5}, "gpt").models[0].winning_rate
    1.0
    """  # fmt: skip
    models, people = options.names_in(models), options.names_in(people)
    if not models and family is None:
        raise SpecError(
            "option-missing",
            "the models are not named; use --models NAME with annotators of the data, or --family COLUMN with a column "
            "that contains model or human",
        )
    run = Run(seed, progress or silent, jobs)
    opened_data = opened(data, reading_with_column(data, reading, family), kinds_of(measure), run)
    named, humans = name_parties(opened_data, models, people, family)
    Settings(level=level)  # validates the level
    check_rates(q, min_people, min_items)
    share = epsilon_of(epsilon)
    chosen = score or usual_score(opened_data)
    like = make_likeness(opened_data, humans, named, chosen, run)
    tested = tuple(
        assess_model(
            like, model, epsilon=share, q=q, least_people=min_people, least_items=min_items, level=level, run=run
        )
        for model in named
    )
    few = {name: n for one in tested for name, n in one.left_out.items()}
    notes = [
        f"{name} was not tested: {counted(n, opened_data.kind.noun)} with a model and other people, and {min_items} "
        "are needed"
        for name, n in few.items()
    ]
    if all(not one.humans for one in tested):
        raise DataError("nothing-shared", f"no person can be tested: {notes[0]}; lower --min-items or --min-people")
    level_of = opened_data.measurement
    assumed = notes_on_levels({opened_data.variable: opened_data}, ()) if isinstance(opened_data, Ratings) else ()
    swaps, troubles = _swaps(opened_data, humans, named, few, measure, level, run)
    return Replacement(
        tested,
        share,
        q,
        chosen,
        opened_data.n_items,
        opened_data.kind.noun,
        None if level_of is None else str(level_of),
        _groups(opened_data, humans, named, measure, level, run),
        tuple(swaps),
        tuple(_shares(opened_data, humans, named)),
        tuple(_own_labels(opened_data, humans, named)),
        (
            f"people: {some(humans)}",
            *assumed,
            *notes,
            *(f"agreement without {who} cannot be compared: {why}" for who, why in troubles.items()),
        ),
    )


def _groups(
    data: Data, people: Sequence[str], models: Sequence[str], spec: str | Measure | None, level: float, run: Run
) -> GroupAgreement | None:
    """Agreement within people, within models, and between them."""
    try:
        return compare_groups(
            data, {"people": list(people), "models": list(models)}, spec, level=level, seed=run.seed, jobs=run.jobs
        )
    except (DataError, SpecError):  # too many pairs, or none
        return None


def _swaps(
    data: Data,
    people: Sequence[str],
    models: Sequence[str],
    few: Mapping[str, int],
    spec: str | Measure | None,
    level: float,
    run: Run,
) -> tuple[list[tuple[str, str, Comparison]], dict[str, str]]:
    """Agreement of the people with and without the model instead of one person; and why it is missing."""
    swaps, troubles = [], {}
    for model in models:
        for person in people:
            if person in few:
                continue
            common = data.only_named(_done(data, person) & _done(data, model))
            others = [name for name in people if name != person and name in common.present]
            sides = ([*others, person], [*others, model])
            try:
                comparison = compare(
                    common, common, spec, annotators_a=sides[0], annotators_b=sides[1], level=level, seed=run.seed,
                    jobs=run.jobs,
                )  # fmt: skip
            except (DataError, SpecError) as trouble:
                troubles[person] = str(trouble)
            else:
                swaps.append((model, person, comparison))
    return swaps, troubles


def _done(data: Data, name: str) -> set[str]:
    """Return the items an annotator labelled, or the documents they saw."""
    annotator = data.annotators.index(name)
    if isinstance(data, Corpus):
        return {doc for doc, looked in zip(data.docs, data.judged[:, annotator], strict=True) if looked}
    assert isinstance(data, Ratings)
    return {data.items[int(item)] for item in np.unique(data.item[data.annotator == annotator])}


def _shares(data: Data, people: Sequence[str], models: Sequence[str]) -> Iterable[tuple[str, str, float, float]]:
    """Shares of each category among model and people, on the items of the model. Numbers on a scale have none."""
    if not isinstance(data, Ratings) or are_amounts(data) or len(data.categories) > _MOST_CATEGORIES:
        return
    human = np.isin(data.annotator, [data.annotators.index(name) for name in people])
    for model in models:
        mine = data.annotator == data.annotators.index(model)
        common = np.isin(data.item, data.item[mine]) & human
        for code, name in enumerate(data.categories.names):
            yield model, name, float((data.label[common] == code).mean()), float((data.label[mine] == code).mean())


def _own_labels(data: Data, people: Sequence[str], models: Sequence[str]) -> Iterable[OwnLabels]:
    """Labels that no other person gave: models against people, and each person against the others.

    Numbers on a scale are seldom equal, so they are not listed.
    """
    if not isinstance(data, Ratings) or are_amounts(data):
        return
    q = len(data.categories)
    counts = np.zeros((len(data.items), q), dtype=np.int64)
    codes = {name: data.annotators.index(name) for name in (*people, *models)}
    for name in people:
        mine = data.annotator == codes[name]
        np.add.at(counts, (data.item[mine], data.label[mine]), 1)
    for name in (*models, *people):
        mine = data.annotator == codes[name]
        item, label = data.item[mine], data.label[mine]
        others = counts[item].copy()
        if name in people:
            others[np.arange(len(item)), label] -= 1
        seen = others.sum(axis=1) > 0
        own = seen & (others[np.arange(len(item)), label] == 0)
        most = others.argmax(axis=1)
        pairs, times = np.unique(np.stack([most[own], label[own]], axis=1), axis=0, return_counts=True)
        order = np.argsort(-times, kind="stable")
        names = data.categories.names
        most_frequent = tuple((names[int(pairs[k, 0])], names[int(pairs[k, 1])], int(times[k])) for k in order[:10])
        yield OwnLabels(name, int(seen.sum()), float(own.sum() / max(int(seen.sum()), 1)), most_frequent)


# -- Models and people: by name, or by a column of the data --


_MODELS = ("model", "models", "llm", "machine", "ai", "system")
_PEOPLE = ("human", "humans", "person", "people")


def name_parties(
    data: Data, models: str | Iterable[str] | None, people: str | Iterable[str] | None = None, kind: str | None = None
) -> tuple[list[str], list[str]]:
    """Return the names of models and people. The column `kind` identifies them; `models` then selects some."""
    named = list(names_of(models)) if models is not None else []
    check_annotators(named, data.present)
    all_models = named if kind is None else _by_column(data, kind)
    if strange := [name for name in named if name not in all_models]:
        raise SpecError(
            "models-unclear",
            f"{quoted(strange[0])} is named in --models, but is a person in column {quoted(str(kind))}; remove one of "
            "them",
        )
    named = named or all_models
    if not named:
        no_model = (
            f"column {quoted(kind)} names no model; it must contain model or human for each label, or use --models NAME"
            if kind is not None
            else "the models are not named; use --models NAME"
        )
        raise SpecError("option-missing", f"{no_model} (annotators: {', '.join(data.present[:8])})")
    humans = list(names_of(people)) if people is not None else [n for n in data.present if n not in all_models]
    check_annotators(humans, data.present)
    if both := [name for name in humans if name in named]:
        raise SpecError(
            "option-conflict", f"{quoted(both[0])} is named in --models and in --people; remove it from one of them"
        )
    if len(humans) < 2:
        example = f" ({quoted(humans[0])})" if humans else ""
        many = f"only {counted(len(humans), 'person')}" if humans else "there are no people"
        raise DataError(
            "nothing-shared",
            f"{many}{example}, and the test needs at least two; add the labels of another person, or correct --models",
        )
    return named, humans


def reading_with_column(data: Any, reading: Mapping[str, Any], kind: str | None) -> Mapping[str, Any]:
    """Add the column to the reading options, and keep models; data that were read already have them, or do not."""
    if is_data(data):
        return reading
    return {**reading, "with_models": True} | ({} if kind is None else {"by": (kind,)})


def _by_column(data: Data, column: str) -> list[str]:
    if not isinstance(data, Ratings | Corpus):
        raise SpecError(
            "measure-for-other-data",
            f"models and people can be compared on labels of items and on units, not on {data.kind.words}; try accord "
            "compare",
        )
    if column not in data.features:
        raise UnknownName("column", column, data.features)
    feature, is_model = data.features[column], dict[str, bool]()
    pairs = np.unique(np.stack([data.annotator, feature.codes]), axis=1).T.tolist()
    for annotator, code in pairs:
        name, value = data.annotators[annotator], feature.names[code] if code >= 0 else ""
        word = value.strip().lower()
        if word not in {*_MODELS, *_PEOPLE}:
            raise DataError(
                "models-unclear",
                f"column {quoted(column)} contains {quoted(value)} for {quoted(name)}; it must contain model or human",
            )
        if is_model.setdefault(name, word in _MODELS) != (word in _MODELS):
            raise DataError(
                "models-unclear",
                f"column {quoted(column)}: {quoted(name)} is a model in some rows and a human in others; correct the "
                "column",
            )
    return [name for name in data.present if is_model.get(name)]
