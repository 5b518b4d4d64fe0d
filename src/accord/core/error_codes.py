"""The codes of all errors, each with its meaning. `accord.errors` is the public view of them.

A code is stable: programs and tests compare codes, because sentences may change. docs/reference/errors.md explains what
to do about each.
"""

from __future__ import annotations

FILES = {
    "file-missing": "A file or folder does not exist.",
    "file-unreadable": "The operating system or the database refused to read the input.",
    "file-damaged": "The content is not valid JSON, XML, Parquet, Excel or ZIP.",
    "file-empty": "The input has no rows, no sheets or no text.",
    "file-too-large": "The input exceeds a size limit.",
    "file-name": "A path or upload name is not allowed.",
    "encoding": "The bytes of a file do not match its encoding.",
    "unsafe-file": "The input could harm the machine: entities, paths that leave an archive, open permissions.",
    "format-unknown": "The content is in no format that accord reads.",
    "format-ambiguous": "The content fits several formats or several assignments of annotators.",
    "export-not-usable": "This kind of export lacks what accord needs; the tool can write another one.",
    "invalid-record": "A record of an annotation tool's file breaks the rules of its format.",
    "missing-package": "An optional package is not installed.",
    "database": "A database address, table or query is wrong.",
}

TABLES = {
    "header-row": "The header row is missing, doubled, or names a column twice.",
    "uneven-rows": "A row has too many or too few cells, or a quote is not closed.",
    "column-missing": "The table lacks a required column.",
    "roles-unclear": "accord cannot tell which columns are items, annotators and labels.",
    "layout-unclear": "The table fits several layouts.",
    "missing-unclear": "A label among numbers may be a code for a missing label.",
    "level-unknown": "The value depends on the level of measurement, and nothing states it.",
    "level-not-scored": "The labels are rankings or free texts, which measures of categories do not compare.",
    "several-sheets": "A workbook has several sheets, and it is unclear which to read.",
    "several-variables": "The data have several variables where one is needed.",
    "mixed-inputs": "The inputs are of different kinds.",
    "empty-cell": "The name of an item, annotator, document or mention is empty.",
    "invalid-counts": "A table of counts or a confusion matrix is malformed.",
    "invalid-python-data": "A Python object cannot be read as data.",
}

ANNOTATIONS = {
    "repeated-label": "An annotator labels the same item more than once.",
    "repeated-document": "A document or file occurs twice, or a document has two different texts.",
    "invalid-label": "A label cannot be compared with others.",
    "undeclared-category": "A label is not among the declared categories.",
    "not-a-number": "A label or value is not a number, and the measure or distance needs numbers.",
    "invalid-position": "A position, length, boundary or offset is not valid for its document.",
    "end-before-start": "A unit ends before it starts.",
    "overlapping-units": "Units of one annotator overlap where this is not allowed.",
    "invalid-chain": "Coreference markup is malformed.",
    "features-differ": "Two sets of texts have different features.",
}

COMPARISONS = {
    "annotators-needed": "Fewer than two annotators are left.",
    "nothing-shared": "No two annotators, studies or rounds share anything that can be compared.",
    "nothing-annotated": "There are no labels, units, tokens or mentions.",
    "counts-without-annotators": "Counts do not record which annotator gave which label.",
    "too-few": "There are too few items or documents for this analysis.",
    "undefined-value": "The measure is undefined on these data.",
    "models-unclear": "It is unclear which annotators are models and which are people.",
}

QUESTIONS = {
    "unknown-name": "No measure, column, annotator, option or other name matches.",
    "not-in-accord": "The name belongs to another tool and has no counterpart in accord.",
    "measure-for-other-data": "The measure, method or command is for another kind of data.",
    "measure-option": "An option of a measure, distance or interval has an invalid value.",
    "spec-syntax": "The text of a measure cannot be parsed.",
    "option-missing": "A required option or argument is missing.",
    "option-value": "An option or parameter has an invalid value.",
    "option-conflict": "Two options exclude each other.",
    "option-renamed": "An option has another name, or Python has another way.",
    "option-not-for-data": "The option does not apply to this kind of input.",
    "usage": "The command line cannot be parsed.",
    "matrix-invalid": "A matrix of distances or weights is malformed or does not fit the labels.",
    "hierarchy-invalid": "A hierarchy of labels is malformed or incomplete.",
    "dissimilarity-invalid": "A function supplied by the user gives invalid values.",
    "target-unreachable": "No sample size reaches the requested precision or power.",
    "too-large-to-compute": "The computation would need too much memory.",
    "saved-file-invalid": "A saved run, reading, baseline, decision file or checkpoint does not fit.",
    "check-failed": "A threshold of `accord check` is not met.",
}

WORK = {
    "output-exists": "The target exists, or is part of the input.",
    "output-not-writable": "The target cannot be written.",
    "output-name": "The name of the target does not fit what is written.",
    "not-representable": "The target format cannot represent the data.",
    "checkpoint": "A checkpoint folder cannot be used.",
    "cluster": "A cluster or worker process is unavailable or failed.",
    "out-of-memory": "The machine has too little memory.",
    "solver-failed": "The solver stopped without a solution.",
    "page-upload": "The page refused an upload or request because of a limit.",
    "page-server": "`accord serve` cannot start with these settings.",
}

CODES: dict[str, str] = {**FILES, **TABLES, **ANNOTATIONS, **COMPARISONS, **QUESTIONS, **WORK}
