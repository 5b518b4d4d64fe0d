"""`shuffle`: several simulated annotators from a reference, with independent errors, without the reference itself."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accord.answers import options
from accord.answers.gold.consensus import NAME as CONSENSUS
from accord.answers.gold.consensus import Seats, consensus
from accord.answers.question import declared_in, question
from accord.answers.simulate.errors import ErrorType, check_error, error_type
from accord.answers.simulate.generate import generate as generate_reference
from accord.answers.simulate.grounds import AnyGround
from accord.answers.simulate.shufflers import DrawnMarks, Shuffler, shuffler_of
from accord.core.context import Run
from accord.core.errors import DataError, Interface, SpecError, counted, quoted
from accord.core.options import Option
from accord.core.tables import Result, Table, plain
from accord.data.door import opened
from accord.data.kinds import TEXTS
from accord.data.model.data import Data

_PURPOSE = 60  # of the random number stream
MOST_ANNOTATORS = 1000
_ANNOTATORS = 3


@dataclass(frozen=True, eq=False)
class Reference:
    """The data of one annotator, to which errors are applied."""

    data: Data
    seats: Seats | None = None  # annotators of each document or item; default: all

    def __post_init__(self) -> None:
        if not len(self.data):
            raise DataError(
                "nothing-annotated",
                f"the reference has no {self.data.kind.things}, so there is nothing to shuffle; use another reference",
            )
        if not self.data.identified:
            raise DataError(
                "counts-without-annotators",
                "a table of counts does not identify annotators; a reference needs one label per item",
            )
        names = self.data.present
        if len(names) != 1:
            shown = ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
            typed = "--reference NAME or --reference consensus"
            written = "data.only_annotators([name]) or accord.answers.gold.consensus.consensus(data).data"
            way = typed if Interface.command_line else written
            raise DataError(
                "option-missing",
                f"the reference has {len(names)} annotators ({shown}); choose one: {way}",
            )

    @property
    def shuffler(self) -> Shuffler[Any, Any]:
        return shuffler_of(self.data)

    @cached_property
    def ground(self) -> AnyGround:
        ground: AnyGround = self.shuffler.ground(self.data)
        return ground

    @property
    def n_docs(self) -> int:
        """Number of documents, or items."""
        return self.shuffler.size(self.data)

    def shuffled(self, annotators: Sequence[Erring], keys: Sequence[Sequence[int]]) -> Data:
        """Make one set of annotations per key; set s begins at document s · n_docs."""
        many = len(annotators) if self.seats is None else self.seats.annotators
        there = None if self.seats is None else self.seats.codes.T >= 0
        drawn = []
        for s, key in enumerate(keys):
            for a, erring in enumerate(annotators if there is None else annotators[: len(there)]):
                rng = np.random.default_rng([*key, _PURPOSE, a])
                marks = erring.error.onto(self._given(there, a), self.ground, erring.magnitude, rng)
                drawn.append(DrawnMarks(s, a, marks))
        names = tuple(f"A{a + 1}" for a in range(many))
        data: Data = self.shuffler.together(self.data, self.ground, drawn, names, len(keys), self.seats)
        return data

    def _given(self, there: NDArray[np.bool_] | None, seat: int) -> Any:
        """Return the data an annotator starts from."""
        return self.ground.given if there is None else self.shuffler.given(self.ground, there[seat])


@dataclass(frozen=True)
class Erring:
    """A simulated annotator: an error and its magnitude."""

    error: ErrorType
    magnitude: float


SIMULATION = "What to simulate"
Errors = Annotated[
    Any,
    Option(
        "An error: false_negative, false_positive, fragment, shift, category, combination([shift,category]); for texts "
        "also text and token; with options as in `shift(form=2015,overlap=false)`; repeatable.",
        metavar="SPEC", complete="errors", heading=SIMULATION, shape="texts", formerly=("errors",),
    ),
]  # fmt: skip
ReferenceAnnotator = Annotated[
    str | None,
    Option(
        "The annotator to use as reference, if the data have several; or `consensus`, the consensus of all.",
        metavar="ANNOTATOR",
        heading=SIMULATION,
    ),
]
Generate = Annotated[
    str | None,
    Option(
        "Generate the reference from a model instead of reading a file: "
        "`units=50,categories=4,prevalence=[.4,.3,.2,.1],lengths=[5,15],gaps=[0,10],overlap=0,documents=1`, or "
        "`segmentation=true`. The values shown are the defaults.",
        metavar="MODEL",
        heading=SIMULATION,
        elsewhere="accord.generate(model)",
    ),
]
Step = Annotated[float, Option("Step between magnitudes.", heading=SIMULATION)]
Sets = Annotated[int, Option("Simulated sets of annotators at each magnitude.", heading=SIMULATION, least=1)]


def errors_in(given: Any) -> list[ErrorType] | None:
    """Return the requested errors, one or several; None for the default."""
    if given is None or given == ():
        return None
    return [error_type(one) for one in (given if isinstance(given, list | tuple) else [given])]


def reference_of(data: Any, reading: Mapping[str, Any], asked: Collection[str] = ()) -> Reference:
    """Return a reference from data that were read or are read here."""
    if isinstance(data, Reference):
        return data
    found = opened(data, reading, asked)
    return Reference(shuffler_of(found).ready(found))


def reference_for(
    data: Any, annotator: str | None, model: str | None, reading: Mapping[str, Any], kinds: Collection[str], run: Run
) -> Reference:
    """Return the reference: one annotator of the data, the consensus of several, or a generated one."""
    if model is not None and data is not None:
        raise SpecError("option-conflict", "both a file and --generate given; leave one of them out")
    if model is None and data is None:
        raise SpecError(
            "option-missing", "no reference given; name a table or texts of one annotator, or use --generate MODEL"
        )
    if model is not None and annotator is not None:
        raise SpecError(
            "option-conflict",
            "--reference selects an annotator of a file and has no effect with --generate; leave it out",
        )
    if isinstance(data, Reference):
        return data
    found = generate_reference(model, seed=run.seed) if model is not None else opened(data, reading, kinds, run)
    return Reference(chosen_annotator(found, annotator))


def chosen_annotator(data: Data, name: str | None) -> Data:
    """Return the annotations of one annotator, or the consensus of all unless an annotator has that name."""
    shuffler = shuffler_of(data)
    if name == CONSENSUS and name not in data.annotators:
        chosen = consensus(data).data
    else:
        chosen = data if name is None else shuffler.only(data, name)
    found: Data = shuffler.ready(chosen)
    return found


@dataclass(frozen=True, repr=False)
class Shuffled(Result):
    """Simulated annotations and their reference."""

    subject: ClassVar[str] = "Shuffled data"
    is_data: ClassVar[bool] = True

    data: Data
    reference: Data

    def summary(self) -> str:
        return self.data.about()[0]

    def facts(self) -> list[str]:
        return [*self.data.about(), *self.data.unsaid()]

    def tables(self) -> list[Table]:
        return [self.flat().first()]

    def to_dict(self) -> dict[str, Any]:
        columns, rows = self.data.rows()
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        return plain({"data": {"kind": self.data.kind.plural, **self.data.summary()}, "rows": records})

    def flat(self) -> Table:
        """The table from which the annotations can be read back."""
        return Table("", *self.data.rows())


def _in_python(arguments: dict[str, Any]) -> Data:
    found: Shuffled = declared_in(shuffle).function(**arguments)
    return found.data


@question("gold.csv -o shuffled.csv --error shift --magnitude 0.3 --annotators 3 --seed 1", python=_in_python)
def shuffle(
    data: options.Data = None,
    error: Errors = None,
    *,
    magnitude: Annotated[
        float | Sequence[float],
        Option(
            "Magnitude of the error, from 0 to 1. Give several for one per annotator. Default: 0.3.",
            heading=SIMULATION,
            shape="numbers",
        ),
    ] = (0.3,),
    annotators: Annotated[
        int | None,
        Option(
            "Number of annotators to simulate. Default: one per magnitude or error, or 3.",
            heading=SIMULATION,
            least=1,
        ),
    ] = None,
    reference: ReferenceAnnotator = None,
    generate: Generate = None,
    seed: options.Seed = 0,
    **reading: Any,
) -> Shuffled:
    """Simulate annotators who make known errors on a reference.

    Default errors: shift for units and boundaries, category for labels of items, all three errors of texts for texts. A
    list of magnitudes, or of errors, gives one to each annotator: with `magnitude=[0.1, 0.1, 0.6]` the third annotator
    is weak. Without lists there are three annotators, unless `annotators` gives the number. In Python the result is the
    data.

    Returns
    -------
    Data

    Examples
    --------
    >>> accord.shuffle(accord.generate(units=5), "shift", magnitude=0.2, annotators=2)
    <Corpus: 1 document, 2 annotators, 10 units>
    """  # fmt: skip
    run = Run(seed)
    given = errors_in(error)
    source = reference_for(data, reference, generate, reading, kinds_of_errors(given), run)
    errors = [error_type(source.data.kind.error)] if given is None else given
    magnitudes = list(magnitude) if isinstance(magnitude, list | tuple | np.ndarray) else [magnitude]
    lengths = {len(given) for given in (errors, magnitudes) if len(given) != 1}
    wanted = {check_annotator_count(annotators)} if annotators is not None else lengths or {_ANNOTATORS}
    if not lengths <= wanted or len(wanted) > 1 or 0 in lengths:
        asked = "" if annotators is None else f"{counted(annotators, 'annotator')}, "
        counts = f"{counted(len(errors), 'error')} and {counted(len(magnitudes), 'magnitude')}"
        raise SpecError(
            "option-value", f"{asked}{counts}: the numbers do not match; give one for all annotators, or one for each"
        )
    number = wanted.pop()
    each = [errors[a % len(errors)] for a in range(number)]
    how_much = [check_magnitude(magnitudes[a % len(magnitudes)]) for a in range(number)]
    for one in set(each):
        check_error(one, source.ground)
    made = source.shuffled([Erring(e, m) for e, m in zip(each, how_much, strict=True)], [(run.seed,)])
    return Shuffled(made, source.data)


def kinds_of_errors(errors: Sequence[ErrorType] | None) -> tuple[str, ...]:
    """Return the kind of data that errors imply: errors of texts affect texts only."""
    return (TEXTS.name,) if any(error.of_texts for error in errors or ()) else ()


def check_magnitude(value: object) -> float:
    """Raise unless the magnitude is between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= float(value) <= 1:
        raise SpecError("option-value", f"a magnitude must be between 0 and 1, not {quoted(value)}")
    return float(value)


def check_annotator_count(many: object) -> int:
    if isinstance(many, bool) or not isinstance(many, int) or not 1 <= many <= MOST_ANNOTATORS:
        raise SpecError(
            "option-value", f"annotators must be a whole number from 1 to {MOST_ANNOTATORS:,}, not {quoted(many)}"
        )
    return many


def keyed(magnitude: float) -> int:
    """Return a magnitude as part of a seed, independent of the step."""
    return math.floor(magnitude * 1e6 + 0.5)


def one_set(batch: Data, number: int, n_docs: int) -> Data:
    """Return one set of a batch."""
    shuffler = shuffler_of(batch)
    part: Data = shuffler.one_set(batch, np.arange(shuffler.size(batch)) // n_docs == number)
    return part
