"""Tables that were misread silently: each is read correctly now, or refused with options that work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import accord

from ..refusals import raises

N = 60
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def draw(seed: int, annotators: int, categories: Sequence[object] = (0, 1), wrong: float = 0.25) -> list[list[object]]:
    """Return the labels of N items by annotators who sometimes choose at random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(categories), size=(N, 1))
    noise = rng.integers(len(categories), size=(N, annotators))
    codes = np.where(rng.random((N, annotators)) < wrong, noise, truth)
    return [[categories[int(code)] for code in row] for row in codes]


def write(folder: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    path = folder / "t.csv"
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]), encoding="utf-8")
    return path


def alpha(data: object) -> float:
    return accord.alpha(data, interval="none").value


EXPERTS = ["ExpertA", "ExpertB", "ExpertC", "ExpertD", "ExpertE"]


def test_experts_beside_truth_algorithms_and_covariates(tmp_path: Path) -> None:
    """The truth and two algorithms have the labels of the experts, so the user decides; numbers are covariates."""
    rng = np.random.default_rng(1)
    every = draw(1, 8)
    labels = [row[1:6] for row in every]
    rows = [
        [k + 1, *row, rng.choice([0, 0.2]), rng.choice([0, 30]), rng.choice([3, 5]), k % 5 + 1]
        for k, row in enumerate(every)
    ]
    header = ["Graph", "True", *EXPERTS, "CDC", "MachineL", "Autocorrelation", "Trend", "PointsA", "EffectSize"]
    path = write(tmp_path, header, rows)
    with raises("roles-unclear", '--role "True=ignore"', '--role "CDC=ignore"', "(5 annotators)", "(8 annotators)"):
        accord.read(path)
    ratings = accord.read(path, role=["True=ignore", "CDC=ignore", "MachineL=ignore"])
    assert ratings.annotators == tuple(EXPERTS)
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_values_of_a_graph_repeated_for_each_expert_are_not_scored(tmp_path: Path) -> None:
    labels, truth = draw(3, 5), draw(4, 1)
    rows = [
        [k + 1, expert[-1], truth[k][0], label, (k % 7) / 10, 3 + k % 4]
        for k, row in enumerate(labels)
        for expert, label in zip(EXPERTS, row, strict=True)
    ]
    read = accord.read_all(write(tmp_path, ["Graph", "Expert", "True", "Rating", "Trend", "PointsA"], rows))
    assert list(read) == ["Rating"]
    assert alpha(read["Rating"]) == pytest.approx(alpha(labels))


def test_items_in_columns_with_patient_and_rater(tmp_path: Path) -> None:
    """The columns item1 to item3 are variables, each rated for every patient by every rater."""
    items = [draw(seed, 3, (1, 2, 3, 4)) for seed in (5, 6, 7)]
    rows = [[f"P{k}", f"R{r + 1}", *(items[v][k][r] for v in range(3))] for k in range(N) for r in range(3)]
    read = accord.read_all(write(tmp_path, ["Patient", "Rater", "Item1", "Item2", "Item3"], rows))
    assert list(read) == ["Item1", "Item2", "Item3"]
    for name, labels in zip(read, items, strict=True):
        assert (read[name].n_items, read[name].n_annotators) == (N, 3)
        assert alpha(read[name]) == pytest.approx(alpha(labels))


def test_text_that_is_the_same_for_all_coders_is_no_variable(tmp_path: Path) -> None:
    frames = draw(8, 2, ("economy", "crime", "other"))
    rows = [
        [f"a{k}", f"about {k}", coder, label]
        for k, row in enumerate(frames)
        for coder, label in zip(("c1", "c2"), row, strict=True)
    ]
    read = accord.read_all(write(tmp_path, ["article_id", "headline", "coder", "frame"], rows))
    assert list(read) == ["frame"]
    assert alpha(read["frame"]) == pytest.approx(alpha(frames))


def test_names_of_annotators_beside_labels_are_not_labels(tmp_path: Path) -> None:
    people = ["Ana", "Ben", "Cleo", "Dora"]
    labels = draw(9, 2, ("pos", "neg", "neu"))
    rows = [[k, people[k % 4], row[0], people[(k + 1 + k // 4 % 3) % 4], row[1]] for k, row in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ["id", "annotator1", "label1", "annotator2", "label2"], rows))
    assert sorted(ratings.annotators) == people
    assert ratings.n_pairable == N
    assert alpha(ratings) == pytest.approx(alpha(labels))


@pytest.mark.parametrize("name", ["pre_annotation", "gold", "gold_label", "system_output", "majority_vote"])
def test_gold_and_systems_are_not_annotators(tmp_path: Path, name: str) -> None:
    labels = draw(10, 3, ("yes", "no"), wrong=0.5)
    rows = [[k, *row, draw(11, 1, ("yes", "no"))[k][0]] for k, row in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ["item", "annotator_1", "annotator_2", "annotator_3", name], rows))
    assert ratings.n_annotators == 3
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_shares_of_errors_by_system_are_refused(tmp_path: Path) -> None:
    """A benchmark: each row is a system output, with the share of annotators who marked each type of error."""
    rng = np.random.default_rng(12)
    rows = [[f"h{k}", f"sys{k % 3}", *rng.choice([0, 0.33, 0.67, 1], size=4)] for k in range(N)]
    with raises("roles-unclear"):
        accord.read(write(tmp_path, ["hash", "model_name", "RelE", "EntE", "CircE", "OutE"], rows))


def test_choices_of_the_best_and_the_worst_are_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(13)
    rows = []
    for k in range(N):
        four = [f"s{i}" for i in rng.choice(40, size=4, replace=False)]
        rows.append([k, *four, *rng.choice(four, size=2, replace=False)])
    with raises("export-not-usable", "one row per annotator"):
        accord.read(write(tmp_path, ["set", "item1", "item2", "item3", "item4", "best", "worst"], rows))


def test_suggested_options_of_a_refusal_read_the_table(tmp_path: Path) -> None:
    """Each way that `accord map` shows is the command that it prints."""
    labels = draw(14, 4)
    path = write(tmp_path, ["id", "coder1", "coder2", "coder3", "outcome"], [[k, *row] for k, row in enumerate(labels)])
    mapped = accord.map(path)
    assert not mapped.is_settled
    assert {next(iter(way.variables.values())).n_annotators for way in mapped.ways if way.variables} == {3, 4}


# -- other forms --


@pytest.mark.parametrize(
    "names", [("Ana", "Ben", "Cem"), ("gpt-4o", "claude-3", "llama3"), ("coder_a", "coder_b", "coder_c")]
)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_label_that_is_mostly_the_majority_is_no_annotator(
    tmp_path: Path, names: tuple[str, ...], missing: float
) -> None:
    """The adjudicated label differs from the majority in a few rows, and some annotators did not label all items."""
    rng = np.random.default_rng(15)
    labels = [[label if rng.random() >= missing else "" for label in row] for row in draw(15, 3)]
    most = [int(sum(x for x in row if x != "") * 2 > sum(x != "" for x in row)) for row in labels]  # type: ignore[misc]
    rows = [[k, *row, 1 - m if k % 25 == 0 else m] for k, (row, m) in enumerate(zip(labels, most, strict=True))]
    ratings = accord.read(write(tmp_path, ["id", *names, "label"], rows))
    assert ratings.annotators == names


def test_label_that_is_not_the_majority_needs_an_option(tmp_path: Path) -> None:
    rows = [[k, *row] for k, row in enumerate(draw(16, 3))]
    with raises("roles-unclear", '--role "label=ignore"', "(2 annotators)", "(3 annotators)"):
        accord.read(write(tmp_path, ["id", "Ana", "Ben", "label"], rows))


@pytest.mark.parametrize("names", [("V", "A", "D"), ("R1", "R2", "RL", "BERTScore"), ("attackRate", "RMS")])
def test_decimals_that_hardly_agree_are_not_annotators(tmp_path: Path, names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(17)
    rows = [[f"x{k}", *(round(x, 2) for x in rng.normal(3, 0.4, len(names)))] for k in range(N)]
    with raises("roles-unclear", "decimal numbers"):
        accord.read(write(tmp_path, ["id", *names], rows))


def test_names_of_items_in_two_orders_are_not_labels(tmp_path: Path) -> None:
    rng = np.random.default_rng(23)
    rows = [[f"en{k % 55}", f"en{j % 55}"] for k, j in zip(rng.permutation(N), rng.permutation(N), strict=True)]
    with raises("roles-unclear", "--annotators-in columns"):
        accord.read(write(tmp_path, ["Round1", "Round2"], rows))


def test_sliders_of_people_are_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(18)
    truth = rng.uniform(0, 10, N)
    rows = [[k, *(round(float(t + e), 1) for e in rng.normal(0, 2, 3))] for k, t in enumerate(truth)]
    assert accord.read(write(tmp_path, ["id", "Ana", "Ben", "Cleo"], rows)).n_annotators == 3


@pytest.mark.parametrize("names", [("Gender", "Country", "Student"), ("female", "student", "native", "urban")])
def test_traits_of_annotators_are_not_items(tmp_path: Path, names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(19)
    rows = [[f"Ann{k}", *rng.choice(["x", "y"], len(names))] for k in range(N)]
    with raises("roles-unclear", "traits", "--annotators-in rows"):
        accord.read(write(tmp_path, ["annotator", *names], rows))


@pytest.mark.parametrize(
    "names", [("y_true", "y_pred"), ("label", "pred"), ("label", "prediction"), ("gold", "gpt-4o")]
)
def test_reference_and_output_of_a_system_are_not_annotators(tmp_path: Path, names: tuple[str, ...]) -> None:
    rows = [[k, *row] for k, row in enumerate(draw(20, 2, ("a", "b")))]
    with raises("roles-unclear", "output of a system", "--annotators-in columns"):
        accord.read(write(tmp_path, ["id", *names], rows))


def test_sign_among_words_is_missing(tmp_path: Path) -> None:
    labels = [
        [x if (k + j) % 5 else "-" for j, x in enumerate(row)] for k, row in enumerate(draw(21, 2, ("yes", "no")))
    ]
    rows = [[k, *row] for k, row in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ["id", "TL", "MR"], rows))
    assert len(ratings.categories) == 2


def test_judges_inside_the_names_of_variables_need_an_option(tmp_path: Path) -> None:
    """v3 and v4 are systems, judged by a model and a person."""
    rng = np.random.default_rng(22)
    labels = draw(22, 2)
    rows = [
        [k, *rng.integers(50, 90, 2), *row, row[0], 1 - int(str(row[1])) if k % 9 == 0 else row[1]]
        for k, row in enumerate(labels)
    ]
    header = ["id", *(f"{v}_{what}" for what in ("tokens", "judge_passed", "human_passed") for v in ("v3", "v4"))]
    path = write(tmp_path, header, rows)
    with raises("roles-unclear", '--columns "{label}_{annotator}_passed"'):
        accord.read(path)
    read = accord.read_all(path, columns="{label}_{annotator}_passed")
    assert {name: data.annotators for name, data in read.items()} == {
        "v3": ("judge", "human"), "v4": ("judge", "human"),
    }  # fmt: skip


def test_tests_before_and_after_a_course_are_not_annotators(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    rows = [
        (f"s{k}", score := int(rng.integers(20, 80)), score + int(rng.integers(20)), "ABC"[k % 3]) for k in range(N)
    ]
    path = write(tmp_path, ("student", "pretest", "posttest", "grade"), rows)
    with raises("roles-unclear", "at two times"):
        accord.read(path)
    options = {"annotators_in": "columns", "label": ("pretest", "posttest")}
    assert accord.read(path, **options).annotators == ("pretest", "posttest")


def test_variables_beside_a_column_named_score_are_scored(tmp_path: Path) -> None:
    """confidence tells of the labels, and shade may be anything."""
    labels = draw(12, 2, ("pro", "con"))
    rows = [
        (k, "AB"[who], given[who], k % 3 + who, k % 4 + who, k % 2 + who)
        for k, given in enumerate(labels)
        for who in (0, 1)
    ]
    path = write(tmp_path, ("item", "annotator", "stance", "score", "confidence", "shade"), rows)
    variables = accord.read_all(path)
    assert list(variables) == ["stance", "score"]
    assert alpha(variables["stance"]) == pytest.approx(alpha(labels))
    assert "columns not scored: confidence, shade; use --label or --by to include them" in variables["stance"].notes


def test_reviewers_and_their_consensus_beside_criteria_with_numbers(tmp_path: Path) -> None:
    """AE and MK are the annotators, C1 to C3 the criteria, and FINAL is their consensus."""
    criteria = [draw(20 + k, 2, range(4), wrong=0.1) for k in range(3)]
    rows = [
        (k + 1, *(x[0] for x in given), *(x[1] for x in given), *(x[0] for x in given))
        for k, given in enumerate(zip(*criteria, strict=True))
    ]
    header = ["Study_ID", *(f"{who}_C{k}" for who in ("AE", "MK", "FINAL") for k in (1, 2, 3))]
    variables = accord.read_all(write(tmp_path, header, rows))
    assert {name: data.annotators for name, data in variables.items()} == dict.fromkeys(
        ("C1", "C2", "C3"), ("AE", "MK")
    )
    assert alpha(variables["C2"]) == pytest.approx(alpha(criteria[1]))


def test_respondents_with_several_rows_are_annotators(tmp_path: Path) -> None:
    labels = draw(30, 3, ("pos", "neg", "neu"))
    rows = [(f"R_{a}", 1000 + 3 * k + a, k, given[a]) for k, given in enumerate(labels) for a in range(3)]
    ratings = accord.read(write(tmp_path, ("respondent_id", "annotation_id", "unit_id", "annotation"), rows))
    assert ratings.annotators == ("R_0", "R_1", "R_2")
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_people_label_what_other_columns_describe(tmp_path: Path) -> None:
    labels = draw(31, 4, ("go", "stay", "wait"))[:20]
    rows = [(a, f"q{k}", f"V{k}", "AB"[k % 2], given[a]) for k, given in enumerate(labels) for a in range(4)]
    path = write(tmp_path, ("physician_id", "question", "vignette", "class", "decision"), rows)
    ratings = accord.read(path)
    assert (ratings.n_items, len(ratings.annotators)) == (20, 4)
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_numbered_coders_with_endings_label_pairs_of_identifiers(tmp_path: Path) -> None:
    labels = draw(32, 2)
    rows = [(k // 6, k % 6, "Whole study", *given) for k, given in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ("paperID", "AttributeId", "ArmTitle", "Coder1Text", "Coder2Text"), rows))
    assert ratings.annotators == ("Coder1Text", "Coder2Text")
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_numbers_in_a_cell_are_answers_of_several_people(tmp_path: Path) -> None:
    """The mean and the final answer follow from the answers, and are not annotators."""
    labels = draw(33, 4)
    rows = [
        (k, " ".join(map(str, given)), sum(given) / 4, float(sum(given) > 2)) for k, given in enumerate(labels)
    ]  # fmt: skip
    path = write(tmp_path, ("tweet_id", "cat1_answers", "cat1_mean_answer", "cat1_final_answer"), rows)
    assert alpha(accord.read(path)) == pytest.approx(alpha(labels))


def test_only_some_items_have_several_annotators(tmp_path: Path) -> None:
    """Annotators agree on the shared items, and a column with their other name is no label."""
    rows = [
        (k, who, f"x{who}", "yes" if k % 3 else "no")
        for who, own in (("A", range(12)), ("B", range(6, 20)))
        for k in own
    ]
    ratings = accord.read(write(tmp_path, ("set_index", "rater", "prolific_pid", "coherence"), rows))
    assert (ratings.variable, ratings.n_items, alpha(ratings)) == ("coherence", 20, 1.0)


def test_seconds_since_1970_are_times(tmp_path: Path) -> None:
    labels = draw(34, 2, range(5))
    rows = [(f"s{k}", *given, 1738146642.4 + 20 * k, 1738146660.1 + 20 * k) for k, given in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ("id", "first", "second", "begun", "done"), rows))
    assert ratings.annotators == ("first", "second")


def test_no_answer_of_a_survey_is_missing(tmp_path: Path) -> None:
    labels = [["Did Not Answer" if (k + a) % 9 == 0 else x for a, x in enumerate(given)] for k, given in
              enumerate(draw(35, 5, ("Agree", "Disagree", "Uncertain")))]  # fmt: skip
    path = write(tmp_path, ("id", "Ana", "Ben", "Cho", "Dan", "Eve"), [(f"q{k}", *x) for k, x in enumerate(labels)])
    ratings = accord.read(path)
    assert set(ratings.categories) == {"Agree", "Disagree", "Uncertain"}
    assert any("Did Not Answer" in note for note in ratings.notes)
