"""Texts: data in memory, refusals, and the letters of a text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord.data.model.texts import Texts, check_whole_offsets, clusters
from accord.measures.texts.text_gamma import TextGamma

from ..measures.texts.made import texts_of, words
from ..refusals import raises

TWO = {"Ana": ("ab cd", [(0, 2), (3, 5)], ["N", "V"]), "Ben": ("abcd", [(0, 2), (2, 4)], ["N", "N"])}


def columns(**more: list[Any]) -> dict[str, list[Any]]:
    return {"annotator": ["Ana", "Ben"], "start": [0, 0], "end": [2, 2], **more}


def test_order_of_annotators_does_not_matter() -> None:
    one, other = texts_of(TWO), texts_of(dict(reversed(TWO.items())))
    assert one.digest == other.digest
    assert one.annotators == ("Ana", "Ben")
    assert one.docs == ("document",)
    assert one.n_items == 1
    assert one.n_annotators == 2
    assert one.identified
    assert repr(one) == "<Texts: 1 document, 2 annotators, 4 tokens, features: pos>"
    assert one.category_sets["pos"].names == ("N", "V")
    assert [one.token(k) for k in range(4)] == ["ab", "cd", "ab", "cd"]
    assert one.digest != texts_of({**TWO, "Ben": ("abcd", [(0, 2), (2, 4)], ["N", "V"])}).digest


def test_documents_and_pre_annotation_are_separated() -> None:
    texts = texts_of({(d, a): TWO["Ana"] for d in ("d1", "d2") for a in ("Ana", "Ben", "tool")}, base="tool")
    assert texts.annotators == ("Ana", "Ben")
    assert texts.has_base
    assert [len(texts.versions(d)) for d in (0, 1)] == [2, 2]
    second = texts.only_docs(np.array([False, True]))
    assert second.docs == ("d2",)
    assert second.token(0) == "ab"
    ben = texts.only_annotators(["Ben"])
    assert (ben.n_annotators, len(ben), ben.has_base) == (1, 8, True)
    with raises("unknown-name"):
        texts.only_annotators(["Bert"])
    own = Texts.of(columns(), {"Ana": "ab", "Ben": "ab"}, base=({"start": [0], "end": [2]}, "ab"))
    assert own.has_base
    assert own.n_annotators == 2
    with raises("unknown-name"):
        texts_of(TWO, base="Anna")


def test_words_of_plain_texts_are_tokens() -> None:
    texts = Texts.of_words({("d", "a"): "one  two\nthree", ("d", "b"): ""})
    assert [texts.token(k) for k in range(3)] == ["one", "two", "three"]
    assert words("one two") == [(0, 3), (4, 7)]


@pytest.mark.parametrize(
    ("table", "texts", "expected"),
    [
        (
            columns(end=[2, 9]),
            {"Ana": "ab", "Ben": "ab"},
            "invalid-position",
        ),
        (columns(start=[0, -1]), {"Ana": "ab", "Ben": "ab"}, "invalid-position"),
        (columns(start=[2, 0], end=[1, 2]), {"Ana": "ab", "Ben": "ab"}, "end-before-start"),
        (columns(), {"Ana": "ab"}, 'invalid-position: "Ben"'),
        (
            {"annotator": ["Ana"] * 2, "start": [0, 1], "end": [2, 3]},
            {"Ana": "abc"},
            "overlapping-units",
        ),
        ({"annotator": ["Ana"], "start": [0]}, {"Ana": "abc"}, "column-missing"),
        (columns(start=["x", 0]), {"Ana": "ab", "Ben": "ab"}, "invalid-position"),
        (columns(start=[0.5, 0]), {"Ana": "ab", "Ben": "ab"}, "invalid-position"),
        (columns(start=[0]), {"Ana": "ab", "Ben": "ab"}, "invalid-position"),
        (columns(), {("d", "Ana", 1): "ab"}, "invalid-position"),
    ],
)
def test_bad_input_is_refused_on_one_line(table: Any, texts: Any, expected: str) -> None:
    with raises(expected) as caught:
        Texts.of(table, texts)
    assert "\n" not in str(caught.value)


def test_unknown_documents_and_annotators_are_refused() -> None:
    texts = texts_of(TWO)
    with raises("unknown-name"):
        texts.version_of("document", "Bert")
    with raises("unknown-name"):
        texts.version_of("other", "Ana")
    two = texts_of({("d", "Ana"): TWO["Ana"], ("d", "Ben"): TWO["Ben"], ("e", "Ana"): TWO["Ana"]})
    with raises("nothing-shared", '"Ben"', '"e"'):
        two.version_of("e", "Ben")
    found = TextGamma(samples=2, precision=0.5)
    assert len(found.prepared(two).docs) == 1


LETTERS = [
    ("vin\u0304st", ["v", "i", "n\u0304", "s", "t"]),
    ("e\u0301\u0323x", ["e\u0301\u0323", "x"]),
    ("👨‍👩‍👧!", ["👨‍👩‍👧", "!"]),
    ("🇩🇪🇫🇷🇩", ["🇩🇪", "🇫🇷", "🇩"]),
    ("👍🏽x", ["👍🏽", "x"]),
    ("\u1112\u1161\u11ab한", ["\u1112\u1161\u11ab", "한"]),
    ("a\r\nb", ["a", "\r\n", "b"]),
    ("\n\u0301", ["\n", "\u0301"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "letters"), LETTERS)
def test_letters_include_their_combining_marks(text: str, letters: list[str]) -> None:
    assert clusters(text) == letters


def test_letters_are_unicode_grapheme_clusters() -> None:
    regex = pytest.importorskip("regex")
    rng = np.random.default_rng(0)
    pool = "aé\u0301\u0304 \r\n한\u1161\u11ab\u1112ßж🇩🇪"
    for _ in range(500):
        text = "".join(rng.choice(list(pool), size=6))
        assert clusters(text) == regex.findall(r"\X", text)


def test_composed_and_decomposed_letters_are_reported_and_folded() -> None:
    versions = {"Ana": ("caf\u00e9", [(0, 4)], ["N"]), "Ben": ("cafe\u0301", [(0, 5)], ["N"])}
    texts = texts_of(versions)
    assert any("two Unicode forms" in note for note in texts.notes)
    apart = TextGamma(samples=2, p_t=0.5, p_s=0)
    assert apart.estimate(apart.observe(texts, _run())).observed == 0.5
    folded = TextGamma(samples=2, p_t=0.5, p_s=0, fold_unicode=True)
    assert folded.estimate(folded.observe(texts, _run())).observed == 0
    assert not texts_of({"Ana": ("é", [], []), "Ben": ("é", [(0, 1)], ["N"])}).notes


@pytest.mark.parametrize("offset", [1e300, -1e300, np.inf, np.nan, 1.5, "x", None])
def test_offsets_are_whole_numbers(offset: Any) -> None:
    with raises("invalid-position"):
        check_whole_offsets([0, offset], "start")


def _run() -> Any:
    from accord.core.context import Run

    return Run()
