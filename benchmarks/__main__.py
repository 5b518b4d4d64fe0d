"""`make bench`: speed and memory as ratios to a peer, or to the cost of reading the data, in the same run.

`--check` compares the ratios with baseline.json (`make bench-check`). `--write` stores them in baseline.json.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence

import numpy as np

from benchmarks import baseline, crowd, formats, gamma, growth, inference, machines, named, texts, unitizing
from benchmarks.measure import ACCORD, DATA, RATIOS, alone, best, note, processor, say, shell

NLTK_ITEMS = 20_000  # nltk needs minutes for a million items; its time is linear in items and is extrapolated


def in_memory() -> None:
    ours = best("accord_score", "alpha", 1_000_000, 3, 10)
    theirs = best("krippendorff_alpha", 1_000_000, 3, 10)
    assert abs(ours.value - theirs.value) < 1e-9
    faster, leaner = theirs.seconds / ours.seconds, theirs.megabytes / ours.megabytes
    got = f"{ours.seconds:.2f} s, {faster:.0f}× faster"
    say("alpha + SE, 1,000,000 × 3 × 10, against krippendorff", got, "10×", faster >= 10)
    say("  peak memory", f"{ours.megabytes:.0f} MB, 1/{leaner:.0f}", "1/10", leaner >= 10)
    note("alpha + SE, 1,000,000 × 3 × 10, to krippendorff", ours.processor / theirs.processor)
    note("alpha + SE, 1,000,000 × 3 × 10, to krippendorff, memory", ours.megabytes / theirs.megabytes, "memory")
    for spec, method in (("pi", "pi"), ("kappa", "multi_kappa")):
        ours = best("accord_score", spec, 1_000_000, 3, 10)
        small = alone("nltk", method, NLTK_ITEMS, 3, 10)
        assert abs(alone("accord_score", spec, NLTK_ITEMS, 3, 10).value - small.value) < 1e-9
        faster = small.seconds * 1_000_000 / NLTK_ITEMS / ours.seconds
        got = f"{ours.seconds:.2f} s, {faster:.0f}× faster (extrapolated)"
        say(f"{spec}, 1,000,000 × 3 × 10, against nltk", got, "20×", faster >= 20)
        note(f"{spec}, 1,000,000 × 3 × 10, to nltk", ours.processor / (small.processor * 1_000_000 / NLTK_ITEMS))
    one, two = alone("continuous", 500_000), alone("continuous", 1_000_000)
    got = f"{two.seconds:.2f} s; items ×2 → time ×{two.seconds / one.seconds:.2f}"
    say("alpha interval, 1,000,000 items of continuous values", got, "2 s, linear", two.seconds < 2)
    drawn = alone("bootstrap", 10_000, 5, 10)
    say("bootstrap, 2,000 × alpha on 10,000 × 5", f"{drawn.seconds:.2f} s", "2 s", drawn.seconds < 2)


def from_file() -> None:
    """Read thirty million ratings: many items with few labels, then fewer items with many labels."""
    import duckdb

    DATA.mkdir(exist_ok=True)
    path = DATA / "ratings.csv"
    noise = "case when hash(i) % 10 < 3 then i % 3 else 0 end"
    label = f"'c' || cast(floor(10 * abs(sin((i // {{r}}) * 12.9898 + ({noise})))) as int)"
    for items, r in ((10_000_000, 3), (1_000_000, 30)):
        query = f"select 'item' || (i // {r}) as item, 'a' || (i % {r}) as annotator, {label.format(r=r)} as label"
        duckdb.connect().execute(f"copy ({query} from range({items * r}) t(i)) to '{path}' (header)")
        theirs, ours = alone("csv_duckdb", path), alone("csv_accord", path)
        ratio = ours.seconds / theirs.seconds
        what = f"read and score a CSV of 30,000,000 ratings ({items:,} × {r})"
        got = f"{ours.seconds:.1f} s, {ratio:.1f}× DuckDB's count"
        say(what, got, "3×", ratio <= 3)
        say("  peak memory", f"{ours.megabytes / 1024:.2f} GB", "2 GB", ours.megabytes < 2048)
        note(f"a CSV of {items:,} × {r}, to DuckDB", ours.processor / theirs.processor)
        path.unlink()


def start() -> None:
    for what, command in (
        ("accord --help", [ACCORD, "--help"]),
        ("import accord", [sys.executable, "-c", "import accord"]),
    ):
        took = statistics.median(shell(*command)[0] for _ in range(5))
        ours, bare = (min(processor(*one) for _ in range(3)) for one in (command, [sys.executable, "-c", ""]))
        ratio = ours / bare
        say(what, f"{took:.2f} s, {ratio:.1f}× Python's start", "0.3 s", took < 0.3)
        note(f"{what}, to the start of Python", ratio)


PARTS = {
    "items": (start, in_memory, from_file),
    "unitizing": (unitizing.continua, unitizing.segmentations),
    "gamma": (gamma.files, gamma.sizes, gamma.corpora, gamma.leoka, gamma.annotators),
    "inference": (inference.resampling, inference.leaving_out, inference.xrays),
    "crowd": (crowd.models,),
    "formats": (formats.native, formats.several_times),
    "texts": (texts.versions, texts.whole, texts.text_corpora),
    "growth": (growth.curves,),
    "named": (
        named.first_minute,
        named.crowds,
        named.counts,
        named.dense,
        named.unrelated_texts,
        named.examples,
        named.named_corpora,
    ),
    "machines": (machines.sending, machines.keeping, machines.weight),
}


def main(words: Sequence[str]) -> int:
    """Run all benchmarks, or the named parts and functions. Return 1 if `--check` finds a worse ratio."""
    print(f"NumPy {np.__version__}, Python {sys.version.split()[0]}")
    failed: list[str] = []
    asked = [word for word in words if not word.startswith("--")] or list(PARTS)
    for part, functions in PARTS.items():
        for function in functions:
            if part in asked or function.__name__ in asked:
                try:
                    function()
                except RuntimeError as error:  # continue with the other benchmarks
                    failed.append(f"{function.__name__} failed")
                    say(function.__name__, str(error).strip().splitlines()[-1], "no error", False)
    if "--write" in words:
        baseline.write(RATIOS)
    if "--check" not in words:
        return 0
    lines = [*failed, *baseline.worse(RATIOS, baseline.read())]
    print("\n".join(f"WORSE {line}" for line in lines) or f"{len(RATIOS)} ratios, none worse than the baseline")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
