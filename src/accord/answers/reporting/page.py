"""A report as HTML: one self-contained file, or a folder with a page for each document."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from accord._version import __version__
from accord.answers.reporting.assessment import ADVICE, Assessment
from accord.answers.reporting.pictures import WIDTH, width_of
from accord.answers.reporting.reports import Part, Report, Section, numbers_behind
from accord.answers.reporting.sentences import GivenName, Number, Sentence, signed
from accord.answers.reporting.steps import NextStep
from accord.answers.reporting.verdicts import sampling_interval
from accord.answers.views import DocumentView, Views, script, style
from accord.answers.views.view import escaped, script_json
from accord.core.errors import AccordError
from accord.core.excerpts import without_middle
from accord.core.figures.figure import as_svg
from accord.core.figures.style import colours
from accord.core.result import Score
from accord.core.tables import Cell, Drawing, Interval, Table, is_number, percent, shown

_FEW = 3  # variables up to which the contents list the sections of each
_INDENTED = re.compile(r"\n\s+")
_MOST_VIEWS = 40  # documents shown in the page
_ROOM = 400_000  # bytes for the documents of all variables together
INDEX, STYLE, SCRIPT, _FOLDER = "index.html", "report.css", "report.js", "documents"
GENERATOR = '<meta name="generator" content="accord '
_STEPS = {
    "annotator": "Annotator",
    "annotators": "Annotators",
    "category": "Category",
    "boundary": "Categories",
    "document": "Documents",
    "item": "Items",
}
_TRUST = {"no problem found": "good", "use with caution": "careful", "do not use alone": "bad"}
_LONGEST = 240  # characters of a cell; the rest is folded
_LONGEST_NAME = 60  # characters of a name in a sentence or heading
_LONGEST_CAPTION = 160
_WHOLE = 22  # characters of a name up to which hyphens do not break it
_WORDS = 16  # characters from which a cell wraps and gets a minimum width
_MOST_DIGITS = 9
_SHARES = ("share of disorder",)  # columns that also show a bar


@cache
def _asset(name: str) -> str:
    return (files("accord.answers.reporting") / "assets" / name).read_text(encoding="utf-8")


Links = Mapping[str, Sequence[tuple[str, str]]]  # section id → names of documents and addresses of their pages


@dataclass(frozen=True)
class Where:
    """Where documents are shown: on separate pages, or in the report up to `room` bytes."""

    apart: Links
    room: int = _ROOM


def render_page(report: Report, apart: Links | None = None) -> str:
    """Render the whole report as one file, with links to documents that have separate pages."""
    several = len(report.parts) > 1
    where = Where(apart or {}, _ROOM // len(report.parts))
    made = [_part(part, _prefix(k, several), several, where) for k, part in enumerate(report.parts)]
    overview = f'<section id="variables" aria-labelledby="variables-h"><h2 id="variables-h">Variables</h2>{render_table(report.overview(), "Variables")}</section>'  # noqa: E501
    body = "".join([overview if several else "", *made, _section(report.settings, "", 2, where)])
    data = as_script(report.to_dict(), 'id="accord-report"')
    return _document(report.name, _contents(report), body, data, None if apart is None else "")


def _prefix(k: int, several: bool) -> str:
    """Return the prefix of the ids of one variable; empty if there is only one variable."""
    return f"v{k + 1}-" if several else ""


def _label(prefix: str, key: str) -> str:
    """Return the ids of the headings that name a section, including the variable if there are several."""
    return f"{prefix}part-h {prefix}{key}-h" if prefix else f"{key}-h"


def _document(
    title: str, contents: str, body: str, data: str, shared: str | None = None, above: str | None = None
) -> str:
    """Render a page around its body, with `above` or the title as heading.

    `shared` is the relative path to the style sheet and script of a folder. None puts both into the page, and the
    security policy then allows only these scripts.
    """
    if shared is None:
        hashes = " ".join(f"'sha256-{_digest(one)}'" for one in _scripts())
        look = f"<style>{''.join(_styles())}</style>"
        run = "".join(f"<script>{one}</script>" for one in _scripts())
        policy = f"style-src 'unsafe-inline'; script-src {hashes}"
    else:
        look = f'<link rel="stylesheet" href="{shared}{STYLE}">'
        run = f'<script src="{shared}{SCRIPT}"></script>'
        policy = "style-src 'unsafe-inline' 'self' file:; script-src 'self' file:"
    policy = f"default-src 'none'; {policy}; img-src data:; base-uri 'none'; form-action 'none'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
{GENERATOR}{escaped(__version__)}">
<title>{escaped(shorten_name(title, 120))}: agreement of annotators</title>
{look}
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top"><p class="brand">accord <span>report</span></p>
<button type="button" class="toggle" data-toggle>Dark</button></header>
<div class="layout">
<nav class="contents" aria-label="Contents">{contents}</nav>
<main id="main">
<h1>{render_name(above or title)}</h1>
{body}
</main>
</div>
<footer><p>Made by accord {escaped(__version__)}.<span class="on-screen"> This page contains its numbers in full
precision, in the form that <code>accord report --json</code> prints.</span></p></footer>
{data}
{run}
</body>
</html>
"""


def _styles() -> tuple[str, ...]:
    return _asset("page.css"), style()


def _scripts() -> tuple[str, ...]:
    return script(), _asset("page.js")


def _digest(text: str) -> str:
    """Return the hash with which the security policy of the page allows a script."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _contents(report: Report) -> str:
    several = len(report.parts) > 1
    links = [_link("variables", "Variables")] if several else []
    for k, part in enumerate(report.parts):
        prefix = _prefix(k, several)
        own = [_link(f"{prefix}summary", "Summary"), *(_link(prefix + s.key, s.title) for s in part.sections)]
        if several:
            inner = f"<ul>{''.join(f'<li>{link}</li>' for link in own)}</ul>" if len(report.parts) <= _FEW else ""
            links.append(f'<a href="#{prefix}part">{render_name(part.findings.variable)}</a>{inner}')
        else:
            links += own
    links.append(_link(report.settings.key, report.settings.title))
    return f"<ul>{''.join(f'<li>{link}</li>' for link in links)}</ul>"


def _link(target: str, text: str) -> str:
    return f'<a href="#{target}">{escaped(shorten_name(text))}</a>'


# -- a variable ----------------------------------------------------------------------------------------------------


def _part(part: Part, prefix: str, several: bool, where: Where) -> str:
    level = 3 if several else 2
    inner = _first_screen(part, prefix, level) + "".join(_section(one, prefix, level, where) for one in part.sections)
    if not several:
        return inner
    variable = render_name(part.findings.variable)
    return f'<section class="part" id="{prefix}part" aria-labelledby="{prefix}part-h"><h2 id="{prefix}part-h">{variable}</h2>{inner}</section>'  # noqa: E501


def _first_screen(part: Part, prefix: str, level: int) -> str:
    assessment = part.verdict
    steps = "".join(_step(k, step, part, prefix) for k, step in enumerate(assessment.steps, 1))
    actions = f'<h{level + 1} class="next">What to do next</h{level + 1}><ol class=steps>{steps}</ol>' if steps else ""
    picture = (
        "" if part.picture is None else f'<div class="card seen">{_figure(part.picture, width_of(part.picture))}</div>'
    )
    value = f"{_value(part)}{render_paragraphs(assessment.said)}"
    return (
        f'<section id="{prefix}summary" class="summary" aria-labelledby="{_label(prefix, "summary")}">'
        f'<h{level} id="{prefix}summary-h" class="headline">{escaped(assessment.headline)}</h{level}>'
        f'<div class="cards"><div class="column"><div class="card value">{value}</div>'
        f'{_methods(part, prefix, level + 1)}</div><div class="column">'
        f'<div class="card trust {_TRUST[assessment.trust]}">{_trust(assessment, level + 1)}</div>{picture}</div></div>'
        f"{actions}</section>"
    )


def _methods(part: Part, prefix: str, level: int) -> str:
    """The sentence for a methods section, with a button to copy it."""
    if not part.about.methods:
        return ""
    key = f"{prefix}sentence"
    button = f'<button type="button" class="copy" data-copy="{key}">Copy</button>'
    return (
        f'<div class="card methods"><h{level}>For the methods section</h{level}>{button}'
        f'<p id="{key}">{escaped(part.about.methods)}</p></div>'
    )


def _value(part: Part) -> str:
    score, about = part.findings.score, part.about
    name = score.symbol or score.measure
    spec = f' <span class="spec">{escaped(score.measure)}</span>' if about.name != score.measure else ""
    lines = [f"{escaped(about.name)}{spec}", escaped(about.data), escaped(about.level)]
    said = "".join(f'<p class="of">{line}</p>' for line in lines if line)
    if math.isnan(score.value):
        return f'<p class="big">{escaped(name)}: undefined</p>{said}'
    made = sampling_interval(score)
    interval = f'<p class="interval">{escaped(signed(about.without_interval))}</p>'
    if made is not None:
        interval = (
            f'<p class="interval" data-low="{exact(made.low)}" data-high="{exact(made.high)}">{percent(made.level)} '
            f"interval {signed(shown(made.low))} to {signed(shown(made.high))}</p>{_drawn(score)}"
        )
    value = f'<span data-value="{exact(score.value)}">{signed(_not_rounded_up(float(score.value)))}</span>'
    return f'<p class="big">{escaped(name)} = {value}</p>{said}{interval}'


def _not_rounded_up(value: float) -> str:
    """Show a value. One slightly below 1 does not become 1.000."""
    digits = 3
    while value < 1 and float(shown(value, digits)) == 1 and digits < _MOST_DIGITS:
        digits += 1
    return shown(value, digits)


def _drawn(score: Score) -> str:
    """Draw the value and its interval on a line from 0 to 1."""
    assert score.interval is not None
    low, high = score.interval.low, score.interval.high
    least, most = min(0.0, low, score.value), max(1.0, high, score.value)

    def at(value: float) -> str:
        return f"{10 + 280 * (value - least) / (most - least):.1f}"

    said = f"{shown(float(score.value))}, interval from {shown(low)} to {shown(high)}, on a line from 0 to 1"
    ticks = "".join(f'<line x1="{at(v)}" x2="{at(v)}" y1="18" y2="26" class="tick"/>' for v in (0.0, 0.5, 1.0))
    names = "".join(f'<text x="{at(v)}" y="40" text-anchor="middle">{v:g}</text>' for v in (0.0, 0.5, 1.0))
    return (
        f'<svg class="line" viewBox="0 0 300 44" role="img" aria-label="{escaped(said)}">'
        f'<line x1="{at(least)}" x2="{at(most)}" y1="22" y2="22" class="axis"/>{ticks}{names}'
        f'<rect x="{at(low)}" y="15" width="{280 * (high - low) / (most - least):.1f}" height="14" rx="4" class="ci"/>'
        f'<circle cx="{at(score.value)}" cy="22" r="4.5" class="dot"/></svg>'
    )


def _trust(assessment: Assessment, level: int) -> str:
    reasons = "".join(f"<li>{render_sentence(reason.said)}</li>" for reason in assessment.reasons)
    listed = f"<ul>{reasons}</ul>" if reasons else ""
    return f"<h{level}>Limitations</h{level}><p><strong>{ADVICE[assessment.trust]}</strong></p>{listed}"


def _step(k: int, step: NextStep, part: Part, prefix: str) -> str:
    there = step.section in {section.key for section in part.sections}
    more = f'<p class="more"><a href="#{prefix}{step.section}">{_where(step, part)}</a></p>' if there else ""
    return (
        f'<li class="card"><p class="kind">{k}. {_STEPS[step.what]}</p>'
        f'<p class="title">{render_sentence(step.title)}</p>'
        f"<p>{render_sentence(step.said)}</p>{more}</li>"
    )


def _where(step: NextStep, part: Part) -> str:
    title = next(section.title for section in part.sections if section.key == step.section)
    return f"More: {escaped(title)}"


# -- sections ------------------------------------------------------------------------------------------------------


def _section(section: Section, prefix: str, level: int, where: Where) -> str:
    key = f"{prefix}{section.key}"
    return (
        f'<section id="{key}" aria-labelledby="{_label(prefix, section.key)}">'
        f'<h{level} id="{key}-h">{escaped(section.title)}</h{level}>'
        f"{''.join(_inside(section, key, level, where))}</section>"
    )


def _inside(section: Section, key: str, level: int, where: Where) -> Iterator[str]:
    yield render_paragraphs(section.said)
    for one in section.tables:
        yield render_table(one, section.title)
    if section.figures:
        yield f'<div class="figures">{"".join(map(_figure, section.figures))}</div>'
    for one in section.folded:
        yield render_folded(one.title or "table", render_table(one, one.title))
    if key in where.apart:
        listed = "".join(f'<li><a href="{href}">{render_name(name)}</a></li>' for name, href in where.apart[key])
        yield f'<p>Documents with most disagreement first:</p><ol class="documents">{listed}</ol>'
    elif section.views is not None:
        try:
            yield _views(section.views(_MOST_VIEWS), key, level + 1, where.room)
        except AccordError as error:  # for example counts, which name no annotators
            yield f"<p>{escaped(str(error))}</p>"
    for code in section.codes:
        yield render_folded(code.title, f"<pre>{escaped(code.text)}</pre>")


def _figure(figure: Drawing, width: float = WIDTH) -> str:
    """Render a figure with its caption and a folded table of its numbers."""
    label = escaped(shorten_name(figure.title or figure.caption))
    svg = _INDENTED.sub("\n", as_svg(figure, width=width))
    picture = f'<div class="picture" role="group" tabindex="0" aria-label="{label}">{svg}</div>'
    numbers = render_folded("Numbers in this figure", render_table(numbers_behind(figure)))
    return f"<div><figure>{picture}<figcaption>{escaped(figure.caption)}</figcaption></figure>{numbers}</div>"


def _views(views: Views, key: str, level: int, room: int) -> str:
    """Render the documents with most disagreement, as many as fit. The first is open."""
    made: list[str] = []
    for k, view in enumerate(views, 1):
        content = view.section(f"{key}-{k}", level)
        room -= len(content.encode())
        if room < 0 and made:
            break
        several = len(views) > 1
        name = f"<summary>{render_name(view.name)}</summary>"
        made.append(f"<details class=view{' open' if k == 1 else ''}>{name}{content}</details>" if several else content)
    left = views.left + len(views) - len(made)
    others = "<p>{:,} more are not shown. <code>accord report … -o FOLDER</code> writes a page for each.</p>"
    return f'<div class="views"{_colours(views)}>{"".join(made)}</div>{others.format(left) if left else ""}'


def _colours(views: Views) -> str:
    """Return style variables that give each category the same colour in all views."""
    known = colours(views.categories)
    said = ";".join(f"--cat-{k}:{known[name]}" for k, name in enumerate(views.categories))
    return f' style="{said}"' if said else ""


# -- a folder ------------------------------------------------------------------------------------------------------


def render_pages(report: Report) -> dict[str, str]:
    """Return the files of a report folder by name: the report, a page for each document, and shared files."""
    several = len(report.parts) > 1
    made: dict[str, str] = {}
    apart: dict[str, list[tuple[str, str]]] = {}
    for k, part in enumerate(report.parts):
        for section in part.sections:
            views = _all(section)
            if views is None or len(views) < 2:
                continue
            names = [file_name(number, view.name) for number, view in enumerate(views, 1)]
            places = [f"{_FOLDER}/{_prefix(k, several)}{name}" for name in names]
            key = f"{_prefix(k, several)}{section.key}"
            apart[key] = [(view.name, place) for view, place in zip(views, places, strict=True)]
            for number, (view, place) in enumerate(zip(views, places, strict=True)):
                around = {"Previous": places[number - 1 : number], "Next": places[number + 1 : number + 2]}
                made[place] = _page_of(view, views, (report.name, f"../{INDEX}#{key}"), around)
    return {INDEX: render_page(report, apart), STYLE: "".join(_styles()), SCRIPT: "\n".join(_scripts()), **made}


def _all(section: Section) -> Views | None:
    try:
        return None if section.views is None else section.views(None)
    except AccordError:  # the section states the reason
        return None


def _page_of(view: DocumentView, views: Views, back: tuple[str, str], around: Mapping[str, Sequence[str]]) -> str:
    """Render the page of one document, with links to its neighbours and `back` (title, address) to the report."""
    title, there = back
    links = [f'<a href="{there}">{render_name(title)}</a>']
    links += [f'<a href="../{place[0]}">{name}</a>' for name, place in around.items() if place]
    contents = f"<ul>{''.join(f'<li>{link}</li>' for link in links)}</ul>"
    body = f'<div class="views"{_colours(views)}>{view.section("doc", 2)}</div>'
    return _document(view.name, contents, body, "", "../", above=title)


def file_name(number: int, name: str) -> str:
    """Return a file name that is valid on every system, for any name of a document."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^A-Za-z0-9]+", "-", ascii_only).strip("-").lower()[:40].strip("-")
    return f"{number:05d}{f'-{slug}' if slug else ''}.html"


# -- names, sentences and tables as markup; all text from the data is escaped ------------------------------------------


def shorten_name(text: str, most: int = _LONGEST_NAME) -> str:
    """Cut a long name in the middle, between words where possible."""
    if len(text) <= most:
        return text
    head = (most * 2) // 3
    return without_middle(text, head, most - head - 3)


def render_name(text: str, most: int = _LONGEST_NAME) -> str:
    """Render a name with isolated text direction. A shortened name has the full name as tooltip."""
    short = shorten_name(text, most)
    more = "" if short == text else f' title="{escaped(text)}"'
    if len(text) <= _WHOLE and not any(unicodedata.east_asian_width(letter) in "WF" for letter in text):
        more = " class=whole"
    return f"<bdi{more}>{escaped(short)}</bdi>"


def render_sentence(sentence: Sentence) -> str:
    return "".join(_piece(piece) for piece in sentence)


def _piece(piece: str | Number | GivenName) -> str:
    if isinstance(piece, GivenName):
        return render_name(piece.text)
    if isinstance(piece, Number):
        return f'<span class="n" data-value="{exact(piece.value)}">{escaped(signed(str(piece)))}</span>'
    return escaped(piece)


def exact(number: float) -> str:
    """Format a number with all its digits, as in JSON."""
    return "null" if not math.isfinite(number) else json.dumps(number)


def render_paragraphs(sentences: Iterable[Sentence]) -> str:
    return "".join(f"<p>{render_sentence(one)}</p>" for one in sentences)


def text_block(text: str) -> str:
    """Render a text. A long text is cut and can be unfolded."""
    if len(text) <= _LONGEST:
        return escaped(text)
    return (
        f"<details class=long><summary>{escaped(shorten_name(text, _LONGEST))}</summary>"
        f"<div>{escaped(text)}</div></details>"
    )


def render_table(one: Table, under: str = "") -> str:
    """Render a table as HTML, with its numbers in full precision in attributes.

    `under` is the heading above the table. A caption equal to it is hidden.
    """
    one = _without_empty_remarks(one)
    if not one.rows:
        said = [f"{one.title}: none" if one.title else "", *one.notes]
        return "".join(f"<p>{escaped(line)}</p>" for line in said if line)
    twice = ' class="hidden"' if one.title.lower() == under.lower() else ""
    caption = f"<caption{twice}>{render_name(one.title, _LONGEST_CAPTION)}</caption>" if one.title else ""
    head = "".join(_head(name, numeric) for name, numeric in zip(one.columns, one.numeric, strict=True))
    thead = f"<thead><tr>{head}</tr></thead>" if any(one.columns) else ""
    wordy = tuple(any(isinstance(c, str) and len(c) > _WORDS for c in cells) for cells in zip(*one.rows, strict=True))
    body = "".join(_row(one, row, wordy) for row in one.rows)
    notes = "".join(f"<li>{escaped(note)}</li>" for note in one.notes)
    label = escaped(shorten_name(one.title or "table"))
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{label}"><table>{caption}{thead}'
        f"<tbody>{body}</tbody></table></div>" + (f'<ul class="notes">{notes}</ul>' if notes else "")
    )


def _head(name: str, numeric: bool) -> str:
    side = ' class="r"' if numeric else ""
    return f'<th scope="col"{side}>{render_name(name) if name else "<span class=hidden>remark</span>"}</th>'


def _without_empty_remarks(one: Table) -> Table:
    """Remove columns without a name and without content."""
    kept = [k for k, name in enumerate(one.columns) if name or any(row[k] not in {None, ""} for row in one.rows)]
    return one.only_columns(kept) if one.rows else one


def _row(one: Table, row: Sequence[Cell], wordy: Sequence[bool]) -> str:
    texts = one.texts(row)
    cells = zip(one.columns, row, texts, one.numeric, wordy, strict=True)
    made = [
        _cell(name, cell, text, numeric, words, first=k == 0 and not numeric)
        for k, (name, cell, text, numeric, words) in enumerate(cells)
    ]
    return f"<tr>{''.join(made)}</tr>"


def _cell(column: str, cell: Cell, text: str, numeric: bool, words: bool, first: bool) -> str:
    if isinstance(cell, Interval):
        return f'<td class="r" data-low="{exact(cell.low)}" data-high="{exact(cell.high)}">{escaped(signed(text))}</td>'
    if is_number(cell):
        bar = f' style="--share:{cell:.4f}"' if column in _SHARES and 0 <= float(cell) <= 1 else ""  # type: ignore[arg-type]
        kind = "r bar" if bar else "r"
        return f'<td class="{kind}"{bar} data-value="{exact(cell)}">{escaped(signed(text))}</td>'  # type: ignore[arg-type]
    written = text_block(cell) if isinstance(cell, str) else escaped(text)
    wide = ' class="words"' if words else ""
    if first:
        return f'<th scope="row" dir="auto"{wide or " class=whole"}>{written}</th>'
    return f'<td class="r">{written}</td>' if numeric else f'<td dir="auto"{wide}>{written}</td>'


def render_folded(summary: str, content: str) -> str:
    return f"<details class=fold><summary>{escaped(summary)}</summary>{content}</details>"


def as_script(value: Any, attributes: str) -> str:
    """JSON inside a page."""
    return f'<script type="application/json" {attributes}>{script_json(value)}</script>'
