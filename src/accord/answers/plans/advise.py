"""`accord advise`: which measure? What the data say, and what was said about them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from accord.answers.advising.advice import Advice, Advices
from accord.answers.advising.advising import advice_on, answers_in
from accord.answers.plans.base import Plan, names_in
from accord.core.context import Run
from accord.data.door import opened_all
from accord.data.io import Reading

_WITH_COMMAS = ("categories", "annotators")  # names in one word


@dataclass(frozen=True)
class AdvisePlan(Plan):
    """Data of any kind, and answers to questions that they leave open."""

    command: ClassVar[str] = "advise"
    example: ClassVar[str] = "ratings.csv"

    say: tuple[str, ...] = ()
    reference: str | None = None
    models: str | None = None
    tree: str | None = None

    def answer(self, run: Run) -> Advice | Advices:
        self.check_named()
        told = answers_in(self.say)
        shown, typed = self.paths[0], (*self.paths[1:], *_typed(self.reading))
        read = opened_all(list(self.paths), self.reading, run=run)
        each = []
        for variable, data in read.items():
            which = () if len(read) == 1 else ("--label", variable)
            each.append(
                advice_on(
                    data,
                    shown,
                    told,
                    name=shown if len(read) == 1 else variable,
                    reference=self.reference,
                    models=names_in(self.models) or (),
                    tree=self.tree,
                    options=(*typed, *which),
                )
            )
        return each[0] if len(each) == 1 else Advices(tuple(each))


def _typed(reading: Reading) -> list[str]:
    """The options of the command line that say the same."""
    made: list[str] = []
    for field in fields(reading):
        value = getattr(reading, field.name)
        if value == field.default:
            continue
        option = f"--{field.name.replace('_', '-')}"
        if isinstance(value, tuple) and field.name in _WITH_COMMAS:
            made += [option, ",".join(map(str, value))]
        elif isinstance(value, tuple):
            made += [word for one in value for word in (option, str(one))]
        else:
            made += [option] if value is True else [option, str(value)]
    return made
