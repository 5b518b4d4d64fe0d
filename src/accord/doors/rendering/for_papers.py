"""Results as LaTeX (with booktabs) and Markdown: tables with captions, sentences with references.

Labels and names of annotators are escaped: LaTeX sets them as they were written, and runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.core.errors import printable
from accord.core.prose import Paragraph, Prose
from accord.core.result import Result
from accord.core.tables import Cell, Printed, is_number

_MOST_ROWS = 40  # of a table that stays on one page
_WIDEST = 90  # characters of a line of a table, more or less
_LONGEST = 60  # characters of a cell, or of a word in a sentence
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "*": "{*}",
    "\u00a0": "~", "–": "--", "—": "---", "…": r"\dots{}", "−": "$-$", "√": r"$\surd$", "²": r"$^2$",
    "³": r"$^3$", "¹": r"$^1$", "₄": "$_4$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$",
    "∞": r"$\infty$", "∅": r"$\emptyset$", "Σ": r"$\Sigma$", "∑": r"$\sum$", "→": r"$\rightarrow$",
    "←": r"$\leftarrow$", "×": r"$\times$", "±": r"$\pm$", "·": r"$\cdot$",
}  # fmt: skip
_GREEK = (
    "alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
    "xi", "", "pi", "rho", "varsigma", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega",
)  # fmt: skip
_SPECIAL |= {chr(0x3B1 + k): f"$\\{name}$" for k, name in enumerate(_GREEK) if name}
_CAPITALS = {"Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Φ": "Phi", "Ψ": "Psi",
             "Ω": "Omega"}  # fmt: skip
_SPECIAL |= {letter: f"$\\{name}$" for letter, name in _CAPITALS.items()}
# What inputenc and T1 fonts have beside ASCII: Latin letters and a few signs.
_LACKING = set("¸ĦħĸĿŀŉŦŧſ")
_SETTABLE = {chr(c) for c in range(0xA1, 0x17F)} - _LACKING | set("‘’‚“”„†‡•‰‹›€™")
_LIGATURES = "-',"  # two of them would be one other sign
_UNSETTABLE = re.compile(r"[^\x20-\x7e]+")


# -- LaTeX ------------------------------------------------------------------------------------------------------------


def render_latex(result: Result) -> str:
    shown = [one for one in result.printed() if one.table.rows]
    long, wide = any(map(_is_long, shown)), any(_is_wide(one) for one in shown if not _is_long(one))
    packages = ["[T1]{fontenc}", "[utf8]{inputenc}", *["{booktabs}"] * bool(shown)]
    packages += [*["{longtable}"] * long, *["{graphicx}"] * wide]
    lines = ["% needs " + " ".join(rf"\usepackage{package}" for package in packages)]
    lines += [_comment(fact) for fact in result.facts()]
    labels: list[str] = []
    for one in shown:
        lines += _latex_table(one, _label(one, labels))
    lines += [_comment(text) for text in result.closing()]
    prose = result.prose()
    if prose is not None:
        lines += ["", *_latex_prose(prose)]
    return "\n".join(lines).rstrip() + "\n"


def _latex_table(one: Printed, label: str) -> list[str]:
    table = one.table
    sides = "".join("r" if numeric else "l" for numeric in table.numeric)
    caption = ". ".join(part.rstrip(".") for part in (one.caption, one.more) if part) + "."
    title = rf"\caption{{{escape_latex(_sentence(caption))}}}\label{{{label}}}"
    head = [" & ".join(_latex_heading(c, one) for c in table.columns) + r" \\"] if any(table.columns) else []
    rows = [
        " & ".join(_latex_cell(c, text) for c, text in zip(row, one.texts(row), strict=True)) + r" \\"
        for row in table.rows
    ]
    note = [_note(one.notes)] if one.notes else []
    if _is_long(one):
        ruled = [r"\toprule", *head, *[r"\midrule"] * bool(head)]
        begin = [rf"\begin{{longtable}}{{{sides}}}", rf"{title} \\", *ruled, r"\endfirsthead", *ruled, r"\endhead"]
        return [*begin, r"\bottomrule", r"\endlastfoot", *rows, r"\end{longtable}", *note, ""]
    fitted, end = ([r"\resizebox{\textwidth}{!}{%"], r"\end{tabular}}") if _is_wide(one) else ([], r"\end{tabular}")
    begin = [r"\begin{table}", r"\centering", title, *fitted, rf"\begin{{tabular}}{{{sides}}}", r"\toprule"]
    ruled = [*head, *[r"\midrule"] * bool(head), *rows]
    return [*begin, *ruled, r"\bottomrule", end, *note, r"\end{table}", ""]


def _is_long(one: Printed) -> bool:
    return len(one.table.rows) > _MOST_ROWS


def _is_wide(one: Printed) -> bool:
    """Whether the widest cells of all columns together are too long for a page."""
    texts = [one.table.columns, *(one.texts(row) for row in one.table.rows)]
    widest = (max(min(len(text), _LONGEST) for text in column) for column in zip(*texts, strict=True))
    return sum(width + 2 for width in widest) > _WIDEST


def _note(notes: Sequence[str]) -> str:
    said = " ".join(escape_latex(_sentence(note.rstrip(".") + ".")) for note in notes)
    return rf"\par\smallskip{{\footnotesize\raggedright\emph{{Note.}} {said}\par}}"


def _label(one: Printed, taken: list[str]) -> str:
    """A label such as tab:agreement-by-category; the second of the same name gets a number."""
    name = one.table.title or one.caption.partition(" ")[0]
    words = re.findall(r"[a-z0-9]+", name.lower())[:4]
    label = "tab:accord-" + "-".join(words)
    taken.append(label)
    again = taken.count(label)
    return label if again == 1 else f"{label}-{again}"


def _comment(text: str) -> str:
    return f"% {printable(text)}"


def _latex_heading(column: str, one: Printed) -> str:
    """The name of a column; p and SE are in italics in a style that has italics."""
    before, _, last = column.rpartition(" ")
    if one.style.italics and last in {"p", "SE"}:
        return f"{escape_latex(before)} \\emph{{{last}}}".strip()
    return escape_latex(shorten_word(column))


def _latex_cell(cell: Cell, text: str) -> str:
    if not is_number(cell):
        return escape_latex(shorten_word(text))
    return escape_latex(text).replace("-", "$-$")


def shorten_word(text: str) -> str:
    """Cut a long word in the middle: TeX cannot break a label of 10,000 characters."""
    half = (_LONGEST - 1) // 2
    return f"{text[:half]}…{text[-half:]}" if len(text) > _LONGEST else text


def _sentence(text: str) -> str:
    return " ".join(shorten_word(word) for word in text.split(" "))


def _latex_prose(prose: Prose) -> list[str]:
    """Sentences with \\cite, and a list of references for users without BibTeX."""
    made = [line for paragraph in prose.paragraphs for line in (_latex_phrases(paragraph), "")]
    if prose.references:
        made += ["% accord cite --bibtex gives the same as BibTeX", r"\begin{thebibliography}{99}"]
        made += [rf"\bibitem{{{one.key}}} {_latex_phrases(one.phrases)}" for one in prose.references]
        made.append(r"\end{thebibliography}")
    return made


def _latex_phrases(paragraph: Paragraph) -> str:
    made = []
    for phrase in paragraph:
        text = escape_latex(_sentence(phrase.text))
        if phrase.form == "cited":
            made.append(rf"~\cite{{{','.join(phrase.keys)}}}")
        else:
            made.append(rf"\emph{{{text}}}" if phrase.form == "italic" else text)
    return "".join(made)


def escape_latex(text: str) -> str:
    """Escape all special characters. Those that T1 fonts lack are given by number: [U+65E5 U+672C]."""
    shown, made = printable(text), []
    for k, sign in enumerate(shown):
        made.append(_SPECIAL.get(sign, sign))
        if sign in _LIGATURES and shown[k + 1 : k + 2] == sign:
            made.append("{}")
    return _UNSETTABLE.sub(_set_signs, "".join(made))


def _set_signs(found: re.Match[str]) -> str:
    made, lacking = [], []
    for sign in found[0]:
        if sign not in _SETTABLE:
            lacking.append(f"U+{ord(sign):04X}")
            continue
        made += [_numbers(lacking), sign]
        lacking = []
    return "".join([*made, _numbers(lacking)])


def _numbers(lacking: list[str]) -> str:
    return f"{{[}}{' '.join(lacking)}{{]}}" if lacking else ""


# -- Markdown ---------------------------------------------------------------------------------------------------------


def render_markdown(result: Result) -> str:
    lines = [f"- {escape_markdown(fact)}" for fact in result.beside_captions()]
    for one in result.printed():
        lines += _markdown_table(one)
    lines += ["", *(f"{escape_markdown(text)}  " for text in result.closing())]
    prose = result.prose()
    if prose is not None:
        lines += ["", *_markdown_prose(prose)]
    return "\n".join(lines).strip() + "\n"


def _markdown_table(one: Printed) -> list[str]:
    table = one.table
    lines = ["", f"Table: {escape_markdown(one.caption)}", ""]
    if table.rows:
        lines.append(f"| {' | '.join(_markdown_heading(c, one) for c in table.columns)} |")
        lines.append(f"| {' | '.join('---:' if numeric else '---' for numeric in table.numeric)} |")
        for row in table.rows:
            cells = (_markdown_cell(c, text) for c, text in zip(row, one.texts(row), strict=True))
            lines.append(f"| {' | '.join(cells)} |")
    return [*lines, "", *(f"{escape_markdown(note)}  " for note in one.notes)]


def _markdown_heading(column: str, one: Printed) -> str:
    """The name of a column; p and SE are in italics in a style that has italics."""
    before, _, last = column.rpartition(" ")
    if one.style.italics and last in {"p", "SE"}:
        return f"{escape_markdown(before)} *{last}*".strip()
    return escape_markdown(column)


def _markdown_cell(cell: Cell, text: str) -> str:
    return text if is_number(cell) and not text.startswith("<") else escape_markdown(text)


def _markdown_prose(prose: Prose) -> list[str]:
    made = [line for paragraph in prose.paragraphs for line in (_markdown_phrases(paragraph), "")]
    if prose.references:
        made += ["References", "", *(f"- {_markdown_phrases(one.phrases)}" for one in prose.references)]
        entries = "\n\n".join(one.bibtex for one in prose.references)
        made += ["", "```bibtex", entries, "```"]
    return made


def _markdown_phrases(paragraph: Paragraph) -> str:
    shown = ((phrase.form, escape_markdown(phrase.text)) for phrase in paragraph)
    return "".join(f"*{text}*" if form == "italic" else text for form, text in shown)


def escape_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~$!])", r"\\\1", printable(text))
