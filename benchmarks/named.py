"""Demanding cases: real corpora, overlapping units, many annotators, many categories, and first runs.

Seconds are processor time, including child processes. For default commands, they are elapsed time with one worker per
core. If no peer does the same, the ratio refers to a yardstick in the same run: NumPy sorting ten million numbers.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks.gamma import CORPORA
from benchmarks.measure import ACCORD, DATA, ROOT, Cost, alone, alone_each, best, command, note, say, tell

GARDEN = ROOT / "examples" / "garden"
PATIENCE = 1200  # elapsed seconds for one command


@cache
def _yardstick() -> float:
    return best("yardstick").processor


def _told(
    what: str, cost: Cost, seconds: float, gigabytes: float | None = None, kept: bool = False, clock: bool = False
) -> None:
    """Print a line. `kept`: record the ratio, for tasks whose ratio hardly depends on the machine."""
    ratio, took = cost.processor / _yardstick(), cost.seconds if clock else cost.processor
    processor = f" ({cost.processor:.1f} s of the processor)" if clock else ""
    got = f"{took:.1f} s{processor}, {ratio:.1f}× the yardstick, {cost.megabytes / 1024:.2f} GB"
    room = gigabytes is None or cost.megabytes < gigabytes * 1024
    wanted = f"{seconds:g} s" + (f", {gigabytes:g} GB" if gigabytes else "")
    say(what, got, wanted, took < seconds and room)
    if kept:
        note(f"{what}, to the yardstick", ratio)


def named_corpora() -> None:
    """Measure γ by the default command, and influence as a multiple of it."""
    for name, seconds, gigabytes in (
        ("leoka-labelstudio", 300, 2),
        ("toxic-spans", 180, 1.5),
        ("segmentation-flat", 10, None),
    ):
        path = CORPORA / name / "spans.csv"
        if not path.exists():
            tell(f"{name}: skipped, no {path}")
            continue
        score = command(ACCORD, "score", path, "-m", "gamma", patience=PATIENCE)
        _told(f"{name}, accord score", score, seconds, gigabytes, clock=True)
        influence = command(ACCORD, "influence", path, "-m", "gamma", patience=PATIENCE)
        ratio = influence.processor / score.processor
        got = f"{influence.processor:.0f} s, {ratio:.1f}× score, {influence.megabytes / 1024:.2f} GB"
        say("  accord influence", got, "5×", ratio <= 5)


def dense() -> None:
    """Measure one alignment of units that all overlap, and γ of equal units."""
    for annotators, units, seconds in ((3, 300, 5), (6, 20, 1)):
        _told(f"{annotators} × {units} that all overlap, one alignment", alone("crowded", annotators, units), seconds)
    _told("4 × 5 equal units, whole γ", alone("equal_units", 4, 5), 2, kept=True)


def unrelated_texts() -> None:
    _told("two unrelated texts of 6,000 words, aligned", alone("grown_texts", 6000), 5)


def examples() -> None:
    """Measure default commands on the included example."""
    spans = GARDEN / "spans.csv"
    with tempfile.TemporaryDirectory() as folder:
        _told("accord meaning, the example", command(ACCORD, "meaning", spans), 20, clock=True)
        asked = (ACCORD, "xray", spans, "--reference", "Ana", "-o", Path(folder) / "xray.csv")
        _told("accord xray, the example", command(*asked), 15, clock=True)


def first_minute() -> None:
    """Measure first runs: the cache of compiled code is empty or not writable."""
    with tempfile.TemporaryDirectory() as folder:
        texts, cuts = Path(folder) / "texts.csv", Path(folder) / "masses.csv"
        texts.write_text(
            "doc,annotator,text\nd,Ana,the cat sat on the mat\nd,Ben,a cat sits on a mat\n", encoding="utf-8"
        )
        cuts.write_text("doc,annotator,masses\nd,Ana,2 3 6\nd,Ben,5 6\ne,Ana,2 4 2 1\ne,Ben,2 4 3\n", encoding="utf-8")
        for what, asked in (
            ("tγ of two sentences", (texts, "-m", "text_gamma")),
            ("segmentation", (cuts,)),
            ("γ", (GARDEN / "spans.csv",)),
        ):
            for kept, cache_folder in (("nothing compiled", "empty"), ("nothing can be kept", "/proc/nowhere")):
                fresh = Path(folder) / "empty"
                fresh.mkdir()
                where = {"NUMBA_CACHE_DIR": str(fresh if cache_folder == "empty" else cache_folder)}
                cost = _least(ACCORD, "score", *asked, environment=where)
                _told(f"the first {what}, {kept}", cost, 4, kept=True)
                os.rename(fresh, Path(folder) / f"{what}-{kept}")


def _least(*asked: object, environment: Mapping[str, str]) -> Cost:
    return min((command(*asked, environment=environment) for _ in range(2)), key=lambda cost: cost.processor)


def counts() -> None:
    """Measure a table of counts, compared with reading alone."""
    DATA.mkdir(exist_ok=True)
    path = DATA / "counts.csv"
    alone("write_counts", path, 300_000)
    plain, score = best("read_plainly", path), best("score_counts", path)
    ratio = score.processor / plain.processor
    got = f"{score.processor:.1f} s, {ratio:.1f}× a plain read; {score.megabytes:.0f} MB"
    say("--layout counts, 300,000 items", got, "5 s, 1 GB", score.processor < 5 and score.megabytes < 1024)
    note("--layout counts, 300,000 items, to the yardstick", score.processor / _yardstick())
    path.unlink()


def crowds() -> None:
    """Measure many annotators, categories and boundaries, each compared with the value alone."""
    path = CORPORA / "movietweetings-100k" / "ratings.csv"
    if path.exists():
        for option in (("--interval", "unconditional"), ("--by", "annotator")):
            asked = (ACCORD, "score", path, "-m", "alpha", *option)
            _told(f"movietweetings-100k, {' '.join(option)}", command(*asked), 10)
    _parts("α of 16,000 annotators", alone_each("unconditional", 16_000), ["--interval unconditional"], kept=True)
    _parts("κ of 5,000 categories", alone_each("many_categories", 5_000), ["--by category", "--by pair", "marginals"])
    _parts("α(ordinal) of 300 annotators", alone_each("many_pairs", 300), ["--by pair", "--by annotator"])
    _parts("κ of 300 annotators, 900,000 labels", alone_each("everybody", 300), ["--by pair"])
    _parts("cuα of 5,000 categories", alone_each("many_units", 5_000), ["--by category"])
    _told("α(masi) of 5,000 sets", alone("many_sets", 5_000), 10)
    for spec in ("theta", "pk", "window_diff", "boundary_similarity", "alpha_boundaries"):
        cost = alone("long_texts", spec, 100_000)
        _told(f"{spec}, 3 × 100,000", cost, 10, kept=spec in {"theta", "alpha_boundaries"})


def _parts(what: str, costs: Sequence[Cost], names: Sequence[str], kept: bool = False) -> None:
    value = costs[0].processor
    for name, cost in zip(names, costs[1:], strict=True):
        ratio = cost.processor / value
        got = f"{cost.processor:.2f} s, {ratio:.1f}× the value alone; {cost.megabytes:.0f} MB"
        say(f"{what}, {name}", got, "10 s", cost.processor < 10)
        if kept:  # the value alone is too short for a stable ratio
            note(f"{what}, {name}, to the yardstick", cost.processor / _yardstick())
