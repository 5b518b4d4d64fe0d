"""`make bench-check`: what was measured, against the ratios of baseline.json; a regression shows.

Ratios, and not seconds: they are much the same on another machine. `python -m benchmarks --write` replaces those that
it measures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

PATH = Path(__file__).with_name("baseline.json")
# How many times the ratio of the baseline one may be. Times are measured beside what others do on the machine.
TOLERANCE = {"time": 1.5, "memory": 1.25, "exponent": 1.2}
Ratios = Mapping[str, tuple[float, str]]


def read(path: Path = PATH) -> dict[str, tuple[float, str]]:
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {name: (float(one["ratio"]), str(one["kind"])) for name, one in kept.items()}


def write(found: Ratios, path: Path = PATH) -> None:
    """Those that were not measured stay as they are."""
    kept = {**(read(path) if path.exists() else {}), **found}
    rows = {name: {"ratio": float(f"{ratio:.3g}"), "kind": kind} for name, (ratio, kind) in sorted(kept.items())}
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def worse(found: Ratios, kept: Ratios) -> list[str]:
    """A line for each ratio that is worse than it was, beyond the tolerance of its kind."""
    lines = []
    for name, (now, kind) in found.items():
        if name not in kept:
            continue
        before = kept[name][0]
        if not now <= before * TOLERANCE[kind]:
            lines.append(f"{name}: {now:.3g}, was {before:.3g}; {TOLERANCE[kind]:g} times that is tolerated ({kind})")
    return lines
