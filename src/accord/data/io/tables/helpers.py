"""What survey tools and experiments note beside the answers: no annotators, and nothing to be scored."""

from __future__ import annotations

import re
from dataclasses import dataclass

from accord.core.errors import DataError, quoted
from accord.data.io.reading import Reading
from accord.data.io.tables.header_lines import Below, HeaderLines
from accord.data.io.tables.roles import ANNOTATOR, ITEM, first_of
from accord.data.io.tables.sources import Source


@dataclass(frozen=True)
class _Tool:
    """What a table is, by so many columns that show it; what is no answer; and who may have answered."""

    name: str
    marks: re.Pattern[str]
    enough: int
    helpers: re.Pattern[str]
    who: tuple[str, ...] = ()  # the annotator, where no column is called so


_FEW = 3  # columns that show a tool
_TOOLS = (
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


def without_helpers(source: Source, how: Reading) -> Source:
    """An export of such a tool without what it notes beside answers; whose a row is must be known, or be said."""
    for tool in _TOOLS:
        if sum(tool.marks.fullmatch(name) is not None for name in source.header) >= tool.enough:
            break
    else:
        return source
    noted = [name for name in source.header if tool.helpers.fullmatch(name)]
    said = {how.item, how.annotator, how.doc, how.start, how.end, *how.label, *how.needed}
    answers = Below(source, HeaderLines(), tuple(name for name in noted if name not in said))
    known = first_of(answers.header, ANNOTATOR) and first_of(answers.header, ITEM)
    if not known and not (how.annotator or how.annotators_in or how.layout or how.columns or how.start):
        who = next((name for name in tool.who if name in source.header), None)
        way = f"--annotator {quoted(who)} --item COLUMN" if who else "--annotator COLUMN --item COLUMN"
        raise DataError(
            f"{source.name}: an export of {tool.name}: say {way} --label COLUMN if a row is one annotator's answer, or "
            "--annotators-in rows if rows are annotators and questions the items"
        )
    return answers
