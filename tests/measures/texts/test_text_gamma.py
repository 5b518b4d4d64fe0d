"""Properties of text_gamma."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.context import Run
from accord.core.errors import SpecError
from accord.core.result import Score
from accord.data.model.texts import Texts, TokenColumn
from accord.measures.chance.text_edits import edited_each
from accord.measures.texts import differences
from accord.measures.texts.sampled_texts import Rate, text_table
from accord.measures.texts.side_by_side import rendered
from accord.measures.texts.text_gamma import TextGamma, side_by_side

from ...cases import for_each
from ...refusals import raises
from .made import reference, texts_of, words

QUICK: dict[str, Any] = {"samples": 10, "precision": 0.2}


def scored(texts: Texts, measure: TextGamma | None = None, run: Run | None = None) -> Score:
    measure = measure or TextGamma(**QUICK)
    return measure.estimate(measure.observe(texts, run or Run()))


def noisy(docs: int = 3, annotators: int = 3, seed: int = 1) -> Texts:
    """Annotators who change some letters, merge some words and change some labels."""
    rng = np.random.default_rng(seed)
    made: dict[Any, Any] = {}
    for d in range(docs):
        base = [str(w) for w in rng.choice(["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta"], size=40)]
        tags = rng.choice(list("NVA"), size=40).tolist()
        made[f"d{d}", "tool"] = (" ".join(base), words(" ".join(base)), [None] * 40)
        for a in range(annotators):
            mine = [w.replace("a", "o", 1) if rng.random() < 0.15 else w for w in base]
            text, spans, labels = " ".join(mine), words(" ".join(mine)), list(tags)
            for k in range(38, 0, -1):
                if rng.random() < 0.05:
                    spans[k : k + 2] = [(spans[k][0], spans[k + 1][1])]
                    labels[k : k + 2] = labels[k : k + 1]
            labels = [str(rng.choice(list("NVA"))) if rng.random() < 0.2 else x for x in labels]
            made[f"d{d}", f"ann{a}"] = (text, spans, labels)
    return texts_of(made, base="tool")


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_pure_categorization_is_pi(share: float) -> None:
    """Section 7: only labels differ, so tγ equals π up to Monte Carlo error."""
    rng = np.random.default_rng(3)
    text, spans, tags = reference()
    other = [str(rng.choice(tags)) if rng.random() < share else tag for tag in tags]
    texts = texts_of({"A": (text, spans, tags), "B": (text, spans, other)})
    measure = TextGamma(precision=0.005)
    evidence = measure.observe(texts, Run())
    found = measure.estimate(evidence)
    rows = [(f"i{k}", a, lab) for a, labels in (("A", tags), ("B", other)) for k, lab in enumerate(labels)]
    ratings = accord.read(dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True)))
    expected = accord.pi(ratings).value
    assert found.value == pytest.approx(expected, abs=0.012)
    assert abs(found.value - expected) < 4 * measure.chance_error(evidence, found.value) + 1e-9
    assert found.parts["kind"]["pos"].value == pytest.approx(found.value)
    assert math.isnan(found.parts["kind"]["text"].value)


def test_breakdowns_add_up() -> None:
    texts = noisy()
    found = scored(texts)
    assert set(found.parts) == {"kind", "category", "annotator", "pair", "document", "pos"}
    whole = None
    for by in found.parts:
        parts = found.parts[by]
        assert sum(part.details["share"] for part in parts.values()) == pytest.approx(1)
        total = sum(part.details["disorder"] for part in parts.values())
        whole = total if whole is None else whole
        assert total == pytest.approx(whole)
    assert list(found.parts["kind"]) == ["text", "segmentation", "pos"]
    assert set(found.parts["annotator"]) == {"ann0", "ann1", "ann2"}
    assert len(found.parts["pair"]) == 3
    pairs = found.parts["pair"].values()
    assert np.mean([p.observed for p in pairs]) == pytest.approx(found.observed, rel=0.02)


def test_part_of_a_pair_equals_score_of_the_pair_alone() -> None:
    texts = noisy(docs=1, annotators=3)
    whole = scored(texts)
    made = {}
    for a in ("ann0", "ann2"):
        mine = texts.tokens(texts.version_of("d0", a))
        spans = list(zip(texts.start[mine].tolist(), texts.end[mine].tolist(), strict=True))
        labels = [texts.features["pos"].categories.names[c] for c in texts.features["pos"].codes[mine]]
        made[a] = (texts.strings[texts.version_of("d0", a)], spans, labels)
    assert scored(texts_of(made)).observed == pytest.approx(whole.parts["pair"]["ann0 – ann2"].observed)


def test_weights_select_documents() -> None:
    texts, measure = noisy(), TextGamma(**QUICK)
    evidence = measure.observe(texts, Run())
    only = measure.estimate(evidence.weighted(np.array([0.0, 1.0, 0.0])))
    assert only.value == pytest.approx(measure.estimate(evidence).parts["document"]["d1"].value)
    assert only.n == 1


def test_rates_are_given_estimated_or_corrected_by_a_prior() -> None:
    texts = noisy()

    def rates(**options: Any) -> tuple[float, float]:
        found = TextGamma(**QUICK, **options).observe(texts, Run()).rates
        return found.text, found.segmentation

    assert rates(p_t=0.25, p_s=0.04) == (0.25, 0.04)
    seen = rates()
    assert seen[0] == pytest.approx(0.12, abs=0.05)
    assert seen[1] == pytest.approx(0.05, abs=0.03)
    n = 3 * 3 * 40
    assert rates(prior_t=[0.5, 100])[0] == pytest.approx((seen[0] * n + 50) / (n + 100))
    assert rates(prior_s=[0.04, 1e12])[1] == pytest.approx(0.04)


def test_without_pre_annotation_chance_edits_the_texts_of_annotators() -> None:
    text, spans, tags = reference()
    changed = text.replace("crosses", "crosseth")
    again, at = [], 0
    for s, e in spans[:80]:
        word = text[s:e].replace("crosses", "crosseth")
        at = changed.index(word, at)
        again.append((at, at + len(word)))
        at += len(word)
    texts = texts_of({"A": (text, spans[:80], tags[:80]), "B": (changed, again, tags[:80])})
    measure = TextGamma(**QUICK)
    evidence = measure.observe(texts, Run())
    notes = measure.explain(evidence, measure.estimate(evidence))["notes"]
    assert any(note.startswith("no pre-annotation: the chance model edits the annotators' texts") for note in notes)
    changed_tokens = sum(text[s:e] == "crosses" for s, e in spans[:80])
    assert changed_tokens > 0
    assert evidence.rates.text == pytest.approx(1 - math.sqrt(1 - changed_tokens / 80))
    assert measure.estimate(evidence).observed == pytest.approx(changed_tokens / 2 / 80)


def test_each_feature_can_have_its_own_distance() -> None:
    table = {
        "annotator": ["A", "B"],
        "start": [0, 0],
        "end": [2, 2],
        "pos": ["N", "V"],
        "lemma": ["walk", "wall"],
    }
    texts = Texts.of(table, {"A": "ab", "B": "ac"})

    def observed(**options: Any) -> float | None:
        return scored(texts, TextGamma(p_t=0.5, p_s=0, **QUICK, **options)).observed

    assert observed() == 1
    assert observed(features="pos") == 1
    assert observed(features=["pos", "lemma(levenshtein)"]) == pytest.approx((1 + 1 + 0.25) / 3)
    assert observed(features=[], text="levenshtein") == 0.5
    three = {**table, "annotator": ["A", "B", "B"], "start": [0, 0, 3], "end": [2, 2, 5]}
    three |= {"pos": ["N", "V", "V"], "lemma": ["walk", "wall", "xyzv"]}
    more = Texts.of(three, {"A": "ab", "B": "ac de"})
    found = scored(more, TextGamma(p_t=0.5, p_s=0, features=("lemma(levenshtein)",), **QUICK))
    assert found.observed == pytest.approx(((1 + 0.25) / 2 + 1) / 1.5)


def test_missing_label_counts_as_a_label() -> None:
    spans = words("so so so")
    texts = texts_of({"A": ("so so so", spans, ["A", "B", "C"]), "B": ("so so so", spans, [None, "B", "C"])})
    assert scored(texts).observed == pytest.approx(1 / 6)
    assert "(no label)" in scored(texts).parts["category"]
    ranked = texts_of({"A": ("so so so", spans, [1, 2, 3]), "B": ("so so so", spans, [None, 2, 3])})
    assert scored(ranked, TextGamma(distance="ordinal", **QUICK)).observed == pytest.approx(1 / 6)  # type: ignore[arg-type]


def test_text_outside_of_tokens_counts_on_request() -> None:
    texts = texts_of({"A": ("ab, cd", [(0, 2), (4, 6)], ["N", "N"]), "B": ("ab; cd", [(0, 2), (4, 6)], ["N", "V"])})
    assert scored(texts).observed == pytest.approx(0.5 / 2)
    with_gaps = scored(texts, TextGamma(gaps=True, p_t=0.3, p_s=0, **QUICK))
    assert with_gaps.observed == pytest.approx((0.5 + 1) / 3)
    assert with_gaps.parts["category"]["(gap)"].observed == 1


def test_segments_in_another_order_are_reported() -> None:
    first, second = "one two three four five six", "one five six two three four"
    texts = texts_of({a: (t, words(t), ["x"] * 6) for a, t in (("A", first), ("B", second))})
    measure = TextGamma(p_t=0.2, p_s=0.1, **QUICK)
    evidence = measure.observe(texts, Run())
    details = measure.explain(evidence, measure.estimate(evidence))
    assert details["reordered"] == 1
    assert details["reordered_segments"][0] == {
        "document": "document",
        "text": "five six",
        "tokens": 2,
        "at": {"A": 19, "B": 4},
    }


@pytest.mark.parametrize(
    ("first", "second", "moved"),
    [
        ("ein lieber guter Herr", "ein guter lieber Herr", ["lieber"]),  # both are aligned, with each other
        ("so da", "da so", ["so"]),
        ("Anna kommt morgen gern", "morgen kommt Anna gern", ["Anna", "morgen"]),
        ("foo bar", "baz foo", []),
        ("that one", "this that", []),
    ],
)
def test_swapped_words_are_reported(first: str, second: str, moved: list[str]) -> None:
    texts = Texts.of_words({"A": first, "B": second})
    found = accord.text_gamma(texts, p_t=0.1, p_s=0.1, **QUICK).details
    assert [one["text"] for one in found["reordered_segments"]] == moved
    notes = [note for note in found["notes"] if "in a different order" in note]
    assert notes == [n for n in notes if all(f'"{word}" in document' in n for word in moved)]
    assert bool(notes) == bool(moved)


def test_blank_that_splits_a_token_is_not_a_text_change() -> None:
    base = {"start": [0, 7], "end": [6, 10]}, "vander tit"
    tokens = {"annotator": ["A"] * 3 + ["B"] * 2, "start": [0, 4, 8, 0, 7], "end": [3, 7, 11, 6, 10]}
    texts = accord.read(tokens, texts={"A": "van der tit", "B": "vander tid"}, base=base)
    rates = TextGamma(**QUICK).observe(texts, Run()).rates
    assert (rates.text, rates.segmentation) == (1 / 4, 1 / 4)


def test_feature_may_have_the_name_of_a_breakdown() -> None:
    spans = {"annotator": ["A", "A", "B", "B"], "start": [0, 2, 0, 2], "end": [1, 3, 1, 3]}
    labels = {"pos": ["x", "x", "x", "y"], "segmentation": ["u", "u", "v", "v"], "category": ["p", "q", "p", "q"]}
    found = accord.text_gamma({**spans, **labels}, texts={"A": "a b", "B": "a b"}, **QUICK)
    kinds = found.parts["kind"]
    assert list(kinds) == ["text", "segmentation", "pos", "feature_segmentation", "category"]
    assert [part.details["disorder"] for part in kinds.values()] == [0, 0, 0.25, 0.5, 0]
    assert list(found.parts["category"]) == ["p", "q"]


def test_without_features_there_are_no_categories() -> None:
    found = accord.text_gamma(Texts.of_words({"A": "a b", "B": "a c"}), **QUICK)
    assert set(found.parts) == {"kind", "annotator", "pair", "document"}


def test_notes_of_the_data_are_not_repeated() -> None:
    texts = Texts.of_words({"A": "a b", "B": "a c"}).with_notes("read with care")
    assert "read with care" not in accord.text_gamma(texts, **QUICK).details["notes"]


def test_versions_without_common_document_are_named() -> None:
    texts = Texts.of_words({("d1", "A"): "a", ("d2", "B"): "b"})
    with raises("nothing-shared", '"d1"', '"A"', '"d2"', '"B"'):
        accord.text_gamma(texts)


def test_measures_for_other_data_refuse_texts() -> None:
    texts = Texts.of_words({"A": "a b", "B": "a c"})
    for other in (accord.gamma, accord.alpha):
        with raises("measure-for-other-data"):
            other(texts)


def test_reordered_segments_with_gaps_count_tokens_only() -> None:
    """Text between tokens is not counted; moved segments are reported verbatim."""
    first, second = "one, two, three, four, five six", "one, five six, two, three, four"
    spans = [[(w.start(), w.end()) for w in re.finditer(r"\w+", text)] for text in (first, second)]
    texts = texts_of({"A": (first, spans[0], ["x"] * 6), "B": (second, spans[1], ["x"] * 6)})
    measure = TextGamma(gaps=True, **QUICK)
    evidence = measure.observe(texts, Run())
    details = measure.explain(evidence, measure.estimate(evidence))
    assert details["reordered_segments"] == [
        {"document": "document", "text": "five six", "tokens": 2, "at": {"A": 23, "B": 5}}
    ]


def test_feature_is_a_breakdown_with_its_name() -> None:
    made = noisy()
    codes = np.where(made.features["pos"].codes < 0, 0, made.features["pos"].codes)
    lemma = TokenColumn((codes + np.arange(len(codes))) % 3, made.features["pos"].categories)
    found = scored(replace(made, features={**made.features, "lemma": lemma}))
    assert list(found.parts) == ["kind", "category", "annotator", "pair", "document", "pos", "lemma"]
    assert {k: s.value for k, s in found.parts["pos"].items()} == {
        k: s.value for k, s in found.parts["category"].items()
    }
    parts = found.parts["lemma"]
    assert sum(part.details["share"] for part in parts.values()) == pytest.approx(1)
    of_annotators = made.version_annotator[made.version] >= 0
    assert [parts[k].n for k in "ANV"] == np.bincount(lemma.codes[of_annotators]).tolist()


def test_n_of_annotators_and_pairs_is_the_number_of_tokens() -> None:
    texts = noisy(docs=2)
    found = scored(texts)
    tokens = {a: sum(_size(texts, d, a) for d in texts.docs) for a in texts.annotators}
    assert {a: part.n for a, part in found.parts["annotator"].items()} == tokens
    for name, part in found.parts["pair"].items():
        a, b = name.split(" – ")
        assert part.n == round((tokens[a] + tokens[b]) / 2)


def _size(texts: Texts, doc: str, annotator: str) -> int:
    here = texts.tokens(texts.version_of(doc, annotator))
    return int(here.stop - here.start)


def test_levenshtein_distance_of_labels_needs_no_full_table() -> None:
    """More values than a table may have; a third of them differ in one letter of four."""
    many = 5400
    text = " ".join("w" * many)
    names = [f"{k:04x}" for k in range(many)]
    other = [name[:3] + "z" if k % 3 == 0 else name for k, name in enumerate(names)]
    texts = texts_of({"A": (text, words(text), names), "B": (text, words(text), other)})
    found = scored(texts, TextGamma(features=("pos(levenshtein)",), p_t=0, p_s=0, samples=2, precision=0.9))
    assert found.observed == pytest.approx(1 / 3 / 4 / 2)


def test_texts_with_nothing_in_common_are_reported() -> None:
    texts = texts_of({"A": ("abc abc", words("abc abc"), ["x"] * 2), "B": ("xyz uvw", words("xyz uvw"), ["x"] * 2)})
    measure = TextGamma(**QUICK)
    evidence = measure.observe(texts, Run())
    notes = measure.explain(evidence, measure.estimate(evidence))["notes"]
    assert any("1 pair of texts with little in common: only 14% of the characters match" in note for note in notes)


def test_boundary_symbols_in_the_text_are_letters() -> None:
    text = "{a} }b{"
    texts = texts_of({a: (text, words(text), ["x", "y"]) for a in "AB"})
    assert scored(texts).observed == 0


def test_sampling_continues_until_rare_changes_occur() -> None:
    """At a rate of 0.001, 30 random pairs of two words are nearly always equal; expected disorder is still not 0.

    A change is visible in 5 of 6 cases, because a letter may be replaced by itself. Either annotator may change.
    """
    found = scored(Texts.of_words({"A": "so so", "B": "so su"}), TextGamma(p_t=0.001, p_s=0.0, precision=0.2))
    assert found.expected == pytest.approx(2 * 0.001 * 5 / 6, rel=0.3)
    with raises("measure-option"):
        scored(Texts.of_words({"A": "so so", "B": "so su"}), TextGamma(p_t=0.0005, p_s=0.0))


def test_short_texts_are_edited_in_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of samples of a few words are drawn in batches."""
    calls = []

    def counted(bases: Any, *rest: Any) -> Any:
        calls.append(len(bases))
        return edited_each(bases, *rest)

    monkeypatch.setattr(differences, "edited_each", counted)
    texts = Texts.of_words({"A": "so long", "B": "so lonk"})
    found = TextGamma(p_t=0.2, p_s=0.1, precision=0.01).observe(texts, Run(jobs=1))
    assert sum(calls) == 2 * len(found.totals) > 4000
    assert len(calls) < 10
    assert found.means.shape == (len(found.totals), 1)


def test_no_disorder_by_chance_is_undefined() -> None:
    found = scored(Texts.of_words({"A": "so so", "B": "so so"}))
    assert math.isnan(found.value)
    assert found.undefined


@for_each(
    "options",
    [
        {"gap_t": 0},
        {"gap_b": -1},
        {"gap_t": True},
        {"p_t": 1.5},
        {"p_s": "x"},
        {"samples": 1},
        {"precision": 2},
        {"gaps": 1},
        {"prior_t": [0.5]},
        {"prior_t": [2, 10]},
        {"prior_t": [0.1, 10], "p_t": 0.1},
        {"text": "ordinal"},
        {"distance": "ordnal"},
        {"features": ["pos", "pos"]},
        {"features": ["pos(nominal,nominal)"]},
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as caught:
        TextGamma(**options)
    assert "\n" not in str(caught.value)


def test_data_that_cannot_be_compared_are_refused() -> None:
    text, spans, tags = reference()
    with raises("unknown-name"):
        scored(noisy(), TextGamma(features=("post",)))
    with raises("annotators-needed"):
        scored(texts_of({"A": (text, spans, tags)}))
    with raises("nothing-shared"):
        scored(texts_of({("d", "A"): (text, spans, tags), ("e", "B"): (text, spans, tags)}))
    with raises("nothing-annotated"):
        scored(texts_of({"A": ("x", [], []), "B": ("x", [], [])}))
    with raises("measure-for-other-data"):
        TextGamma().observe(accord.read({"item": [1], "annotator": ["a"], "label": ["x"]}), Run())


def test_side_by_side_rows_name_the_kinds_of_difference() -> None:
    """Example (1) of the paper, with a split and an addition."""
    first, second = "aller vin\u0304stendicheit vthgelacht /", "aller vm\u0304stendicheit vth gelacht ya /"
    texts = texts_of(
        {
            "A": (first, words(first), ["P", "N", "V", "$"]),
            "B": (second, words(second), ["D", "N", "A", "V", "X", "$"]),
        }
    )
    rows = side_by_side(texts, "document", "A", "B")
    assert [row.kinds for row in rows] == [
        ("pos",),
        ("text",),
        ("segmentation",),
        ("segmentation",),
        ("segmentation",),
        ("missing",),
        ("same",),
    ]
    assert rows[1].first is not None
    assert rows[1].first.pieces == (("v", False), ("in\u0304", True), ("stendicheit", False))
    shown = rendered(rows, ("pos",)).splitlines()
    assert shown[0].split() == ["A", "B", "difference", "pos"]
    assert shown[1].split() == ["aller", "aller", "pos", "P", "≠", "D"]
    assert "v[in\u0304]stendicheit" in shown[2]
    assert len(rendered(rows, (), context=0).splitlines()) == 7
    flipped = side_by_side(texts, "document", "B", "A")
    assert sorted(r.cost for r in flipped) == sorted(r.cost for r in rows)


def test_table_shows_rates_of_chance_and_kind_of_interval() -> None:
    table = accord.text_gamma(noisy(docs=1), **QUICK).tables()[0]
    assert "95% error" in table.columns
    assert re.fullmatch(r"± [0-9.]+ \(Monte Carlo\)", str(table.rows[0][2]))
    assert any(re.search(r"samples, p_t = [0-9.]+, p_s = [0-9.]+$", note) for note in table.notes)
    several = accord.text_gamma(noisy(docs=3), **QUICK, replicates=100).tables()[0]
    assert "95% interval" in several.columns


def test_many_samples_are_explained_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """One letter of a long text differs: random changes are rare, so a precision of 2% needs thousands of samples."""
    one = " ".join(["so long and thanks for all the fish"] * 20)
    texts = Texts.of_words({"A": one, "B": one.replace("fish", "fisk", 1)})
    whole = accord.text_gamma(texts)
    assert whole.details["samples"] > 5_000
    assert any("random texts rarely differ, so a precision of 0.02 needed" in note for note in whole.details["notes"])
    monkeypatch.setattr(differences, "_WORTH_WAITING", 1_000)
    short = accord.text_gamma(texts)
    assert short.details["samples"] == 1_000
    (note,) = (note for note in short.details["notes"] if "expected disorder is precise to" in note)
    known, wanted = re.search(
        r"precise to ([\d.]+)% \(1,000 samples\).* 0.02 would need about (\d[\d,]*\d),", note
    ).groups()  # type: ignore[union-attr]
    assert float(known) == pytest.approx(2 * math.sqrt(whole.details["samples"] / 1_000), rel=0.3)
    assert int(wanted.replace(",", "")) == whole.details["samples"]
    assert accord.text_gamma(texts, precision=0.01).details["samples"] == 4_000  # a higher precision raises the limit
    assert not any("rarely differ" in note for note in accord.text_gamma(texts, **QUICK).details["notes"])


@pytest.mark.parametrize("pre", [False, True])
def test_leaving_out_an_annotator_changes_only_their_documents(pre: bool) -> None:
    rng = np.random.default_rng(4)
    rows: dict[str, list[str]] = {"doc": [], "annotator": [], "text": []}
    for doc in range(12):
        who = [*rng.choice(list("ABCDEF"), 3, replace=False).tolist(), *(["base"] if pre else [])]
        for one in who:
            all_words = ["some", "words", "that", "they", "wrote", "here"]
            kept = [word for word in all_words if one == "base" or rng.random() > 0.2]
            for column, cell in zip(rows, (f"d{doc}", one, " ".join(kept)), strict=True):
                rows[column].append(cell)
    data = accord.read(rows, base="base") if pre else accord.read(rows)
    measure, run = TextGamma(), Run(2)
    table = text_table((Rate(None, None), Rate(None, None)), measure.observe(data, run), run)
    everything = np.arange(len(table.ready.docs))
    for g in range(len(table.ready.texts.annotators)):
        found = table.parts(g)
        recomputed = table._sums(table.ready.texts.version_annotator != g, everything)
        assert (found.observed != table.parts().observed).any()
        for column in ("there", "observed", "own", "by_chance", "counts"):
            assert getattr(found, column) == pytest.approx(getattr(recomputed, column), rel=1e-12)
