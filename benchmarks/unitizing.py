"""Other measures of units on two annotators with a million units each, and WindowDiff compared with its peers."""

from __future__ import annotations

from benchmarks.measure import alone, say

ATOMS = 10_000_000
SEGEVAL_ATOMS = 20_000  # segeval's time is linear in atoms and is extrapolated


def continua() -> None:
    for spec in ("u_alpha", "alpha_u", "theta", "kappa_d", "cu_alpha", "ser"):
        cost = alone("unitizing", spec, 1_000_000)
        wanted = "5 s" if spec in {"u_alpha", "alpha_u", "theta", "kappa_d"} else "–"
        got = f"{cost.seconds:.1f} s, {cost.megabytes / 1024:.2f} GB"
        say(f"{spec}, 2 × 1,000,000 units", got, wanted, wanted == "–" or cost.seconds < 5)


def segmentations() -> None:
    ours, nltk = alone("window_diff", ATOMS), alone("window_diff_nltk", ATOMS)
    assert abs(ours.value - nltk.value) < 1e-9
    faster = nltk.seconds / ours.seconds
    say("window_diff, 10⁷ atoms, against nltk", f"{ours.seconds:.3f} s, {faster:.0f}× faster", "100×", faster >= 100)
    small = alone("window_diff_segeval", SEGEVAL_ATOMS)
    assert abs(alone("window_diff", SEGEVAL_ATOMS).value - small.value) < 1e-9
    faster = small.seconds * ATOMS / SEGEVAL_ATOMS / ours.seconds
    say("  against segeval", f"{faster:.0f}× faster (extrapolated)", "100×", faster >= 100)
