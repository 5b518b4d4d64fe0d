"""Helper columns of survey tools are not annotators and are not scored."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord

from ..refusals import raises

EXPORTS = {
    "REDCap": "record_id,redcap_event_name,redcap_repeat_instance,tone,coding_complete\n1,e,1,x,2\n1,e,2,x,2\n",
    "KoboToolbox": "start,end,tone,frame,_id,_uuid,_submission_time\n10,11,1,2,5,a,2024\n10,11,2,2,6,b,2024\n",
    "ODK": "SubmissionDate,start,end,tone,meta-instanceID,KEY,SubmitterName\n9,1,2,x,u1,u1,Ana\n9,1,2,y,u2,u2,Ben\n",
    "oTree": "participant.id_in_session,participant.code,session.code,player.tone,player.pay\n1,a,s,1,0\n2,b,s,2,0\n",
    "Gorilla": "Event Index,UTC Timestamp,Participant Private ID,Trial,Zone Type,Response\n1,1,p,1,b,y\n2,2,q,1,b,n\n",
    "PsychoPy": "stimulus,trials.thisN,trials.thisIndex,key_resp.keys,participant,expName\ns,0,0,y,p,e\nt,1,1,n,p,e\n",
    "SurveyMonkey": "Respondent ID,Collector ID,Start Date,T1,T2\n11,2,2024,Yes,No\n12,2,2024,Yes,Yes\n",
}


def write_table(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("tool", EXPORTS)
def test_exports_without_annotators_are_refused(tmp_path: Path, tool: str) -> None:
    with raises("export-not-usable"):
        accord.read(write_table(tmp_path, EXPORTS[tool]))


def test_options_read_a_redcap_export(tmp_path: Path) -> None:
    path = write_table(tmp_path, EXPORTS["REDCap"])
    ratings = accord.read(path, annotator="redcap_repeat_instance", item="record_id", label="tone")
    assert (ratings.annotators, ratings.n_items) == (("1", "2"), 1)


def test_helper_columns_are_not_scored(tmp_path: Path) -> None:
    text = "record_id,redcap_event_name,rater,tone,coding_timestamp,coding_complete\n1,e,A,x,5,2\n1,e,B,x,6,2\n"
    found = accord.read_all(write_table(tmp_path, text))
    assert list(found) == ["tone"]
    assert any("columns of the export tool left out: redcap_event_name" in note for note in found["tone"].notes)


def test_second_line_of_survey_monkey_is_not_a_response(tmp_path: Path) -> None:
    text = "Respondent ID,Collector ID,Start Date,T1,T2,T3\n,,,Response,Response,Response\n11,2,9,Y,N,Y\n12,2,9,Y,Y,Y\n"
    with pytest.warns(accord.ReadingWarning, match="line 2 left out .*SurveyMonkey"):
        ratings = accord.read(write_table(tmp_path, text), annotators_in="rows", annotator="Respondent ID")
    assert (ratings.annotators, ratings.n_items) == (("11", "12"), 3)


@pytest.mark.parametrize("gap", [" ", "   "])
def test_columns_separated_by_spaces_need_the_delimiter_option(tmp_path: Path, gap: str) -> None:
    path = write_table(tmp_path, "".join(gap.join(row) + "\n" for row in ("iABC", "axyx", "bxxx", "cyyy")))
    with raises("uneven-rows", "--delimiter", '" "'):
        accord.read(path)
    if gap == " ":
        assert accord.read(path, delimiter=" ").n_annotators == 3
