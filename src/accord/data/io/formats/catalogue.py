"""The formats that accord reads, one entry each. accord tries them in the order of this table.

A native format has a reader, the module with the same name in this package. To add a format, copy a reader and add an
entry.

- `recognises(file)` decides from the content whether a file has the format.
- `read(mine, files, how, run)` returns an `Export` of `mine`. `files` are all given files and their companions.
- `write(material)` returns a `Draft`, if accord also writes the format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from accord.core.errors import UnknownName
from accord.data.io.formats.files import File

if TYPE_CHECKING:
    from accord.data.io.formats.files import File


@dataclass(frozen=True)
class Format:
    """A line of `accord formats`, and the module that recognises its files by content and reads them."""

    name: str  # the value of --format
    title: str
    suffixes: str
    holds: str
    annotators: str  # what identifies annotators
    example: str
    signs: tuple[str, ...] = ()  # suffixes (".": no suffix) and words; a file without any of them has another format
    layout: str | None = None  # for tables and texts, which have no reader in this package
    extra: str | None = None  # the package to install
    written: str | None = None  # "folder", or the suffix of a file
    whole: bool = False  # a project, which may contain files of other formats
    module: str | None = None  # the reader; None for tables and texts

    @cached_property
    def reader(self) -> Any:
        return import_module(self.module) if self.module else None


_JSON = (".json", ".jsonl", ".ndjson")
_RTTM = (".rttm", ".stm", "SPEAKER", "SEGMENT", "NON-", "FILLER", "SU", "LEXEME", "SPKR-INFO", "NOSCORE",
         "NO_RT_METADATA", "EDIT", "IP", "CB", "A/P")  # fmt: skip
_LAYERS = "units: a variable for each feature of a layer; chains of mentions; labels of documents"
_READ = (
    Format("webanno_project", "a project of WebAnno or INCEpTION", ".zip with exportedproject.json", _LAYERS,
           "named in the project; curators only with --annotators", "accord score project.zip",
           (".json",), whole=True),
    Format("brat", "brat standoff", ".ann with .txt",
           "units: text-bound annotations; attributes are further variables",
           "a folder per annotator", "accord score project/", (".ann", ".a1", ".a2"), written="folder"),
    Format("webanno_tsv", "WebAnno TSV 3", ".tsv, beginning with #FORMAT=WebAnno TSV 3",
           "units: a variable for each feature of a layer; chains of mentions",
           "a file per annotator: DOCUMENT/ANNOTATOR.tsv", "accord score annotation/", ("#FORMAT=",), written="folder"),
    Format("webanno_tsv2", "WebAnno TSV 2", ".tsv, beginning with # LAYER | FEATURE",
           "units: a variable for each feature of a layer",
           "a file per annotator", "accord score annotation/", ("# ",)),
    Format("uima_xmi", "UIMA CAS XMI", ".xmi, with or without TypeSystem.xml", _LAYERS,
           "a file per annotator: DOCUMENT/ANNOTATOR.xmi", "accord score annotation/",
           ("http:///uima/cas.ecore",), written="folder"),
    Format("uima_json", "UIMA CAS JSON", '.json, with "%FEATURE_STRUCTURES"', _LAYERS,
           "a file per annotator: DOCUMENT/ANNOTATOR.json", "accord score annotation/", ('"%', '"_', '"@')),
    Format("label_studio", "Label Studio", ".json, JSON-MIN, .csv",
           "units: regions of texts, recordings, time series; labels of items: choices, ratings, numbers, "
           "taxonomies; each control is a variable",
           "users who completed annotations", "accord score export.json",
           (*_JSON, "annotation_id"), written=".json"),
    Format("prodigy", "Prodigy", ".jsonl",
           "units: spans; labels of items: choices, yes/no questions (each label is a variable)",
           "sessions, or a file per annotator", "accord score annotations.jsonl", _JSON, written=".jsonl"),
    Format("argilla", "Argilla", ".json .jsonl .parquet",
           "labels of items, ratings, spans: each question is a variable",
           "users who responded", "accord score records.json", (*_JSON, "PAR1")),
    Format("doccano", "doccano", ".jsonl .json", "units: spans; labels of items: categories",
           "a file per annotator", "accord score export.zip", _JSON, written="folder"),
    Format("gate", "GATE", ".xml, .bdocjs", "units: annotations; types are labels, features are variables",
           "annotation sets, or a file per annotator", "accord score documents/",
           (".bdocjs", "<GateDocument", '"annotation_sets"')),
    Format("glozz", "Glozz", ".aa with .ac", "units; types are labels, features are variables",
           "a file or folder per annotator, or authors", "accord score Ana/ Ben/", (".aa", "<annotations>")),
    Format("bioc", "BioC", ".xml .json", "units: annotations; infons are variables",
           "an infon called annotator, or a file per annotator", "accord score Ana.xml Ben.xml",
           ("<collection", '"passages"')),
    Format("catma", "CATMA", "a project folder", "units: tags; properties are variables",
           "collections", "accord score project/", (".json",)),
    Format("refi_qda", "REFI-QDA (MAXQDA, NVivo, ATLAS.ti)", ".qdpx .qde", "units: codings of texts and recordings",
           "users, or a file per annotator", "accord score project.qdpx", (".qdpx", "urn:QDA-XML:project")),
    Format("tei", "TEI stand-off", ".xml", "units: spans, and tags in exports of CATMA",
           "resp, or a file per annotator", "accord score Ana.xml Ben.xml", ("<TEI", "<standOff")),
    Format("elan", "ELAN", ".eaf", "units: annotations; tiers are variables",
           "a file per annotator, the ANNOTATOR of a tier, or tiers", "accord score Ana.eaf Ben.eaf",
           ("<ANNOTATION_DOCUMENT",), written="folder"),
    Format("textgrid", "Praat TextGrid", ".TextGrid", "units: intervals with a text; tiers are variables",
           "a file per annotator, or tiers", "accord score recordings/", ("TextGrid",), written="folder"),
    Format("rttm", "RTTM, STM", ".rttm .stm, with .uem", "units: speakers and their times",
           "a file per annotator", "accord score Ana.rttm Ben.rttm", _RTTM, written="folder"),
    Format("jams", "JAMS", ".jams", "units: segments of music; namespaces are variables",
           "named in the file", "accord score track.jams", (".jams", ".json")),
    Format("raven", "Raven selection tables", ".txt", "units: selections; columns of notes are variables",
           "a file or folder per annotator", "accord score Ana/ Ben/", ("Begin Time (s)",)),
    Format("boris", "BORIS", ".boris, exported events .csv .tsv", "units: state events",
           "an independent variable called observer, names of observations, or files", "accord score project.boris",
           (".boris", "Behavior", '"behaviors_conf"')),
    Format("audacity", "Audacity labels", ".txt", "units: labels with start and end",
           "a file or folder per annotator", "accord score labels/", (".txt", ".")),
    Format("m2", "M2", ".m2", "units: corrected passages, labelled with the type of error",
           "named in the file", "accord score corrections.m2", ("|||",)),
    Format("ua_gec", "UA-GEC", ".ann .txt, with {source=>correction:::error_type=Type}",
           "units: corrected passages of the source, labelled with the type of error",
           "a file per annotator", "accord score corrections/", (".ann", ".txt")),
    Format("mqm", "MQM (errors of translations)", ".tsv .csv with system, seg_id, rater, target, category, severity",
           "units: errors marked as <v>…</v> in a translated segment; category and severity are variables",
           "named in the file", "accord score mqm.tsv", ("everity",)),
    Format("docbin", "spaCy DocBin", ".spacy",
           "units: entities and groups of spans; labels of items: categories",
           "user data of documents, or a file per annotator", "accord score Ana.spacy Ben.spacy",
           (".spacy",), extra="spacy"),
    Format("iob", "CoNLL columns with chunks", ".conll .iob .bio .tsv .txt",
           "units: chunks (IOB1, IOB2, BIOES, BILOU)",
           "a file or folder per annotator, or columns", "accord score Ana.conll Ben.conll",
           (".conll", ".iob", ".iob2", ".bio", ".tags", ".tsv", ".txt", "."), written="folder"),
)  # fmt: skip
NATIVE: tuple[Format, ...] = tuple(replace(one, module=f"accord.data.io.formats.{one.name}") for one in _READ)
ELSEWHERE: tuple[Format, ...] = (
    Format("table", "CSV, TSV", ".csv .tsv .tab .txt, standard input (-)",
           "ratings: long, wide, counts, confusion matrix; units, with docs.csv and judged.csv in the same folder; "
           "segmentations; chains or links of mentions",
           "a column, columns, rows or files", "accord score ratings.csv", written="a folder, .csv or .tsv"),
    Format("pygamma", "pygamma-agreement", ".csv without a header row", "units: annotator, label, start, end",
           "a column", "accord score units.csv", layout="pygamma"),
    Format("text", "tables of texts", "those of tables, with -m text_gamma",
           "whole texts; tokens, with a text column or a folder texts/; edits of a source (start, end, correction)",
           "a column", "accord score texts.csv -m text_gamma", layout="texts"),
    Format("cora", "CorA-XML", ".xml", "texts: one file per annotator and document",
           "a file or folder per annotator", "accord score texts/", layout="texts"),
    Format("conllu", "CoNLL-U", ".conllu", "texts, with lemma, upos, xpos; one document or several",
           "a file or folder per annotator", "accord score Ana.conllu Ben.conllu", layout="texts"),
    Format("plain", "plain text", ".txt, with -m text_gamma", "texts: words separated by blanks",
           "a file or folder per annotator", "accord score Ana.txt Ben.txt -m text_gamma", layout="texts"),
    Format("conll2012", "CoNLL-2012", ".conll .v4_gold_conll, beginning with #begin document",
           "chains: coreference in the last column",
           "a file per annotator", "accord score Ana.conll Ben.conll", layout="chains"),
    Format("parquet", "Parquet", ".parquet .pq", "the columns of tables",
           "as in tables", "accord score ratings.parquet", written=".parquet"),
    Format("excel", "Excel", ".xlsx .xls .xlsm .ods",
           "the columns of tables, on one sheet, or on a sheet per annotator or per variable",
           "as in tables, or a sheet per annotator", "accord score ratings.xlsx"),
    Format("spss", "SPSS", ".sav .zsav", "the columns of tables; value labels are the labels, in their order",
           "as in tables", "accord score ratings.sav", extra="accord[spss]"),
)  # fmt: skip
FORMATS: tuple[Format, ...] = (*NATIVE, *ELSEWHERE)


def format_named(name: str) -> Format:
    known = {one.name: one for one in FORMATS}
    if name not in known:
        raise UnknownName("format", name, list(known))
    return known[name]


def format_of(file: File) -> Format | None:
    """Return the native format of a file, by its content. Import only readers with matching signs."""
    suffix, beginning = file.suffix or ".", file.beginning
    likely = (one for one in NATIVE if any(s == suffix if s.startswith(".") else s in beginning for s in one.signs))
    return next((one for one in likely if one.reader.recognises(file)), None)


def formats_of(files: Sequence[File]) -> dict[Format, list[File]]:
    """Group files by native format. Files without one are omitted."""
    by_format: dict[Format, list[File]] = {}
    held = 0
    for file in files:
        native = format_of(file)
        if native is not None:
            by_format.setdefault(native, []).append(file)
        held = file.let_go(held)
    return by_format
