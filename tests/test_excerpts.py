"""Excerpts of texts contain whole words."""

from accord.core.excerpts import before, behind, shorten_text

TEXT = "The council of the town agreed on Monday to widen the bridge."


def test_words_are_not_cut() -> None:
    at = TEXT.index("agreed")
    assert before(TEXT, at, 12) == "…of the town "
    assert before(TEXT, at, 11) == "…the town "
    assert before(TEXT, at, 100) == TEXT[:at]
    assert behind(TEXT, at + 6, 8) == " on…"
    assert behind(TEXT, at + 6, 10) == " on Monday…"
    assert behind(TEXT, at + 6, 100) == TEXT[at + 6 :]


def test_words_are_cut_if_no_whole_word_fits() -> None:
    assert before("unbelievable", 8, 3) == "…iev"
    assert behind("今天天气很好我们去公园", 2, 4) == "天气很好…"


def test_long_text_keeps_its_first_and_last_words() -> None:
    assert shorten_text(TEXT, 100) == TEXT
    assert shorten_text(TEXT, 14) == "The council of … the bridge."
