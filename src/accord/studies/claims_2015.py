"""What Mathet, Widlöcher & Métivier 2015 say about their curves, in section 6.3, claim by claim."""

from __future__ import annotations

from accord.studies import checks as c
from accord.studies.checks import Claim

_GAPS = (
    "This depends on lengths and gaps of the reference, which are not given (the paper says so itself of uα and gaps)."
)
_FORM = "uα is the form of 2013 as reconstructed from its description; the paper prints too little to confirm it."
_SORTED = (
    "The shift without overlap is not described. Ours keeps the boundaries in order, so that units stay near their "
    "places unless the shift is very large, and agreement stays above chance."
)
_LEVEL = "Where the curve levels off, its steps are smaller than their noise."

IN_2015: tuple[Claim, ...] = (
    # 6.3.2
    Claim(
        "seg-fn-wdghd", "2015 Fig. 24", "segmentation, false negatives", "WD, GHD",
        "close; almost linear until 0.6; then an asymptote", ("seg-fn",), c.fn_windows, "As for Fig. 2 of 2012.",
    ),
    Claim(
        "seg-fn-gamma", "2015 Fig. 24", "segmentation, false negatives", "γ", "full range",
        ("seg-fn",), c.full_range("seg-fn"),
        "When nearly all boundaries are missed, everybody has the whole text as one segment, and agrees.",
    ),
    Claim(
        "seg-shift-wdghd", "2015 Fig. 24", "segmentation, shifts", "WD, GHD", "asymptote at about 0.4",
        ("seg-shift",), c.asymptote("seg-shift", ("WD", "GHD"), 0.4), "As for Fig. 2 of 2012.",
    ),
    Claim(
        "seg-shift-gamma", "2015 Fig. 24", "segmentation, shifts", "γ", "from 1 to 0",
        ("seg-shift",), c.full_range("seg-shift"),
        "Boundaries that never fall together keep segments near their places.",
    ),
    # 6.3.3
    Claim(
        "cat-gamma-cualpha", "2015 Fig. 25", "categories", "γ, c|uα, α, κ",
        "almost identical; α and κ exactly as c|uα", ("cat",), c.alike(("cat",), ("c|uα", "γ", "α", "κ"), 0.05),
        "γ is so only where chance mixes documents with units at the same places.",
    ),
    Claim(
        "cat-ualpha", "2015 Fig. 25", "categories", "uα", "below 0 at m = 0.5",
        ("cat",), c.crosses("cat", "uα", 0.5), f"{_GAPS} {_FORM}",
    ),
    Claim(
        "cat-ualpha-gaps", "2015 Fig. 25", "categories", "uα",
        "with other settings (size of the gaps) may be stuck over 0", ("cat",), c.at_least("cat", "uα", 0.005),
        "Meant of some settings only: it is to hold under some, and not under those above.",
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
        "With a longer shift, more units lie outside of what counts as the same place.",
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
        ("pos",), c.from_the_first, "Where there are gaps between units, small shifts do not reach the neighbour.",
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
        "Lengths and the sampling of chance of the paper are not known.",
    ),
    Claim(
        "split-gamma-line", "2015 Fig. 27", "splits", "γ", "an almost linear curve",
        ("split",), c.straight("split", "γ"),
        "With γ as defined, the first split of a unit costs most, and the curve is steep at first.",
    ),
    Claim(
        "split-ser", "2015 Fig. 27", "splits", "SER", "negative above 0.6",
        ("split",), c.crosses("split", "SER", 0.6),
        "SER is divided by the units of one annotator; where it crosses 0 depends on how many splits there are at "
        "m = 1, five for each unit as the paper says, or fewer.",
    ),
    Claim("split-ser-line", "2015 Fig. 27", "splits", "SER", "quite linear", ("split",), c.straight("split", "SER"),
          "SER falls more slowly when most units are split already."),
    Claim(
        "split-blocked", "2015 Fig. 27", "splits", "uα, c|uα, κ_d", "blocked at 1",
        ("split",), c.stuck_at_1("split", ("uα", "c|uα", "κ_d")),
        "The form of 2013 of uα counts squared lengths of stretches, of the whole intersection here.",
    ),
    # Fig. 28a
    Claim(
        "fp-all", "2015 Fig. 28a", "false positives", "γ, c|uα, SER", "overall a good response",
        ("fp",), c.responds("fp", ("γ", "c|uα", "SER")),
        "How many units are added at m = 1 is not given.",
    ),
    Claim(
        "fp-cualpha", "2015 Fig. 28a", "false positives", "c|uα, γ, SER", "c|uα delayed compared with the others",
        ("fp",), c.delayed("fp", "c|uα", ("γ", "SER")),
        "Where units are dense, a new one lies over units of the others, and labels are confused at once; where there "
        "are gaps to put it in, c|uα does not see it.",
    ),
    Claim(
        "fp-ser-below", "2015 Fig. 28a", "false positives", "SER", "goes below 0",
        ("fp",), c.goes_below_zero("fp", "SER"),
        "Units too many and units missed are divided by the units of one annotator, who has as many too many: with x "
        "of them for each unit SER is 2x/(1 + x) at most, and less where new units meet others by chance. x is not "
        "given.",
    ),
    Claim(
        "fp-ser-up", "2015 Fig. 28a", "false positives", "SER", "final increasing section",
        ("fp",), c.rises_at_the_end("fp", "SER"), "There is none here up to the factor that was tried.",
    ),
    # Fig. 28b
    Claim(
        "fn-gamma", "2015 Fig. 28b", "false negatives", "γ", "almost reaches 0 (0.025)",
        ("fn",), c.near("fn", "γ", 0.95, 0.025, 0.03),
        "At m = 1 no unit is left and γ is undefined: the last value is at 0.95, with two or three units each.",
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
        "1 − 2m for large references; small ones cross earlier because of the division by the units of one annotator.",
    ),
    Claim(
        "fn-kappad", "2015 Fig. 28b", "false negatives", "κ_d", "not strictly decreasing",
        ("fn",), c.not_strictly_decreasing("fn", "κ_d"), _LEVEL,
    ),
    Claim(
        "fn-cualpha", "2015 Fig. 28b", "false negatives", "c|uα", "stuck at 1; missing above 0.7",
        ("fn",), c.undefined_late,
        "From where on sets are undefined depends on how many units, and how many sets, there are.",
    ),
    # Fig. 29
    Claim(
        "overview", "2015 Fig. 29", "all of Figs. 26–28", "γ", "steady, almost strictly decreasing",
        c.GENERAL, c.steady,
    ),
    Claim(
        "overview-zero", "2015 Fig. 29", "all of Figs. 26–28", "γ", "from 1 to 0", c.GENERAL, c.down_to_0,
        "Each end is to be within 0.1 of 0. The paper itself has 0.2 for splits (Fig. 27), which have no worst case.",
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
