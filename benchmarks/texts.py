"""tγ: book-length texts, comparison with a plain NumPy table, and two corpora."""

from __future__ import annotations

from benchmarks.gamma import CORPORA
from benchmarks.measure import ACCORD, alone, best, note, say, shell, tell

PLAIN_SAMPLES = 30


def versions() -> None:
    """Align two versions of a text, with proof of optimality. The memory is that of the process."""
    for characters, changes, seconds in ((100_000, 2_000, 5), (1_000_000, 2_000, 60), (1_000_000, 20_000, None)):
        cost = alone("versions", characters, changes)
        got = f"{cost.seconds:.2f} s, {cost.megabytes / 1024:.2f} GB"
        fits = cost.seconds < (seconds or 600) and cost.megabytes < 2048
        wanted = f"{seconds} s, 2 GB" if seconds else "works, 2 GB"
        say(f"two versions of {characters:,} characters, {changes:,} changes", got, wanted, fits)


def whole() -> None:
    ours, plain = best("text_gamma", PLAIN_SAMPLES), alone("text_gamma_plain", PLAIN_SAMPLES)
    assert ours.value == plain.value, "the costs of gaps differ"
    what = f"whole tγ of 3,700 characters, {PLAIN_SAMPLES} samples"
    say(what, f"{ours.seconds:.2f} s", "1 s", ours.seconds < 1)
    faster = plain.seconds / ours.seconds
    note("whole tγ of 3,700 characters, to a table in NumPy", ours.processor / plain.processor)
    got = f"{plain.seconds:.1f} s in NumPy, {faster:.0f}× faster"
    say("  compared with a complete NumPy table, with equal costs", got, "20×", faster >= 20)


def text_corpora() -> None:
    for name, path, what in (
        ("ua-gec", CORPORA / "ua-gec" / "texts" / "target", "essays, 2 correctors"),
        ("crowdspeech", CORPORA / "crowdspeech" / "transcriptions.csv", "recordings, about 7 transcriptions"),
    ):
        if not path.exists():
            tell(f"{name}: skipped, no {path}")
            continue
        seconds, _ = shell(ACCORD, "score", path, "-m", "text_gamma", "--jobs", 2)
        say(f"{name}: {what}, whole tγ from the shell, two workers", f"{seconds:.1f} s", "60 s", seconds < 60)
