"""The decision tree is complete: every question and case is reached, and every statement has a known source."""

from __future__ import annotations

import json

import accord
from accord.answers.advising.cases import CASES, DISPUTES, REMARKS, SIGHT, tree_as_dict
from accord.answers.advising.tree import FIRST, QUESTIONS, AdviceCase, check_answers, question
from accord.answers.citing.bibliography import work
from accord.data.kinds import KINDS
from accord.measures.catalogue import measure

from ..cases import for_each
from ..refusals import raises


def test_every_question_is_reached_and_none_is_repeated() -> None:
    reached, waiting = set(), [(FIRST, ())]
    while waiting:
        name, before = waiting.pop()
        assert name not in before, "cycle in the tree"
        reached.add(name)
        waiting += [(one.then, (*before, name)) for one in question(name).answers if one.then is not None]
    assert reached == {one.name for one in QUESTIONS}


def test_every_path_through_the_tree_ends_in_one_case() -> None:
    found = []

    def walk(name: str | None, cases: tuple[str, ...]) -> None:
        if name is None:
            assert len(cases) == 1
            found.extend(cases)
            return
        for one in question(name).answers:
            walk(one.then, (*cases, *([one.case] if one.case else [])))

    walk(FIRST, ())
    assert set(found) == {case.name for case in CASES}


def test_first_question_names_every_kind_of_data() -> None:
    assert {one.name for one in question(FIRST).answers} == {kind.name for kind in KINDS}
    assert {case.kind for case in CASES} == {kind.name for kind in KINDS}


def test_every_measure_has_a_line_about_what_it_compares() -> None:
    assert sorted(SIGHT) == sorted(cls.name for cls in accord.MEASURES)


@for_each("case", CASES)
def test_every_recommendation_is_a_measure_for_that_kind_of_data(case: AdviceCase) -> None:
    for one in case.recommendations:
        found = measure(one.spec.format(reference="Ana", tree='"tree.csv"')) if "tree" not in one.spec else None
        if found is not None:
            data = found.data if isinstance(found.data, tuple) else (found.data,)
            assert case.kind in data
        assert one.why[-1] in ".?"
        assert one.sources
    assert set(case.disputes) <= {one.name for one in DISPUTES}


def test_every_case_recommends_a_measure_for_the_fewest_known_facts() -> None:
    """Each case recommends a measure even if few facts are known. Only a tree of labels needs its file."""
    for case in CASES:
        least = {"numbers"} if case.name == "amounts" else set()
        least |= {"labels"} if case.name == "given" else set()
        assert [one for one in case.recommendations if one.holds(frozenset(least))], case.name


def test_every_source_is_in_the_bibliography() -> None:
    each = [source for case in CASES for one in case.recommendations for source in one.sources]
    each += [source for one in REMARKS for source in one.sources]
    each += [source for one in DISPUTES for _, sources in one.sides for source in sources]
    assert len(each) > 60
    for source in each:
        assert work(source.key).who in str(source)


def test_decision_tree_is_plain_json() -> None:
    found = tree_as_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert [one["name"] for one in found["questions"]][:4] == ["marked", "order", "unit", "complete"]
    assert {one["name"] for one in found["cases"]} == {case.name for case in CASES}


def test_unknown_questions_and_answers_are_refused() -> None:
    with raises("unknown-name", '"oder"', '"order"'):
        check_answers({"oder": "names"})
    with raises("unknown-name", '"grade"', '"grades"'):
        check_answers({"order": "grade"})
