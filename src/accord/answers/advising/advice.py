"""Advice: recommended measures with reasons and limitations, and questions that only the user can answer."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from accord.answers.advising.tree import AdviceSource, Dispute, How, PlainData, Sight, TreeQuestion
from accord.answers.citing.bibliography import work
from accord.core.errors import for_interface, printable
from accord.core.prose import Phrase, Prose
from accord.core.tables import Result, Several, Table, plain

_HOW: dict[How, str] = {"data": "from the data", "told": "given", "assumed": "assumed", "open": "open"}


@dataclass(frozen=True)
class Step:
    """A question of the tree, its answer for these data, and the origin of the answer."""

    question: TreeQuestion
    answer: str | None
    how: How
    why: str
    others: tuple[str, ...] = ()  # other possible answers

    @property
    def words(self) -> str:
        found = None if self.answer is None else self.question.answer(self.answer)
        return "unknown" if found is None else found.words

    def to_dict(self) -> dict[str, Any]:
        name, words = self.question.name, self.question.words
        found = {"answer": self.answer, "how": self.how, "why": self.why, "others": list(self.others)}
        return {"question": name, "words": words, **found}


@dataclass(frozen=True)
class Advised:
    """A recommended measure with its command."""

    spec: str
    why: str
    sight: Sight
    sources: tuple[AdviceSource, ...]
    command: str

    def to_dict(self) -> dict[str, Any]:
        sources = [one.to_dict() for one in self.sources]
        return {"spec": self.spec, "why": self.why, **self.sight.to_dict(), "sources": sources, "command": self.command}


@dataclass(frozen=True)
class Noted(PlainData):
    """A remark on these data."""

    fact: str
    words: str
    sources: tuple[AdviceSource, ...]
    command: str


@dataclass(frozen=True)
class Way(PlainData):
    """A possible answer to an open question: the option for it, and the first measure for it."""

    answer: str
    words: str
    say: str
    spec: str
    why: str


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """Measures for one variable. If they depend on an open question, `ways` has one entry per answer instead."""

    name: str  # of the data
    about: tuple[str, ...]
    case: str | None  # None if a question is open
    words: str
    steps: tuple[Step, ...]
    measures: tuple[Advised, ...]
    ways: tuple[Way, ...]
    notes: tuple[Noted, ...]
    disputes: tuple[Dispute, ...] = ()

    @property
    def title(self) -> str:
        return self.name

    @property
    def open(self) -> Step | None:
        """The question that only the user can answer, if the measures depend on it."""
        return next((step for step in self.steps if step.how == "open"), None)

    @property
    def specs(self) -> tuple[str, ...]:
        """Specs of the recommended measures, or of the first measure for each answer to the open question."""
        specs = [one.spec for one in self.measures], [way.spec for way in self.ways]
        return tuple(dict.fromkeys(spec for some in specs for spec in some))

    @property
    def sources(self) -> tuple[AdviceSource, ...]:
        """The works cited in the advice."""
        of_disputes = (source for one in self.disputes for _, sources in one.sides for source in sources)
        of_measures = (source for one in self.measures for source in one.sources)
        of_notes = (source for one in self.notes for source in one.sources)
        return tuple(dict.fromkeys((*of_measures, *of_notes, *of_disputes)))

    def summary(self) -> str:
        if self.open is not None:
            return f"{self.open.question.words} {', '.join(f'{way.answer}: {way.spec}' for way in self.ways)}"
        return f"{self.words}: {', '.join(one.spec for one in self.measures)}"

    def facts(self) -> list[str]:
        return [*self.about, *self._head()]

    def _head(self) -> list[str]:
        if self.open is None:
            return [f"Kind of data: {self.words}."]
        return [f"{self.open.question.words} {_upper(self.open.why)}. {self.open.question.why}"]

    def tables(self) -> list[Table]:
        made = []
        if self.measures:
            rows = tuple(
                (one.spec, one.why, one.sight.sees, one.sight.misses, _cited(one.sources)) for one in self.measures
            )
            made.append(Table("recommended measures", ("measure", "why", "compares", "limitation", "source"), rows))
        if self.ways:
            ways = tuple((way.words, for_interface(way.say), way.spec, way.why) for way in self.ways)
            made.append(Table("your answer decides", ("answer", "option", "measure", "why"), ways))
        if self.notes:
            notes = tuple((one.words, one.command, _cited(one.sources)) for one in self.notes)
            made.append(Table("remarks", ("remark", "command", "source"), notes))
        steps = tuple((step.question.words, step.words, _HOW[step.how], for_interface(step.why)) for step in self.steps)
        made.append(Table("questions and answers", ("question", "answer", "origin", "why"), steps))
        if self.disputes:
            sides = tuple((one.question, says, _cited(sources)) for one in self.disputes for says, sources in one.sides)
            made.append(Table("disputed questions", ("question", "position", "source"), sides))
        return made

    def closing(self) -> list[str]:
        return [for_interface(line) for line in self._closing()]

    def _closing(self) -> Iterator[str]:
        for step in (step for step in self.steps if step.how == "assumed" or (step.how == "data" and step.others)):
            if step.question.name == "reference":
                yield "If one annotator is the reference, use --reference NAME."
            else:
                ways = ", or ".join(f"--say {step.question.name}={name}" for name in step.others)
                yield f"{step.question.words} If this answer is wrong, use {ways}."

    def prose(self) -> Prose:
        """Return the advice as paragraphs, with its references."""
        paragraphs = tuple((Phrase(for_interface(line)),) for line in self._paragraphs())
        keys = dict.fromkeys(source.key for source in self.sources)
        works = sorted((work(key) for key in keys), key=lambda one: (one.authors, one.year, one.title))
        return Prose(paragraphs, tuple(one.reference for one in works))

    def _paragraphs(self) -> Iterator[str]:
        yield " ".join(self._head())
        for k, one in enumerate(self.measures):
            yield f"{'First' if not k else 'Additional'} measure: {one.spec}. {one.why} Limitation: {one.sight.misses}."
        for way in self.ways:
            yield f"{_upper(way.words)} ({way.say}): {way.spec}. {way.why}"

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        return "".join(f"{printable(line)}\n" for line in self._lines()).rstrip("\n") + "\n"

    def _lines(self) -> Iterator[str]:
        bare = for_interface
        yield from (self.name, *(f"  {line}" for line in self.about), "", *map(bare, self._head()))
        for one in self.measures:
            yield from ("", f"  {one.spec}", f"    {one.why}")
            yield f"    compares: {one.sight.sees}"
            yield f"    limitation: {one.sight.misses}"
            yield f"    {_cited(one.sources)}"
            yield f"    $ {one.command}"
        for way in self.ways:
            yield from ("", f"  {way.words}: {bare(way.say)}", f"    measure: {way.spec}", f"    {way.why}")
        if self.notes:
            yield from ("", "Remarks")
        for note in self.notes:
            yield f"  {bare(note.words)}{f' ({_cited(note.sources)})' if note.sources else ''}"
            if note.command:
                yield f"    $ {note.command}"
        yield from ("", "Questions and answers")
        for step in self.steps:
            yield f"  {step.question.words} {_upper(step.words)} ({_HOW[step.how]}: {bare(step.why)})"
        yield from self.closing()
        if self.disputes:
            yield ""
            yield "Disputed questions (--json has the positions of authors)"
            yield from (f"  {one.question}: {one.here}" for one in self.disputes)

    def to_dict(self) -> dict[str, Any]:
        return plain(
            {
                "data": self.name,
                "about": list(self.about),
                "case": self.case,
                "words": self.words,
                "steps": [one.to_dict() for one in self.steps],
                "measures": [one.to_dict() for one in self.measures],
                "ways": [one.to_dict() for one in self.ways],
                "notes": [one.to_dict() for one in self.notes],
                "disputes": [one.to_dict() for one in self.disputes],
            }
        )

    def flat(self) -> Table:
        columns = ("data", "answer", "measure", "why", "sees", "cannot see", "source", "command")
        rows = [
            (self.name, None, one.spec, one.why, one.sight.sees, one.sight.misses, _cited(one.sources), one.command)
            for one in self.measures
        ]
        ways = [(self.name, way.answer, way.spec, way.why, None, None, None, None) for way in self.ways]
        return Table("", columns, (*rows, *ways))


@dataclass(frozen=True, repr=False)
class Advices(Several[Advice]):
    """Advice on each of several variables."""

    def summary(self) -> str:
        return "; ".join(f"{one.name}: {', '.join(one.specs[:1])}" for one in self.each)

    def tables(self) -> list[Table]:
        rows = tuple(
            (one.name, one.words if one.open is None else one.open.question.words, ", ".join(one.specs))
            for one in self.each
        )
        return [Table("", ("variable", "kind of data", "measures"), rows)]

    def closing(self) -> list[str]:
        return [for_interface("details on one variable: --label VARIABLE")]

    def to_dict(self) -> dict[str, Any]:
        return {"variables": [one.to_dict() for one in self.each]}

    def flat(self) -> Table:
        tables = [one.flat() for one in self.each]
        return Table("", tables[0].columns if tables else (), tuple(row for table in tables for row in table.rows))


def command(*words: str) -> str:
    """Return a command line, quoted for a shell."""
    return " ".join(word if word == "…" else shlex.quote(word) for word in words)


def _cited(sources: tuple[AdviceSource, ...]) -> str:
    return "; ".join(map(str, sources))


def _upper(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
