"""Which column is what: the names people really use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from accord.core.errors import DataError, UnknownName
from accord.data.model.data import Fact

ITEM = ("item", "unit", "subject", "id", "item_id", "unit_id", "subject_id", "example_id", "instance_id",
        "sample_id", "case_id", "record_id", "uid", "uuid", "instance", "example", "case", "sentence",
        "sentence_id", "utterance", "sample", "question", "question_id", "target", "object", "task", "task_id", "row",
        "index", "item id", "text_id", "post", "tweet", "tweet_id", "segment_id", "hit", "hitid", "hit_id",
        "nr", "unnamed:_0", "unnamed:_0.1", "rownames", "row_names")  # fmt: skip
ROW_NAMES = ("unnamed:_0", "unnamed:_0.1", "rownames", "row_names")  # where a table was written with its index
ANNOTATOR = ("annotator", "rater", "coder", "observer", "judge", "worker", "annotator_id", "rater_id", "coder_id",
             "worker_id", "user", "user_id", "username", "reviewer", "labeler", "labeller", "marker", "scorer",
             "expert", "reader", "model", "assessor", "participant", "workerid")  # fmt: skip
# These may as well be the annotators of a wide table.
COULD_BE_ANNOTATORS = ("expert", "reader", "judge", "model", "marker", "scorer", "reviewer", "user", "participant",
                       "assessor")  # fmt: skip
LABEL = ("label", "category", "tag", "code", "rating", "score", "value", "class", "annotation", "judgment", "judgement",
         "answer", "response", "choice", "grade", "labels", "stage", "decision", "output", "prediction",
         "verdict")  # fmt: skip
# Columns that describe an item or a row and are no labels, unless the user says so.
ASIDE = ("doc", "document", "doc_id", "file", "filename", "genre", "round", "split", "batch", "date",
         "time", "timestamp", "text", "content", "comment", "comments", "note", "notes", "source", "url", "language",
         "lang", "corpus", "domain", "duration", "seconds", "confidence", "weight", "worktimeinseconds", "approve",
         "reject", "annotation_id", "created_at", "updated_at", "lead_time")  # fmt: skip
# Who answered a form, a row each: rows may be annotators, and columns items.
RESPONDENT = ("email", "email_address", "e_mail", "respondent", "respondent_id", "prolific_id", "prolific_pid",
              "your_name", "full_name", "first_name", "last_name", "ihr_name")  # fmt: skip
# Who or what an item is, where each row is one: never an annotator.
_DESCRIBES = ("age", "sex", "gender", "country", "year", "month", "week", "day", "site", "condition", "treatment",
              "group", "outlet", "author", "title", "speaker")  # fmt: skip
# What was settled, or counted, from the annotators: no annotator, where there are two beside it.
SETTLED = ("gold", "gold_label", "gold_standard", "majority", "majority_label", "majority_vote", "final", "final_label",
           "consensus", "consensus_label", "adjudicated", "adjudication", "ground_truth", "truth", "agreement",
           "agree", "agreed", "match", "matches", "matching", "same", "equal", "disagree", "disagreement", "diff",
           "difference", "delta", "mean", "average", "avg", "median", "mode", "sum", "total", "suggestion",
           "übereinstimmung", "mittelwert", "durchschnitt", "summe", "differenz", "konsens", "resolved", "resolution",
           "reconciled", "merged", "decision", "discrepancy", "conflict", "tiebreak", "tiebreaker", "tie_breaker",
           "adjudicator", "abs_diff", "endcode", "finalcode", "accord", "désaccord", "moyenne", "acuerdo", "consenso",
           "media", "一致", "共识")  # fmt: skip
# The same with a word for labels beside it: Final code, agreed label.
_SETTLED_WORDS = {"final", "consensus", "gold", "majority", "adjudicated", "agreed", "resolved", "reconciled", "merged",
                  "consolidated", "true", "correct", "finale", "finaler", "finales", "konsens", "endgültige",
                  "endgültiger"}  # fmt: skip
_LABEL_WORDS = {*LABEL, "codes", "coding", "kodierung", "kategorie", "urteil", "etiqueta", "étiquette", "vote"}
# What somebody says beside a label: a column called as another with one of these behind it, or before it.
_TOLD = ("comment", "comments", "note", "notes", "remark", "remarks", "explanation", "rationale", "timestamp",
         "kommentar", "kommentare", "notiz", "notizen", "bemerkung", "bemerkungen", "anmerkung")  # fmt: skip
_BESIDE = (*_TOLD, "confidence", "conf", "certainty", "reason", "reasoning", "time", "seconds", "duration", "date",
           "sicherheit")  # fmt: skip
NO_VARIABLES = {*_TOLD, "text", "content", "url", "id", "file", "filename", "doc", "document", "date", "time"}
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_A_QUESTION = re.compile(r".*\?\s*|.*\[.*\]\s*|(?:\S+\s+){3,}\S+")
DOC = ("doc", "document", "doc_id", "document_id", "file", "filename", "text_id", "recording", "continuum",
       "media_file", "audio_file", "video_file", "recording_id")  # fmt: skip
START = ("start", "begin", "onset", "offset_start", "start_offset", "start_time", "from", "offset")
END = ("end", "stop", "offset_end", "end_offset", "end_time", "to", "offset")
LENGTH = ("length", "duration")


@dataclass(frozen=True)
class Roles:
    """What each column of a table means."""

    layout: str  # long, wide, counts, confusion; rows: annotators are rows, and items columns
    item: str | None  # rows: the column with the names of annotators
    annotator: str | None
    labels: tuple[str, ...]  # variables (long), annotators (wide), categories (counts, confusion), items (rows)
    notes: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()  # columns that are not taken as annotators
    grid: Mapping[str, Mapping[str, str]] | None = None  # wide, several variables: by variable and annotator the column


@lru_cache(maxsize=1 << 16)  # a table of thousands of columns is asked for each role
def plain_name(name: str) -> str:
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


def holds_units(header: Sequence[str]) -> bool:
    """Whether the columns say where units begin and end."""
    return first_of(header, START) is not None and end_of(header) is not None


def end_of(header: Sequence[str]) -> str | None:
    """The column with the ends; where a start is called offset, nothing called so is an end."""
    start = first_of(header, START)
    rest = [h for h in header if h != start]
    return first_of(rest, END) or first_of(rest, LENGTH)


def resolve(
    header: Sequence[str],
    where: str,
    *,
    layout: str | None = None,
    item: str | None = None,
    annotator: str | None = None,
    label: Sequence[str] = (),
    needed: Sequence[str] = (),
    distinct_first: bool = False,
    file_is_annotator: bool = False,
) -> Roles:
    """Roles by the user's word, else by name. `distinct_first`: the first column identifies rows by its values."""
    for kind, name in [
        ("item column", item),
        ("annotator column", annotator),
        *(("label column", n) for n in label),
    ]:
        if name is not None and name not in header:
            raise UnknownName(kind, name, header)
    if layout in {"counts", "confusion"}:
        found_item = item or (header[0] if layout == "confusion" or _is(header[0], ITEM) or distinct_first else None)
        return Roles(layout, found_item, None, tuple(h for h in header if h != found_item))
    free = [h for h in header if h not in label]
    if annotator is None and layout != "wide":
        annotator = first_of(free, ANNOTATOR)
        if layout is None and annotator is not None and _is(annotator, COULD_BE_ANNOTATORS):
            named = label or [h for h in free if _is(h, LABEL)]
            annotator = annotator if named else None  # a wide table may have a column called expert
    times = first_of(free, ("pre",)) is not None  # and post, which is no item then
    item = item or first_of([h for h in free if h != annotator and not (times and _is(h, ("post",)))], ITEM)
    if annotator is None and layout != "wide" and file_is_annotator and item is not None:
        rest = [h for h in free if h != item and h not in needed and not _is(h, ASIDE)]
        variables = tuple(label) or tuple(h for h in rest if _is(h, LABEL)) or (tuple(rest) if len(rest) == 1 else ())
        if variables:
            return Roles("long", item, None, variables, ("each file is one annotator, named by the file",))
    if annotator is not None:
        return _long(header, where, item, annotator, tuple(label), needed)
    if layout == "long":
        raise DataError(
            f"{where}: no column names the annotator; say which with --annotator (columns: {listed(header)})"
        )
    return _wide(header, where, item, tuple(label), needed)


def _long(
    header: Sequence[str], where: str, item: str | None, annotator: str, label: tuple[str, ...], needed: Sequence[str]
) -> Roles:
    if item is None:
        rest = [h for h in header if h != annotator and h not in label and not _is(h, LABEL)]
        documents = [h for h in rest if _is(h, ("doc", "document", "doc_id", "file", "filename"))]
        if not documents and not label and len(rest) > 2 and len(rest) + 1 == len(header):
            return Roles("rows", annotator, None, tuple(h for h in rest if not _is(h, ASIDE)))
        if not documents:
            raise DataError(f"{where}: no column names the item; say which with --item (columns: {listed(header)})")
        item = documents[0]
    others = [h for h in header if h not in {item, annotator}]
    variables = label or _variables(others, needed)
    if not variables:
        raise DataError(f"{where}: no column holds the labels; say which with --label (columns: {listed(header)})")
    notes: tuple[str, ...] = ()
    several = len(variables) > 1 and not label
    if several:
        notes = (Fact(f"{len(variables)} label columns, each scored: {', '.join(variables)} (choose with --label)"),)
    # Beside a column called label, nobody takes the genre for one. Beside tone and topic it may be a variable, too.
    beside = [h for h in others if h not in {*variables, *needed} and (several or not (_is(h, ASIDE) or _is(h, DOC)))]
    if beside and not label:
        them = "it" if len(beside) == 1 else "them"
        notes += (Fact(f"columns beside the label: {listed(beside)}; not scored, --label or --by takes {them}"),)
    return Roles("long", item, annotator, variables, notes)


def _variables(free: Sequence[str], needed: Sequence[str]) -> tuple[str, ...]:
    """Label columns: those with a label's name (`label`, `label_topic`), else all that are not set aside by name."""
    named = tuple(
        h
        for h in free
        if _is(h, LABEL) or plain_name(h).startswith(("label_", "rating_", "score_", "category_", "answer."))
    )
    return named or tuple(h for h in free if not _is(h, ASIDE) and h not in needed)


def _wide(
    header: Sequence[str],
    where: str,
    item: str | None,
    label: tuple[str, ...],
    needed: Sequence[str],
) -> Roles:
    respondent = first_of([h for h in header if h != item], RESPONDENT) or _when_answered(header)
    if respondent is not None and not label:
        raise DataError(
            f"{where}: rows of {respondent!r}: say --annotators-in rows --annotator {respondent!r} if each row is an "
            f"annotator and columns are items, or --item {respondent!r} if rows are items"
        )
    annotators = label or _people(header, item, needed)
    segments = holds_units(header) and not label
    if segments:
        annotators = tuple(h for h in annotators if h not in {first_of(header, START), end_of(header)})
    taken = {item, *annotators}
    aside = () if label else tuple(h for h in header if h not in taken)
    if len(annotators) < 2:
        raise DataError(
            f"{where}: neither long (item, annotator, label) nor wide (item, then a column per annotator); "
            f"say --item, --annotator, --label (columns: {listed(header)})"
        )
    notes = ("each row is a segment that all annotators labelled: an item (--layout units if not)",) if segments else ()
    return Roles("wide", item, None, annotators, notes, aside=aside)


def people_of(header: Sequence[str], needed: Sequence[str]) -> tuple[str, ...]:
    """The columns of a wide table that may be annotators."""
    return _people(header, first_of(header, ITEM), needed)


def _people(header: Sequence[str], item: str | None, needed: Sequence[str]) -> tuple[str, ...]:
    rest = [h for h in header if h != item and h not in needed and not _is(h, ASIDE)]
    if item is not None:  # what has a second name of the item; but pre and post are two times
        once = [h for h in rest if not _is(h, ITEM)]
        rest = once if len(once) > 1 else rest
    rest = [h for h in rest if not _is(h, _DESCRIBES)] if len(rest) > 2 else rest
    alone = [h for h in rest if not _is_beside(h, rest)]
    unsettled = [h for h in alone if not _is_settled(h)]
    return tuple(unsettled if len(unsettled) > 1 else alone if len(alone) > 1 else rest)


def _is_settled(name: str) -> bool:
    """final, Agree?, Final code."""
    words = set(_WORDS.findall(name.lower()))
    return _is(name.rstrip("?! "), SETTLED) or (
        len(words) > 1 and words <= _SETTLED_WORDS | _LABEL_WORDS and not words.isdisjoint(_SETTLED_WORDS)
    )


def _is_beside(name: str, others: Sequence[str]) -> bool:
    """anna_confidence beside anna; notes_A beside label_A: what is told is no label, whatever it is about."""
    words = set(_WORDS.findall(name.lower()))
    about = words.difference(_BESIDE)
    if about == words or not about:
        return False
    known = [set(_WORDS.findall(other.lower())) for other in others if other != name]
    told = bool(words.intersection(_TOLD))
    return any(about == other or (told and about < other and other.isdisjoint(_BESIDE)) for other in known)


def _when_answered(header: Sequence[str]) -> str | None:
    """The first column of a form of Google, above questions: a row is an answer of somebody."""
    questions = [h for h in header[1:] if _A_QUESTION.fullmatch(h)]
    return header[0] if header[0] == "Timestamp" and 2 * len(questions) > len(header) > 2 else None


def taken_as_item(column: str, why: str = "its values are all different") -> str:
    """What to note where values say it."""
    return f"column {column!r} taken as the item: {why} (say --item to change)"


def is_no_name(name: str) -> bool:
    """Of a column that the header does not name."""
    return not name or bool(re.fullmatch(r"column \d+( \(unnamed\))*", name))


def _is(name: str, known: Sequence[str]) -> bool:
    return plain_name(name) in known


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """The column whose name comes first in the list of known names."""
    by_name = {plain_name(h): h for h in reversed(header)}
    return next((by_name[name] for name in known if name in by_name), None)


def listed(header: Sequence[str]) -> str:
    """Names of columns, fit for a message."""
    return ", ".join(header[:8]) + (" …" if len(header) > 8 else "")
