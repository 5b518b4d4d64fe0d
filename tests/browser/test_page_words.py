"""All texts of the page are in one file for each language, with the same keys."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SERVING = Path(__file__).parents[2] / "src" / "accord" / "doors" / "serving"
WORDS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted((SERVING / "words").glob("*.json"))}
SCRIPTS = {file.name: file.read_text(encoding="utf-8") for file in sorted((SERVING / "assets").glob("*.js"))}
PAGE = (SERVING / "assets" / "page.html").read_text(encoding="utf-8")
OTHERS = pytest.mark.parametrize("language", [name for name in WORDS if name != "en"])
_PLACEHOLDER = re.compile(r"\{\w+\}")
_KEY = re.compile(r"""(?:\bt|\bmany)\(\s*"([\w. ]+)\"""")
# Any quoted key counts as used, because scripts pass keys on, as in t(open ? "a" : "b").
_QUOTED = re.compile(r"\"([\w. ]+)\"")
_TEMPLATE = re.compile(r"`([\w.]*)\$\{[^}]*\}([\w.]*)(\$\{[^}]*\})?`")


def test_page_has_english_and_german() -> None:
    assert set(WORDS) == {"en", "de"}
    found = re.search(r"LANGUAGES = \[(.*?)\]", SCRIPTS["words.js"])
    assert found is not None
    assert {name.strip(' "') for name in found.group(1).split(",")} == set(WORDS)


@OTHERS
def test_languages_have_the_same_keys_in_the_same_order(language: str) -> None:
    assert list(WORDS[language]) == list(WORDS["en"])


@OTHERS
def test_languages_have_the_same_placeholders(language: str) -> None:
    holes = {
        name: {key: sorted(_PLACEHOLDER.findall(text)) for key, text in words.items()} for name, words in WORDS.items()
    }
    assert holes[language] == holes["en"]


@OTHERS
def test_every_sentence_is_translated(language: str) -> None:
    """Only these texts are the same in both languages."""
    same = {key for key, text in WORDS[language].items() if text == WORDS["en"][key] and re.search(r"[a-z]{2}", text)}
    assert {WORDS["en"][key] for key in same} <= {
        "Items",
        "Labels",
        "Format",
        "Python",
        "Simulation",
        "se, p",
        "{step} · accord",
    }


def used() -> set[str]:
    """Return the keys that the page can use, written in full or built from parts."""
    text = "\n".join(SCRIPTS.values())
    found = {key for key in _QUOTED.findall(text) if key in WORDS["en"]}
    found |= {f"{key}.{form}" for key in found | set(_KEY.findall(text)) for form in ("one", "other")} & set(
        WORDS["en"]
    )
    for before, after, more in _TEMPLATE.findall(text):
        if "." in before:
            found |= {key for key in WORDS["en"] if key.startswith(before) and (more or key.endswith(after))}
        elif "." in after and not more:
            found |= {key for key in WORDS["en"] if key.endswith(after)}
    found |= {
        key
        for key in WORDS["en"]
        if key.partition(".")[0] in {"layout", "annotators_in", "repeats", "method", "fold", "use"}
    }
    found |= set(re.findall(r'data-t(?:-label)?="([\w.]+)"', PAGE))
    access = (SERVING / "access.py").read_text(encoding="utf-8")
    return (
        found
        | {key for key in WORDS["en"] if key.startswith("entry.") and key.partition(".")[2] in access}
        | {"noscript"}
    )


def test_words_used_by_scripts_exist() -> None:
    asked = {(name, key) for name, text in SCRIPTS.items() for key in _KEY.findall(text)}
    known = {*WORDS["en"], *(key.rpartition(".")[0] for key in WORDS["en"] if key.endswith(".other"))}
    assert {(name, key) for name, key in asked if key not in known} == {("words.js", "upload.done")}  # in a comment


def test_all_words_are_used() -> None:
    assert sorted(set(WORDS["en"]) - used()) == []


class _Texts(HTMLParser):
    """Texts between tags and in attributes that screen readers read."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[str] = []
        self.plain: list[str] = []
        self.without_script: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "link"}:
            self.inside.append(tag)
        self.plain += [value or "" for name, value in attrs if name in {"title", "alt", "aria-label", "placeholder"}]

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip():
            (self.without_script if "noscript" in self.inside else self.plain).append(data.strip())


def test_page_html_contains_no_words() -> None:
    """The exceptions are the name and the message for browsers without scripts, in all languages."""
    seen = _Texts()
    seen.feed(PAGE)
    assert seen.plain == ["accord", "accord"]
    assert seen.without_script == [WORDS[language]["noscript"] for language in ("en", "de")]


def test_scripts_do_not_build_markup_or_evaluate_text() -> None:
    """Text from data must never become HTML."""
    for name, text in SCRIPTS.items():
        for danger in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "https://",
            "http://",
        ):
            assert danger not in text, (name, danger)
