"""A reference → several annotators who err independently of each other; the reference is not among them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.answers.gold.consensus import Seats
from accord.answers.simulate.errors import ErrorType, check_error, error_type
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.shufflers import DrawnMarks, Shuffler, shuffler_of
from accord.core.context import Run
from accord.core.errors import Asker, DataError, SpecError, counted, quoted
from accord.data.door import checks_options, opened
from accord.data.kinds import TEXTS
from accord.data.model.data import Data

_PURPOSE = 60  # of the generators of errors
MOST_ANNOTATORS = 1000
_ANNOTATORS = 3


@dataclass(frozen=True, eq=False)
class Reference:
    """What is shuffled: what one annotator gave."""

    data: Data
    seats: Seats | None = None  # who looks at which documents, or items; by default all do

    def __post_init__(self) -> None:
        if not len(self.data):
            raise DataError(f"the reference has no {self.data.kind.things}: nothing to shuffle")
        if not self.data.identified:
            raise DataError("counts do not say whose labels they are: a reference has one label for each item")
        names = self.data.present
        if len(names) != 1:
            shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
            typed = "--reference NAME or --reference consensus"
            written = "data.only_annotators([name]) or accord.answers.gold.consensus.consensus(data).data"
            way = typed if Asker.types else written
            raise DataError(f"the reference has {len(names)} annotators ({shown}): which one is it? choose it: {way}")

    @property
    def shuffler(self) -> Shuffler[Any, Any]:
        return shuffler_of(self.data)

    @cached_property
    def ground(self) -> AnyGround:
        ground: AnyGround = self.shuffler.ground(self.data)
        return ground

    @property
    def n_docs(self) -> int:
        """How many documents, or items."""
        return self.shuffler.size(self.data)

    def shuffled(self, annotators: Sequence[Erring], keys: Sequence[Sequence[int]]) -> Data:
        """One set of annotations per key, each with a copy of every document; set s begins at document s · n_docs."""
        many = len(annotators) if self.seats is None else self.seats.annotators
        there = None if self.seats is None else self.seats.who.T >= 0
        drawn = [
            DrawnMarks(
                s, a, erring.applied(self._given(there, a), self.ground, np.random.default_rng([*key, _PURPOSE, a]))
            )
            for s, key in enumerate(keys)
            for a, erring in enumerate(annotators if there is None else annotators[: len(there)])
        ]
        names = tuple(f"A{a + 1}" for a in range(many))
        data: Data = self.shuffler.together(self.data, self.ground, drawn, names, len(keys), self.seats)
        return data

    def _given(self, there: NDArray[np.bool_] | None, seat: int) -> Any:
        """What an annotator starts from."""
        return self.ground.given if there is None else self.shuffler.given(self.ground, there[seat])


@dataclass(frozen=True)
class Erring:
    """An annotator: which error, and how much of it."""

    error: ErrorType
    magnitude: float

    def applied(self, given: Any, ground: AnyGround, rng: np.random.Generator) -> Any:
        return self.error.onto(given, ground, self.magnitude, rng)


@checks_options
def shuffle(
    reference: Any,
    error: Any = None,
    *,
    magnitude: float | Sequence[float] = 0.3,
    annotators: int | None = None,
    seed: int = 0,
    **reading: Any,
) -> Data:
    """Annotators who err: `shuffle(gold, "shift(form=2015)", magnitude=0.3, annotators=3, seed=1)`.

    Without an error: shift for units and boundaries, category for labels of items, all three of texts for texts.
    A list of magnitudes, or of errors, has one for each annotator: `magnitude=[0.1, 0.1, 0.6]` is a weak third one.
    Otherwise there are three annotators, unless `annotators` says how many.
    """
    run = Run(seed)
    given = None if error is None else [error_type(one) for one in (error if isinstance(error, list) else [error])]
    source = reference_of(reference, reading, kinds_of_errors(given))
    errors = [error_type(source.data.kind.error)] if given is None else given
    magnitudes = list(magnitude) if isinstance(magnitude, list | tuple | np.ndarray) else [magnitude]
    lengths = {len(given) for given in (errors, magnitudes) if len(given) != 1}
    wanted = {check_annotator_count(annotators)} if annotators is not None else lengths or {_ANNOTATORS}
    if not lengths <= wanted or len(wanted) > 1 or 0 in lengths:
        asked = "" if annotators is None else f"{counted(annotators, 'annotator')}, "
        counts = f"{counted(len(errors), 'error')} and {counted(len(magnitudes), 'magnitude')}"
        raise SpecError(f"{asked}{counts}: one for all, or one for each annotator")
    number = wanted.pop()
    each = [errors[a % len(errors)] for a in range(number)]
    how_much = [check_magnitude(magnitudes[a % len(magnitudes)]) for a in range(number)]
    for one in set(each):
        check_error(one, source.ground)
    return source.shuffled([Erring(e, m) for e, m in zip(each, how_much, strict=True)], [(run.seed,)])


def reference_of(data: Any, reading: Mapping[str, Any], asked: Collection[str] = ()) -> Reference:
    """A reference from what was read already, or is read now, for the kinds of data that are asked for."""
    if isinstance(data, Reference):
        return data
    read_data = opened(data, reading, asked)
    return Reference(shuffler_of(read_data).ready(read_data))


def kinds_of_errors(errors: Sequence[ErrorType] | None) -> tuple[str, ...]:
    """The kind of data that errors say: those of texts happen to nothing else."""
    return (TEXTS.name,) if any(error.of_texts for error in errors or ()) else ()


def check_magnitude(value: object) -> float:
    """Between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= float(value) <= 1:
        raise SpecError(f"a magnitude lies between 0 and 1, and this is {quoted(value)}")
    return float(value)


def check_annotator_count(many: object) -> int:
    if isinstance(many, bool) or not isinstance(many, int) or not 1 <= many <= MOST_ANNOTATORS:
        raise SpecError(f"annotators is a whole number from 1 to {MOST_ANNOTATORS:,}, not {quoted(many)}")
    return many


def keyed(magnitude: float) -> int:
    """A magnitude as a part of a seed: the same for every step that meets it."""
    return math.floor(magnitude * 1e6 + 0.5)


def one_set(batch: Data, number: int, n_docs: int) -> Data:
    """A set of a batch, by itself."""
    shuffler = shuffler_of(batch)
    part: Data = shuffler.one_set(batch, np.arange(shuffler.size(batch)) // n_docs == number)
    return part
