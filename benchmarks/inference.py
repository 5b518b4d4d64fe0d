"""Resampling, influence and x-rays, compared with the cost of the value alone."""

from __future__ import annotations

from benchmarks.measure import alone_each, say

DOCUMENTS, REPLICATES = 100, 2_000


def resampling() -> None:
    """Measure the bootstrap over documents, which reuses the alignments."""
    plain, drawn = alone_each("gamma_documents", DOCUMENTS, REPLICATES)
    ratio = drawn.seconds / plain.seconds
    got = f"{drawn.seconds:.2f} s, {ratio:.2f}× without interval"
    say(f"γ of {DOCUMENTS} documents, {REPLICATES:,} replicates", got, "2×", ratio <= 2)


def leaving_out() -> None:
    plain, each = alone_each("gamma_without_each", 50)
    ratio = each.seconds / plain.seconds
    say("γ without each of 50 documents", f"{each.seconds:.2f} s, {ratio:.1f}× γ alone", "5×", ratio <= 5)
    (cost,) = alone_each("alpha_without_each", 10_000, 30)
    say("α without each of 30 annotators, 10,000 items", f"{cost.seconds:.2f} s", "5 s", cost.seconds < 5)


def xrays() -> None:
    (cost,) = alone_each("xray_gamma")
    say("x-ray of γ: 21 magnitudes × 40 sets, 3 × 50 units", f"{cost.seconds:.0f} s", "60 s", cost.seconds < 60)
