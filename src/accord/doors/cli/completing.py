"""Shell completion: measures with their options, and other names."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args, get_type_hints

Found = list[str]
_HEADS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_WITH_A_FILE = ("matrix", "melamed_resnik", "geertzen_bunt", "extended_senses")
_PARTS = ("category", "annotator", "pair", "item", "document", "kind")


def measures(incomplete: str) -> Found:
    """alp → alpha; alpha(dis → alpha(distance=nominal), alpha(distance=ordinal) …"""
    if "(" not in incomplete:
        return _beginning(_names(), incomplete)
    name, _, inside = incomplete.partition("(")
    *before, last = inside.split(",")
    done = "".join(f"{part}," for part in before)
    return [
        f"{name}({done}{option}"
        for option in _beginning(_options(name, {part.partition("=")[0] for part in before}), last)
    ]


def measure_names(incomplete: str) -> Found:
    return _beginning(_names(), incomplete)


def _names() -> list[str]:
    """The names of all measures. They are the names of the manual pages, so no measure is imported."""
    pages = files("accord").joinpath("pages").iterdir()
    return sorted(page.name.removesuffix(".md") for page in pages if page.name.endswith(".md"))


def _options(name: str, given: set[str]) -> list[str]:
    from accord.core.errors import AccordError
    from accord.core.manual import page
    from accord.measures.catalogue import measure

    try:
        cls = type(measure(name))
    except (AccordError, TypeError):
        return []
    hints = get_type_hints(cls)
    made: list[str] = []
    for option in page(cls.name).options:
        if option not in given:
            values = _values(option, hints.get(option), cls)
            made += [f"{option}={value}{'(' if value in _WITH_A_FILE else ')'}" for value in values] or [f"{option}="]
    return made


def _values(option: str, hint: Any, cls: Any) -> list[str]:
    from accord.measures.chance.expected import MODELS
    from accord.measures.dissimilarities import LABEL_DISTANCES
    from accord.measures.distances import DISTANCES, WEIGHTS

    if option == "distance":
        return [one.name for one in (LABEL_DISTANCES if "units" in cls.__module__ else DISTANCES)]
    if option == "weights":
        return ["identity" if one.name == "nominal" else one.name for one in WEIGHTS]
    if option == "chance":
        return list(MODELS)
    if hint is bool:
        return ["true", "false"]
    return [value for value in get_args(hint) if isinstance(value, str)]


def outputs(incomplete: str) -> Found:
    from accord.core.schema import outputs as known

    return _beginning([*known()["commands"], *known()["$defs"]], incomplete)


def intervals(incomplete: str) -> Found:
    from accord.measures.intervals.methods import INTERVALS

    return _beginning([*INTERVALS, "none"], incomplete)


def scales(incomplete: str) -> Found:
    from accord.answers.scales import SCALES

    return _beginning([scale.name for scale in SCALES], incomplete)


def levels(incomplete: str) -> Found:
    """tone=or → tone=ordinal."""
    from accord.data.model.measurement import LEVELS

    variable, sign, level = incomplete.rpartition("=")
    return [f"{variable}{sign}{name}" for name in _beginning(LEVELS, level)]


def formats(incomplete: str) -> Found:
    from accord.data.io.formats.catalogue import FORMATS

    return _beginning([one.name for one in FORMATS], incomplete)


def written_formats(incomplete: str) -> Found:
    from accord.data.io.formats.catalogue import FORMATS

    return _beginning(["table", "parquet", *(one.name for one in FORMATS if one.written)], incomplete)


def errors(incomplete: str) -> Found:
    from accord.answers.simulate.errors import ERRORS

    return _beginning([one.name for one in ERRORS], incomplete)


def one_of(*names: str) -> Callable[[str], Found]:
    """Complete one of a few names."""

    def complete(incomplete: str) -> Found:
        return _beginning(names, incomplete)

    return complete


def columns(incomplete: str) -> Found:
    """Complete the columns of the table on the command line, from its header row."""
    return _beginning(_header(), incomplete)


def by(incomplete: str) -> Found:
    """Complete breakdowns and the columns of the table."""
    return _beginning([*_PARTS, *_header()], incomplete)


def _header() -> list[str]:
    """The header row of the first table. Typer has not parsed the paths yet, so search all words."""
    words = f"{os.environ.get('COMP_WORDS', '')} {os.environ.get('_TYPER_COMPLETE_ARGS', '')}".split()
    for path in (Path(word.strip("'\"")) for word in words):
        if path.suffix.lower() in _HEADS and path.is_file():
            try:
                with path.open(encoding="utf-8-sig", newline="") as table:
                    return [name for name in next(csv.reader(table, delimiter=_HEADS[path.suffix.lower()]), []) if name]
            except (OSError, UnicodeDecodeError, csv.Error):
                return []
    return []


def _beginning(names: Iterable[str], incomplete: str) -> Found:
    return [name for name in names if name.startswith(incomplete)]
