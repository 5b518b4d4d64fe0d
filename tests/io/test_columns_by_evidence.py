"""The role of columns is found from names and values together, as in label tables of public repositories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import accord

from ..command_line import Cli
from ..refusals import raises

N = 40
Row = Sequence[object]


def draw(seed: int, annotators: int, scale: Sequence[object], wrong: float = 0.3, n: int = N) -> list[list[object]]:
    """Return labels of items: all annotators know the true label and are sometimes wrong."""
    rng = np.random.default_rng(seed)
    truth, guessed = rng.integers(len(scale), size=(n, 1)), rng.integers(len(scale), size=(n, annotators))
    codes = np.where(rng.random((n, annotators)) < wrong, guessed, truth)
    return [[scale[int(code)] for code in line] for line in codes]


def write(folder: Path, header: Sequence[object], rows: Sequence[Row], name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]), encoding="utf-8")
    return path


def alpha_of(labels: Mapping[str, Sequence[object]] | Sequence[Row]) -> float:
    if not isinstance(labels, Mapping):
        labels = {f"annotator {k}": list(column) for k, column in enumerate(zip(*labels, strict=True))}
    return accord.alpha(labels, interval="none").value


def text(k: int) -> str:
    return f"what {k} other people say about it"


pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


# -- a column that is no annotator ------------------------------------------------------------------------------------


def test_participant_is_not_the_annotator_beside_coder_columns(tmp_path: Path) -> None:
    """Items are turns of participants in chats, and coder_1 to coder_3 label each turn."""
    labels = draw(1, 3, ("info", "help", "joke"))
    rows = [[k + 1, f"P{k // 5}", f"C{k // 5}", k % 5, text(k), *x] for k, x in enumerate(labels)]
    header = ["item_id", "participant_id", "chat_id", "turn_id", "text", "coder_1", "coder_2", "coder_3"]
    ratings = accord.read(write(tmp_path, header, rows))
    assert (ratings.annotators, ratings.n_items) == (("coder_1", "coder_2", "coder_3"), N)
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))


def test_query_and_candidate_name_no_annotator_beside_annotator_columns(tmp_path: Path) -> None:
    labels = draw(2, 2, (0, 1, 2))
    rows = [[k, f"q{k // 8}", f"c{k % 8}", *x, text(k // 8)] for k, x in enumerate(labels)]
    header = ["row_id", "query_id", "candidate_id", "annotator_1", "annotator_2", "query_text"]
    ratings = accord.read(write(tmp_path, header, rows))
    assert (ratings.annotators, ratings.n_items) == (("annotator_1", "annotator_2"), N)


def test_mean_of_many_annotators_is_not_an_annotator(tmp_path: Path) -> None:
    """As in WordSim-353: two words, the mean, and 13 scores."""
    labels = draw(3, 13, range(11), wrong=0.4)
    rows = [[f"w{k}", f"v{k % 9}", round(sum(map(int, x)) / 13, 2), *x] for k, x in enumerate(labels)]
    path = write(tmp_path, ["Word 1", "Word 2", "Human (mean)", *range(1, 14)], rows)
    ratings = accord.read(path)
    assert (ratings.n_annotators, ratings.n_items) == (13, N)
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))


@pytest.mark.parametrize("names", [("ann1", "ann2", "ann3", "gpt4"), ("Human 1", "Human 2", "GPT-4", "Claude-3")])
def test_systems_beside_people_need_an_option(tmp_path: Path, cli: Cli, names: tuple[str, ...]) -> None:
    labels = draw(4, 4, "abc")
    path = write(tmp_path, ["id", *names], [[k, *x] for k, x in enumerate(labels)])
    systems = [name for name in names if name.lower().startswith(("gpt", "claude"))]
    people = len(names) - len(systems)
    with raises("roles-unclear", f'--role "{systems[0]}=ignore"', f"({people} annotators)", "(4 annotators)"):
        accord.read(path)
    ignored = [word for name in systems for word in ("--role", f"{name}=ignore")]
    assert f"annotators   {people}:" in cli("read", path, *ignored).out
    each = [word for name in names for word in ("--label", name)]
    assert "annotators   4:" in cli("read", path, "--annotators-in", "columns", *each).out


def test_columns_that_are_never_equal_in_a_row_are_no_labels(tmp_path: Path) -> None:
    """Names of the people who were assigned to an image."""
    teams = [("Woojin", "Eunsu", "Rian"), ("Rian", "Woojin", "Eunsu")]
    path = write(tmp_path, ["image", "annotator1", "annotator2", "reviewer1"], [[k, *teams[k % 2]] for k in range(N)])
    with raises("roles-unclear", "never equal in a row"):
        accord.read(path)
    assert accord.read(path, annotators_in="columns", item="image").n_annotators == 3


def test_measurements_that_hardly_agree_are_not_annotators(tmp_path: Path) -> None:
    """As in SimLex-999: concreteness of two words, between other values."""
    rng = np.random.default_rng(5)
    rows = [
        [f"w{k}", f"v{k}", "ANV"[k % 3], round(rng.uniform(0, 10), 2), *rng.uniform(1, 5, 2).round(2)]
        for k in range(2 * N)
    ]
    path = write(tmp_path, ["word1", "word2", "POS", "SimLex999", "conc(w1)", "conc(w2)"], rows)
    with raises("roles-unclear", "hardly agree"):
        accord.read(path)


# -- a column that is no label ----------------------------------------------------------------------------------------


def test_one_subject_and_a_row_per_rater_is_refused_with_both_readings(tmp_path: Path, cli: Cli) -> None:
    items = [f"Item{k}" for k in range(1, 7)]
    rows = [[1, rater, *x] for rater, x in zip("ABC", draw(6, 6, range(5), n=3), strict=True)]
    path = write(tmp_path, ["Patient", "Rater", *items], rows)
    with raises("roles-unclear", '"Patient=ignore"', "(6 items)", '--item "Patient"', "6 variables"):
        accord.read(path)
    said = cli("read", path, "--annotators-in", "rows", "--annotator", "Rater", "--role", "Patient=ignore").out
    assert "items        6 " in said
    assert "annotators   3:" in said
    assert list(accord.read_all(path, item="Patient")) == items


def test_duration_of_an_answer_is_not_a_label(tmp_path: Path) -> None:
    labels = draw(7, 3, ("yes", "no"))
    rows = [[k, f"r{a}", 1000 + 37 * k + 11 * a, x] for k, line in enumerate(labels) for a, x in enumerate(line)]
    found = accord.read_all(write(tmp_path, ["item_id", "rater_id", "answer_time_ms", "harmful"], rows))
    assert list(found) == ["harmful"]
    assert accord.alpha(found["harmful"], interval="none").value == pytest.approx(alpha_of(labels))


def test_grades_with_the_name_of_remarks_are_scored(tmp_path: Path) -> None:
    """Note is the grade in German, but the name of remarks in English."""
    grades = draw(8, 2, (1, 2, 3))
    rows = [[k, who, x, "gut"] for k, line in enumerate(grades) for who, x in zip("AB", line, strict=True)]
    path = write(tmp_path, ["Aufsatz", "Korrektor", "Note", "Bemerkung"], rows)
    ratings = accord.read(path)
    assert (ratings.n_items, ratings.annotators) == (N, ("A", "B"))
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(grades))


def test_outputs_of_models_beside_the_correct_answer_are_not_scored(tmp_path: Path) -> None:
    rows = [
        [k, model, x, "ABCD"[k % 4]]
        for k, line in enumerate(draw(9, 3, "ABCD"))
        for model, x in zip(("gpt", "llama", "qwen"), line, strict=True)
    ]
    path = write(tmp_path, ["sample_id", "model", "prediction", "gold_answer"], rows)
    with raises("roles-unclear", "benchmark", '--annotator "model" --item "sample_id" --label "prediction"'):
        accord.read(path)
    assert accord.read(path, annotator="model", item="sample_id", label=["prediction"]).n_annotators == 3


# -- rows and columns -------------------------------------------------------------------------------------------------


def test_questions_are_not_annotators(tmp_path: Path, cli: Cli) -> None:
    answers = draw(10, 8, range(1, 6), n=12)
    path = write(
        tmp_path, ["ResponseKey", *[f"Q{k}" for k in range(1, 9)]], [[f"R_{k}x", *x] for k, x in enumerate(answers)]
    )
    with raises("roles-unclear", '--annotators-in rows --annotator "ResponseKey"', "8 items, 12 annotators"):
        accord.read(path)
    assert "annotators   12:" in cli("read", path, "--annotators-in", "rows", "--annotator", "ResponseKey").out
    assert accord.read(path, annotators_in="columns").n_annotators == 8


def test_repeated_texts_without_annotators_are_refused_with_anonymous(tmp_path: Path) -> None:
    """As in the human evaluation of Newsroom: three rows per summary."""
    rng = np.random.default_rng(11)
    rows = [[k // 2, f"m{k % 2}", text(k), *rng.integers(1, 6, 3)] for k in range(N) for _ in range(3)]
    path = write(tmp_path, ["ArticleID", "System", "Summary", "Coherence", "Fluency", "Relevance"], rows)
    with raises("roles-unclear", '--anonymous --item "Summary" --label "Coherence"'):
        accord.read(path)
    found = accord.read_all(path, anonymous=True, item="Summary", label=["Coherence", "Fluency", "Relevance"])
    assert {name: ratings.n_items for name, ratings in found.items()} == dict.fromkeys(found, N)


def test_subject_of_an_experiment_rates_items(tmp_path: Path) -> None:
    ratings = draw(12, 6, range(1, 8))
    rows = [[a, k, "ab"[k % 2], x, 400 + 7 * k] for k, line in enumerate(ratings) for a, x in enumerate(line)]
    read = accord.read(write(tmp_path, ["subject", "item", "condition", "rating", "RT"], rows))
    assert accord.alpha(read, interval="none").value == pytest.approx(alpha_of(ratings))


def test_one_column_per_category_and_annotator(tmp_path: Path) -> None:
    """One-hot labels: coder1_pos, coder1_neg, coder2_pos, coder2_neg."""
    labels = draw(13, 2, ("pos", "neg", "neu"))
    names = [f"{who}_{label}" for who in ("coder1", "coder2") for label in ("pos", "neg", "neu")]
    rows = [[k, *[int(x == label) for x in line for label in ("pos", "neg", "neu")]] for k, line in enumerate(labels)]
    found = accord.read_all(write(tmp_path, ["id", *names], rows))
    assert list(found) == ["pos", "neg", "neu"]
    for label, ratings in found.items():
        alone = [[int(x == label) for x in line] for line in labels]
        assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(alone))


def test_one_variable_with_an_ending_per_annotator(tmp_path: Path) -> None:
    labels = draw(14, 2, ("include", "exclude"))
    rows = [[f"Study {k}", *x, x[0]] for k, x in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ["Title", "Include_AB", "Include_CD", "Final decision"], rows))
    assert ratings.n_annotators == 2
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))


def test_row_of_totals_by_category_is_not_an_item(tmp_path: Path) -> None:
    labels = draw(15, 3, ("yes", "no"))
    totals = [sum(line[j] == "yes" for line in labels) for j in range(3)]
    rows = [*[[f"C{k}", *x] for k, x in enumerate(labels)], ["Total yes", *totals]]
    ratings = accord.read(write(tmp_path, ["Case", "Reviewer 1", "Reviewer 2", "Reviewer 3"], rows))
    assert ratings.n_items == N
    assert any("1 row below the items left out" in note for note in ratings.notes)
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))


def test_times_of_work_are_not_positions(tmp_path: Path) -> None:
    """As in the direct assessment of WMT: start and end are times of the clock beside a score."""
    labels = draw(17, 2, (10, 50, 90))
    rows = [
        [f"eng{who}", f"sys{k % 2}", k // 2, label, 1627890000 + 30 * k, 1627890020 + 30 * k]
        for k, line in enumerate(labels)
        for who, label in enumerate(line)
    ]
    header = ["UserID", "SystemID", "SegmentID", "Score", "StartTime", "EndTime"]
    ratings = accord.read(write(tmp_path, header, rows))
    assert (ratings.kind.name, ratings.n_items, ratings.n_annotators) == ("items", N, 2)
    assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))


def test_columns_of_a_grid_that_count_again_are_kept(tmp_path: Path) -> None:
    """B_tone is 0, 1, 2, 0, 1, 2 by accident and has the labels of A_tone."""
    rows = [[k, k % 2, k % 3, "x", "xy"[k % 2]] for k in range(6)]
    read = accord.read_all(write(tmp_path, ["item", "A_tone", "B_tone", "A_topic", "B_topic"], rows))
    assert list(read) == ["tone", "topic"]


def test_annotator_column_in_german(tmp_path: Path) -> None:
    labels = draw(16, 2, (1, 2, 3))
    rows = [[k, who, x] for k, line in enumerate(labels) for who, x in zip(("AK", "MS"), line, strict=True)]
    ratings = accord.read(write(tmp_path, ["ArtikelNr", "Kodierer", "Tenor"], rows))
    assert (ratings.annotators, ratings.n_items) == (("AK", "MS"), N)


def test_columns_without_annotator_beside_a_grid_are_set_aside(tmp_path: Path) -> None:
    """As in ASAP: two raters of two domains, an empty column, the sum of the scores, and the number of the prompt."""
    first, second = draw(17, 2, range(1, 7)), draw(18, 2, range(1, 7))
    rows = [
        [k + 1, 1 + k % 2, *a, "", a[0] + a[1], *b, b[0]]  # type: ignore[operator]
        for k, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    header = ["essay_id", "essay_set", "rater1_domain1", "rater2_domain1", "rater3_domain1", "domain1_score"]
    found = accord.read_all(write(tmp_path, [*header, "rater1_domain2", "rater2_domain2", "domain2_score"], rows))
    assert list(found) == ["domain1", "domain2"]
    for ratings, labels in zip(found.values(), (first, second), strict=True):
        assert accord.alpha(ratings, interval="none").value == pytest.approx(alpha_of(labels))
