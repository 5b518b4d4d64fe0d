"""Claims of Mathet et al. 2012 (4), 2015 (6.3) and Barteld et al. 2016 (7) about their curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from studies import checks as c
from studies.checks import Claim, Curves, Finding, apart, decided, last, line_fit

IN_2012: tuple[Claim, ...] = (
    # 2012, section 4.1
    Claim(
        "fig2-fn",
        "2012 Fig. 2",
        "segmentation, false negatives",
        "WD, GHD",
        "close to each other; almost linear until 0.6; then an asymptote",
        ("seg-fn",),
        c.fn_windows,
        "GHD counts shifts up to half a mean segment, as in 2015, and is divided by the cost of all segments. The "
        "paper gives no normalisation.",
    ),
    Claim(
        "fig2-fn-gm",
        "2012 Fig. 2",
        "segmentation, false negatives",
        "GM (γ)",
        "full range, not linear",
        ("seg-fn",),
        c.not_linear,
        "accord uses γ instead of its predecessor GM. At high magnitudes, whole texts without boundaries agree.",
    ),
    Claim(
        "fig2-fp",
        "2012 Fig. 2",
        "segmentation, false positives",
        "WD, GHD",
        "very similar; lower limits 0.7 (WD) and 0.6 (GHD)",
        ("seg-fp",),
        c.lower_limits,
        "The limit depends on the length of segments in atoms, which the paper does not give. With few places, "
        "randomly added boundaries coincide more often.",
    ),
    Claim(
        "fig2-fp-gm",
        "2012 Fig. 2",
        "segmentation, false positives",
        "GM (γ)",
        "asymptote at 0.2",
        ("seg-fp",),
        c.near("seg-fp", "γ", 1.0, 0.2, 0.1),
        "accord uses γ instead of its predecessor GM. The paper does not give the lengths of segments.",
    ),
    Claim(
        "fig2-shift",
        "2012 Fig. 2",
        "segmentation, shifts",
        "WD, GHD, GM (γ)",
        "WD and GHD: asymptote at about 0.4; GM from 1 to 0",
        ("seg-shift",),
        c.both(c.asymptote("seg-shift", ("WD", "GHD"), 0.4), c.full_range("seg-shift")),
        "Boundaries never coincide here, and accord chose the normalisation of GHD.",
    ),
    Claim(
        "fig2-combi",
        "2012 Fig. 2",
        "segmentation, combination",
        "all",
        "looks like the average of the others",
        ("seg-fn", "seg-fp", "seg-shift", "seg-combi"),
        c.like_the_average,
        "At m, each of the three errors has magnitude m/3. Curves that fall fast at first are higher there.",
    ),
    Claim(
        "fig2-gh-vs-wd",
        "2012 Fig. 2",
        "segmentation",
        "GHD, WD",
        "GHD a little more severe, wider range",
        ("seg-fn", "seg-fp", "seg-shift"),
        c.more_severe,
        "The window of WD is half a mean segment, rounded to whole atoms. If it is rounded down, WD is less severe.",
    ),
    # 2012, section 4.2 and 5
    Claim(
        "fig3-none",
        "2012 Fig. 3",
        "categories, neither",
        "all",
        "almost equal; BM slightly overrates as the magnitude grows",
        ("cat-none",),
        c.baseline("cat-none", 0.25, 0.06),
        "With four categories of equal size BM is above κ by (1 − κ)/4, up to 0.25.",
    ),
    Claim(
        "fig3-prev",
        "2012 Fig. 3",
        "categories, prevalence",
        "all",
        "equal, but BM overrates by up to about 0.25",
        ("cat-prev",),
        c.baseline("cat-prev", 0.25, 0.06),
        "BM is above κ by Σp² · (1 − κ), 0.32 with the shares of matrix B; weighted forms correct for friendly pairs.",
    ),
    Claim(
        "fig3-overlap",
        "2012 Fig. 3",
        "categories, overlapping",
        "W-κ 1, W-κ 2, GM",
        "above the others for m in 0.1 to 0.6, by up to 0.25 (W-κ 1) and 0.15 (GM); W-κ 2 close to GM",
        ("cat-overlap", "cat-both"),
        c.overlapping,
        "The paper does not give the weight matrices, the distances and the curves of matrix weights.",
    ),
    Claim(
        "fig3-nonoverlap",
        "2012 Fig. 3",
        "categories, not overlapping",
        "W-κ 1, W-κ 2, GM 1",
        "almost as their plain versions",
        ("cat-none", "cat-prev"),
        c.alike(("cat-none", "cat-prev"), ("κ", "W-κ 1", "W-κ 2", "GM 1 (γ, friendly)"), 0.06),
        "With unequal shares, a high weight of frequent pairs also changes expected agreement.",
    ),
    Claim(
        "tcof",
        "2012 5",
        "categories, prevalence",
        "κ",
        "κ = 0.96 corresponds to m = 0.1",
        ("cat-prev",),
        c.tcof,
        "Two annotators with a share a of A agree with κ = a²: 95% of A gives 0.90 between annotators and 0.95 "
        "between an annotator and the reference. 0.96 fits a comparison with the reference or a larger share of A.",
    ),
)


_GAPS = "This depends on lengths and gaps of the reference, which the paper does not give."
_FORM = "uα is the form of 2013, reconstructed from its description. The paper does not allow a confirmation."
_SORTED = (
    "The paper does not describe the shift without overlap. Here boundaries keep their order, so units stay near "
    "their positions unless the shift is very large, and agreement stays above chance."
)
_LEVEL = "Where the curve is almost flat, its steps are smaller than the noise."

IN_2015: tuple[Claim, ...] = (
    # 6.3.2
    Claim(
        "seg-fn-wdghd", "2015 Fig. 24", "segmentation, false negatives", "WD, GHD",
        "close; almost linear until 0.6; then an asymptote", ("seg-fn",), c.fn_windows, "As for Fig. 2 of 2012.",
    ),
    Claim(
        "seg-fn-gamma", "2015 Fig. 24", "segmentation, false negatives", "γ", "full range",
        ("seg-fn",), c.full_range("seg-fn"),
        "If nearly all boundaries are missed, all annotators have the whole text as one segment and agree.",
    ),
    Claim(
        "seg-shift-wdghd", "2015 Fig. 24", "segmentation, shifts", "WD, GHD", "asymptote at about 0.4",
        ("seg-shift",), c.asymptote("seg-shift", ("WD", "GHD"), 0.4), "As for Fig. 2 of 2012.",
    ),
    Claim(
        "seg-shift-gamma", "2015 Fig. 24", "segmentation, shifts", "γ", "from 1 to 0",
        ("seg-shift",), c.full_range("seg-shift"),
        "Boundaries never coincide, so segments stay near their positions.",
    ),
    # 6.3.3
    Claim(
        "cat-gamma-cualpha", "2015 Fig. 25", "categories", "γ, c|uα, α, κ",
        "almost identical; α and κ exactly as c|uα", ("cat",), c.alike(("cat",), ("c|uα", "γ", "α", "κ"), 0.05),
        "For γ, this needs a chance model that mixes documents with units at the same positions.",
    ),
    Claim(
        "cat-ualpha", "2015 Fig. 25", "categories", "uα", "below 0 at m = 0.5",
        ("cat",), c.crosses("cat", "uα", 0.5), f"{_GAPS} {_FORM}",
    ),
    Claim(
        "cat-ualpha-gaps", "2015 Fig. 25", "categories", "uα",
        "with other settings (size of the gaps) may be stuck over 0", ("cat",), c.at_least("cat", "uα", 0.005),
        "The claim is about some settings only. It must hold under some and fail under those of the claim above.",
    ),
    Claim(
        "cat-kappad", "2015 Fig. 25", "categories", "κ_d", "does not reach 0; would without gaps",
        ("cat", "cat-nogap"), c.with_and_without_gaps, _GAPS,
    ),
    Claim(
        "cat-ser", "2015 Fig. 25", "categories", "SER", "bounded below by 0.6",
        ("cat",), c.at_least("cat", "SER", 0.6), "It is 1 − (1 − Σp²)/2 with the shares p of the categories.",
    ),
    # 6.3.4, Fig. 26a
    Claim(
        "pos-gamma", "2015 Fig. 26a", "position", "γ", "reaches 0.1 at m = 1",
        ("pos",), c.near("pos", "γ", 1.0, 0.1, 0.05), _SORTED,
    ),
    Claim(
        "pos-gamma-down", "2015 Fig. 26a", "position", "γ", "strictly decreasing",
        ("pos",), c.strictly_decreasing("pos", "γ"), f"{_LEVEL} {_SORTED}",
    ),
    Claim(
        "pos-cualpha-up", "2015 Fig. 26a", "position", "c|uα", "not strictly decreasing (γ is the only one)",
        ("pos",), c.not_strictly_decreasing("pos", "c|uα"), _LEVEL,
    ),
    Claim(
        "pos-ser", "2015 Fig. 26a", "position", "SER", "immediately drops to 0.5 at m = 0.05",
        ("pos",), c.near("pos", "SER", 0.05, 0.5, 0.1),
        "With a longer shift, more units are outside the tolerance for the same position.",
    ),
    Claim(
        "pos-ser-below", "2015 Fig. 26a", "position", "SER", "then goes below 0",
        ("pos",), c.goes_below_zero("pos", "SER"), _SORTED,
    ),
    Claim(
        "pos-ser-up", "2015 Fig. 26a", "position", "SER", "not strictly decreasing",
        ("pos",), c.not_strictly_decreasing("pos", "SER"), _LEVEL,
    ),
    Claim(
        "pos-ualpha", "2015 Fig. 26a", "position", "uα", "negative from 0.6 to 0.9",
        ("pos",), c.below_zero("pos", "uα", 0.6, 0.9), f"{_SORTED} {_FORM}",
    ),
    Claim(
        "pos-ualpha-up", "2015 Fig. 26a", "position", "uα", "has some increasing parts",
        ("pos",), c.not_strictly_decreasing("pos", "uα"), _LEVEL,
    ),
    Claim(
        "pos-cualpha", "2015 Fig. 26a", "position", "c|uα", "decreases from the very first shifts",
        ("pos",), c.from_the_first, "With gaps between units, small shifts do not reach the neighbouring unit.",
    ),
    Claim(
        "pos-kappad", "2015 Fig. 26a", "position", "κ_d", "too responsive at the very first magnitudes",
        ("pos",), c.too_responsive,
    ),
    Claim(
        "pos-kappad-up", "2015 Fig. 26a", "position", "κ_d", "not strictly decreasing",
        ("pos",), c.not_strictly_decreasing("pos", "κ_d"), _LEVEL,
    ),
    # Fig. 26b
    Claim(
        "poscat-gamma", "2015 Fig. 26b", "position and category", "γ", "reaches 0",
        ("poscat",), c.near("poscat", "γ", 1.0, 0.0, 0.05),
    ),
    Claim(
        "poscat-gamma-down", "2015 Fig. 26b", "position and category", "γ", "strictly decreasing",
        ("poscat",), c.strictly_decreasing("poscat", "γ"), _LEVEL,
    ),
    Claim(
        "poscat-alphas", "2015 Fig. 26b", "position and category", "uα", "below 0 from m = 0.6",
        ("poscat",), c.below_zero("poscat", "uα", 0.6, 1.0), f"{_GAPS} {_FORM}",
    ),
    *(
        Claim(
            f"poscat-{key}-up", "2015 Fig. 26b", "position and category", measure, "not strictly decreasing",
            ("poscat",), c.not_strictly_decreasing("poscat", measure), _LEVEL,
        )
        for key, measure in (("ualpha", "uα"), ("cualpha", "c|uα"), ("kappad", "κ_d"))
    ),
    Claim(
        "poscat-kappad", "2015 Fig. 26b", "position and category", "κ_d, γ", "shape not far from γ",
        ("poscat",), c.alike(("poscat",), ("γ", "κ_d"), 0.3), "κ_d falls sooner: every moved atom counts.",
    ),
    # Fig. 27
    Claim(
        "split-gamma", "2015 Fig. 27", "splits", "γ", "from 1 to 0.2",
        ("split",), c.near("split", "γ", 1.0, 0.2, 0.05),
        "The paper does not give the lengths and the chance samples.",
    ),
    Claim(
        "split-gamma-line", "2015 Fig. 27", "splits", "γ", "an almost linear curve",
        ("split",), c.straight("split", "γ"),
        "The first split of a unit costs most, so the curve is steep at first.",
    ),
    Claim(
        "split-ser", "2015 Fig. 27", "splits", "SER", "negative above 0.6",
        ("split",), c.crosses("split", "SER", 0.6),
        "SER is divided by the units of one annotator. The point where it crosses 0 depends on the number of splits at "
        "m = 1: five for each unit, as in the paper, or fewer.",
    ),
    Claim("split-ser-line", "2015 Fig. 27", "splits", "SER", "quite linear", ("split",), c.straight("split", "SER"),
          "SER falls more slowly if most units are already split."),
    Claim(
        "split-blocked", "2015 Fig. 27", "splits", "uα, c|uα, κ_d", "blocked at 1",
        ("split",), c.stuck_at_1("split", ("uα", "c|uα", "κ_d")),
        "The 2013 form of uα counts squared lengths of intersections.",
    ),
    # Fig. 28a
    Claim(
        "fp-all", "2015 Fig. 28a", "false positives", "γ, c|uα, SER", "overall a good response",
        ("fp",), c.responds("fp", ("γ", "c|uα", "SER")),
        "The paper does not give the number of units added at m = 1.",
    ),
    Claim(
        "fp-cualpha", "2015 Fig. 28a", "false positives", "c|uα, γ, SER", "c|uα delayed compared with the others",
        ("fp",), c.delayed("fp", "c|uα", ("γ", "SER")),
        "With dense units, an added unit overlaps units of other annotators and labels are confused immediately. In "
        "a gap, c|uα ignores it.",
    ),
    Claim(
        "fp-ser-below", "2015 Fig. 28a", "false positives", "SER", "goes below 0",
        ("fp",), c.goes_below_zero("fp", "SER"),
        "Spurious and missed units are divided by the units of one annotator, which include spurious ones. With x "
        "spurious units per unit, SER is at most 2x/(1 + x), and less if added units coincide. The paper does not give "
        "x.",
    ),
    Claim(
        "fp-ser-up", "2015 Fig. 28a", "false positives", "SER", "final increasing section",
        ("fp",), c.rises_at_the_end("fp", "SER"), "Up to the tested factor, the curve does not rise at the end.",
    ),
    # Fig. 28b
    Claim(
        "fn-gamma", "2015 Fig. 28b", "false negatives", "γ", "almost reaches 0 (0.025)",
        ("fn",), c.near("fn", "γ", 0.95, 0.025, 0.03),
        "At m = 1 no unit is left, and γ is undefined. The last value is at 0.95, with two or three units each.",
    ),
    Claim(
        "fn-gamma-down", "2015 Fig. 28b", "false negatives", "γ", "strictly decreasing",
        ("fn",), c.strictly_decreasing("fn", "γ"), _LEVEL,
    ),
    Claim(
        "fn-ualpha", "2015 Fig. 28b", "false negatives", "uα", "at 0 or below from m = 0.3",
        ("fn",), c.below_zero("fn", "uα", 0.3, 0.95, or_at=True), f"{_GAPS} {_FORM}",
    ),
    Claim(
        "fn-ualpha-up", "2015 Fig. 28b", "false negatives", "uα", "not strictly decreasing",
        ("fn",), c.not_strictly_decreasing("fn", "uα"), _LEVEL,
    ),
    Claim(
        "fn-ser", "2015 Fig. 28b", "false negatives", "SER", "below 0 from m = 0.4",
        ("fn",), c.crosses("fn", "SER", 0.4),
        "It is 1 − 2m for large references. Small ones cross 0 earlier because of the division by the units of one "
        "annotator.",
    ),
    Claim(
        "fn-kappad", "2015 Fig. 28b", "false negatives", "κ_d", "not strictly decreasing",
        ("fn",), c.not_strictly_decreasing("fn", "κ_d"), _LEVEL,
    ),
    Claim(
        "fn-cualpha", "2015 Fig. 28b", "false negatives", "c|uα", "stuck at 1; missing above 0.7",
        ("fn",), c.undefined_late,
        "The magnitude from which sets are undefined depends on the numbers of units and sets.",
    ),
    # Fig. 29
    Claim(
        "overview", "2015 Fig. 29", "all of Figs. 26–28", "γ", "steady, almost strictly decreasing",
        c.GENERAL, c.steady,
    ),
    Claim(
        "overview-zero", "2015 Fig. 29", "all of Figs. 26–28", "γ", "from 1 to 0", c.GENERAL, c.down_to_0,
        "Each end must be within 0.1 of 0. The paper has 0.2 for splits (Fig. 27), which have no worst case.",
    ),
    Claim(
        "overview-ualpha", "2015 Fig. 29", "all of Figs. 26–28", "uα", "negative values; sometimes not responsive",
        c.APART, c.lowest_of("uα", c.APART, ("split",), -0.005), f"{_GAPS} {_FORM}",
    ),
    Claim(
        "overview-cualpha", "2015 Fig. 29", "all of Figs. 26–28", "c|uα",
        "very responsive for some errors, sometimes not responsive at all",
        c.GENERAL, c.lowest_of("c|uα", c.GENERAL, ("split", "fn"), 0.2),
    ),
    Claim(
        "overview-ser", "2015 Fig. 29", "all of Figs. 26–28", "SER", "reaches negative values",
        c.GENERAL, c.lowest_of("SER", c.GENERAL, (), -0.005),
    ),
    Claim(
        "overview-kappad", "2015 Fig. 29", "all of Figs. 26–28", "κ_d", "not always responsive",
        c.APART, c.lowest_of("κ_d", c.APART, ("split",), None),
    ),
    # 6.3.5
    Claim(
        "general-overlap", "2015 Fig. 30", "position and false positives", "γ", "quite the same as without overlap",
        ("general", "general-apart"), c.as_in("general", "general-apart", "γ", 0.15),
        "Without overlap, false positives find less room, and boundaries stay in order.",
    ),
    Claim(
        "general-cualpha", "2015 Fig. 30", "position and false positives", "c|uα",
        "rather the same way as without overlap",
        ("general", "general-apart"), c.as_in("general", "general-apart", "c|uα", 0.15),
        "Without overlap, false positives find less room, and boundaries stay in order.",
    ),
)  # fmt: skip


SCENARIOS = ("text-cat", "text-seg", "text-all")
SETTINGS = ("tγ Cat", "tγ Cat+Seg", "tγ Cat+Seg+Text")  # sorted by expected change, least first
_FIGURE = "2016 Fig. 2"
_SHOWN = (0.25, 0.5, 0.75, 1.0)  # magnitudes with γ in the paper


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
    return decided(holds, f"tγ Cat from {curve.mean[0]:z.2f} to {low:z.3f}; difference from α at most {far:z.3f}")


def stays_above_0(c: Curves) -> Finding:
    ends = {m: last(c["text-cat", m]) for m in SETTINGS[1:]}
    return decided(min(ends.values()) > 0, _at_1(ends))


def falls_below_0(c: Curves) -> Finding:
    too_small = [("text-seg", SETTINGS[0]), ("text-all", SETTINGS[0]), ("text-all", SETTINGS[1])]
    ends = {f"{m} ({'with' if e == 'text-all' else 'without'} text)": last(c[e, m]) for e, m in too_small}
    return decided(max(ends.values()) < 0, _at_1(ends))


def like_alpha_u(c: Curves) -> Finding:
    far = apart(c["text-seg", "tγ Cat+Seg"], c["text-seg", "α_U"])
    return decided(far <= 0.1, f"tγ Cat+Seg and α_U differ by at most {far:z.3f}")


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
    return decided(np.mean(values) <= 1.2, said)  # the paper has nine runs with one alignment and one run with two


def _at_1(ends: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:z.3f}" for name, value in ends.items()) + " at 1"


IN_2016: tuple[Claim, ...] = (
    Claim("tg-linear", _FIGURE, "all three", "tγ", "almost perfectly linear in m", SCENARIOS, linear),
    Claim(
        "tg-order", _FIGURE, "all three", "tγ",
        "parametrisations that expect less change are always lower, except at perfect agreement", SCENARIOS, order,
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
        "goes below 0 if less change is expected than observed", ("text-seg", "text-all"), falls_below_0,
    ),
    Claim(
        "tg-alphaU", _FIGURE, "categories and segmentation", "tγ Cat+Seg, α_U", "behaves like α_U",
        ("text-seg",), like_alpha_u,
        "The paper compares curves in a figure, without numbers. It has α_U of another program, aggregated over "
        "categories.",
    ),
    Claim(
        "tg-gamma-over", _FIGURE, "categories and segmentation", "γ",
        "overestimates agreement, because it ignores the pre-annotation", ("text-seg",), above_text_gamma,
        "The paper has one set of annotations and another program for γ, with unknown settings.",
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
        "The backtracking of the paper follows only some of the best paths. Here both texts are compared forwards and "
        "backwards, with and without labels. The alignments differ in one or two of 520 tokens.",
    ),
)  # fmt: skip


CLAIMS: tuple[Claim, ...] = (*IN_2012, *IN_2015, *IN_2016)
