"""Known weaknesses of what is installed, as pip-audit finds them; where no database answers, that is said."""

from __future__ import annotations

import json
import subprocess
import sys


def main() -> None:
    asked = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = done.stderr.strip().splitlines()[-1:] or ["no answer"]
        sys.stdout.write(f"SKIPPED: weaknesses are not known, as no database can be asked: {last[0][:200]}\n")
        return
    known = [one for one in packages if "skip_reason" not in one]
    weak = {one["name"]: [each["id"] for each in one["vulns"]] for one in known if one["vulns"]}
    for name, found in weak.items():
        sys.stdout.write(f"{name}: {', '.join(found)}\n")
    if weak:
        sys.exit(f"{len(weak)} of {len(known)} packages have known weaknesses")
    if not known:
        sys.stdout.write(
            f"SKIPPED: the database knows none of {len(packages)} packages: it cannot be reached from here\n"
        )
    else:
        left = f"; {len(packages) - len(known)} could not be looked up" if len(known) < len(packages) else ""
        sys.stdout.write(f"{len(known)} packages without known weaknesses{left}\n")


if __name__ == "__main__":
    main()
