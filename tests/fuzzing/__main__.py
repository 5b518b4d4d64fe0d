"""`make fuzz`: mutated and odd inputs for so many minutes, on so many processes; what is found is kept.

The run with a seed goes on where it was stopped: its figures are in .fuzz/SEED/state.json, what it found beside it.
"""

from __future__ import annotations

import argparse
import json
import secrets
import signal
import sys
from contextlib import suppress
from pathlib import Path

from .cases import Case, kept
from .running import Fuzzing

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, help="go on with this run; without it, a new one begins")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--inputs", type=int, help="stop there")
    options.add_argument(
        "--show", type=int, metavar="NUMBER", help="print an input of the run with --seed, and try none"
    )
    options.add_argument("--again", action="store_true", help="try what the run with --seed found once more")
    options.add_argument(
        "--smaller", type=Path, metavar="FILE", help="make an input that was found as small as possible"
    )
    said = options.parse_args()
    if said.smaller is not None:
        from .smaller import smaller

        sys.stdout.write(smaller(Case.from_json(said.smaller.read_text(encoding="utf-8"))).to_json() + "\n")
        return 0
    seed = said.seed if said.seed is not None else secrets.randbelow(10**6)
    if said.show is not None:
        from .mix import case

        sys.stdout.write(case(seed, said.show).to_json() + "\n")
        return 0
    run = Fuzzing(ROOT / ".fuzz" / str(seed), seed, said.jobs)
    if said.again:
        return _again(run)
    sys.stdout.write(f"seed {seed}: {run.state['inputs']:,} inputs so far\n")
    sys.stdout.flush()
    for stop in (signal.SIGINT, signal.SIGTERM):  # in the background, too
        signal.signal(stop, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        run.go(said.minutes * 60, said.inputs)
    sys.stdout.write(run.summary())
    return int(bool(run.state["failures"]))


def _again(run: Fuzzing) -> int:
    """What still fails; what does not is taken off the list."""
    import tempfile

    from .trying import tried

    left = 0
    for path in kept(run.folder / "found"):
        found = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            outcome = tried(Case.from_json(json.dumps(found["case"])), Path(folder) / "here")
        still = outcome.failure or "no longer"
        left += bool(outcome.failure)
        sys.stdout.write(f"{found['failure']}: {still}\n")
        if not outcome.failure:
            path.rename(path.with_suffix(".fixed"))
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
