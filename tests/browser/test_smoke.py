"""Short tests of the page of `accord serve` in a browser, from a table to its report. Longer tests are slow tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import Cli


def test_page_reports_on_an_uploaded_table(visitor: Any, cli: Cli, garden: Path) -> None:
    """The report shows the value of the command line, and the page sends no external requests."""
    table, seen = garden / "sentences.csv", visitor()
    page = seen.page
    seen.drop({table.name: table.read_text(encoding="utf-8")})
    assert "Ana" in seen.understood()
    page.locator("main button.main", has_not=page.locator("form")).first.click()
    page.wait_for_selector(".advice, .answered")
    page.locator("main form > .go button.main").click()
    page.wait_for_selector("iframe")
    frame = page.frame_locator("iframe")
    frame.locator("h2.headline").wait_for()
    shown = json.loads(frame.locator("#accord-report").text_content())["variables"][0]["scores"][0]
    (score,) = json.loads(cli("score", table, "-m", shown["measure"], "--json").out)["scores"]
    assert (shown["value"], shown["interval"]) == (score["value"], score["interval"])
    assert (seen.requests, seen.errors) == ([], [])


MESSAGES = {
    "t.csv: 3 columns; use --layout counts or --annotators-in rows": (
        "t.csv: 3 columns; use “Table layout”: counts (items × categories) or “Annotators are in separate”: rows",
        "t.csv: 3 columns; use „Aufbau der Tabelle“: Häufigkeiten (Items × Kategorien) or "
        "„Annotierende unterscheiden nach“: Zeilen",
    ),
    'column "--layout counts" occurs twice; use --no-header if the first row is data': (
        'column "--layout counts" occurs twice; use “The table has no header row” if the first row is data',
        'column "--layout counts" occurs twice; use „Die Tabelle hat keine Kopfzeile“ if the first row is data',
    ),
    'name them: --columns "{annotator}_{variable}", or --item COLUMN, --annotators Ana,Ben.': (
        'name them: “Pattern of column names”: "{annotator}_{variable}", or “Column with the item names”, '
        "“Annotators to keep”: Ana,Ben.",
        'name them: „Muster der Spaltennamen“: "{annotator}_{variable}", or „Spalte mit den Namen der Items“, '
        "„Zu berücksichtigende Annotierende“: Ana,Ben.",
    ),
    'use --role "a=ignore" --role "b=ignore" (2), or --annotators-in columns --label "a" --label "b" (3)': (
        'use “Roles of the columns”: "a=ignore", "b=ignore" (2), or “Annotators are in separate”: columns, “Columns or '
        'layers with the labels”: "a", "b" (3)',
        'use „Rollen der Spalten“: "a=ignore", "b=ignore" (2), or „Annotierende unterscheiden nach“: Spalten, „Spalten '
        'oder Annotationsebenen mit den Labels“: "a", "b" (3)',
    ),
    "see --paired, or --time COLUMN": (
        "see “Compare › Paired comparison”, or “More analyses › annotators › Column with the time of a label”",
        "see „Vergleichen › Vergleich mit verbundenen Stichproben“, or "
        "„Weitere Analysen › annotators › Spalte mit dem Zeitpunkt eines Labels“",
    ),
    "use --interval none, --level 0.9; -m alpha; start accord serve with a larger --max-upload": (
        "use “Type of confidence interval”: none, “Confidence level”: 0.9; “Measure”: alpha; start accord serve with a "
        "larger --max-upload",
        "use „Art des Konfidenzintervalls“: none, „Konfidenzniveau“: 0.9; „Maß“: alpha; start accord serve with a "
        "larger --max-upload",
    ),
}


def test_messages_name_controls_instead_of_options(visitor: Any) -> None:
    """Text in double quotes is data and stays unchanged, as do options without a control."""
    for k, language in enumerate(("en", "de")):
        seen = visitor(language=language)
        for message, expected in MESSAGES.items():
            shown = seen.page.evaluate(
                "async (text) => (await import('/assets/messages.js')).inControls(text, 'score')", message
            )
            assert shown == expected[k]
        assert seen.errors == []


def test_every_option_has_a_label_in_the_language_of_the_page(visitor: Any) -> None:
    seen = visitor(language="de")
    words = seen.fetched("/words/de.json")
    commands = seen.fetched("/api/about")["commands"]
    asked = [f"reading.{name}" for name in commands["read"]["properties"]["reading"]["properties"]]
    missing = [key for key in asked if key not in words]
    for command, declared in commands.items():
        left = {"paths", "reading", "models", "decisions"} | (
            set(declared["properties"]) if command == "advise" else set()
        )
        for name, schema in declared["properties"].items():
            if name not in left and not {f"option.{command}.{name}", f"option.{name}"} & set(words):
                missing.append(f"option.{command}.{name}")
            heading = f"heading.{schema.get('x-heading', '').lower().replace(' ', '_')}"
            if name not in left and heading not in words:
                missing.append(heading)
    assert missing == []


def test_every_option_can_be_set_on_the_page(visitor: Any, garden: Path) -> None:
    """The shown command line contains the settings of "More options"."""
    table, seen = garden / "sentences.csv", visitor()
    page = seen.page
    seen.drop({table.name: table.read_text(encoding="utf-8")})
    seen.understood()
    seen.go("plan")
    more = page.locator("[data-options=plan]")
    shown = {one.get_attribute("data-option") for one in page.locator("main form [data-option]").all()}
    declared = seen.fetched("/api/about")["commands"]["plan"]["properties"]
    assert shown == set(declared) - {"paths", "reading"}
    more.locator("summary").click()
    more.locator("[data-option=simulations] input").fill("0")
    page.locator("main form button.main").click()
    page.wait_for_selector(".printed")
    page.locator("main details.fold", has=page.locator(".code")).locator("summary").click()
    assert page.locator(".code").first.inner_text().startswith("accord plan sentences.csv --width 0.1 --simulations 0")
    assert (seen.requests, seen.errors) == ([], [])
