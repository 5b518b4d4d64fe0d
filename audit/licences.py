"""Check the licences of all direct and indirect dependencies: `python -m audit.licences`."""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution

# Permissive licences, and licences with copyleft for their own files only. Each was reviewed.
ALLOWED = (
    "MIT", "MIT-0", "MIT-CMU", "HPND", "BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "PSF-2.0", "Python-2.0",
    "ISC", "0BSD", "Zlib", "Unlicense", "CC0-1.0", "BSL-1.0", "MPL-2.0", "Matplotlib", "LLVM-exception",
)  # fmt: skip
# Other spellings in package metadata.
WORDS = {
    "mit license": "MIT", "the mit license": "MIT", "mit": "MIT", "bsd license": "BSD", "bsd": "BSD",
    "bsd 3-clause": "BSD",
    "apache software license": "Apache-2.0", "apache license 2.0": "Apache-2.0", "apache 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0", "python software foundation license": "PSF-2.0",
    "isc license (iscl)": "ISC",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0", "historical permission notice and disclaimer (hpnd)": "HPND",
    "new bsd": "BSD", "modified bsd": "BSD", "bsd-3-clause": "BSD-3-Clause", "bsd-2-clause": "BSD-2-Clause",
}  # fmt: skip
# Exceptions: compiler libraries in NumPy and SciPy, which may be linked with any program.
_LINKED = ("GPL-3.0-or-later WITH GCC-exception-3.1", "GPL-3.0-with-GCC-exception", "LGPL-2.1-or-later")
LINKED_BY = ("numpy", "scipy")
EXTRAS = ("spss", "spacy", "excel", "large", "postgresql", "databases", "cluster")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


def needed(
    name: str, extras: tuple[str, ...] = (), found: dict[str, Distribution] | None = None
) -> dict[str, Distribution]:
    """Return the direct and indirect dependencies of a distribution by name, for this system and these extras."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found = {} if found is None else found
    for line in distribution(name).requires or ():
        one = Requirement(line)
        wanted = any(one.marker is None or one.marker.evaluate({"extra": extra}) for extra in ("", *extras))
        key = canonicalize_name(one.name)
        if not wanted or key in found:
            continue
        try:
            found[key] = distribution(key)
        except PackageNotFoundError:
            sys.exit(f"{one.name} is not installed, so its licence is unknown; install it")
        needed(key, tuple(one.extras), found)
    return found


def licences(one: Distribution) -> list[str]:
    """Return the licences in the metadata: an expression, classifiers or free text."""
    about = one.metadata
    expression = about.get("License-Expression")
    if expression:
        return [expression]
    classes = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or () if c.startswith("License ::")]
    named = [name for name in classes if name != "OSI Approved"]
    return named or [(about.get("License") or "unknown").strip().splitlines()[0]]


def is_allowed(name: str, said: str) -> bool:
    if name in LINKED_BY:
        for linked in _LINKED:
            said = said.replace(linked, "BSD")
    said = WORDS.get(said.lower(), said)
    parts = [part.strip(" ()") for part in re.split(r"\bAND\b|\bOR\b|\bWITH\b", said)]
    return all(part in ALLOWED for part in parts)


def main() -> None:
    found = needed("accord", EXTRAS)
    refused = []
    for name, one in sorted(found.items()):
        said = licences(one)
        fits = any(is_allowed(name, each) for each in said)
        refused += [] if fits else [name]
        sys.stdout.write(f"{name:24}{one.version:14}{' / '.join(said)}{'' if fits else '   <- not on the list'}\n")
    if refused:
        sys.exit(f"not on the list in audit/licences.py: {', '.join(refused)}")
    sys.stdout.write(f"{len(found)} packages, all licences on the list\n")


if __name__ == "__main__":
    main()
