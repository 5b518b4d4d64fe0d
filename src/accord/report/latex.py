"""Tables for LaTeX, with booktabs."""

from __future__ import annotations

from accord.report.cells import is_number, printable, shown
from accord.report.tables import Cell, facts, tables
from accord.run import Results

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}",
    "]": "{]}", "–": "--", "κ": r"$\kappa$", "π": r"$\pi$", "χ": r"$\chi$", "α": r"$\alpha$", "²": r"$^2$",
    "−": "$-$", "√": r"$\surd$", "≥": r"$\geq$", '"': r"\textquotedbl{}", "…": r"\dots{}",
}  # fmt: skip


def render(results: Results, digits: int = 3) -> str:
    lines = [f"% {printable(fact)}" for fact in facts(results)]
    for table in tables(results):
        if not table.rows:
            continue
        numeric = [any(is_number(row[k]) for row in table.rows) for k in range(len(table.columns))]
        lines += [
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{{''.join('r' if n else 'l' for n in numeric)}}}",
        ]
        lines += [r"\toprule", " & ".join(escaped(c) for c in table.columns) + r" \\", r"\midrule"]
        lines += [" & ".join(_cell(cell, digits) for cell in row) + r" \\" for row in table.rows]
        lines += [r"\bottomrule", r"\end{tabular}"]
        caption = " ".join([table.title.capitalize(), *table.notes]).strip() or "Agreement."
        lines += [rf"\caption{{{escaped(caption)}}}", r"\end{table}", ""]
    return "\n".join(["% needs \\usepackage{booktabs} and T1 fonts", *lines]).rstrip() + "\n"


def _cell(cell: Cell, digits: int) -> str:
    return shown(cell, digits) if is_number(cell) else escaped(shown(cell, digits))


def escaped(text: str) -> str:
    return "".join(_SPECIAL.get(c, c) for c in printable(text))
