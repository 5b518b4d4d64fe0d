"""`make fuzz`: run accord on mutated and random inputs for some minutes, and save the inputs that fail.

A run continues with its seed: its counts are in .fuzz/SEED/state.json, the failing inputs in the folder found.
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
    options.add_argument("--seed", type=int, help="continue this run; without it, start a new one")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--inputs", type=int, help="stop after this number of inputs")
    options.add_argument("--show", type=int, metavar="NUMBER", help="print an input of the run with --seed and exit")
    options.add_argument("--again", action="store_true", help="run the failing inputs of --seed again")
    options.add_argument("--smaller", type=Path, metavar="FILE", help="make a failing input as small as possible")
    args = options.parse_args()
    if args.smaller is not None:
        from .smaller import smaller

        sys.stdout.write(smaller(Case.from_json(args.smaller.read_text(encoding="utf-8"))).to_json() + "\n")
        return 0
    seed = args.seed if args.seed is not None else secrets.randbelow(10**6)
    if args.show is not None:
        from .mix import case

        sys.stdout.write(case(seed, args.show).to_json() + "\n")
        return 0
    run = Fuzzing(ROOT / ".fuzz" / str(seed), seed, args.jobs)
    if args.again:
        return _again(run)
    sys.stdout.write(f"seed {seed}: {run.state['inputs']:,} inputs so far\n")
    sys.stdout.flush()
    for stop in (signal.SIGINT, signal.SIGTERM):  # also in the background
        signal.signal(stop, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        run.go(args.minutes * 60, args.inputs)
    sys.stdout.write(run.summary())
    return int(bool(run.state["failures"]))


def _again(run: Fuzzing) -> int:
    """Run the failing inputs again, and rename the files of those that pass."""
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
