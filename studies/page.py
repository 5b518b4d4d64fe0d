"""Reproduction of the experiments of the papers: figures, and a page that checks every claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from accord._version import __version__
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.shuffle import reference_of
from accord.answers.simulate.xray import Curve, Trials, magnitudes, run_trials
from accord.core.arrays import Floats
from accord.core.context import Run, silent
from accord.core.errors import DataError, quoted
from accord.core.figures.curves import Curves, Line
from accord.core.figures.figure import save_figure
from accord.core.figures.style import LINES, MARKS, Look
from studies.checks import GENERAL, WORDS, Grid, Outcome, Verdict, course, verdict
from studies.claims import CLAIMS
from studies.experiments import EXPERIMENTS, Experiment, Setting

SETS = 20
# Each measure has the same colour in all figures. GM 2 of 2012 is γ.
COLOURS = {
    "γ": "#000000", "GM 2 (γ)": "#000000", "GM 1 (γ, friendly)": "#7F7F7F", "uα": "#0072B2", "c|uα": "#D55E00",
    "SER": "#009E73", "κ_d": "#CC79A7", "α": "#E69F00", "κ": "#56B4E9", "WD": "#8C6BB1", "GHD": "#A6611A",
    "BM": "#B2182B", "W-κ 1": "#1B7837", "W-κ 2": "#7FBC41", "tγ Cat": "#4575B4", "tγ Cat+Seg": "#91003F",
    "tγ Cat+Seg+Text": "#F46D43", "α_U": "#005A32",
}  # fmt: skip
_MEASURES = list(COLOURS)
_Shades = dict[tuple[str, str], tuple[Floats, Floats] | None]  # by panel and line


def reproduced(
    figures: Path,
    page: Path | None = None,
    *,
    sets: int = SETS,
    step: float = 0.05,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
) -> str:
    """Run all experiments, draw the figures into a folder, and return the page. `page` is its future path."""
    try:
        figures.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            "output-not-writable", f"{quoted(figures)} cannot be created: {error.strerror}; name another folder"
        ) from None
    grid: dict[str, dict[tuple[str, str], Curve]] = {}
    for one in EXPERIMENTS:
        for setting in one.settings:
            for curve in run(one, setting, sets, step, Run(seed, progress, jobs)):
                grid.setdefault(setting.name, {})[one.key, curve.measure] = curve
    drawn = drawn_figures(grid, figures)
    where = {name: _relative(path, page) for name, path in drawn.items()}
    return written(grid, where, sets, step, seed)


def run(one: Experiment, setting: Setting, sets: int, step: float, how: Run) -> tuple[Curve, ...]:
    """Return the curves of an experiment under a setting."""
    reference = reference_of(setting.reference.made(how.seed), {})
    many = min(sets, one.sets or sets)
    errors = (error_type(setting.error),)
    trials = Trials(reference, errors, one.judges, magnitudes(step), many, one.annotators, how.seed, one.with_reference)

    def tell(_: str, done: int, total: int) -> None:
        how.progress(f"{one.figure}, {one.title}, {setting.name}", done, total)

    return run_trials(trials, Run(how.seed, tell, how.jobs)).curves


def drawn_figures(grid: Grid, folder: Path) -> dict[str, Path]:
    """Draw one file per figure, one panel per experiment. Figure 24 is a part of Figure 2 of 2012; 29 is by measure.

    Lines are the first setting. The shaded area is between the lowest and the highest mean of all settings.
    """
    panels: dict[str, dict[str, list[Curve]]] = {}
    shades: dict[str, _Shades] = {}
    for one in EXPERIMENTS:
        for judge in one.judges:
            if judge.measure is not None:
                first, shade = _over_settings(grid, one, judge.name)
                panels.setdefault(one.figure, {}).setdefault(one.title, []).append(first)
                shades.setdefault(one.figure, {})[one.title, judge.name] = shade
    segmentation = panels["2012 Fig. 2"]
    panels["2015 Fig. 24"] = {title: segmentation[title] for title in ("false negatives", "shifts")}
    shades["2015 Fig. 24"] = shades["2012 Fig. 2"]
    panels["2015 Fig. 29"], shades["2015 Fig. 29"] = (
        _by_measure(grid),
        {},
    )  # overlapping shades of one colour are not legible
    made: dict[str, Path] = {}
    for name in sorted(panels):
        path = folder / f"{name.lower().replace(' ', '-').replace('.', '')}.png"
        save_figure(_figure(name, panels[name], shades[name]), path)
        made[name] = path
    return made


def _figure(name: str, panels: dict[str, list[Curve]], shades: _Shades) -> Curves:
    def line(panel: str, curve: Curve) -> Line:
        shade = shades.get((panel, curve.measure))
        drawn = curve.line(shaded=shade, look=_look(panel, curve.measure))
        return drawn if shade is not None else replace(drawn, low=None, high=None)

    drawn = tuple((title, tuple(line(title, curve) for curve in curves)) for title, curves in panels.items())
    return Curves(name, drawn, shaded="shaded: between the settings", what="experiment")


def _over_settings(grid: Grid, one: Experiment, measure: str) -> tuple[Curve, tuple[Floats, Floats] | None]:
    """Return the curve of the first setting, and the lowest and highest means of all; None for one setting."""
    curves = [grid[setting.name][one.key, measure] for setting in one.settings]
    if len(curves) == 1:
        return curves[0], None
    means = np.array([curve.mean for curve in curves])
    return curves[0], (np.fmin.reduce(means), np.fmax.reduce(means))


def _by_measure(grid: Grid) -> dict[str, list[Curve]]:
    """Return the overview: a panel per measure, a line per error."""
    shown: dict[str, list[Curve]] = {}
    for name in ("γ", "uα", "c|uα", "SER", "κ_d"):
        for one in EXPERIMENTS:
            if one.key in GENERAL and any(judge.name == name for judge in one.judges):
                curve, _ = _over_settings(grid, one, name)
                shown.setdefault(name, []).append(Curve(curve.error, one.title, curve.magnitudes, curve.values))
    return shown


def _look(panel: str, line: str) -> Look:
    """Return the look of a measure, or of an error in a panel of one measure."""
    if line in COLOURS:
        k = _MEASURES.index(line)
        return Look(COLOURS[line], LINES[k % len(LINES)], MARKS[k % len(MARKS)])
    k = [one.title for one in EXPERIMENTS if one.key in GENERAL].index(line)
    return Look(COLOURS[panel], LINES[k % len(LINES)], MARKS[k % len(MARKS)])


def _relative(path: Path, page: Path | None) -> str:
    try:
        return path.resolve().relative_to((page or Path("page.md")).resolve().parent).as_posix()
    except ValueError:
        return path.as_posix()


def written(grid: Grid, figures: dict[str, str], sets: int, step: float, seed: int) -> str:
    """Return the page."""
    found = [verdict(claim, grid) for claim in CLAIMS]
    lines = [
        "# Reproduction of the papers",
        "",
        _ABOUT.format(version=__version__, sets=sets, seed=seed, step=step, fewer=min(sets, 10)),
        "",
        summary(found),
        "",
        "## Settings that the papers leave open",
        "",
        SETTINGS.rstrip(),
        "",
        "## Claims",
        "",
        "| paper | experiment | measure | claim | verdict | numbers |",
        "|---|---|---|---|---|---|",
        *(_row(one) for one in found),
        "",
        "## Why some claims do not hold",
        "",
        *_reasons(found),
        "",
        "## Desiderata",
        "",
        *_desiderata(grid),
        "",
        "## Figures",
        "",
        "Lines are the first setting of each experiment. Shaded areas (not in Fig. 29) are between the lowest and "
        "highest mean of all its settings. Each measure has the same colour in all figures.",
        "",
    ]
    for name, path in figures.items():
        lines += [f"![{name}]({path})", ""]
    return "\n".join(lines)


def summary(found: list[Verdict]) -> str:
    """Return the number of claims by verdict."""
    counts = Counter(one.word for one in found)
    said = {word: f"{counts[word]} {text}" for word, text in zip(WORDS, _COUNTED, strict=True)}
    return f"{len(found)} claims: {', '.join(said.values())}."


_COUNTED = ("hold", "hold under some settings", "do not hold", "are undecided")


def _row(found: Verdict) -> str:
    claim = found.claim
    words = found.words if found.word == Outcome.HOLDS.value else f"**{found.word}**{found.words[len(found.word) :]}"
    cells = (claim.figure, claim.experiment, claim.measure, claim.text, words, "<br>".join(found.numbers))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _reasons(found: list[Verdict]) -> list[str]:
    """Return one line for each reason, with all its claims."""
    given: dict[str, list[str]] = {}
    for one in found:
        claim = one.claim
        if one.word != Outcome.HOLDS.value and claim.why:
            given.setdefault(claim.why, []).append(f"{claim.figure}, {claim.measure}, {claim.text}")
    return [f"- **{'; '.join(claims)}.** {why}" for why, claims in given.items()]


def _desiderata(grid: Grid) -> list[str]:
    lines = [
        "Desirable properties of a measure (2015, 6.3), under the first setting of each experiment. *within noise*: "
        "some steps do not fall by more than the noise, and none rises by more.",
        "",
        "| experiment | measure | starts at 1 | reaches 0 | strictly decreasing | never below 0 |",
        "|---|---|---|---|---|---|",
    ]
    for one in EXPERIMENTS:
        for judge in (j for j in one.judges if j.measure is not None):
            curve, _ = _over_settings(grid, one, judge.name)
            down = course(curve)
            says = {Outcome.HOLDS: "yes", Outcome.NOISE: "within noise", Outcome.FAILS: f"no: {down.words}"}
            starts, reaches, _, never = curve.verdict.words()
            cells = (f"{one.figure}, {one.title}", judge.name, starts, reaches, says[down.strictly], never)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


_ABOUT = """\
This page repeats the experiments of Mathet et al. 2012 (*Manual Corpus Annotation: Giving Meaning to the Evaluation
Metrics*, section 4), Mathet, Widlöcher & Métivier 2015 (*The Unified and Holistic Method Gamma*, section 6.3) and
Barteld, Schröder & Zinsmeister 2016 (*Text-gamma*, section 7). `accord papers` (accord {version}) writes the page; do
not edit it.

The runs have 3 annotators, magnitudes 0 to 1 in steps of {step:g}, {sets} sets at each under every setting (40 under
one setting in the papers) and seed {seed}. For 2016, the reference is compared with one annotator in {fewer} sets (10
in the paper). The papers show most results as curves without numbers, so accord checks the statements in their text.

The papers leave some settings open. accord checks each claim under several settings. A claim *holds* if it is true
under all of them, *holds under these settings* if it is true under some, and *does not hold* if it is false under
all. It is *undecided* if it is true under none and within the noise of {sets} sets under some.

- A mean differs from 0 or from a value of the paper if the difference exceeds two standard errors.
- A curve is strictly decreasing if each step exceeds two standard errors.
- A rise between any two magnitudes counts from 3.5 standard errors, because the largest of all rises is tested.
- With few sets, quantiles of Student's t replace these factors.
- *About* allows a difference of 0.1."""
SETTINGS = """\
- **References of Figs. 26–30** (2015, 6.3.1: "the minimum and maximum length for each category"): one document of 50
  units, 4 categories with shares 0.4, 0.3, 0.2, 0.1, no overlap. *even lengths*: 50 to 150, gaps 0 to 20. *lengths by
  category*: 20–60, 50–150, 100–200, 150–350. *sparse*: even lengths with gaps of 0 to 200. *other factors*: even
  lengths, but at m = 1 a boundary moves by at most 8 lengths of its unit instead of 2, each unit has 2 splits instead
  of 5, and 2 false positives instead of 1. Missed units have no factor. The factor 8 was selected after trials with
  1, 4 and 10 (γ at m = 1 in Fig. 26a: 0.34, 0.16, 0.11) to approach the paper.
- **Fig. 25**: five documents of ten units of length 100 at the same positions; *gaps of 20* and *gaps of 300*; *equal
  shares* of the categories, with gaps of 20.
- **Segmentation** (2012, Fig. 2; 2015, Fig. 24): 50 segments of *5–15 atoms* or *2–40 atoms*.
- **2012, Fig. 3**: five documents of 11 or 12 words, with the shares of matrix B (3/11, 1/11, 2/11, 5/11) or equal
  shares. *usual weights* of the matrices A, B, C, D: A = √(1 − m), which gives the 95% at m = 0.1. With overlapping,
  A = 1 − m, and D gets 1 − m² of the rest. *A falls sooner*: A = 1 − m, with overlapping (1 − m)². The paper shows
  curves without a formula. The paper of 2015 refers to it; there A = 1 − m.
- **Chance model of γ**: shifts on a single document. Where documents have units at the same positions (Figs. 3, 25),
  mixing of documents, because then random annotations differ only in labels. The papers do not name their model.
- **Chance samples**: 3 random annotations per set, because their errors average out over the sets; 10 for 2016.
- **GM** of 2012 preceded γ. accord uses γ instead. *GM 1* has a distance between friendly categories.
- **Shifts**: 2012: at most 2 mean lengths × m. 2015: own lengths × m, with the factor above. The papers do not
  describe the variant without overlap. Here all boundaries of a document move and are then sorted.
- **Position and category** (Fig. 26b) and **position and false positives** (Fig. 30): both errors at the full
  magnitude. At half the magnitude each, as in the combination of 2012, no measure would reach 0.
- **uα and c|uα** in the form of 2013, as reconstructed for `u_alpha(form=2013)`. Where units overlap (Figs. 28a, 30),
  c|uα compares all pairs: `cu_alpha(overlaps=pairs)`. Section 6.2 allows such units and gives no number.
- **SER** is the mean over ordered pairs of annotators, divided by the units of the reference. The page shows 1 − SER.
- **GHD** is `ghd(normalised=segments,limit=0.5)`: a shift counts up to half a mean segment (2015, 4.2.3), and the
  cost is divided by the cost of deleting and inserting all segments. The papers give no normalisation. This one was
  selected from sixteen combinations of costs and denominators by its curves, so the claims about GHD are not an
  independent test.
- **Texts** (2016): a story of 612 tokens, 3,602 characters and 14 part-of-speech tags, `studies/harbour.csv`. The
  text of the paper has 608 tokens and 3,706 characters and is not public. Labels, splits, mergers and letters change
  as for the expected disorder: first text, then tokens, then labels. A random label may equal the old one. α_U is
  `alpha_u`, γ is `gamma`, both with tokens as units. Both parts of a split token keep its label. Alternative
  alignments of tokens are counted by comparing both texts forwards and backwards, with and without labels; more may
  exist. The paper gives all settings, so there is only one.
- **W-κ 1 and 2**: friendly categories count at most 0.9 and 0.5 of an agreement. The paper does not give the weights.
"""
