"""Exports of survey and coding tools, recognised by their columns.

Some exports have no row per label: accord refuses them and explains what to do. Others have columns that the tool adds
to the answers: accord hides these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.platforms import platform_of, read_judgments
from accord.data.io.tables.roles import ANNOTATOR, COULD_BE_ANNOTATORS, ITEM, first_of, plain_name
from accord.data.io.tables.sources import Source, View
from accord.data.model.data import Fact, some


@dataclass(frozen=True)
class _Export:
    """A kind of export, its characteristic columns, and what to do."""

    what: str
    columns: tuple[str, ...]  # all of them must occur; written as by `plain_name`
    instead: str  # {annotator} and plain names in braces stand for columns of the file
    annotator: tuple[str, ...] = ()  # columns that may name the annotator


_PROJECT = "export the project as REFI-QDA (.qdpx), which accord reads"
_RESPONSES = (
    "keep only the respondents and the questions, and use --annotators-in rows if respondents are annotators and "
    "questions are items; or name the columns with --item COLUMN --annotator COLUMN --label COLUMN"
)
_EXPORTS = (
    _Export(
        "a coding comparison of NVivo, which contains results but no labels",
        ("kappa", "agreement_(%)", "disagreement_(%)"),
        _PROJECT,
    ),
    _Export(
        "a table of coded segments of MAXQDA",
        ("document_name", "code", "beginning", "end", "segment"),
        f"{_PROJECT}; or, if beginning and end are numbers, use --layout units --doc {{document_name}} --annotator "
        "{annotator} --start {beginning} --end {end} --label {code}",
        ("created_by", "author", "modified_by"),
    ),
    _Export(
        "a table of coded segments of MAXQDA",
        ("dokumentname", "code", "anfang", "ende", "segment"),
        f"{_PROJECT}; or, if beginning and end are numbers, use --layout units --doc {{dokumentname}} --annotator "
        "{annotator} --start {anfang} --end {ende} --label {code}",
        ("erstellt_von", "autor", "bearbeitet_von"),
    ),
    _Export(
        "a table of excerpts of Dedoose with one column per code",
        ("excerpt_creator", "excerpt_range"),
        "write one row per excerpt and code (doc,annotator,start,end,label) with the two ends of the range",
    ),
    _Export(
        "a table of quotations of ATLAS.ti",
        ("quotation_name", "codes", "document"),
        f"{_PROJECT}; or write one row per quotation and code (doc,annotator,start,end,label)",
    ),
    _Export(
        "a table of responses of LimeSurvey",
        ("submitdate", "lastpage", "startlanguage"),
        _RESPONSES,
    ),
    _Export(
        "a table of responses of SoSci Survey",
        ("case", "questnnr", "started"),
        _RESPONSES,
    ),
    _Export(
        "a table of relations, for which accord has no measure",
        ("source_start", "target_start"),
        "use --item doc+source_start+target_start --label label to compare the labels of relations that several "
        "annotators marked; relations that only one annotator marked are then left out",
    ),
    _Export(
        "an aggregated report of Appen (CrowdFlower), with one answer per unit",
        ("_unit_id", "_trusted_judgments"),
        "download the full report, which has one row per judgment",
    ),
)


def refuse_exports(source: Source, how: Reading) -> None:
    """Refuse exports that accord cannot read, unless the user names columns."""
    if how.annotator or how.label or how.columns or how.layout or how.annotators_in or how.start:
        return
    header = {plain_name(name): quoted(name) for name in source.header}
    export = next((candidate for candidate in _EXPORTS if header.keys() >= set(candidate.columns)), None)
    if export is not None:
        annotator = next((header[name] for name in export.annotator if name in header), "COLUMN")
        instead = export.instead.format_map({**header, "annotator": annotator})
        raise DataError("export-not-usable", f"{source.name}: this is {export.what}; {instead}")


# -- Columns that tools add to the answers --


@dataclass(frozen=True)
class _Tool:
    """A tool: the columns that reveal it, how many of them are enough, and the columns that are not answers."""

    name: str
    marks: re.Pattern[str]
    enough: int
    helpers: re.Pattern[str]
    annotator: tuple[str, ...] = ()  # columns that name the annotator
    say: str = ""  # advice if the annotator of a row is unknown; "": the usual


_OF_QUALTRICS = ("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished",
             "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName", "RecipientEmail",
             "ExternalReference", "LocationLatitude", "LocationLongitude", "DistributionChannel",
             "UserLanguage")  # fmt: skip
_QUALTRICS = _Tool(
    "Qualtrics",
    re.compile("|".join(map(re.escape, _OF_QUALTRICS))),
    4,
    re.compile("|".join(map(re.escape, _OF_QUALTRICS))),
    say=", with one row per response; use --annotators-in rows if respondents are annotators and questions are items, "
    "or name the columns with --item COLUMN --annotator COLUMN --label COLUMN",
)
_FEW = 3  # columns that reveal a tool
_OTHER_TOOLS = (
    _Tool(
        "REDCap",
        re.compile(r"redcap_.+|record_id|\w+_complete"),
        2,
        re.compile(
            r"redcap_(?:event_name|repeat_instrument|repeat_instance|data_access_group|survey_identifier)|"
            r"\w+_complete|\w+_timestamp"
        ),
        ("redcap_repeat_instance",),
    ),
    _Tool(
        "KoboToolbox",
        re.compile(r"_(?:id|uuid|submission_time|validation_status|submitted_by|index)|__version__"),
        _FEW,
        re.compile(
            r"_(?:id|uuid|submission_time|validation_status|notes|status|submitted_by|tags|index|parent_index|"
            r"parent_table_name|version_)|__version__|start|end|today|deviceid|phonenumber|subscriberid|simserial"
        ),
        ("_submitted_by",),
    ),
    _Tool(
        "ODK",
        re.compile(r"SubmissionDate|meta-instanceID|KEY|SubmitterID|SubmitterName|ReviewState|FormVersion"),
        _FEW,
        re.compile(
            r"SubmissionDate|meta-(?:instanceID|instanceName)|KEY|SubmitterID|SubmitterName|AttachmentsPresent|"
            r"AttachmentsExpected|Status|ReviewState|DeviceID|Edits|FormVersion|start|end|deviceid"
        ),
        ("SubmitterName", "SubmitterID"),
    ),
    _Tool(
        "oTree",
        re.compile(r"(?:participant|session|player|group|subsession)\..+"),
        _FEW,
        re.compile(
            r"participant\.(?!code$).+|session\..+|player\.(?:id_in_group|role|payoff)|group\.id_in_subsession|"
            r"subsession\.(?!round_number$).+"
        ),
        ("participant.code",),
    ),
    _Tool(
        "Gorilla",
        re.compile(r"Event Index|UTC Timestamp|Participant P(?:rivate|ublic) ID|Tree Node Key|Zone Type|Task Name"),
        _FEW,
        re.compile(
            r"Event Index|(?:UTC|Local) (?:Timestamp|Date(?: and Time)?|Timezone)|Experiment (?:ID|Version)|"
            r"Tree Node Key|Repeat Key|Schedule ID|Participant (?:Public ID|Starting Group|Status|Completion Code|"
            r"External Session ID|Device.*|OS|Browser|Monitor Size|Viewport Size)|Checkpoint|Room (?:ID|Order)|"
            r"Task (?:Name|Version)|Screen (?:Number|Name|ID)|Zone (?:Name|Type)|Reaction (?:Time|Onset)|Attempt|"
            r"Timed Out|Dishonest|X Coordinate|Y Coordinate|randomise_.*"
        ),
        ("Participant Private ID",),
    ),
    _Tool(
        "PsychoPy",
        re.compile(r".+\.this(?:RepN|TrialN|N|Index)|psychopyVersion|expName"),
        2,
        re.compile(
            r".+\.(?:thisRepN|thisTrialN|thisN|thisIndex|ran|rt|started|stopped|duration)|session|date|expName|"
            r"expStart|psychopyVersion|frameRate|Unnamed: \d+"
        ),
        ("participant",),
    ),
    _Tool(
        "SurveyMonkey",
        re.compile(r"Respondent ID|Collector ID|Start Date|End Date|IP Address"),
        _FEW,
        re.compile(r"Collector ID|Start Date|End Date|IP Address|First Name|Last Name|Custom Data(?: \d+)?"),
        ("Respondent ID",),
    ),
)


@dataclass
class _Answers(View):
    """An export without the columns that its tool added."""

    hidden: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        shown = some(self.hidden, 4, told=True)
        more = (Fact(f"{self.name}: columns of the export tool left out: {shown}"),) if self.hidden else ()
        return (*self.source.notes, *more)

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(name for name in self.source.header if name not in self.hidden)


def answers_alone(source: Source, how: Reading) -> Source:
    """Hide the columns that a tool added. Refuse the table if the annotator of a row is unknown."""
    platform = platform_of(source.header)
    if platform is not None and not (how.annotators_in or how.columns or how.start or how.layout not in {None, "long"}):
        return read_judgments(source, platform, how)
    for tools in ((_QUALTRICS,), _OTHER_TOOLS):
        tool = next((tool for tool in tools if len(_matching(tool.marks, source.header)) >= tool.enough), None)
        if tool is not None:
            source = _without_helpers(source, tool, how)
    return source


def _without_helpers(source: Source, tool: _Tool, how: Reading) -> Source:
    said = {how.item, how.annotator, how.doc, how.start, how.end, *how.label, *how.needed}
    hidden = tuple(name for name in _matching(tool.helpers, source.header) if name not in said)
    answers = _Answers(source, hidden)
    certain = [name for name in ANNOTATOR if name not in COULD_BE_ANNOTATORS]
    known = first_of(answers.header, certain) and first_of(answers.header, ITEM)
    if not known and not (how.annotator or how.annotators_in or how.layout or how.columns or how.start):
        annotator = next((quoted(name) for name in tool.annotator if name in source.header), "COLUMN")
        rows = "" if annotator == "COLUMN" else f" --annotator {annotator}"
        usual = (
            f"; use --annotator {annotator} --item COLUMN --label COLUMN if each row is one annotator's answer, or "
            f"--annotators-in rows{rows} if rows are annotators and questions are items"
        )
        raise DataError("export-not-usable", f"{source.name}: this is an export of {tool.name}{tool.say or usual}")
    return answers


def _matching(pattern: re.Pattern[str], header: Sequence[str]) -> list[str]:
    return [name for name in header if pattern.fullmatch(name)]
