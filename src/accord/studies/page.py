"""The experiments of the papers run again: figures, and a page that holds every claim against the curves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accord._version import __version__
from accord.context import Run, silent
from accord.errors import DataError, quoted
from accord.simulate.curves import Curve
from accord.simulate.errors.catalogue import error_type
from accord.simulate.plot import figure
from accord.simulate.shuffle import reference_of
from accord.simulate.xray import Trials, carried_out, magnitudes
from accord.studies.checks import Curves
from accord.studies.claims import CLAIMS
from accord.studies.experiments import EXPERIMENTS, Experiment

_HOLDS = {True: "holds", False: "**does not hold**", None: "not checked"}


def reproduced(
    figures: Path,
    page: Path | None = None,
    *,
    sets: int = 40,
    step: float = 0.05,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
) -> str:
    """Runs everything, draws the figures into a folder, and gives the page; `page` is where it will stand."""
    try:
        figures.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{quoted(figures)} cannot be made: {error.strerror}") from None
    curves: dict[tuple[str, str], Curve] = {}
    for one in EXPERIMENTS:
        for curve in run(one, sets, step, Run(seed, progress, jobs)):
            curves[one.key, curve.measure] = curve
    drawn = _figures(curves, figures)
    where = {name: _relative(path, page) for name, path in drawn.items()}
    return _page(curves, where, sets, step, seed)


def run(one: Experiment, sets: int, step: float, how: Run) -> tuple[Curve, ...]:
    """The curves of an experiment."""
    reference = reference_of(one.reference.made(how.seed), {})
    many = min(sets, one.sets or sets)
    errors = (error_type(one.error),)
    trials = Trials(reference, errors, one.judges, magnitudes(step), many, one.annotators, how.seed, one.with_reference)

    def tell(_: str, done: int, total: int) -> None:
        how.progress(f"{one.figure}, {one.title}", done, total)

    return carried_out(trials, Run(how.seed, tell, how.jobs)).curves


def _figures(curves: Curves, folder: Path) -> dict[str, Path]:
    """One file per figure, one panel per experiment; Figure 24 is a part of 2012's Figure 2, 29 has all by measure."""
    made: dict[str, Path] = {}
    panels: dict[str, dict[str, list[Curve]]] = {}
    for one in EXPERIMENTS:
        mine = [curves[one.key, judge.name] for judge in one.judges if judge.measure is not None]
        panels.setdefault(one.figure, {})[one.title] = mine
    segmentation = panels["2012 Fig. 2"]
    panels["2015 Fig. 24"] = {title: segmentation[title] for title in ("false negatives", "shifts")}
    panels["2015 Fig. 29"] = _by_measure(curves)
    for name in sorted(panels):
        path = folder / f"{name.lower().replace(' ', '-').replace('.', '')}.png"
        figure(panels[name], path, name, band=False)
        made[name] = path
    return made


def _by_measure(curves: Curves) -> dict[str, list[Curve]]:
    """The overview: a panel per measure, a line per error."""
    shown: dict[str, list[Curve]] = {}
    for name in ("γ", "uα", "c|uα", "SER", "κ_d"):
        for one in EXPERIMENTS:
            curve = curves.get((one.key, name))
            if curve is not None and one.key in {"pos", "poscat", "split", "fp", "fn"}:
                renamed = Curve(curve.error, one.title, curve.magnitudes, curve.values)
                shown.setdefault(name, []).append(renamed)
    return shown


def _relative(path: Path, page: Path | None) -> str:
    try:
        return path.resolve().relative_to((page or Path("page.md")).resolve().parent).as_posix()
    except ValueError:
        return path.as_posix()


def _page(curves: Curves, figures: dict[str, str], sets: int, step: float, seed: int) -> str:
    lines = [
        "# The papers, reproduced",
        "",
        _ABOUT.format(version=__version__, sets=sets, seed=seed, step=step, fewer=min(sets, 10)),
        "",
        *_summary(curves),
        "",
        "## What the papers leave open, and what was chosen",
        "",
        SETTINGS.rstrip(),
        "",
        "## Claims",
        "",
        "| paper | experiment | measure | claim | verdict | numbers |",
        "|---|---|---|---|---|---|",
    ]
    reasons = []
    for claim in CLAIMS:
        verdict, numbers = claim.check(curves)
        cells = (claim.figure, claim.experiment, claim.measure, claim.text, _HOLDS[verdict], numbers)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        if verdict is not True and claim.why:
            reasons.append(f"- **{claim.figure}, {claim.experiment}, {claim.measure}**: {claim.why}")
    lines += ["", "## Why some do not hold", "", *reasons, "", "## Desiderata", "", *_verdicts(curves), ""]
    lines += ["## Figures", ""]
    for name, path in figures.items():
        lines += [f"![{name}]({path})", ""]
    return "\n".join(lines)


def _summary(curves: Curves) -> list[str]:
    found = [claim.check(curves)[0] for claim in CLAIMS]
    counts = [sum(1 for v in found if v is verdict) for verdict in (True, False, None)]
    return [f"{len(found)} claims: {counts[0]} hold, {counts[1]} do not, {counts[2]} cannot be checked."]


def _verdicts(curves: Curves) -> list[str]:
    lines = [
        "What one wants of a measure (2015, 6.3). *within noise*: no rise beyond two standard errors.",
        "",
        "| experiment | measure | starts at 1 | reaches 0 | strictly decreasing | never below 0 |",
        "|---|---|---|---|---|---|",
    ]
    for one in EXPERIMENTS:
        for judge in (j for j in one.judges if j.measure is not None):
            name = judge.label or judge.name
            curve = curves[one.key, judge.name]
            cells = (f"{one.figure}, {one.title}", name.replace("|", "\\|"), *curve.verdict.words())
            lines.append("| " + " | ".join(cells) + " |")
    return lines


_ABOUT = """\
The experiments of Mathet et al. 2012 (*Manual Corpus Annotation: Giving Meaning to the Evaluation Metrics*, section 4),
of Mathet, Widlöcher & Métivier 2015 (*The Unified and Holistic Method Gamma*, section 6.3) and of Barteld, Schröder &
Zinsmeister 2016 (*Text-gamma*, section 7), run again by `accord papers` (accord {version}): 3 annotators, magnitudes 0
to 1 in steps of {step:g}, {sets} sets at each (the papers have 40), seed {seed}; for 2016 the reference and one more
annotator, {fewer} sets (the paper has 10). Every claim of the papers about a curve is held against ours. A claim that
does not hold is a result, too; what is known about the reason stands with it. *About* allows 0.1, and a rise counts
from two standard errors on. The figures of the papers are not printed as numbers: what is checked is what the text
says. This page is written by the command; do not edit it."""
SETTINGS = """\
- **References.** 2015, Figs. 26–30: one document of 50 units, 4 categories with shares 0.4, 0.3, 0.2, 0.1, lengths 50
  to 150, gaps 0 to 20, no overlap. Fig. 25: five documents of ten units of length 100 at the same places, gaps of 20.
  Segmentation: 50 segments of 5 to 15 atoms. 2012, Fig. 3: five documents of 11 or 12 words, the shares of matrix B
  (3/11, 1/11, 2/11, 5/11) or all alike. None of these is given in the papers.
- **Model of chance of γ.** By shifts on a single document. Where documents have units at the same places (Figs. 3, 25),
  by mixing documents: only then random annotations differ in labels alone. The papers do not say which they used.
- **Samples of chance.** 10 random annotations per set, hence 400 per point of 40 sets; 3 per set for splits, false
  positives and Fig. 30, where units are many.
- **GM** of 2012 is the forerunner of γ; γ stands for it. *GM 1* has a distance between friendly categories.
- **Shifts.** 2012: at most 2 mean lengths × m. 2015: at most 2 own lengths × m (the factor is not given). The variant
  without overlap is not described: all boundaries of a document are moved, and sorted.
- **Position and category** (Fig. 26b) and **position and false positives** (Fig. 30): both errors at the full
  magnitude; at half of it each, as in a combination of 2012, no measure would reach 0.
- **Weights of the matrices** A, B, C, D: A = √(1 − m), which gives the 95% at m = 0.1; with overlapping A = 1 − m, and
  D gets 1 − m² of the rest. The paper of 2012 draws curves and prints no formula, and that of 2015 refers to it; there
  A = 1 − m, with which uα falls below 0 where the paper says.
- **uα and c|uα** in the form of 2013, as reconstructed for `u_alpha(form=2013)`. They and κ_d refuse overlaps.
- **SER** is averaged over ordered pairs of annotators and divided by the units of the reference; shown is 1 − SER.
- **GHD** is divided by the cost of deleting all boundaries of one and inserting all of the other.
- **Texts** (2016): a story of 612 tokens, 3,602 characters and 14 part-of-speech tags, `harbour.csv` of this package;
  theirs has 608 and 3,706 and is not public. Labels, splits, mergers and letters are changed as for the expected
  disorder; text first, then tokens, then labels; a label drawn anew may be the old one. α_U is `alpha_u`, γ is `gamma`,
  both on the tokens as units; a label of a token that was split stays with both parts. Alignments of tokens to choose
  from are counted by reading both texts forwards and backwards, with and without labels; there may be more.
- **W-κ 1 and 2**: friendly categories count 0.9 and 0.5 of an agreement at most. The paper does not print them.
"""
