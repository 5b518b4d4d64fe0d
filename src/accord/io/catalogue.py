"""What accord reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """A line of `accord formats`."""

    name: str
    suffixes: str
    holds: str


FORMATS: tuple[Format, ...] = (
    Format(
        "CSV, TSV",
        ".csv .tsv .tab .txt, standard input (-)",
        "ratings: long, wide, counts, confusion matrix; units, with docs.csv and judged.csv beside; segmentations; "
        "chains or links of mentions",
    ),
    Format("pygamma-agreement", ".csv without header", "units: annotator, label, start, end"),
    Format(
        "tables of texts",
        "the same, with -m text_gamma",
        "whole texts; tokens, with a text column or texts/ beside; edits of a source (start, end, correction)",
    ),
    Format("CorA-XML", ".xml", "texts: one file per annotator and document"),
    Format("CoNLL-U", ".conllu", "texts, with lemma, upos, xpos; one document or several"),
    Format(
        "CoNLL, plain text", ".conll .tsv .txt, with -m text_gamma", "texts: token and tags, or words between blanks"
    ),
    Format(
        "CoNLL-2012",
        ".conll .v4_gold_conll, beginning with #begin document",
        "chains: coreference in the last column; one file per annotator",
    ),
    Format("Parquet", ".parquet .pq", "the same columns"),
    Format(
        "Excel",
        ".xlsx .xls .xlsm .ods",
        "the same columns; a sheet per annotator or per variable, or the one named by --sheet",
    ),
    Format(
        "SPSS", ".sav .zsav, with pip install 'accord[spss]'", "the same columns; value labels are the labels, in order"
    ),
    Format(
        "folder",
        "",
        "all tables in it; files without an annotator column are one annotator or one variable each",
    ),
)
