"""What accord reads: a line per format. This table drives the reading: files are recognised in its order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from accord.core.errors import UnknownName

if TYPE_CHECKING:
    from accord.data.io.formats.files import File


@dataclass(frozen=True)
class Format:
    """A line of `accord formats`, and the module that recognises its files by content and reads them."""

    name: str  # as --format says it
    title: str
    suffixes: str
    holds: str
    annotators: str  # who they are
    example: str
    module: str | None = None  # recognises(file), read(files, how); None: tables and texts, which are read elsewhere
    layout: str | None = None  # of those
    extra: str | None = None  # what must be installed
    written: str | None = None  # by its write(): "folder", or the suffix of a file
    whole: bool = False  # a project: files of other formats that stand with it are its own

    @cached_property
    def reader(self) -> Any:
        return import_module(self.module) if self.module else None


_HERE = "accord.data.io.formats"
NATIVE: tuple[Format, ...] = (
    Format(
        "webanno_project",
        "a project of WebAnno or INCEpTION",
        ".zip with exportedproject.json",
        "units: a variable for each feature of a layer; chains of mentions; labels of documents",
        "who the project says; curators with --annotators alone",
        "accord score project.zip",
        f"{_HERE}.webanno_project",
        whole=True,
    ),
    Format(
        "brat",
        "brat standoff",
        ".ann with .txt",
        "units: text-bound annotations; attributes are further variables",
        "a folder each",
        "accord score project/",
        f"{_HERE}.brat",
        written="folder",
    ),
    Format(
        "webanno_tsv",
        "WebAnno TSV 3",
        ".tsv, beginning with #FORMAT=WebAnno TSV 3",
        "units: a variable for each feature of a layer; chains of mentions",
        "a file each: DOCUMENT/ANNOTATOR.tsv",
        "accord score annotation/",
        f"{_HERE}.webanno_tsv",
        written="folder",
    ),
    Format(
        "webanno_tsv2",
        "WebAnno TSV 2",
        ".tsv, beginning with # LAYER | FEATURE",
        "units: a variable for each feature of a layer",
        "a file each",
        "accord score annotation/",
        f"{_HERE}.webanno_tsv2",
    ),
    Format(
        "uima_xmi",
        "UIMA CAS XMI",
        ".xmi, with TypeSystem.xml beside or without",
        "units: a variable for each feature of a layer; chains of mentions; labels of documents",
        "a file each: DOCUMENT/ANNOTATOR.xmi",
        "accord score annotation/",
        f"{_HERE}.uima_xmi",
        written="folder",
    ),
    Format(
        "uima_json",
        "UIMA CAS JSON",
        '.json, with "%FEATURE_STRUCTURES"',
        "units: a variable for each feature of a layer; chains of mentions; labels of documents",
        "a file each: DOCUMENT/ANNOTATOR.json",
        "accord score annotation/",
        f"{_HERE}.uima_json",
    ),
    Format(
        "label_studio",
        "Label Studio",
        ".json, JSON-MIN, .csv",
        "units: regions of texts, recordings, time series; labels of items: choices, ratings, numbers, taxonomies; "
        "each control is a variable",
        "who completed an annotation",
        "accord score export.json",
        f"{_HERE}.label_studio",
        written=".json",
    ),
    Format(
        "prodigy",
        "Prodigy",
        ".jsonl",
        "units: spans; labels of items: choices, yes/no questions (each label is a variable)",
        "sessions, or a file each",
        "accord score annotations.jsonl",
        f"{_HERE}.prodigy",
        written=".jsonl",
    ),
    Format(
        "argilla",
        "Argilla",
        ".json .jsonl .parquet",
        "labels of items, ratings, spans: each question is a variable",
        "who responded",
        "accord score records.json",
        f"{_HERE}.argilla",
    ),
    Format(
        "doccano",
        "doccano",
        ".jsonl .json",
        "units: spans; labels of items: categories",
        "a file each",
        "accord score export.zip",
        f"{_HERE}.doccano",
        written="folder",
    ),
    Format(
        "gate",
        "GATE",
        ".xml, .bdocjs",
        "units: annotations; types are labels, features variables",
        "annotation sets, or a file each",
        "accord score documents/",
        f"{_HERE}.gate",
    ),
    Format(
        "glozz",
        "Glozz",
        ".aa with .ac",
        "units; types are labels, features variables",
        "a file each, a folder each, or authors",
        "accord score Ana/ Ben/",
        f"{_HERE}.glozz",
    ),
    Format(
        "bioc",
        "BioC",
        ".xml .json",
        "units: annotations; infons are variables",
        "an infon called annotator, or a file each",
        "accord score Ana.xml Ben.xml",
        f"{_HERE}.bioc",
    ),
    Format(
        "catma",
        "CATMA",
        "a project folder",
        "units: tags; properties are variables",
        "collections",
        "accord score project/",
        f"{_HERE}.catma",
    ),
    Format(
        "refi_qda",
        "REFI-QDA (MAXQDA, NVivo, ATLAS.ti)",
        ".qdpx .qde",
        "units: codings of texts and recordings",
        "users, or a file each",
        "accord score project.qdpx",
        f"{_HERE}.refi_qda",
    ),
    Format(
        "tei",
        "TEI stand-off",
        ".xml",
        "units: spans, and tags as CATMA exports them",
        "resp, or a file each",
        "accord score Ana.xml Ben.xml",
        f"{_HERE}.tei",
    ),
    Format(
        "elan",
        "ELAN",
        ".eaf",
        "units: annotations; tiers are variables",
        "a file each, the ANNOTATOR of a tier, or tiers",
        "accord score Ana.eaf Ben.eaf",
        f"{_HERE}.elan",
        written="folder",
    ),
    Format(
        "textgrid",
        "Praat TextGrid",
        ".TextGrid",
        "units: intervals with a text; tiers are variables",
        "a file each, or tiers",
        "accord score recordings/",
        f"{_HERE}.textgrid",
        written="folder",
    ),
    Format(
        "rttm",
        "RTTM, STM",
        ".rttm .stm, with .uem",
        "units: who speaks when",
        "a file each",
        "accord score Ana.rttm Ben.rttm",
        f"{_HERE}.rttm",
        written="folder",
    ),
    Format(
        "jams",
        "JAMS",
        ".jams",
        "units: segments of music; namespaces are variables",
        "named inside",
        "accord score track.jams",
        f"{_HERE}.jams",
    ),
    Format(
        "raven",
        "Raven selection tables",
        ".txt",
        "units: selections; columns of notes are variables",
        "a file each, or a folder each",
        "accord score Ana/ Ben/",
        f"{_HERE}.raven",
    ),
    Format(
        "boris",
        "BORIS",
        ".boris, exported events .csv .tsv",
        "units: state events",
        "a variable called observer, observations, or files",
        "accord score project.boris",
        f"{_HERE}.boris",
    ),
    Format(
        "audacity",
        "Audacity labels",
        ".txt",
        "units: labels with start and end",
        "a file each, or a folder each",
        "accord score labels/",
        f"{_HERE}.audacity",
    ),
    Format(
        "m2",
        "M2",
        ".m2",
        "units: places that were corrected, by the type of the error",
        "named inside",
        "accord score corrections.m2",
        f"{_HERE}.m2",
    ),
    Format(
        "ua_gec",
        "UA-GEC",
        ".ann .txt, with {source=>correction:::error_type=Type}",
        "units: places of the source that were corrected, by the type of the error",
        "a file each",
        "accord score corrections/",
        f"{_HERE}.ua_gec",
    ),
    Format(
        "docbin",
        "spaCy DocBin",
        ".spacy",
        "units: entities and groups of spans; labels of items: categories",
        "user data of documents, or a file each",
        "accord score Ana.spacy Ben.spacy",
        f"{_HERE}.docbin",
        extra="spacy",
    ),
    Format(
        "iob",
        "CoNLL columns with chunks",
        ".conll .iob .bio .tsv .txt",
        "units: chunks (IOB1, IOB2, BIOES, BILOU)",
        "a file each, a folder each, or columns",
        "accord score Ana.conll Ben.conll",
        f"{_HERE}.iob",
        written="folder",
    ),
)
ELSEWHERE: tuple[Format, ...] = (
    Format(
        "table",
        "CSV, TSV",
        ".csv .tsv .tab .txt, standard input (-)",
        "ratings: long, wide, counts, confusion matrix; units, with docs.csv and judged.csv beside; segmentations; "
        "chains or links of mentions",
        "a column, columns, rows or files",
        "accord score ratings.csv",
        written="a folder, .csv or .tsv",
    ),
    Format(
        "pygamma",
        "pygamma-agreement",
        ".csv without header",
        "units: annotator, label, start, end",
        "a column",
        "accord score units.csv",
        layout="pygamma",
    ),
    Format(
        "text",
        "tables of texts",
        "the same, with -m text_gamma",
        "whole texts; tokens, with a text column or texts/ beside; edits of a source (start, end, correction)",
        "a column",
        "accord score texts.csv -m text_gamma",
        layout="texts",
    ),
    Format(
        "cora",
        "CorA-XML",
        ".xml",
        "texts: one file per annotator and document",
        "a file each, or a folder each",
        "accord score texts/",
        layout="texts",
    ),
    Format(
        "conllu",
        "CoNLL-U",
        ".conllu",
        "texts, with lemma, upos, xpos; one document or several",
        "a file each, or a folder each",
        "accord score Ana.conllu Ben.conllu",
        layout="texts",
    ),
    Format(
        "plain",
        "plain text",
        ".txt, with -m text_gamma",
        "texts: words between blanks",
        "a file each, or a folder each",
        "accord score Ana.txt Ben.txt -m text_gamma",
        layout="texts",
    ),
    Format(
        "conll2012",
        "CoNLL-2012",
        ".conll .v4_gold_conll, beginning with #begin document",
        "chains: coreference in the last column",
        "a file each",
        "accord score Ana.conll Ben.conll",
        layout="chains",
    ),
    Format(
        "parquet",
        "Parquet",
        ".parquet .pq",
        "the columns of tables",
        "as in tables",
        "accord score ratings.parquet",
        written=".parquet",
    ),
    Format(
        "excel",
        "Excel",
        ".xlsx .xls .xlsm .ods",
        "the columns of tables, on one sheet, or on a sheet per annotator or per variable",
        "as in tables, or a sheet each",
        "accord score ratings.xlsx",
    ),
    Format(
        "spss",
        "SPSS",
        ".sav .zsav",
        "the columns of tables; value labels are the labels, in their order",
        "as in tables",
        "accord score ratings.sav",
        extra="accord[spss]",
    ),
)
FORMATS: tuple[Format, ...] = (*NATIVE, *ELSEWHERE)


def format_named(name: str) -> Format:
    found = next((one for one in FORMATS if one.name == name), None)
    if found is None:
        raise UnknownName("format", name, [one.name for one in FORMATS])
    return found


def format_of(file: File) -> Format | None:
    """The native format of a file, by its content."""
    return next((one for one in NATIVE if one.reader.recognises(file)), None)


def formats_of(files: Sequence[File]) -> dict[Format, list[File]]:
    """Files by their format; those that are none of the native ones are left out."""
    found: dict[Format, list[File]] = {}
    held = 0
    for file in files:
        one = format_of(file)
        if one is not None:
            found.setdefault(one, []).append(file)
        held = file.let_go(held)
    return found
