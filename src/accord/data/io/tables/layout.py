"""The role of each column in a table of labels, found by one ordered list of rules.

`roles_of` applies the rules below from first to last. Each rule names its evidence and its outcome; its docstring is
the reason. A rule assigns a role, leaves columns out, adds a note, or refuses the table and names the options that
resolve the question. If the evidence is ambiguous, accord does not guess. A rule applies to tables to which earlier
rules gave one of its layouts (None: no layout yet). column_map.py shows the roles found so far.

- long: one row per label, with columns for item, annotator and labels. Several columns may name the item together.
- wide: one row per item and one column per annotator; several variables form a grid of annotators and variables.
- rows: one row per annotator and one column per item.
- counts: one row per item and one column per category, with the number of annotators who chose it.

roles.py lists the known names of columns, evidence.py examines values, variables.py finds grids, counts.py recognises
counts per category, header.py header rows, and exports.py exports of survey tools. mapping.py applies `--role`.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord.data.io.reading import Reading
from accord.data.io.tables import attribute_rules as attributes
from accord.data.io.tables import doubt_rules as doubt
from accord.data.io.tables import grid_rules as grid
from accord.data.io.tables import long_rules as long
from accord.data.io.tables import wide_rules as wide
from accord.data.io.tables.assignment import Assignment, Rule
from accord.data.io.tables.roles import Roles
from accord.data.io.tables.sources import Source

RULES: tuple[Rule, ...] = (
    # what the user states, and what the file states
    long.refuse_unclear_header,
    long.read_pattern,
    long.refuse_broken_rows,
    long.take_named_columns,
    long.take_anonymous,
    # names of columns: a row per label
    long.find_annotator,
    long.find_item,
    long.take_file_as_annotator,
    long.take_long,
    long.find_item_of_labels,
    long.find_labels,
    long.refuse_long_without_annotator,
    long.refuse_respondents,
    # a column per annotator
    wide.take_wide,
    wide.refuse_confusion_matrix,
    wide.take_named_annotators,
    wide.look_at_first_of_many,
    wide.take_rows,
    wide.find_long_in_three_columns,
    wide.refuse_rows_of_annotators,
    wide.leave_out_nameless,
    attributes.refuse_norms,
    grid.keep_named_grid,
    wide.find_votes,
    wide.pair_names_with_labels,
    grid.refuse_things,
    wide.find_identifiers,
    wide.find_annotators_in_rows,
    wide.take_identifier_as_item,
    wide.refuse_double_entry,
    wide.refuse_choices,
    wide.keep_series_of_annotators,
    wide.refuse_counts_per_category,
    wide.find_computed,
    wide.keep_columns_that_share_labels,
    grid.find_variables,
    grid.refuse_variables,
    attributes.refuse_attributes,
    doubt.refuse_strangers,
    attributes.refuse_aspects,
    wide.refuse_counts_among_rest,
    wide.take_annotators,
    wide.take_rows_as_items,
)


def roles_of(source: Source, how: Reading, needed: Sequence[str], several: bool) -> Roles:
    """Return the role of each column by applying the rules in order."""
    table = Assignment(source, how, needed, several)
    apply_rules(table)
    return table.roles()


def apply_rules(table: Assignment) -> None:
    for rule in RULES:
        if table.layout in rule.layouts and not table.settled:
            rule.apply(table)
