"""Shuffled texts: letters, tokens and labels change at the expected rates, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.answers.gold.consensus import consensus
from accord.answers.simulate.errors import error_type
from accord.answers.simulate.meaning import meaning
from accord.answers.simulate.shuffle import Erring, Reference, one_set, reference_of, shuffle
from accord.answers.simulate.xray import xray
from accord.core.tables import Table
from accord.data.model.texts import BASE, Texts
from accord.doors.rendering.for_programs import table_as_csv
from studies.experiments import Harbour

from ..refusals import raises

GOLD = Harbour().made()
MARKED = "vin\u0304stendicheit"  # a letter with a combining mark
TWO = Texts.of_words({("d1", "gold"): f"sambt aller {MARKED} vthgelacht /", ("d2", "gold"): "so so so"})


def versions(texts: Texts) -> list[tuple[str, list[str], list[int]]]:
    """Text, tokens and labels of each annotator's version."""
    made = []
    for v in np.flatnonzero(texts.version_annotator != BASE).tolist():
        mine = texts.tokens(v)
        tokens = [texts.token(t) for t in range(mine.start, mine.stop)]
        labels = [c.codes[mine].tolist() for c in texts.features.values()]
        made.append((texts.strings[v], tokens, labels[0] if labels else []))
    return made


REFERENCE = versions(GOLD)[0]


def test_reference_is_as_long_as_that_of_the_paper() -> None:
    text, tokens, _ = REFERENCE
    assert (len(text), len(tokens)) == (3602, 612)
    assert "".join(tokens) == text.replace(" ", "")
    assert len(GOLD.features["pos"].categories) == 14


def test_magnitude_0_gives_the_reference_as_pre_annotation() -> None:
    for gold in (GOLD, TWO):
        made = shuffle(gold, "combination([text,token,category])" if gold.features else "text", magnitude=0.0)
        assert versions(made) == versions(gold) * 3
        assert made.has_base
        base = np.flatnonzero(made.version_annotator == BASE)
        assert {made.strings[v] for v in base} == set(gold.strings)


def test_text_changes_are_on_different_tokens_one_letter_each() -> None:
    made = shuffle(GOLD, "text", magnitude=0.25, seed=1)
    for _, tokens, labels in versions(made):
        assert labels == REFERENCE[2]
        changed = [(a, b) for a, b in zip(REFERENCE[1], tokens, strict=True) if a != b]
        # A letter may be replaced by itself.
        assert 130 < len(changed) <= 153
        assert all(abs(len(a) - len(b)) <= 1 for a, b in changed)
        assert {len(b) - len(a) for a, b in changed} == {-1, 0, 1}
    assert len(versions(shuffle(GOLD, "text", magnitude=1.0))[0][1]) == 612


def test_splits_and_mergers_do_not_change_the_text() -> None:
    made = shuffle(GOLD, "token", magnitude=0.1, annotators=20, seed=1)
    found = versions(made)
    assert {text for text, _, _ in found} == {REFERENCE[0]}
    # One third are splits, two thirds are mergers: 61 changes reduce the tokens by 20.
    assert np.mean([len(tokens) for _, tokens, _ in found]) == pytest.approx(612 - 61 / 3, abs=4)


def test_token_keeps_the_label_of_the_token_at_its_start() -> None:
    made = shuffle(GOLD, "token", magnitude=0.3, annotators=1, seed=1)
    first = dict(zip(GOLD.start.tolist(), GOLD.features["pos"].codes.tolist(), strict=True))
    mine = made.tokens(0)
    starts, codes = made.start[mine].tolist(), made.features["pos"].codes[mine].tolist()
    assert all(first[s] == k for s, k in zip(starts, codes, strict=True) if s in first)
    assert any(s not in first for s in starts)


def test_labels_are_drawn_again_for_the_expected_share_of_tokens() -> None:
    label = np.array(REFERENCE[2])
    share = np.bincount(label) / len(label)
    wrong = 1 - float(share @ share)
    for magnitude in (0.2, 1.0):
        made = shuffle(GOLD, "category", magnitude=magnitude, annotators=30, seed=2)
        differ = [float((np.array(labels) != label).mean()) for _, _, labels in versions(made)]
        assert np.mean(differ) == pytest.approx(magnitude * wrong, abs=0.01)
        assert error_type("category").wrong(magnitude, Reference(GOLD).ground) == pytest.approx(magnitude * wrong)
    near = shuffle(GOLD, "category(prevalence=false)", magnitude=1.0, annotators=30, seed=2)
    drawn = np.concatenate([labels for _, _, labels in versions(near)])
    assert np.bincount(drawn) / len(drawn) == pytest.approx(np.full(14, 1 / 14), abs=0.01)


def test_letters_with_marks_stay_whole() -> None:
    made = shuffle(TWO, "text", magnitude=1.0, annotators=40, seed=1)
    letters = [text for text, _, _ in versions(made)]
    assert all("\u0304\u0304" not in text for text in letters)
    assert any("n\u0304" in text for text in letters)
    assert sum(text.count(MARKED[:3]) for text in letters) < 40
    for v in range(len(made.strings)):
        assert made.token(made.tokens(v).stop - 1) == made.strings[v].split()[-1]


def test_sets_in_a_batch_equal_sets_drawn_alone() -> None:
    source = reference_of(TWO, {})
    who = [Erring(error_type("text"), 0.6)] * 2
    batch = source.shuffled(who, [(7, 1), (7, 2), (7, 3)])
    part, alone = one_set(batch, 1, source.n_docs), source.shuffled(who, [(7, 2)])
    assert isinstance(part, Texts)
    assert isinstance(alone, Texts)
    assert versions(part) == versions(alone)
    assert part.has_base


def test_shuffled_texts_can_be_read_back(tmp_path: Path) -> None:
    made = shuffle(GOLD, magnitude=0.4, seed=3)
    path = tmp_path / "tokens.csv"
    path.write_text(table_as_csv(Table("", *made.rows())), encoding="utf-8")
    found = accord.read(str(path), layout="texts")
    assert isinstance(found, Texts)
    assert found.has_base
    assert versions(found) == versions(made)
    spec = "text_gamma(p_t=0.25,p_s=0.04)"
    assert accord.score(found, spec, interval="none").value == accord.score(made, spec, interval="none").value


def test_text_between_tokens_is_kept(tmp_path: Path) -> None:
    columns = {"annotator": ["gold"] * 2, "start": [0, 9], "end": [4, 13], "pos": ["A", "B"]}
    made = shuffle(Texts.of(columns, {"gold": "this and that"}), "category", magnitude=0.0)
    path = tmp_path / "tokens.csv"
    path.write_text(table_as_csv(Table("", *made.rows())), encoding="utf-8")
    found = accord.read(str(path), layout="texts")
    assert isinstance(found, Texts)
    assert set(found.strings) == {"this and that"}


def test_xray_with_measures_on_texts_units_and_items() -> None:
    found = xray(GOLD, "category", ["text_gamma(p_t=0,p_s=0)", "alpha", "alpha_u"], step=0.5, sets=2, jobs=1)
    tg, alpha, units = (curve.mean for curve in found.curves)
    assert tg == pytest.approx(alpha, abs=0.03)
    assert units[0] == 1
    assert (np.diff(units) < 0).all()
    usual = xray(GOLD, step=1.0, sets=2, jobs=1).curves[0]
    assert (usual.error, usual.measure) == (
        "combination([text,token,category],shares=[0.5,0.1,1])",
        "text_gamma(p_t=0.25,p_s=0.04)",
    )
    assert usual.mean == pytest.approx([1, -0.36], abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize(("error", "magnitude"), [("text", 0.3), ("token", 0.08), ("category", 0.4)])
def test_known_magnitude_is_recovered(error: str, magnitude: float) -> None:
    made = shuffle(GOLD, error, magnitude=magnitude, seed=5)
    # With the rates of the paper: the rates of the data would treat all changes of the text as chance.
    found = meaning(made, "text_gamma(p_t=0.25,p_s=0.04)", errors=[error], step=0.1, sets=2, jobs=1)
    match = found.matches[0]
    assert match.magnitude == pytest.approx(magnitude, rel=0.15)


def test_meaning_explains_the_mixture_in_words() -> None:
    made = shuffle(GOLD, "combination([text,token,category],shares=[0.5,0.1,1])", magnitude=0.4, seed=3)
    found = meaning(made, step=0.5, sets=2, jobs=1)
    assert found.measure == "text_gamma"
    assert [str(match.error) for match in found.matches] == ["category", "token", "text"]
    assert found.mixture is not None
    shares = dict(zip(map(str, found.mixture.error.parts), found.mixture.error.shares, strict=True))
    assert shares == pytest.approx({"text": 0.5, "token": 0.1, "category": 1.0}, abs=0.06)
    assert found.mixture.magnitude == pytest.approx(0.4, abs=0.05)
    text = str(found)
    assert "The mixture of errors that explains these annotations best: annotators who each confuse " in text
    assert ", split or merge 1 token in 2" in text
    assert " and change the text of " in text
    assert "combination(" not in text
    assert "Observed differences of an annotator from the consensus: relabelled " in text
    assert "the version nearest to the others" in text


def test_consensus_of_texts_is_the_version_nearest_to_the_others() -> None:
    given = {"a": "one two three four five", "b": "one two three four sixty", "c": "one two thirty four sixty"}
    found = consensus(Texts.of_words(given))
    assert isinstance(found.data, Texts)
    assert found.data.strings == (given["b"],)
    assert found.data.annotators == ("consensus",)
    assert found.seats.codes.tolist() == [[0, 1, 2]]
    assert found.rates.text == pytest.approx(2 / 10)
    assert found.rates.disorder["text"] == pytest.approx(1)


def test_bad_input_is_refused_in_one_line() -> None:
    two = Texts.of_words({"a": "so so", "b": "so"})
    empty = Texts.of({"annotator": [], "start": [], "end": []}, {"a": "so so"})
    tries = [
        ("option-missing", lambda: shuffle(two, "text")),
        ("nothing-annotated", lambda: shuffle(empty, "text")),
        ("measure-for-other-data", lambda: shuffle(GOLD, "shift")),
        ("measure-for-other-data", lambda: shuffle(TWO, "category")),
        ("measure-for-other-data", lambda: shuffle(accord.generate(units=5), "text")),
        ("measure-for-other-data", lambda: xray(GOLD, "text", ["gamma"], sets=1)),
        ("measure-for-other-data", lambda: xray(GOLD, "token", ["alpha"], sets=1)),
        ("measure-for-other-data", lambda: xray(GOLD, "token", ["window_diff"], sets=1)),
        ("measure-for-other-data", lambda: meaning(shuffle(GOLD, "text"), "gamma")),
    ]
    for message, call in tries:
        with raises(message) as raised:
            call()
        assert "\n" not in str(raised.value)


def test_number_of_workers_does_not_change_results() -> None:
    spec = "text_gamma(p_t=0.25,p_s=0.04,samples=6)"
    one, two = (xray(GOLD, "text", [spec], step=0.5, sets=2, jobs=jobs, seed=3).rows() for jobs in (1, 2))
    assert one == two
