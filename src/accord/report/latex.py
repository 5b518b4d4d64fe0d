"""Tables for LaTeX, with booktabs."""

from __future__ import annotations

from accord.errors import printable
from accord.result import Result
from accord.tables import Cell, Table, is_number

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}",
    "≤": r"$\leq$", "γ": r"$\gamma$", "θ": r"$\theta$", "ρ": r"$\rho$",
    "]": "{]}", "–": "--", "κ": r"$\kappa$", "π": r"$\pi$", "χ": r"$\chi$", "α": r"$\alpha$", "²": r"$^2$",
    "−": "$-$", "√": r"$\surd$", "≥": r"$\geq$", '"': r"\textquotedbl{}", "…": r"\dots{}",
}  # fmt: skip


def render(result: Result, digits: int = 3) -> str:
    lines = [_comment(fact) for fact in result.facts()]
    for table in result.tables():
        if table.rows:
            lines += _table(table, digits)
    lines += [_comment(text) for text in result.closing()]
    return "\n".join(["% needs \\usepackage{booktabs} and T1 fonts", *lines]).rstrip() + "\n"


def _table(table: Table, digits: int) -> list[str]:
    sides = "".join("r" if numeric else "l" for numeric in table.numeric)
    head = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{sides}}}", r"\toprule"]
    if any(table.columns):
        head += [" & ".join(escaped(c) for c in table.columns) + r" \\", r"\midrule"]
    rows = [
        " & ".join(_cell(c, text) for c, text in zip(row, table.texts(row, digits), strict=True)) + r" \\"
        for row in table.rows
    ]
    caption = "; ".join(filter(None, [table.title.capitalize(), *table.notes])) or "Agreement."
    return [*head, *rows, r"\bottomrule", r"\end{tabular}", rf"\caption{{{escaped(caption)}}}", r"\end{table}", ""]


def _comment(text: str) -> str:
    return f"% {printable(text)}"


def _cell(cell: Cell, text: str) -> str:
    return text if is_number(cell) and not text.startswith("<") else escaped(text)


def escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in printable(text))
