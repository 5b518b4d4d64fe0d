"""Fields of nested records, and what their names mean: names of annotators, labels, values computed from labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from accord.data.io.tables.roles import A_WORD_FOR_ANNOTATORS, ANNOTATOR, is_settled, plain_name

Path = tuple[str, ...]  # the names of fields from the record to a value

DEEPEST = 12  # levels of objects that are examined
FEW = 50  # categories of one variable
FEW_RECORDS = 5  # fewer records show no pattern
LONG_LABEL = 60  # characters; longer values are texts
_MOST_NAMES = 2_000  # an object with more different names has no fixed fields

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
LABEL_WORDS = frozenset(
    """label labels annotation annotations rating ratings score scores vote votes judgment judgments judgement
    judgements answer answers response responses choice choices code codes category categories grade grades verdict
    verdicts decision decisions evaluation evaluations class classes classification classifications opinion opinions
    preference preferences coding codings review reviews assessment assessments likert sentiment subcategory
    subcategories
    """.split()  # noqa: SIM905
)
# Values computed from labels.
DERIVED = frozenset(
    """soft hard majority gold golden consensus aggregate aggregated aggregation mean average avg median std stdev
    variance entropy dist distribution prob probs probability probabilities final adjudicated adjudication truth
    agreement kappa alpha fleiss krippendorff percentage percent proportion norm normed normalized normalised
    standardized zscore predicted prediction predictions pred preds""".split()  # noqa: SIM905
)
_MAYBE_NAMES = {"alpha", "norm", "hard", "soft", "final", "dist"}  # annotators may have these names
# Lists with these names contain no labels of the record.
NO_LABELS = frozenset(
    """token tokens word words pos ner tags bbox box boxes span spans offset offsets position positions index indices
    ids embedding embeddings vector vectors logit logits count counts history mask shape size time times timestamp
    timestamps date dates keyword keywords option options candidate candidates reference references rank ranks ranking
    rankings coordinates rationale rationales explanation explanations comment comments feature features url urls text
    texts sentence sentences message messages conversation turn turns dialogue dialog prompt prompts id order
    """.split()  # noqa: SIM905
)
COUNTS = frozenset(("count", "counts", "counter", "votes", "tally", "freq", "frequency", "frequencies", "histogram"))
# Values beside a label that are no labels.
BESIDE = frozenset(
    """time times timestamp timestamps date duration seconds comment comments note notes confidence certainty
    explanation explanations reason reasons rationale rationales created updated started finished
    """.split()  # noqa: SIM905
)
ABOUT_PEOPLE = ("age", "gender", "sex", "country", "nationality", "education", "ethnicity", "group", "language")
# Words for how an answer was given. Fields with them are no variables beside a label.
ABOUT_ANSWERS = frozenset(
    """status state submitted skipped skip cancelled canceled approved rejected accepted tainted trust device browser
    version batch round pass attempt attempts session assignment platform channel ip meta metadata info number num
    length clicks key start end begin stop line row page race religion ethnicity nationality experience native
    """.split()  # noqa: SIM905
)
# Fields of a judgment of Appen. Some of these names may be variables of other data.
OF_APPEN = ("trust", "tainted", "missed", "rejected", "channel", "country", "region", "city", "ip", "golden", "state")
# Names of systems that are compared, such as the authors of summaries.
_SYSTEM = re.compile(
    r"(?:.*[\W_\d])?(?:gpt|llama|bart|bert|roberta|t5|pegasus|claude|gemini|mistral|mixtral|alpaca|vicuna|falcon|palm|"
    r"qwen|gemma|nmt|smt|pbmt|rbmt|seq2seq|transformer|lead|baseline|system|sys|model)(?:[\W_\d].*)?",
    re.IGNORECASE,
)
_NO_SYSTEM = ("human", "reference", "ref", "gold", "ground_truth", "original")  # may stand beside systems
_BY = ("by", "labeled_by", "labelled_by", "annotated_by", "completed_by", "coded_by", "rated_by", "created_by")


@dataclass(frozen=True)
class Record:
    """An object with fields, its location, and the name that an outer object gives it."""

    place: str
    fields: Mapping[str, Any]
    key: str | None = None


@lru_cache(maxsize=1 << 16)
def words_of(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name))


def is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float)


@lru_cache(maxsize=1 << 16)
def names_people(name: str) -> bool:
    """Whether a field contains names of annotators: annotators, worker_ids, labeled_by."""
    plain = re.sub(r"_(?:ids?|names?|list)$", "", plain_name(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)))
    single = plain.removesuffix("s")
    known = {plain, single} & {*ANNOTATOR, *_BY}
    return bool(known or A_WORD_FOR_ANNOTATORS.fullmatch(single))


def names_systems(names: Collection[str]) -> bool:
    """Whether names are those of systems whose output was labelled: bart, gpt-4, system_1."""
    others = [name for name in names if plain_name(name) not in _NO_SYSTEM]
    return len(names) > 1 and 2 * sum(_SYSTEM.fullmatch(name) is not None for name in others) > len(others)


def is_computed(name: str) -> bool:
    """Whether a name beside annotators means a value computed from their labels: gold, majority_vote, kappa."""
    return is_settled(name) or bool(words_of(name) & (DERIVED - _MAYBE_NAMES))


@dataclass(frozen=True, eq=False)
class Field:
    """A field of all records: its path, and its value in each record (None: absent)."""

    path: Path
    values: Sequence[Any]

    @property
    def name(self) -> str:
        return self.path[-1]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset().union(*map(words_of, self.path))

    @cached_property
    def present(self) -> list[Any]:
        return [value for value in self.values if value is not None]

    @cached_property
    def is_scalar(self) -> bool:
        return bool(self.present) and all(map(is_plain, self.present))

    @cached_property
    def is_object(self) -> bool:
        return bool(self.present) and all(isinstance(value, Mapping) for value in self.present)

    @cached_property
    def is_list(self) -> bool:
        """Whether the field contains lists of plain values."""
        return bool(self.present) and all(
            isinstance(value, list) and all(one is None or is_plain(one) for one in value) for value in self.present
        )

    @cached_property
    def is_objects(self) -> bool:
        """Whether the field contains lists of objects."""
        return any(self.present) and all(
            isinstance(value, list) and all(isinstance(one, Mapping) for one in value) for value in self.present
        )

    @cached_property
    def is_derived(self) -> bool:
        return any(words_of(name) & DERIVED for name in self.path)

    @property
    def is_text(self) -> bool:
        """Whether the values are texts: long, and seldom repeated."""
        texts = [value for value in self.present if isinstance(value, str)]
        if 2 * len(texts) <= len(self.present):
            return False
        different, size = len(set(texts)), sum(map(len, texts)) / len(texts)
        sentences = size > 25 and sum(value.count(" ") for value in texts) > 2 * len(texts)
        return size > LONG_LABEL or (sentences and different > FEW and 2 * different > len(texts))

    @property
    def calls_labels(self) -> bool:
        return bool(self.words & LABEL_WORDS)

    def below(self, other: Field) -> bool:
        return len(self.path) > len(other.path) and self.path[: len(other.path)] == other.path


def fields_of(objects: Sequence[Mapping[str, Any] | None], path: Path = ()) -> list[Field]:
    """Return the fields of objects and of the objects inside them. Names that are data are not fields."""
    names = dict.fromkeys(name for one in objects if one for name in one)
    if len(names) > _MOST_NAMES:
        return []
    found = []
    for name in names:
        inner = Field((*path, str(name)), [None if one is None else one.get(name) for one in objects])
        found.append(inner)
        if inner.is_object and len(path) < DEEPEST:
            found += fields_of(inner.values, inner.path)
    return found
