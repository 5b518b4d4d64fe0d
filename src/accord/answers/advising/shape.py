"""What a tree of advice is made of: questions and answers, cases with measures that fit them, remarks, disputes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.answers.citing.bibliography import work


@dataclass(frozen=True)
class Source:
    """A work, and where in it."""

    key: str  # of the bibliography
    place: str = ""  # a section, or "via": reported there by others

    def __str__(self) -> str:
        named = f"{work(self.key).who} {work(self.key).year}"
        return f"{named}, {self.place}" if self.place else named

    def to_dict(self) -> dict[str, Any]:
        return {"work": self.key, "place": self.place, "text": str(self)}


@dataclass(frozen=True)
class Answer:
    """One of several. It may settle which case this is, and it may lead to a further question."""

    name: str
    words: str
    example: str = ""
    case: str | None = None  # the case that it settles
    then: str | None = None  # the question that comes next; None: there is none

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "words": self.words, "example": self.example, "case": self.case, "then": self.then}


@dataclass(frozen=True)
class Question:
    """What one has to know about data, and why it matters."""

    name: str
    words: str
    why: str
    answers: tuple[Answer, ...]

    def answer(self, name: str) -> Answer | None:
        return next((one for one in self.answers if one.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        answers = [one.to_dict() for one in self.answers]
        return {"name": self.name, "words": self.words, "why": self.why, "answers": answers}


@dataclass(frozen=True)
class Recommendation:
    """A measure for a case, the first of which is the one to report. What stands in braces is filled in.

    `needs` and `unless` are facts about the data, which `looking.py` finds, or answers that a user gave.
    """

    spec: str
    why: str
    sources: tuple[Source, ...]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    options: str = ""  # of `accord score`, beside the measure

    def holds(self, facts: frozenset[str]) -> bool:
        return facts.issuperset(self.needs) and facts.isdisjoint(self.unless)

    def to_dict(self) -> dict[str, Any]:
        return {
            "spec": self.spec,
            "why": self.why,
            "sources": [one.to_dict() for one in self.sources],
            "needs": list(self.needs),
            "unless": list(self.unless),
            "options": self.options,
        }


@dataclass(frozen=True)
class Case:
    """What was annotated, and the measures for it."""

    name: str
    words: str
    kind: str  # of the data
    recommendations: tuple[Recommendation, ...]
    disputes: tuple[str, ...] = ()  # where authors disagree about it

    def to_dict(self) -> dict[str, Any]:
        each = [one.to_dict() for one in self.recommendations]
        disputes = list(self.disputes)
        return {"name": self.name, "words": self.words, "kind": self.kind, "measures": each, "disputes": disputes}


@dataclass(frozen=True)
class Remark:
    """What to bear in mind where a fact holds. What stands in braces is filled in from the data."""

    fact: str
    words: str
    sources: tuple[Source, ...] = ()
    do: str = ""  # a command, behind `accord`; {data} is what was read
    kinds: tuple[str, ...] = ()  # of data; none: all

    def to_dict(self) -> dict[str, Any]:
        sources = [one.to_dict() for one in self.sources]
        return {"fact": self.fact, "words": self.words, "sources": sources, "do": self.do, "kinds": list(self.kinds)}


@dataclass(frozen=True)
class Dispute:
    """A question on which authors disagree: what each side says, and what accord does."""

    name: str
    question: str
    sides: tuple[tuple[str, tuple[Source, ...]], ...]
    here: str

    def to_dict(self) -> dict[str, Any]:
        sides = [{"says": says, "sources": [one.to_dict() for one in sources]} for says, sources in self.sides]
        return {"name": self.name, "question": self.question, "sides": sides, "here": self.here}


@dataclass(frozen=True)
class Sight:
    """What a measure can see, and what it cannot."""

    sees: str
    misses: str

    def to_dict(self) -> dict[str, Any]:
        return {"sees": self.sees, "misses": self.misses}
