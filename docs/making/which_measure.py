"""The page "Which measure?": its diagram and tables are generated from the decision tree of `accord advise`."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from textwrap import wrap

from accord.answers.advising.cases import CASES, DISPUTES, REMARKS, SIGHT
from accord.answers.advising.tree import AdviceCase, AdviceSource, Recommendation, TreeQuestion, question
from accord.measures.catalogue import GROUPS

_PART = re.compile(r"(<!-- made: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_WIDTH, _LINE, _INDENT = 440, 20, 26
# Conditions of recommendations, as text.
_WHERE = {
    "identified": "annotators are named",
    "reference": "one annotator is a reference",
    "crowd": "annotators change between items",
    "skewed": "one category is frequent",
    "numbers": "labels are numbers",
    "complete": "data are complete",
    "gaps": "labels are missing",
    "labels": "units have labels",
    "apart": "units do not overlap",
    "points": "all units have length 0",
    "tree": "the hierarchy is known",
}


def write(page: Path) -> None:
    """Regenerate the parts of the page, and write it if it changed."""
    old = page.read_text(encoding="utf-8")
    new = filled(old)
    if new != old:
        page.write_text(new, encoding="utf-8")


def filled(text: str) -> str:
    return _PART.sub(lambda found: f"{found[1]}{PARTS[found['name']]()}{found[3]}", text)


def heading(case: AdviceCase) -> str:
    """Return the heading of a case."""
    return case.words[:1].upper() + case.words[1:]


def anchor(title: str) -> str:
    """Return the anchor of a heading, as MyST and GitHub make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# -- the diagram ---------------------------------------------------------------------------------------------------


class _Drawing:
    """Indented boxes below each other, legible on a phone and on paper."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.y = 4

    def box(self, level: int, kind: str, lines: list[str], spec: str = "", href: str = "") -> int:
        """Draw a box and return the vertical position of its middle."""
        x, height = 2 + level * _INDENT, 14 + _LINE * (len(lines) + bool(spec))
        inside = f'<rect x="{x}" y="{self.y}" width="{_WIDTH - x - 2}" height="{height}" rx="6"/>'
        for k, line in enumerate(lines):
            inside += f'<text x="{x + 12}" y="{self.y + 21 + _LINE * k}">{escape(line)}</text>'
        if spec:
            inside += f'<text class="spec" x="{x + 12}" y="{self.y + 21 + _LINE * len(lines)}">{escape(spec)}</text>'
        if href:
            inside = f'<a href="{href}">{inside}</a>'
        self.made.append(f'<g class="{kind}">{inside}</g>')
        middle, self.y = self.y + height // 2, self.y + height + 10
        return middle

    def line(self, level: int, top: int, middle: int) -> None:
        x = 2 + level * _INDENT + _INDENT // 2
        self.made.append(f'<path d="M{x} {top}V{middle}h{_INDENT // 2}"/>')


def _asked(drawing: _Drawing, level: int, asked: TreeQuestion) -> None:
    drawing.box(level, "ask", wrap(asked.words, 44), href=f"#{anchor(asked.words)}")
    top = drawing.y - 10
    for answer in asked.answers:
        case = next((one for one in CASES if one.name == answer.case), None)
        # The questions after the case are the same for all cases, so the diagram omits them.
        lines = wrap(answer.words, 56 - 3 * level)
        if case is not None:
            middle = drawing.box(level + 1, "case", lines, _first(case).format(tree="…"), f"#{anchor(heading(case))}")
            drawing.line(level, top, middle)
        else:
            middle = drawing.box(level + 1, "ask", lines, href=f"#{anchor(question(str(answer.then)).words)}")
            drawing.line(level, top, middle)
            _asked(drawing, level + 2, question(str(answer.then)))


def _first(case: AdviceCase) -> str:
    """Return the first measure for complete data without a reference."""
    usual = frozenset({"identified", "numbers", "complete", "labels", "apart", "tree"})
    return next(one.spec for one in case.recommendations if one.holds(usual))


def diagram() -> str:
    drawing = _Drawing()
    _asked(drawing, 0, question("marked"))
    inside = "\n".join(drawing.made)
    return (
        '<div class="scrolls">\n'
        f'<svg class="tree" viewBox="0 0 {_WIDTH} {drawing.y}" role="group" aria-label="Decision tree: '
        f'each box links to the text below">\n{inside}\n</svg>\n</div>\n\n'
    )


# -- text and tables -----------------------------------------------------------------------------------------------


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _sources(sources: tuple[AdviceSource, ...]) -> str:
    """Cite the sources. The page explains the abbreviation A&P."""
    return "; ".join(map(str, sources)).replace("Artstein & Poesio 2008,", "A&P")


def _page(spec: str) -> str:
    name = spec.partition("(")[0]
    return f"[`{spec}`](measures/{name}.md)"


def _conditions(needs: tuple[str, ...], unless: tuple[str, ...]) -> str:
    """Return the conditions, except those on the reference, which have a separate list."""
    unsaid = {"identified", "numbers", "labels", "tree", "reference"}
    said = [f"If {_WHERE[one]}" for one in needs if one not in unsaid]
    said += [f"Not if {_WHERE[one]}" for one in unless if one != "reference"]
    return f" *{'. '.join(said)}.*" if said else ""


def questions() -> str:
    made = []
    for name in ("marked", "order", "unit", "complete", "reference"):
        asked = question(name)
        made += [f"### {asked.words}", "", asked.why, ""]
        for one in asked.answers:
            example = f" ({one.example})" if one.example else ""
            leads = next((case for case in CASES if case.name == one.case), None)
            link = "" if leads is None else f": [{leads.words}](#{anchor(heading(leads))})"
            if leads is None and one.then in {"order", "unit"}:
                link = f": [{question(one.then).words}](#{anchor(question(one.then).words)})"
            made.append(f"- {one.words[:1].upper()}{one.words[1:]}{example}{link}")
        made.append("")
    return "\n" + "\n".join(made) + "\n"


def cases() -> str:
    made = []
    for case in CASES:
        made += [f"### {heading(case)}", ""]
        made += _listed([one for one in case.recommendations if "reference" not in one.needs])
        held = [one for one in case.recommendations if "reference" in one.needs]
        if held:
            made += ["", "With a reference, report first:", "", *_listed(held)]
        about = [one for one in DISPUTES if one.name in case.disputes]
        if about:
            links = ", ".join(f"[{one.question}](#{anchor(one.question)})" for one in about)
            made += ["", f"Disputed: {links}"]
        made.append("")
    return "\n" + "\n".join(made) + "\n"


def _listed(recommendations: list[Recommendation]) -> list[str]:
    made = []
    for k, one in enumerate(recommendations, 1):
        spec = one.spec.format(reference="NAME", tree='"tree.csv"')
        why = one.why.format(reference="the reference")
        made.append(f"{k}. {_page(spec)}: {why}{_conditions(one.needs, one.unless)} ({_sources(one.sources)})")
    return made


def sight() -> str:
    made = []
    for group, classes in GROUPS.items():
        made += [f"### {group[:1].upper()}{group[1:]}", "", "| measure | compares | limitation |", "|---|---|---|"]
        for cls in classes:
            one = SIGHT[cls.name]
            made.append(f"| [`{cls.name}`](measures/{cls.name}.md) | {_cell(one.sees)} | {_cell(one.misses)} |")
        made.append("")
    return "\n" + "\n".join(made) + "\n"


def disputes() -> str:
    made = []
    for one in DISPUTES:
        made += [f"### {one.question}", ""]
        made += [f"- {says} ({_sources(sources)})" for says, sources in one.sides]
        made += ["", one.here.replace("docs/unitizing.md", "[unitizing.md](unitizing.md)"), ""]
    return "\n" + "\n".join(made) + "\n"


def remarks() -> str:
    rows = []
    blank = {
        "annotators": "many", "per_item": "a few", "missing": "some", "largest": "More than 80%",
        "category": "of one category", "rare": "A category was", "n": "fewer than 30 items or 5",
        "things": "documents", "models": "An annotator", "models_are": "An annotator may be a model",
    }  # fmt: skip
    for one in REMARKS:
        said = one.words.format_map(blank)
        said = said[:1].upper() + said[1:]
        rows.append(f"- {said}" + (f" ({_sources(one.sources)})" if one.sources else ""))
    return "\n" + "\n".join(rows) + "\n\n"


PARTS: dict[str, Callable[[], str]] = {
    "diagram": diagram,
    "questions": questions,
    "cases": cases,
    "sight": sight,
    "remarks": remarks,
    "disputes": disputes,
}
