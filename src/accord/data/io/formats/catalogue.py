"""The formats that accord reads, one entry each. Files are recognised in the order of this table.

A native format has a reader, the module of the same name in this package. To add one: copy a reader, and add an entry.

- `recognises(file)` tells by the content whether a file is of the format.
- `read(mine, files, how, run)` returns an `Export` of its files; `files` are all that were given, and their neighbours.
- `write(material)` returns a `Draft`, if the format is written, too.
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
    annotators: str  # what tells annotators apart
    example: str
    signs: tuple[str, ...] = ()  # suffixes (".": none) and words: a file with none of them is of another format
    layout: str | None = None  # of tables and texts, which have no reader in this package
    extra: str | None = None  # what must be installed
    written: str | None = None  # "folder", or the suffix of a file
    whole: bool = False  # a project: files of other formats that stand with it are its own
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
           "who the project says; curators with --annotators alone", "accord score project.zip",
           (".json",), whole=True),
    Format("brat", "brat standoff", ".ann with .txt",
           "units: text-bound annotations; attributes are further variables",
           "a folder each", "accord score project/", (".ann", ".a1", ".a2"), written="folder"),
    Format("webanno_tsv", "WebAnno TSV 3", ".tsv, beginning with #FORMAT=WebAnno TSV 3",
           "units: a variable for each feature of a layer; chains of mentions",
           "a file each: DOCUMENT/ANNOTATOR.tsv", "accord score annotation/", ("#FORMAT=",), written="folder"),
    Format("webanno_tsv2", "WebAnno TSV 2", ".tsv, beginning with # LAYER | FEATURE",
           "units: a variable for each feature of a layer",
           "a file each", "accord score annotation/", ("# ",)),
    Format("uima_xmi", "UIMA CAS XMI", ".xmi, with TypeSystem.xml beside or without", _LAYERS,
           "a file each: DOCUMENT/ANNOTATOR.xmi", "accord score annotation/",
           ("http:///uima/cas.ecore",), written="folder"),
    Format("uima_json", "UIMA CAS JSON", '.json, with "%FEATURE_STRUCTURES"', _LAYERS,
           "a file each: DOCUMENT/ANNOTATOR.json", "accord score annotation/", ('"%', '"_', '"@')),
    Format("label_studio", "Label Studio", ".json, JSON-MIN, .csv",
           "units: regions of texts, recordings, time series; labels of items: choices, ratings, numbers, "
           "taxonomies; each control is a variable",
           "who completed an annotation", "accord score export.json",
           (*_JSON, "annotation_id"), written=".json"),
    Format("prodigy", "Prodigy", ".jsonl",
           "units: spans; labels of items: choices, yes/no questions (each label is a variable)",
           "sessions, or a file each", "accord score annotations.jsonl", _JSON, written=".jsonl"),
    Format("argilla", "Argilla", ".json .jsonl .parquet",
           "labels of items, ratings, spans: each question is a variable",
           "who responded", "accord score records.json", (*_JSON, "PAR1")),
    Format("doccano", "doccano", ".jsonl .json", "units: spans; labels of items: categories",
           "a file each", "accord score export.zip", _JSON, written="folder"),
    Format("gate", "GATE", ".xml, .bdocjs", "units: annotations; types are labels, features variables",
           "annotation sets, or a file each", "accord score documents/",
           (".bdocjs", "<GateDocument", '"annotation_sets"')),
    Format("glozz", "Glozz", ".aa with .ac", "units; types are labels, features variables",
           "a file each, a folder each, or authors", "accord score Ana/ Ben/", (".aa", "<annotations>")),
    Format("bioc", "BioC", ".xml .json", "units: annotations; infons are variables",
           "an infon called annotator, or a file each", "accord score Ana.xml Ben.xml",
           ("<collection", '"passages"')),
    Format("catma", "CATMA", "a project folder", "units: tags; properties are variables",
           "collections", "accord score project/", (".json",)),
    Format("refi_qda", "REFI-QDA (MAXQDA, NVivo, ATLAS.ti)", ".qdpx .qde", "units: codings of texts and recordings",
           "users, or a file each", "accord score project.qdpx", (".qdpx", "urn:QDA-XML:project")),
    Format("tei", "TEI stand-off", ".xml", "units: spans, and tags as CATMA exports them",
           "resp, or a file each", "accord score Ana.xml Ben.xml", ("<TEI", "<standOff")),
    Format("elan", "ELAN", ".eaf", "units: annotations; tiers are variables",
           "a file each, the ANNOTATOR of a tier, or tiers", "accord score Ana.eaf Ben.eaf",
           ("<ANNOTATION_DOCUMENT",), written="folder"),
    Format("textgrid", "Praat TextGrid", ".TextGrid", "units: intervals with a text; tiers are variables",
           "a file each, or tiers", "accord score recordings/", ("TextGrid",), written="folder"),
    Format("rttm", "RTTM, STM", ".rttm .stm, with .uem", "units: who speaks when",
           "a file each", "accord score Ana.rttm Ben.rttm", _RTTM, written="folder"),
    Format("jams", "JAMS", ".jams", "units: segments of music; namespaces are variables",
           "named inside", "accord score track.jams", (".jams", ".json")),
    Format("raven", "Raven selection tables", ".txt", "units: selections; columns of notes are variables",
           "a file each, or a folder each", "accord score Ana/ Ben/", ("Begin Time (s)",)),
    Format("boris", "BORIS", ".boris, exported events .csv .tsv", "units: state events",
           "a variable called observer, observations, or files", "accord score project.boris",
           (".boris", "Behavior", '"behaviors_conf"')),
    Format("audacity", "Audacity labels", ".txt", "units: labels with start and end",
           "a file each, or a folder each", "accord score labels/", (".txt", ".")),
    Format("m2", "M2", ".m2", "units: places that were corrected, by the type of the error",
           "named inside", "accord score corrections.m2", ("|||",)),
    Format("ua_gec", "UA-GEC", ".ann .txt, with {source=>correction:::error_type=Type}",
           "units: places of the source that were corrected, by the type of the error",
           "a file each", "accord score corrections/", (".ann", ".txt")),
    Format("docbin", "spaCy DocBin", ".spacy",
           "units: entities and groups of spans; labels of items: categories",
           "user data of documents, or a file each", "accord score Ana.spacy Ben.spacy", (".spacy",), extra="spacy"),
    Format("iob", "CoNLL columns with chunks", ".conll .iob .bio .tsv .txt",
           "units: chunks (IOB1, IOB2, BIOES, BILOU)",
           "a file each, a folder each, or columns", "accord score Ana.conll Ben.conll",
           (".conll", ".iob", ".iob2", ".bio", ".tags", ".tsv", ".txt", "."), written="folder"),
)  # fmt: skip
NATIVE: tuple[Format, ...] = tuple(replace(one, module=f"accord.data.io.formats.{one.name}") for one in _READ)
ELSEWHERE: tuple[Format, ...] = (
    Format("table", "CSV, TSV", ".csv .tsv .tab .txt, standard input (-)",
           "ratings: long, wide, counts, confusion matrix; units, with docs.csv and judged.csv beside; "
           "segmentations; chains or links of mentions",
           "a column, columns, rows or files", "accord score ratings.csv", written="a folder, .csv or .tsv"),
    Format("pygamma", "pygamma-agreement", ".csv without header", "units: annotator, label, start, end",
           "a column", "accord score units.csv", layout="pygamma"),
    Format("text", "tables of texts", "the same, with -m text_gamma",
           "whole texts; tokens, with a text column or texts/ beside; edits of a source (start, end, correction)",
           "a column", "accord score texts.csv -m text_gamma", layout="texts"),
    Format("cora", "CorA-XML", ".xml", "texts: one file per annotator and document",
           "a file each, or a folder each", "accord score texts/", layout="texts"),
    Format("conllu", "CoNLL-U", ".conllu", "texts, with lemma, upos, xpos; one document or several",
           "a file each, or a folder each", "accord score Ana.conllu Ben.conllu", layout="texts"),
    Format("plain", "plain text", ".txt, with -m text_gamma", "texts: words between blanks",
           "a file each, or a folder each", "accord score Ana.txt Ben.txt -m text_gamma", layout="texts"),
    Format("conll2012", "CoNLL-2012", ".conll .v4_gold_conll, beginning with #begin document",
           "chains: coreference in the last column",
           "a file each", "accord score Ana.conll Ben.conll", layout="chains"),
    Format("parquet", "Parquet", ".parquet .pq", "the columns of tables",
           "as in tables", "accord score ratings.parquet", written=".parquet"),
    Format("excel", "Excel", ".xlsx .xls .xlsm .ods",
           "the columns of tables, on one sheet, or on a sheet per annotator or per variable",
           "as in tables, or a sheet each", "accord score ratings.xlsx"),
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
    """The native format of a file, by its content. Only readers whose signs are there are loaded."""
    suffix, beginning = file.suffix or ".", file.beginning
    likely = (one for one in NATIVE if any(s == suffix if s.startswith(".") else s in beginning for s in one.signs))
    return next((one for one in likely if one.reader.recognises(file)), None)


def formats_of(files: Sequence[File]) -> dict[Format, list[File]]:
    """Files by their format, without those of no native format."""
    by_format: dict[Format, list[File]] = {}
    held = 0
    for file in files:
        native = format_of(file)
        if native is not None:
            by_format.setdefault(native, []).append(file)
        held = file.let_go(held)
    return by_format
