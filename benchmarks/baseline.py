"""`make bench-check`: compare measured ratios with baseline.json to find regressions.

The baseline contains ratios instead of seconds, because ratios depend less on the machine. `python -m benchmarks
--write` replaces the ratios that it measures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

PATH = Path(__file__).with_name("baseline.json")
# The maximum factor by kind of ratio. Other processes on the machine disturb times.
TOLERANCE = {"time": 1.5, "memory": 1.25, "exponent": 1.2}
Ratios = Mapping[str, tuple[float, str]]


def read(path: Path = PATH) -> dict[str, tuple[float, str]]:
    kept = json.loads(path.read_text(encoding="utf-8"))
    return {name: (float(one["ratio"]), str(one["kind"])) for name, one in kept.items()}


def write(found: Ratios, path: Path = PATH) -> None:
    """Store the measured ratios. Keep the others."""
    kept = {**(read(path) if path.exists() else {}), **found}
    rows = {name: {"ratio": float(f"{ratio:.3g}"), "kind": kind} for name, (ratio, kind) in sorted(kept.items())}
    path.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def worse(found: Ratios, kept: Ratios) -> list[str]:
    """Return a line for each ratio that exceeds the baseline by more than the tolerance."""
    lines = []
    for name, (now, kind) in found.items():
        if name not in kept:
            continue
        before = kept[name][0]
        if not now <= before * TOLERANCE[kind]:
            lines.append(f"{name}: {now:.3g}, baseline {before:.3g}, tolerated factor {TOLERANCE[kind]:g} ({kind})")
    return lines
