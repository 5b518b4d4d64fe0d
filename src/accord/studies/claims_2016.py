"""What Barteld, Schröder & Zinsmeister 2016 say about their curves, in section 7, claim by claim."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from accord.studies.checks import Claim, Curves, Finding, apart, decided, last, line_fit

SCENARIOS = ("text-cat", "text-seg", "text-all")
SETTINGS = ("tγ Cat", "tγ Cat+Seg", "tγ Cat+Seg+Text")  # from the one that expects the least change
_FIGURE = "2016 Fig. 2"
_SHOWN = (0.25, 0.5, 0.75, 1.0)  # magnitudes at which the paper has γ


def linear(c: Curves) -> Finding:
    fits = {(e, m): line_fit(c[e, m], 0, 1) for e in SCENARIOS for m in SETTINGS}
    return decided(
        min(fits.values()) >= 0.99, f"tγ: R² of the nine curves {min(fits.values()):z.4f} to {max(fits.values()):z.4f}"
    )


def order(c: Curves) -> Finding:
    means = [[c[e, m].mean[1:] for m in SETTINGS] for e in SCENARIOS]
    gaps = [float((upper - lower).min()) for three in means for lower, upper in pairwise(three)]
    return decided(min(gaps) > 0, f"tγ: least distance {min(gaps):z.3f}")


def covers_the_range(c: Curves) -> Finding:
    curve = c["text-cat", "tγ Cat"]
    low, far = last(curve), apart(curve, c["text-cat", "α"])
    holds = abs(curve.mean[0] - 1) < 1e-6 and abs(low) <= 0.05 and far <= 0.03
    return decided(holds, f"tγ Cat from {curve.mean[0]:z.2f} to {low:z.3f}; from α by at most {far:z.3f}")


def stays_above_0(c: Curves) -> Finding:
    ends = {m: last(c["text-cat", m]) for m in SETTINGS[1:]}
    return decided(min(ends.values()) > 0, _at_1(ends))


def falls_below_0(c: Curves) -> Finding:
    too_small = [("text-seg", SETTINGS[0]), ("text-all", SETTINGS[0]), ("text-all", SETTINGS[1])]
    ends = {f"{m} ({'with' if e == 'text-all' else 'without'} text)": last(c[e, m]) for e, m in too_small}
    return decided(max(ends.values()) < 0, _at_1(ends))


def like_alpha_u(c: Curves) -> Finding:
    far = apart(c["text-seg", "tγ Cat+Seg"], c["text-seg", "α_U"])
    return decided(far <= 0.1, f"tγ Cat+Seg and α_U apart by at most {far:z.3f}")


def above_text_gamma(c: Curves) -> Finding:
    by = [c["text-seg", "γ"].at(m) - c["text-seg", "tγ Cat+Seg"].at(m) for m in _SHOWN]
    shown = ", ".join(f"{d:+z.2f}" for d in by)
    return decided(min(by) > 0, f"γ − tγ Cat+Seg at {', '.join(map(str, _SHOWN))}: {shown}")


def ends_near_0(c: Curves) -> Finding:
    ends = {m: last(c[e, m]) for e, m in zip(SCENARIOS[1:], SETTINGS[1:], strict=True)}
    return decided(all(-0.12 <= v <= 0.0 for v in ends.values()), _at_1(ends))


def one_alignment(c: Curves) -> Finding:
    values = c["text-all", "alignments"].values[-1]
    several = int((values > 1).sum())
    said = f"{np.mean(values):z.1f} found on average at 1; {several} of {len(values)} sets have more than one"
    return decided(np.mean(values) <= 1.2, said)  # the paper: nine runs with one, a run with two


def _at_1(ends: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:z.3f}" for name, value in ends.items()) + " at 1"


IN_2016: tuple[Claim, ...] = (
    Claim("tg-linear", _FIGURE, "all three", "tγ", "almost perfectly linear in m", SCENARIOS, linear),
    Claim(
        "tg-order", _FIGURE, "all three", "tγ",
        "parametrisations that expect less change are always lower, but for perfect agreement", SCENARIOS, order,
    ),
    Claim(
        "tg-cat-range", _FIGURE, "categories", "tγ Cat, α",
        "covers the full range from 1 to 0; cannot be distinguished from α", ("text-cat",), covers_the_range,
    ),
    Claim(
        "tg-above0", _FIGURE, "categories", "tγ Cat+Seg, Cat+Seg+Text", "stays above 0",
        ("text-cat",), stays_above_0,
    ),
    Claim(
        "tg-below0", _FIGURE, "the two others", "tγ Cat, Cat+Seg",
        "goes below 0 where less change is expected than there is", ("text-seg", "text-all"), falls_below_0,
    ),
    Claim(
        "tg-alphaU", _FIGURE, "categories and segmentation", "tγ Cat+Seg, α_U", "behaves like α_U",
        ("text-seg",), like_alpha_u,
        "The paper compares curves in a figure, without numbers; it has α_U of another program, aggregated over "
        "categories.",
    ),
    Claim(
        "tg-gamma-over", _FIGURE, "categories and segmentation", "γ",
        "overestimates the agreement, because it does not know the pre-annotation", ("text-seg",), above_text_gamma,
        "The paper has one set of annotations and another program for γ, whose settings it does not give.",
    ),
    Claim(
        "tg-end", _FIGURE, "the two others", "tγ, matching setting",
        "close to 0 at 1, slightly below because m_s = 0.1 is more than 2 · p_s = 0.08",
        ("text-seg", "text-all"), ends_near_0,
    ),
    Claim(
        "tg-alignments", "2016, section 4", "categories, segmentation and text", "alignments",
        "at magnitude 1 there is one alignment of tokens on average (two in one run of ten)",
        ("text-all",), one_alignment,
        "The paper counts what its backtracking produces, which follows only some of the best paths; here both texts "
        "are read forwards and backwards, with and without labels. The alignments differ in one or two tokens of 520.",
    ),
)  # fmt: skip
