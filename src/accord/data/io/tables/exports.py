"""Tables as tools export them, known by their columns: those that hold no row per label are named, with the way out."""

from __future__ import annotations

from dataclasses import dataclass

from accord.core.errors import DataError
from accord.data.io.reading import Reading
from accord.data.io.tables.roles import plain_name
from accord.data.io.tables.sources import Source


@dataclass(frozen=True)
class _Export:
    """What an export is, the columns that show it, and what to do."""

    what: str
    columns: tuple[str, ...]  # all of them, as `plain_name` writes them
    instead: str


_PROJECT = "export the project as REFI-QDA (.qdpx), which is read as it is"
_RESPONSES = (
    "keep who answered and the questions, and say --annotators-in rows if respondents are annotators and questions "
    "items; or name the columns: --item, --annotator, --label"
)
_EXPORTS = (
    _Export(
        "a comparison of coding by NVivo, which holds results and no labels",
        ("kappa", "agreement_(%)", "disagreement_(%)"),
        _PROJECT,
    ),
    _Export(
        "coded segments of MAXQDA",
        ("document_name", "code", "beginning", "end", "segment"),
        f"{_PROJECT}; or say --layout units --doc 'Document name' --annotator COLUMN --start Beginning --end End "
        "--label Code, if beginning and end are numbers",
    ),
    _Export(
        "coded segments of MAXQDA",
        ("dokumentname", "code", "anfang", "ende", "segment"),
        f"{_PROJECT}; or say --layout units --doc Dokumentname --annotator COLUMN --start Anfang --end Ende "
        "--label Code, if beginning and end are numbers",
    ),
    _Export(
        "excerpts of Dedoose, a row for each with a column per code",
        ("excerpt_creator", "excerpt_range"),
        "write a row per excerpt and code, doc,annotator,start,end,label, with the two ends of the range",
    ),
    _Export(
        "quotations of ATLAS.ti",
        ("quotation_name", "codes", "document"),
        f"{_PROJECT}; or write a row per quotation and code: doc,annotator,start,end,label",
    ),
    _Export(
        "classifications of Zooniverse, whose answers are JSON in a cell",
        ("classification_id", "workflow_id", "annotations", "subject_ids"),
        "write a row per answer: item (subject_ids), annotator (user_name), label",
    ),
    _Export(
        "responses of LimeSurvey, a row for each",
        ("submitdate", "lastpage", "startlanguage"),
        _RESPONSES,
    ),
    _Export(
        "responses of SoSci Survey, a row for each",
        ("case", "questnnr", "started"),
        _RESPONSES,
    ),
    _Export(
        "a full report of Appen (CrowdFlower)",
        ("_unit_id", "_worker_id", "_trust"),
        "say --item _unit_id --annotator _worker_id --label COLUMN, with the question that is meant",
    ),
    _Export(
        "an aggregated report of Appen (CrowdFlower), with one answer for each unit",
        ("_unit_id", "_trusted_judgments"),
        "download the full report, which has a row per judgment",
    ),
)


def refuse_exports(source: Source, how: Reading) -> None:
    """Columns of such an export are no annotators; whoever names columns knows them."""
    if how.annotator or how.label or how.columns or how.layout or how.annotators_in or how.start:
        return
    header = {plain_name(name) for name in source.header}
    found = next((one for one in _EXPORTS if header.issuperset(one.columns)), None)
    if found is not None:
        raise DataError(f"{source.name}: {found.what}: {found.instead}")
