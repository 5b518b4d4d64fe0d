"""The description of accord for the page: measures, formats, intervals, commands and the guide."""

from __future__ import annotations

from typing import Any

from accord._version import __version__
from accord.answers.advising.cases import tree_as_dict
from accord.answers.catalogue import ON_PAGE
from accord.answers.scales import SCALES
from accord.core.manual import page
from accord.data.io.formats.catalogue import FORMATS
from accord.data.io.reading import READING, ROLES
from accord.data.kinds import KINDS
from accord.data.model.measurement import LEVELS
from accord.doors.serving.asking import question_on_page
from accord.measures.catalogue import GROUPS
from accord.measures.intervals.methods import INTERVALS


def as_dict() -> dict[str, Any]:
    return {
        "version": __version__,
        "kinds": {
            kind.name: {"title": kind.title, "words": kind.words, "noun": kind.noun, "usual": kind.usual,
                        "main": kind.main, "layouts": kind.layouts}
            for kind in KINDS
        },
        "measures": [
            {"name": one.name, "title": one.title, "kind": one.data, "group": group, "summary": page(one.name).summary,
             "source": one.source}
            for group, several in GROUPS.items() for one in several
        ],
        "formats": [
            {"name": one.name, "title": one.title, "suffixes": one.suffixes, "holds": one.holds,
             "annotators": one.annotators, "written": one.written is not None}
            for one in FORMATS
        ],
        "intervals": {name: what for name, (_, what) in INTERVALS.items()},
        "scales": [one.name for one in SCALES],
        "roles": list(ROLES),
        "levels": list(LEVELS),
        "choices": {name: one.option.choices for name, one in READING.items() if one.option.choices},
        "commands": {command: question_on_page(command).schema() for command in ON_PAGE},
        "guide": tree_as_dict(),
    }  # fmt: skip
