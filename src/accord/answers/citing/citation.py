"""A sentence for the methods section from scores, and its references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord._version import __version__
from accord.answers.citing import wording
from accord.answers.citing.bibliography import Work, behind_interval, behind_measure, software
from accord.core.errors import SpecError
from accord.core.prose import Paragraph, Phrase, PrintedReference, Prose, Style, as_text, joined, style_named
from accord.core.result import Kind, Score
from accord.core.tables import Result, Table
from accord.measures.catalogue import measure
from accord.measures.measure import Measure

_FUNCTION = re.compile(r",?dissimilarity=dissimilarity\((?P<function>[^()]*)\)")


@dataclass(frozen=True, repr=False)
class Citation(Result):
    """A sentence for a methods section, and its references."""

    paragraphs: tuple[Paragraph, ...]
    references: tuple[PrintedReference, ...]
    style: str = "plain"

    @property
    def sentence(self) -> str:
        return " ".join(map(as_text, self.paragraphs))

    @property
    def bibtex(self) -> str:
        """All references as BibTeX."""
        return "\n\n".join(one.bibtex for one in self.references) + "\n"

    def prose(self) -> Prose:
        return Prose(self.paragraphs, self.references)

    def summary(self) -> str:
        return self.sentence

    def tables(self) -> list[Table]:
        return []

    def flat(self) -> Table:
        rows = tuple((one.key, one.text, one.bibtex) for one in self.references)
        return Table("", ("key", "reference", "bibtex"), rows)

    def to_dict(self) -> dict[str, Any]:
        listed = [{"key": one.key, "text": one.text, "bibtex": one.bibtex} for one in self.references]
        return {"sentence": self.sentence, "style": self.style, "references": listed}


@dataclass(frozen=True)
class _Scored:
    """A score and its measure."""

    score: Score
    measure: Measure
    function: str = ""  # name of the user's dissimilarity, which a spec cannot restore

    @property
    def annotators(self) -> int | None:
        return self.score.details.get("annotators")

    @property
    def works(self) -> tuple[Work, ...]:
        return behind_measure(self.measure, self.annotators)

    @property
    def how(self) -> str:
        """The method of the interval in words; empty without an interval."""
        return wording.method(self.score)

    @property
    def works_of_interval(self) -> tuple[Work, ...]:
        found = self.score.interval
        return () if found is None else behind_interval(found.method, self.measure)


def cited(scores: Score | Sequence[Score] | Mapping[str, Sequence[Score]], *, style: str = "plain") -> Citation:
    """Return a sentence for the methods section, with its references.

    - `scores`: one score, several scores of the same data, or scores by name of the data (variables, rounds).
    - `style`: plain, or apa (two decimals, no zero before the point).
    """
    setting = style_named(style)
    named = {name: [_read(one) for one in some] for name, some in _by_name(scores).items()}
    named = {name: some for name, some in named.items() if some}
    if not named:
        raise SpecError("not-in-accord", "there is no score to cite; give at least one")
    every = [one for some in named.values() for one in some]
    paragraph = _one(every, setting) if len(named) == 1 else _several(named, setting)
    version = wording.Signed.of(every[0].score.signature).version or __version__
    works = [w for one in every for w in one.works] + [w for one in every for w in one.works_of_interval]
    listed = sorted(dict.fromkeys(works), key=lambda work: (work.authors, work.year, work.title))
    return Citation((paragraph,), tuple(work.reference for work in (*listed, software(version))), style)


def full_name(score: Score) -> str:
    """Return the name of the measure with its options in words: Krippendorff's α, ordinal distance."""
    one = _read(score)
    return ", ".join(
        filter(None, (wording.named(one.measure, one.annotators), wording.form(one.measure, score, one.function)))
    )


def _by_name(scores: Score | Sequence[Score] | Mapping[str, Sequence[Score]]) -> Mapping[str, Sequence[Score]]:
    if isinstance(scores, Score):
        return {"": [scores]}
    if isinstance(scores, Mapping):
        return {name: [some] if isinstance(some, Score) else some for name, some in scores.items()}
    return {"": scores}


def _read(score: Score) -> _Scored:
    found = _FUNCTION.search(score.measure)
    spec = _FUNCTION.sub("", score.measure).replace("(,", "(").removesuffix("()")
    try:
        return _Scored(score, measure(spec), found["function"] if found else "")
    except SpecError:
        raise SpecError(
            "not-in-accord",
            f"{score.measure} is not a measure of accord, so it has no references; cite a measure of accord measures",
        ) from None


def _one(scores: Sequence[_Scored], style: Style) -> Paragraph:
    """Write the sentence for one set of data: each measure with its value."""
    telling = _telling(scores)
    alike = len({wording.number_of(one.score) for one in scores if one.score.details}) < 2
    clauses = []
    for one in scores:
        where = "" if alike else _if_any(" on ", wording.number_of(one.score))
        said = (*_measured(one), Phrase(f"{where}, "), *wording.value(one.score, one.measure, style))
        clauses.append((one.score.kind, said))
    data = _if_any(" of ", wording.annotators_of(telling))
    if alike:
        more = ", ".join(wording.more_of(telling))
        data += _if_any(" on ", wording.number_of(telling)) + (f" ({more})" if more else "")
    return (*_by_kind(data, clauses), *_computed(scores), Phrase("."))


def _by_kind(data: str, clauses: Sequence[tuple[Kind, Paragraph]]) -> Paragraph:
    """Join clauses: agreement was measured with …; disagreement (for errors) with …"""
    nouns: dict[Kind, str] = {"agreement": "agreement", "error": "disagreement"}
    made: list[Paragraph] = []
    for kind, noun in nouns.items():
        some = [said for of, said in clauses if of == kind]
        if some:
            opened = f"{noun} with " if made else f"{noun.capitalize()}{data} was measured with "
            made.append((Phrase(opened), *joined(some, "; ")))
    return joined(made, "; ")


def _if_any(before: str, text: str) -> str:
    return f"{before}{text}" if text else ""


def _several(named: Mapping[str, Sequence[_Scored]], style: Style) -> Paragraph:
    """Write the sentence for several sets of data: the measures once, then the values by name."""
    every = [one for some in named.values() for one in some]
    # A form can depend on the data, for example the number of samples. Each different form appears once.
    measured = list(dict.fromkeys((one.score.kind, _measured(one)) for one in every))
    signs = _signs(every)
    values = []
    for name, some in named.items():
        shown = [tuple(wording.value(one.score, one.measure, style, signs[str(one.measure)])) for one in some]
        one = _telling(some)
        counts = ", ".join(filter(None, [wording.annotators_of(one), wording.number_of(one), *wording.more_of(one)]))
        values.append((Phrase(f"{name} ({counts}), " if counts else f"{name}, "), *joined(shown, ", ")))
    head = (*_by_kind("", measured), *_computed(every))
    return (*head, Phrase(": "), *joined(values, "; "), Phrase("."))


def _telling(scores: Sequence[_Scored]) -> Score:
    """Return the first score with details. Undefined scores have none."""
    return next((one.score for one in scores if one.score.details), scores[0].score)


def _signs(scores: Sequence[_Scored]) -> dict[str, str]:
    """Return the sign of each measure before its value: the symbol, or the spec if symbols are equal."""
    symbols = {str(one.measure): wording.symbol(one.measure) for one in scores}
    taken = list(symbols.values())
    return {spec: sign if taken.count(sign) == 1 else spec for spec, sign in symbols.items()}


def _measured(one: _Scored) -> Paragraph:
    """Name a measure: Krippendorff's α with ordinal distance (Krippendorff, 2004)."""
    form = wording.form(one.measure, one.score, one.function)
    said = wording.named(one.measure, one.annotators) + (f" with {form}" if form else "")
    return (Phrase(said), *_in_brackets(one.works))


def _in_brackets(works: Sequence[Work]) -> Paragraph:
    """Cite works by author, with all years of an author together: (Gwet, 2008, 2014; Scott, 1955)."""
    if not works:
        return ()
    years: dict[str, list[str]] = {}
    ordered = sorted(works, key=lambda work: (work.names, work.year))
    for one in ordered:
        years.setdefault(one.who, []).append(one.year)
    words = "; ".join(", ".join([who, *some]) for who, some in years.items())
    return (Phrase(f" ({words})", "cited", tuple(one.key for one in ordered)),)


def _computed(scores: Sequence[_Scored]) -> Paragraph:
    """Name the methods of intervals and the program."""
    works: dict[str, dict[Work, None]] = {}
    for one in scores:
        if one.how:
            works.setdefault(one.how, {}).update(dict.fromkeys(one.works_of_interval))
    hows = [(Phrase(how), *_in_brackets(tuple(some))) for how, some in works.items()]
    noun = " by " if len(scores) == 1 else "; intervals by "
    made = (Phrase(noun), *joined(hows, ", or by ")) if hows else ()
    signed = wording.Signed.of(scores[0].score.signature)
    version = signed.version or __version__
    seed = f" (seed {signed.seed})" if signed.seed is not None else ""
    program = Phrase("", "cited", (software(version).key,))  # the sentence already names it
    return (*made, Phrase(f"; computed with accord {version}"), program, Phrase(seed))
