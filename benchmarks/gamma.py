"""Compare γ with pygamma-agreement, which runs in its own virtual environment, and measure larger sizes.

Both compute 31 alignments: the observed one and 30 samples of their default chance model. Imports count only for
commands in the shell.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.measure import ACCORD, DATA, ROOT, alone, alone_each, note, say, shell, tell
from benchmarks.work import LABELS, marked

CORPORA = ROOT.parent / "shared" / "corpora"
PEER = ROOT / ".venv-peer" / "bin"
ALIGNMENTS = 31
PATIENCE = 120  # seconds for the peer's own command

FASTER = {"3by100": 100, "2by1000": 200, "3by500": 400, "2by5000": 1000}
WHOLE = ("3by100", "2by1000")  # a complete run of the peer takes less than two minutes
SMALLER = {"2by5000": [("2by2000", 6.25)]}  # if 8 GB are not enough: a smaller file, and the ratio of their tuples
MANY_SAMPLES = "gamma(samples=200, precision=0.99)"  # enough work to start several processes
SECONDS = {"2by1000": 0.2, "3by500": 4.0, "5by100": 10.0}


@dataclass(frozen=True)
class Peer:
    """The time of the peer for γ, and for its start including imports and compilation."""

    seconds: float
    start: float
    observed: float | None  # None: computed from another file
    how: str


def files() -> None:
    """Measure the public files of the peer."""
    tell("γ with 30 samples in both; the peer uses GLPK, as installed by pip; factors refer to its exact mode")
    for name in (*FASTER, "5by100"):
        path = _file(name)
        ours = alone("gamma_file", path)
        if name in SECONDS:
            got = f"{ours.seconds:.2f} s"
            say(f"{name}.csv, whole γ", got, f"{SECONDS[name]:g} s", ours.seconds < SECONDS[name])
        if not (PEER / "pygamma-agreement").exists():
            tell(f"{name}.csv against pygamma-agreement: skipped, no {PEER.parent.name} (make bench creates it)")
            continue
        command = statistics.median(shell(ACCORD, "score", path, "-m", "gamma")[0] for _ in range(3))
        if name in FASTER:
            theirs = _peer(name)
            # The peer uses single precision and drops units of length 0 (two in 2by5000).
            assert theirs.observed is None or abs(ours.value - theirs.observed) < 2e-4
            faster, wanted = theirs.seconds / ours.seconds, FASTER[name]
            note(f"{name}.csv, whole γ, to pygamma-agreement", ours.seconds / theirs.seconds)
            got = f"{ours.seconds:.2f} s to {theirs.seconds:.0f} s, {faster:,.0f}×"
            say(f"{name}.csv, whole γ, against {theirs.how}", got, f"{wanted:,}×", faster >= wanted)
            there = theirs.start + theirs.seconds
            got = f"{command:.2f} s to {there:.0f} s, {there / command:,.0f}×"
            say("  as a shell command; accord with a precision of 2%", got, "10×", there / command >= 10)
        tell("  its own shell command, which is not exact", _its_command(path, command))


def _file(name: str) -> Path:
    path = CORPORA / "native-samples" / "pygamma-csv" / f"{name}.csv"
    if path.exists():
        return path
    DATA.mkdir(exist_ok=True)
    annotators, units = map(int, name.split("by"))
    columns = marked(annotators, units)
    rows = zip(*(column.astype(int).tolist() for column in columns.values()), strict=True)
    lines = [f"annotator_{who},{LABELS[label]},{start},{end}\n" for who, label, start, end in rows]
    (DATA / path.name).write_text("".join(lines), encoding="utf-8")
    tell(f"{path.name}: no {CORPORA}; simulated data in the same style")
    return DATA / path.name


def _peer(name: str) -> Peer:
    if name in WHOLE and (found := _peer_run("whole", name)):
        return found
    for file, times in ((name, 1.0), *SMALLER.get(name, [])):
        if found := _peer_run("one", file):
            seconds = found.seconds * ALIGNMENTS * times
            if file == name:
                return replace(found, seconds=seconds, how="31 × its one alignment")
            return replace(found, seconds=seconds, observed=None, how=f"31 × {times:g} × its one of {file}")
    raise RuntimeError(f"the peer cannot align {name}")


def _peer_run(what: str, name: str) -> Peer | None:
    """Run the peer. Return None if it exceeds two minutes or 8 GB."""
    begin = time.perf_counter()
    command = (PEER / "python", ROOT / "benchmarks" / "peer.py", what, _file(name))
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if out.returncode:
        return None
    found = json.loads(out.stdout.splitlines()[-1])
    return Peer(found["seconds"], time.perf_counter() - begin - found["seconds"], found["observed"], "its whole run")


def _its_command(path: Path, ours: float) -> str:
    begin = time.perf_counter()
    try:
        subprocess.run([PEER / "pygamma-agreement", path], capture_output=True, check=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"{ours:.2f} s to more than {PATIENCE} s"
    except subprocess.CalledProcessError:
        return "it failed"
    took = time.perf_counter() - begin
    return f"{ours:.2f} s to {took:.0f} s, {took / ours:.0f}×"


def sizes() -> None:
    """Measure the observed disorder of units in memory. The memory of the process includes the data."""
    for annotators, units, seconds, gigabytes in ((2, 1_000_000, 5, 1), (3, 100_000, 20, None)):
        half, full = alone("observed", annotators, units // 2), alone("observed", annotators, units)
        what = f"observed disorder, {annotators} × {units:,}"
        say(what, f"{full.seconds:.2f} s", f"{seconds} s", full.seconds < seconds)
        if gigabytes:
            _memory(full.megabytes, gigabytes)
        ratio = full.seconds / half.seconds
        say("  units ×2", f"time ×{ratio:.2f}", "×2.2 at most", ratio <= 2.2)
    uneven = alone("observed", 2, 1_000_000, "uneven")
    what = "observed disorder, 2 × 1,000,000, lengths 1 to 2,000, dense"
    say(what, f"{uneven.seconds:.1f} s", "30 s", uneven.seconds < 30)
    _memory(uneven.megabytes, 2)


def _memory(megabytes: float, gigabytes: float) -> None:
    got = f"{megabytes / 1024:.2f} GB"
    say("  peak memory of the process", got, f"{gigabytes:g} GB", megabytes < gigabytes * 1024)


def annotators() -> None:
    """Measure alignments of many annotators, with proof of optimality."""
    for kind, told in (("even", "copies of a reference"), ("astray", "10% of units misplaced")):
        for n, seconds in ((8, 10), (10, 20)):
            cost = alone("observed", n, 100, kind)
            got = f"{cost.seconds:.1f} s, gap {cost.value:.4%}"
            proven = cost.seconds < seconds and cost.value == 0
            say(f"{n} × 100, {told}, proven optimal", got, f"{seconds} s, gap 0", proven)


def leoka() -> None:
    """Measure documents with 27 or more annotators."""
    path = CORPORA / "leoka-labelstudio" / "spans.csv"
    if not path.exists():
        tell(f"27–29 annotators: skipped, no {path}")
        return
    each = alone_each("observed_documents", path, 27)
    took, gap = [cost.seconds for cost in each], max(cost.value for cost in each)
    got = f"median {np.median(took):.1f} s, most {max(took):.1f} s; gap {gap:.4%}"
    what = f"leoka-labelstudio, {len(each)} documents × 27–29, each"
    say(what, got, "15 s, gap 0.1%", max(took) < 15 and gap <= 0.001)
    whole = alone("gamma_document", path, 27)
    got = f"{whole.seconds:.0f} s, gap {whole.value:.4%}, samples included"
    say("  whole γ of one of them, chance=shift", got, "180 s", whole.seconds < 180)


def corpora() -> None:
    """Measure a corpus of many small documents."""
    path = CORPORA / "wmt23-mqm-3raters" / "zh-en" / "units.csv"
    if not path.exists():
        tell(f"wmt23 zh-en: skipped, no {path}")
        return
    observed = alone("observed_corpus", path)
    what = "wmt23 zh-en, 3,770 documents, observed disorder"
    say(what, f"{observed.seconds:.2f} s", "2 s", observed.seconds < 2)
    seconds, _ = shell(ACCORD, "score", path, "-m", "gamma", "--jobs", 2)
    say("  whole γ with corpus chance, from the shell, two workers", f"{seconds:.1f} s", "30 s", seconds < 30)
    for name, file, spec in (("wmt23 zh-en", path, "gamma"), ("3by500.csv", _file("3by500"), MANY_SAMPLES)):
        (one, said), (two, again) = (shell(ACCORD, "score", file, "-m", spec, "--jobs", n, "--json") for n in (1, 2))
        got = "equal digits" if said == again else "different digits"
        say(f"{name}, {spec}, --jobs 1 and 2", f"{got} ({one:.1f} s, {two:.1f} s)", "equal", said == again)
