"""The rules that give columns their roles are documented, and apply in one order."""

from __future__ import annotations

from accord.data.io.tables.layout import RULES

LAYOUTS = {None, "long", "wide", "rows"}


def test_every_rule_names_its_evidence_result_and_reason() -> None:
    for rule in RULES:
        assert rule.looks_at, rule.apply.__name__
        assert rule.gives, rule.apply.__name__
        assert rule.reason.strip().endswith("."), rule.apply.__name__
        assert rule.layouts, rule.apply.__name__
        assert set(rule.layouts) <= LAYOUTS, rule.apply.__name__


def test_rules_use_options_first_then_names_then_values() -> None:
    evidence = [rule.looks_at for rule in RULES]
    options = evidence.index("--item, --annotator, --label; the format of the file")
    names = evidence.index("names")
    values = evidence.index("which labels columns share")
    assert options < names < values


def test_last_rule_for_unknown_layouts_gives_the_wide_layout() -> None:
    """The rules for tables without a layout end with one that reads all remaining tables as wide."""
    without = [rule for rule in RULES if None in rule.layouts]
    assert without[-1].gives.startswith("wide")
