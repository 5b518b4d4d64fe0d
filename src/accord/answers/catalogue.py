"""The commands that answer a question, by task, each with the module that declares it. Nothing is imported here."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.answers.question import Question

QUESTIONS: dict[str, dict[str, str]] = {
    "Data": {
        "read": "accord.answers.read",
        "map": "accord.answers.map",
        "convert": "accord.answers.converting",
    },
    "Agreement": {
        "advise": "accord.answers.advising.advising",
        "score": "accord.answers.score",
        "compare": "accord.answers.compare",
        "check": "accord.answers.checks",
        "trend": "accord.answers.trend",
        "intra": "accord.answers.intra",
        "limits": "accord.answers.limits",
    },
    "Disagreement and gold standards": {
        "disagreements": "accord.answers.disagreements",
        "influence": "accord.answers.influence",
        "annotators": "accord.answers.annotators",
        "align": "accord.answers.align",
        "gold": "accord.answers.gold.gold",
        "replace": "accord.answers.replacement",
    },
    "Reports and figures": {
        "report": "accord.answers.reporting.writing",
        "plot": "accord.answers.plot",
        "cite": "accord.answers.cite",
    },
    "Planning and simulation": {
        "plan": "accord.answers.plan_study",
        "meaning": "accord.answers.simulate.meaning",
        "shuffle": "accord.answers.simulate.shuffle",
        "xray": "accord.answers.simulate.xray",
    },
}
# The page does not offer commands that run a user's functions or write data files.
NOT_ON_PAGE = ("align", "convert", "plot", "shuffle", "xray")
MODULES = {name: module for group in QUESTIONS.values() for name, module in group.items()}
ON_PAGE = tuple(name for name in MODULES if name not in NOT_ON_PAGE)


def question_named(name: str) -> Question:
    """Import the module of a question and return its declaration."""
    from accord.answers.question import declared_in

    return declared_in(getattr(import_module(MODULES[name]), name))


def summary_of(name: str) -> str:
    """Return the first paragraph of the docstring of a question without importing its module, so that help is fast."""
    found = find_spec(MODULES[name])
    assert found is not None and found.origin is not None  # noqa: PT018
    text = Path(found.origin).read_text(encoding="utf-8")
    declaration = text[text.index(f"\ndef {name}(") :]
    _, opening, docstring = declaration.partition('\n    """')
    assert opening
    return " ".join(docstring.partition("\n\n")[0].partition('"""')[0].split())
