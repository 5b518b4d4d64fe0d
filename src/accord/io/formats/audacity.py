"""Audacity labels: start, end and label on each line, with tabs between. A file per annotator and recording."""

from __future__ import annotations

import re
from collections.abc import Sequence

from accord.errors import DataError
from accord.io.formats.export import Export
from accord.io.formats.files import File
from accord.io.formats.tiers import Tier, Tiers, read_tiers
from accord.io.reading import Reading

_LINE = re.compile(r"(-?\d+(?:[.,]\d+)?)\t(-?\d+(?:[.,]\d+)?)(?:\t(.*))?")
_FREQUENCIES = "\\"  # a second line of a label, with the frequencies that it spans


def recognises(file: File) -> bool:
    """Two times in order on every line, some with decimals: a table of whole numbers is something else."""
    lines = [line.rstrip("\r") for line in file.beginning.split("\n")[:200] if line.strip()]
    lines = [line for line in lines[:-1] or lines if not line.startswith(_FREQUENCIES)]
    said = [_LINE.fullmatch(line) for line in lines]
    if file.suffix not in {".txt", ""} or not said or not all(said):
        return False
    spans = [(one[1], one[2]) for one in said if one]
    in_order = all(float(low.replace(",", ".")) <= float(high.replace(",", ".")) for low, high in spans)
    return in_order and all("." in low + high or "," in low + high for low, high in spans[:1])


def read(mine: Sequence[File], files: Sequence[File], how: Reading) -> Export:  # noqa: ARG001
    export = Export()
    given = []
    for file in mine:
        tier = Tier("label")
        for number, line in enumerate(file.text(how.encoding).split("\n"), 1):
            line, place = line.rstrip("\r"), f"{file.name}:{number}"  # noqa: PLW2901
            if not line.strip() or line.startswith(_FREQUENCIES):
                continue
            said = _LINE.fullmatch(line)
            if said is None:
                raise DataError(f"{place}: a label of Audacity is written: start, end, label, with tabs between")
            start, end = (float(said[k].replace(",", ".")) for k in (1, 2))
            if not (said[3] or "").strip():
                export.leave("labels without a text", place)
                continue
            tier.marked.append((start, end, said[3].strip(), place))
        given.append(Tiers(file, [tier]))
    return read_tiers(given, export, how)
