"""What Mathet et al. 2012 say about their curves, in sections 4 and 5, claim by claim."""

from __future__ import annotations

from accord.studies import checks as c
from accord.studies.checks import Claim

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
        "GHD counts shifts up to half a mean segment, as 2015 says, and is divided by the cost of all segments; the "
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
        "γ stands for its forerunner GM, and at high magnitudes whole texts without boundaries agree by themselves.",
    ),
    Claim(
        "fig2-fp",
        "2012 Fig. 2",
        "segmentation, false positives",
        "WD, GHD",
        "very similar; lower limits 0.7 (WD) and 0.6 (GHD)",
        ("seg-fp",),
        c.lower_limits,
        "The limit depends on the length of segments in atoms, which is not given: among few places, boundaries that "
        "are added at random meet more often.",
    ),
    Claim(
        "fig2-fp-gm",
        "2012 Fig. 2",
        "segmentation, false positives",
        "GM (γ)",
        "asymptote at 0.2",
        ("seg-fp",),
        c.near("seg-fp", "γ", 1.0, 0.2, 0.1),
        "γ stands for its forerunner GM; lengths of segments are not given.",
    ),
    Claim(
        "fig2-shift",
        "2012 Fig. 2",
        "segmentation, shifts",
        "WD, GHD, GM (γ)",
        "WD and GHD: asymptote at about 0.4; GM from 1 to 0",
        ("seg-shift",),
        c.both(c.asymptote("seg-shift", ("WD", "GHD"), 0.4), c.full_range("seg-shift")),
        "Boundaries never fall together here, and the normalisation of GHD is ours.",
    ),
    Claim(
        "fig2-combi",
        "2012 Fig. 2",
        "segmentation, combination",
        "all",
        "looks like the average of the others",
        ("seg-fn", "seg-fp", "seg-shift", "seg-combi"),
        c.like_the_average,
        "At m each of the three errors has m/3, and curves that fall fast at first are higher there.",
    ),
    Claim(
        "fig2-gh-vs-wd",
        "2012 Fig. 2",
        "segmentation",
        "GHD, WD",
        "GHD a little more severe, wider range",
        ("seg-fn", "seg-fp", "seg-shift"),
        c.more_severe,
        "The window of WD is a whole number of atoms, half a mean segment rounded: where that rounds down, WD is "
        "milder.",
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
        "Weight matrices, distances and the curves of matrix weights are not printed.",
    ),
    Claim(
        "fig3-nonoverlap",
        "2012 Fig. 3",
        "categories, not overlapping",
        "W-κ 1, W-κ 2, GM 1",
        "almost as their plain versions",
        ("cat-none", "cat-prev"),
        c.alike(("cat-none", "cat-prev"), ("κ", "W-κ 1", "W-κ 2", "GM 1 (γ, friendly)"), 0.06),
        "With unequal shares a forgiving weight of frequent pairs also changes what chance gives.",
    ),
    Claim(
        "tcof",
        "2012 5",
        "categories, prevalence",
        "κ",
        "κ = 0.96 corresponds to m = 0.1",
        ("cat-prev",),
        c.tcof,
        "Two annotators with a share a of A agree with κ = a²: 95% of A gives 0.90 between annotators, and 0.95 "
        "between an annotator and the reference. 0.96 fits a comparison with the reference, or a larger share of A.",
    ),
)
