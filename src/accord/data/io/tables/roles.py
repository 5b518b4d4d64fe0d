"""What the name of a column means: its role in the table, a person, a category, a code.

The lists contain common names. layout.py decides which role a column gets, because the values count too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from accord.core.errors import UnknownName, quoted

# -- Names for each role --

ITEM = ("item", "unit", "subject", "subj", "id", "item_id", "unit_id", "subject_id", "subj_id", "example_id",
        "instance_id", "sample_id", "case_id", "record_id", "uid", "uuid", "instance", "example", "case", "sentence",
        "sentence_id", "utterance", "sample", "question", "question_id", "target", "object", "task", "task_id", "row",
        "index", "item id", "text_id", "post", "tweet", "tweet_id", "segment_id", "hit", "hitid", "hit_id",
        "nr", "unnamed:_0", "unnamed:_0.1", "rownames", "row_names", "patient_id", "comment_id", "post_id",
        "message_id", "pair_id", "prompt_id", "example_no", "conversation_id", "dialogue_id", "dialog_id", "review_id",
        "image_id", "video_id", "clip_id", "article_id", "paper_id", "qid", "sid", "entry_id", "headline_id", "sent_id",
        "snippet_id", "utterance_id", "orig_id", "stimulus", "stimulus_id", "item_no", "item_nr", "case_no",
        "case_number", "claim_id", "abstract_id", "story_id", "query_id")  # fmt: skip
ROW_NAMES = ("unnamed:_0", "unnamed:_0.1", "rownames", "row_names")  # tables written with their index
ANNOTATOR = ("annotator", "rater", "coder", "observer", "judge", "worker", "annotator_id", "rater_id", "coder_id",
             "worker_id", "user", "user_id", "username", "reviewer", "labeler", "labeller", "marker", "scorer",
             "expert", "reader", "assessor", "participant", "workerid", "annotator_name", "annotator_no", "rater_no",
             "rater_nr", "rater_name", "coder_name", "coder_no", "coder_nr", "judge_id", "judge_name", "judge_model",
             "evaluator", "evaluator_id", "evaluator_name", "grader", "grader_id", "turker", "turker_id", "turk_id",
             "annotator_index", "rater_index", "worker_index", "examiner", "examiner_id",
             "crowdworker", "crowdworker_id", "labeler_id", "labeller_id", "reviewer_id", "expert_id", "assessor_id",
             "ann_id", "anno_id", "annotated_by", "labeled_by", "labelled_by", "coded_by", "rated_by", "completed_by",
             "user_name", "amt_worker_id", "amt_worker_ids", "rater_hash", "participant_id", "ann", "anno",
             "kodierer", "kodiererin", "codierer", "bewerter", "gutachter", "korrektor", "annotateur", "codeur",
             "évaluateur", "codificador", "anotador", "evaluador", "avaliador", "annotatore", "valutatore", "标注者",
             "标注员", "评分者", "编码员", "аннотатор", "кодировщик", "model")  # fmt: skip
# These may also be annotators of a wide table.
COULD_BE_ANNOTATORS = ("expert", "reader", "judge", "model", "marker", "scorer", "reviewer", "user", "participant",
                       "assessor", "evaluator", "grader", "ann", "anno", "user_id", "participant_id", "user_name",
                       "username", "worker")  # fmt: skip
LABEL = ("label", "category", "tag", "code", "rating", "score", "value", "class", "annotation", "judgment", "judgement",
         "answer", "response", "choice", "grade", "labels", "stage", "decision", "output", "prediction",
         "verdict", "vote", "ratings", "judgments", "assigned_label", "annotated_label", "human_label", "coding",
         "preference", "winner")  # fmt: skip
# Columns that describe an item or a row. They are not labels unless the user declares it.
ASIDE = ("doc", "document", "doc_id", "file", "filename", "genre", "round", "split", "batch", "date",
         "time", "timestamp", "text", "content", "comment", "comments", "note", "notes", "feedback", "source", "url",
         "language", "lang", "corpus", "domain", "duration", "seconds", "confidence", "weight", "worktimeinseconds",
         "approve", "reject", "annotation_id", "created_at", "updated_at", "lead_time")  # fmt: skip
# Respondents of a form, one per row: rows may be annotators, and columns items.
RESPONDENT = ("email", "email_address", "e_mail", "respondent", "respondent_id", "prolific_id", "prolific_pid",
              "your_name", "full_name", "first_name", "last_name", "ihr_name")  # fmt: skip
# Subjects of a study: they rate stimuli, or raters rate them.
SUBJECT = ("subject", "subject_id", "subject_no", "subject_nr", "subject_number", "subj", "subj_id", "subj_no", "ppt",
           "ppt_id", "vp", "vpn", "versuchsperson", "proband")  # fmt: skip
_STIMULI = {"stimulus", "stimuli", "stim", "word", "image", "img", "picture", "pic", "photo", "sentence", "item",
            "trial", "video", "clip", "audio", "sound", "song", "utterance", "face", "scene", "story", "text",
            "passage", "paragraph", "question", "statement", "vignette", "scenario"}  # fmt: skip
_NUMBERED_BY = {"id", "no", "nr", "number", "num", "name", "code", "index", "idx", "file", "filename"}
# People and things that a table describes, one per row.
_DESCRIBED = {"subject", "subj", "participant", "user", "patient", "respondent", "student", "pupil", "child", "person",
              "study", "country", "employee", "customer", "client", "company", "firm", "city", "school", "state",
              "region", "household", "animal", "vp", "ppt", "proband", "versuchsperson", "teilnehmer", "schüler",
              "patientin", "land"}  # fmt: skip
_RATERS = {"subject", "subj", "participant", "user", "respondent", "student", "pupil", "child", "person", "employee",
           "customer", "client", "vp", "ppt", "proband", "versuchsperson", "teilnehmer", "schüler"}  # fmt: skip
# Descriptions of an item, if each row is an item. They are never annotators.
_DESCRIBES = ("age", "sex", "gender", "country", "year", "month", "week", "day", "site", "condition", "treatment",
              "group", "outlet", "author", "author_id", "title", "speaker", "headline", "newspaper", "venue",
              "platform", "community", "version", "keywords", "abstract")  # fmt: skip
# Names of columns with the correct or final label, and with the output of a system.
GENERIC = ("label", "class", "category", "target", "reference", "answer", "y", "y_true", "true", "actual", "correct")
OUTPUTS = ("prediction", "predictions", "predicted", "pred", "preds", "y_pred", "output", "model", "system",
           "predicted_label", "pred_label")  # fmt: skip
# Columns derived from annotators. They are not annotators if there are two others.
_CONSENSUS = ("gold", "gold_label", "gold_standard", "majority", "majority_label", "majority_vote", "final",
              "final_label", "consensus", "consensus_label", "adjudicated", "adjudication", "ground_truth", "truth",
              "konsens", "consenso", "adjudicator")  # fmt: skip
SETTLED = (*_CONSENSUS, "agreement", "agree", "agreed", "match", "matches", "matching", "same", "equal", "disagree",
           "disagreement", "diff", "difference", "delta", "mean", "average", "avg", "median", "mode", "sum", "total",
           "suggestion", "übereinstimmung", "mittelwert", "durchschnitt", "summe", "differenz", "resolved",
           "resolution", "reconciled", "merged", "decision", "discrepancy", "conflict", "tiebreak", "tiebreaker",
           "tie_breaker", "abs_diff", "endcode", "finalcode", "accord", "désaccord", "moyenne", "acuerdo",
           "media", "一致", "共识", "conclusion", "conclusión", "conclusione", "endergebnis", "fazit", "결론", "최종",
           "합의", "结论", "結論", "最终", "最終", "合意", "итог", "заключение", "консенсус")  # fmt: skip
# The same with a word for labels: Final code, agreed label.
_SETTLED_WORDS = {"final", "consensus", "gold", "majority", "adjudicated", "agreed", "resolved", "reconciled", "merged",
                  "consolidated", "mean", "median", "average", "avg", "true", "correct", "combined", "comb",
                  "aggregated", "voted", "expected", "finale", "finaler", "finales", "konsens", "endgültige",
                  "endgültiger"}  # fmt: skip
# One of these words is enough: expost_groundtruth, ROBERTA_PREDS, voting_results, pre_annotation.
_DERIVED_WORDS = {
    "gold",
    "majority",
    "consensus",
    "adjudicated",
    "groundtruth",
    "ground",
    "preds",
    "pred",
    "predicted",
    "prediction",
    "predictions",
    "aggregated",
    "voting",
    "suggested",
    "preannotation",
    "prelabel",
    "pseudo",
    "silver",
}
# Names of files, sheets and annotators with labels that no single annotator gave.
_OF_NO_ANNOTATOR = ("curated", "curation", "curation_user", "reference", "references", "solution", "solutions",
                    "answer_key", "y_true", "y_pred", "true_label", "true_labels")  # fmt: skip
_DERIVED = re.compile(r"pre[ _\-]?(?:annotat|label)\w*", re.IGNORECASE)
_LABEL_WORDS = {
    *LABEL,
    "codes",
    "classe",
    "klasse",
    "clase",
    "coding",
    "kodierung",
    "kategorie",
    "urteil",
    "etiqueta",
    "étiquette",
    "vote",
}
# Remarks on a label: a column has the name of another column with one of these before or after it.
_TOLD = ("comment", "comments", "note", "notes", "remark", "remarks", "explanation", "rationale", "timestamp",
         "kommentar", "kommentare", "notiz", "notizen", "bemerkung", "bemerkungen", "anmerkung")  # fmt: skip
_BESIDE = (*_TOLD, "confidence", "conf", "certainty", "reason", "reasoning", "time", "seconds", "duration", "date",
           "sicherheit")  # fmt: skip
_ABOUT_LABELS = {*_BESIDE, "certain", "uncertain", "uncertainty", "probability", "likelihood", "difficulty", "flag",
                 "flagged", "review", "skipped", "done", "language", "valid"}  # fmt: skip
NO_VARIABLES = {*_TOLD, "text", "content", "url", "id", "file", "filename", "doc", "document", "date", "time"}
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_A_QUESTION = re.compile(r".*\?\s*|.*\[.*\]\s*|(?:\S+\s+){3,}\S+")
DOC = ("doc", "document", "doc_id", "document_id", "file", "filename", "text_id", "recording", "continuum",
       "media_file", "audio_file", "video_file", "recording_id")  # fmt: skip
START = ("start", "begin", "onset", "offset_start", "start_offset", "start_time", "from", "offset")
END = ("end", "stop", "offset_end", "end_offset", "end_time", "to", "offset")
LENGTH = ("length", "duration")
_PEOPLE = (
    "annotator|coder|rater|observer|judge|worker|reviewer|labell?er|marker|scorer|expert|reader|assessor|user|"
    "participant|model|kodierer(?:in)?|codierer(?:in)?|bewerter(?:in)?|annotateur|annotatrice|codeu(?:r|se)|"
    "évaluateur|évaluatrice|codificador(?:a)?|anotador(?:a)?|evaluador(?:a)?|avaliador(?:a)?|codificatore|annotatore|"
    "valutatore|標註者|标注者|标注员|评分者|评审|编码员|аннотатор|кодировщик|эксперт|المقيم|المرمز|anno|annot|ann|cod|"
    "kod|person|student"
)
# coder1, rater_b. The word alone does not identify an annotator.
AN_ANNOTATOR = re.compile(rf"(?:{_PEOPLE})[ _.\-:]?(?:\d+|[a-z])?", re.IGNORECASE)
A_WORD_FOR_ANNOTATORS = re.compile(_PEOPLE, re.IGNORECASE)
# Words for one of two sides that label: people and programs.
A_SIDE = re.compile(r"humans?|judge|experts?|annotators?|raters?|coders?|llm|model|gpt|crowd", re.IGNORECASE)
_INITIAL = re.compile(r"[acjkr][ _.\-]?\d+", re.IGNORECASE)

_TRAITS = {"age", "gender", "sex", "role", "country", "race", "ethnicity", "education", "experience", "type", "group",
           "nationality", "language", "occupation", "expertise", "locale", "region", "ideology"}  # fmt: skip
_TIMES = {"time", "times", "timestamp", "datetime", "duration", "seconds", "secs", "ms", "msec", "milliseconds",
          "minutes", "elapsed", "latency", "rt"}  # fmt: skip
_SYSTEM = re.compile(
    r"gpt|claude|llama|gemini|mistral|mixtral|qwen|gemma|deepseek|bert|vicuna|falcon|(?<![a-z])(?:llms?|ai|palm|phi-?\d|"
    r"machine|algorithm|classifier|baseline|bot)(?![a-z])",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"(?:q|qn|que|question|items?|frage|pregunta|stimulus|task|aufgabe)[ _.\-]?\d+[a-z]?", re.IGNORECASE
)

# -- Names of persons, categories, variables, codes and documents --

# Names of categories, which annotators do not have.
_CATEGORIES = frozenset(
    """positive negative neutral pos neg neu yes no maybe true false agree disagree unsure unclear undecided mixed none
    other others unknown present absent correct incorrect relevant irrelevant not_relevant not_sure ja nein positiv
    negativ sonstiges sonstige andere keine vielleicht oui non positif négatif neutre sí positivo negativo neutro
    favor against favour support oppose
    anger angry joy happy happiness sadness sad fear disgust surprise trust anticipation love optimism pessimism
    contempt neutral_emotion ärger freude trauer angst ekel überraschung
    toxic toxicity severe_toxic severe_toxicity obscene threat insult identity_hate identity_attack hate hateful
    offensive profanity sexual_explicit abusive normal spam ham
    low medium high mild moderate severe benign malignant""".split()  # noqa: SIM905
)
# Questions about an item, which one annotator answers in several columns.
_VARIABLES = frozenset(
    """tone frame topic sentiment stance polarity emotion valence arousal dominance theme relevance clarity fluency
    adequacy coherence consistency grammaticality grammar quality accuracy helpfulness harmlessness readability
    satisfaction difficulty severity intensity frequency importance urgency risk impact likelihood probability
    safety punctuality honesty empathy humor humour sarcasm irony toxicity informativeness creativity originality style
    content structure organization organisation language mechanics completeness conciseness correctness certainty
    uncertain confidence review flag flagged ambiguous valid faithfulness factuality preference
    satisfaktion thema ton tonalität rahmen relevanz verständlichkeit qualität sujet thème""".split()  # noqa: SIM905
)
# Abstract nouns, flags and aspects with one of these endings or beginnings are questions, too.
_A_VARIABLE = re.compile(
    r"\w{3,}(?:ness|ibility|ability|icality|uality|ivity|osity|arity|ality|icity|exity|alness|uence|ition|ation|keit|heit|"
    r"ungs?grad)|(?:is|has|needs?|contains?|mentions?|includes?|should|can|was|are|does)_\w+",
    re.IGNORECASE,
)
_RESULTS = frozenset(
    """kappa cohen_kappa cohens_kappa fleiss_kappa weighted_kappa krippendorff alpha_nominal krippendorff_alpha icc
    agreement observed_agreement percent_agreement expected_agreement agreement_rate precision recall f1 f1_score
    accuracy auc p_value pvalue p std sd se variance ci_low ci_high ci_lower ci_upper lower upper support
    correlation pearson spearman kendall""".split()  # noqa: SIM905
)
# Scores that programs compute from a reference. EM may also be the initials of a person.
METRICS = ("em", "exact_match", "contains", "bleu", "rouge", "rouge_l", "rouge1", "rouge2", "chrf", "comet", "meteor",
           "bertscore", "bert_score", "bleurt", "ter", "wer", "f1")  # fmt: skip
_CODE_WORDS = (
    "codes?|themes?|topics?|categor(?:y|ies)|cat|nodes?|kategorien?|themen?|(?:ober|unter)kategorie|aspekte?|aspects?"
)
# Code A, Theme 3. Code 1 and Code 2 may also be two annotators.
_MAYBE_CODE = re.compile(rf"(?:.*\b)?(?:sub)?(?:{_CODE_WORDS})(?:[ _.\-:]*\w{{1,3}})?", re.IGNORECASE)
# Codes as MAXQDA, NVivo and ATLAS.ti write them, and names of counts.
_CODE = re.compile(
    r"[a-z]{1,2} : .+|\d+ : .+|.+ > .+|.+\\.+|.*\bgr\s*=\s*\d+.*|[●○•◦] .+|(?:count|number)[ _]of[ _].+|"
    r"(?:n|num|count|freq|anzahl|votes)[ _](?=[a-z]{3}).+|.*[a-z][a-z][ _](?:counts?|votes|freq|frequency|anzahl)",
    re.IGNORECASE | re.DOTALL,
)
# Documents: the columns of a matrix with codes in rows.
_DOCUMENTS = re.compile(
    r"d \d+: .*|\d+: .+|(?:.*\b)?(?:interviews?|documents?|dokumente?|docs?|focus[ _]?groups?|transcripts?|texts?|"
    r"artikel|articles?|gruppe|groups?|cases?|files?|fall)[ _.\-:]*\w{0,4}|.+\.(?:docx?|pdf|txt|rtf)",
    re.IGNORECASE,
)
_CODES_IN_ROWS = ("code", "codes", "codesystem", "code_system", "node", "nodes", "theme", "themes", "topic", "topics",
                  "category", "categories", "kategorie", "kategorien", "thema", "themen")  # fmt: skip
# Letters, initials, numbers, identifiers, models. Codes do not have these names.
_PERSON = re.compile(
    r"[a-zA-Z]{1,2}|[A-Z]{1,3}|\d+|[a-zA-Z]{0,3}[_.\-]?\d+|(?=.*\d)[0-9a-fA-F]{6,}|.+@.+|[A-Z]\.\s?[A-Z]\w*|"
    r"[A-Z]\w+ [A-Z]\.|(?i:(?:dr|prof|mr|mrs|ms|herr|frau)\.? \w+|.*(?:gpt|claude|llama|gemini|mistral|mixtral|qwen|"
    r"gemma|deepseek|bert|palm|falcon|vicuna|phi-?\d|human|llm|expert|novice|turker|nurse|doctor|physician|"
    r"radiologist|pathologist|dermatologist|clinician|therapist|teacher|student|parent|reviewer|coder|rater|annotator|"
    r"judge|observer|supervisor|trainee|algorithm).*)"
)
# Names that distinguish two of a kind: times, ranks, systems, labels by a person.
_ONE_OF_TWO = re.compile(
    r"(?:pre|post|test|re-?test|first|second|third|primary|secondary|round|pass|session|trial|time|day|blind(?:ed)?|"
    r"unblind(?:ed)?|senior|junior|me|you|self|other|mother|father|original|replication|manual|automatic|old|new|"
    r"system|baseline|crowd|reference|lab|team|pi|ra|prof|grad|gp|"
    r"(?:labels?|ratings?|scores?|annotations?|votes?|answers?|codings?)(?=[ _.\-]?\d|[ _.\-]\w))[ _.\-]?\w{0,2}|"
    r"(?:labels?|ratings?|scores?|annotations?|codes?|codings?|votes?)[ _](?:by|von|par|por|di)[ _].+|"
    r"(?:hr|fr|mme|mr|sr|sra|m)\. ?\w+",
    re.IGNORECASE,
)
_FIRST_NAMES = frozenset(
    """aaron adam adrian ahmed aisha alan albert alex alexander alexandra ali alice alicia amanda amelie amir amy ana
    anders andre andrea andreas andrew andrzej angela anita anja anke ann anna anne annette antonio arne arthur barbara
    beatrice ben benjamin bernd bettina bill birgit björn bob boris brian carl carla carlos carmen carol caroline
    charles charlie charlotte chen chloé chloe chris christian christina christine christoph claire clara claudia cleo
    daniel daniela dave david diana diego dirk dmitri dan doris dora elena elias elisabeth elizabeth ella ellen emily
    emma eric erik eva eve fabian fatima felix fernando finn florian francesca francesco frank franz fred frida frieda
    gabriel gabriele george georg giulia grzegorz hanna hannah hans harald harry heidi heike helen helena helga henry
    hiroshi ian igor ines inga ingrid irene isabel isabella ivan jack jacob jakob james jan jana jane janine jason
    javier jean jens jessica jim joanna joe johan johanna john jonas jonathan jorge jörg jose josé joseph juan juergen
    jürgen julia julian julie jutta kai kate karen karim karin karl katarzyna katharina kathrin katja kevin kim klaus
    kumar lars laura lea lena leo leon leonie lia li lin linda lisa liu lotte louis louise lucas lucia ludwig luigi
    luis lukas luke luca maja manuel manuela marc marcel marco marcus margaret maria marie marina mario marion mark
    markus marta martha martin martina mary matt matteo matthew matthias max maya mehmet mei melanie mia michael michał
    michel michelle miguel mike mira mohamed mohammed monika nadia nadine natalia nathalie nick nicola nicole niels
    nils nina noah nora olaf oliver olivia omar oskar otto pablo paola paolo patricia patrick paul paula pedro peter
    petra philip philipp pierre piotr priya rachel rafael rahul ralf raul rebecca regina renate richard rita robert
    roberto robin roland rolf ruth sabine sally sam samuel sandra sara sarah sebastian sergio silke simon simone sofia
    sofie sophia sophie stefan stefanie stephan stephen steve steven sue susan susanne sven sylvia tanja tania thomas
    tim tina tobias tom tomasz tony torsten ulrich ulrike ursula ute uwe valentina vanessa vera verena veronika victor
    viktor vincent wang wei werner will wolfgang xavier yan yuki yusuf yvonne zhang zoe""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class ColumnRole:
    """The role of one column, the reason, and how sure accord is of it: "declared", "sure", "likely" or "unsure"."""

    role: str
    reason: str
    confidence: str = "likely"


@dataclass(frozen=True)
class Roles:
    """The meaning of each column of a table."""

    layout: str  # long, wide; rows: annotators in rows, items in columns
    item: str | None  # rows: the column with the names of annotators
    annotator: str | None
    labels: tuple[str, ...]  # variables (long), annotators (wide), items (rows)
    notes: tuple[str, ...] = ()
    grid: Mapping[str, Mapping[str, str]] | None = None  # wide: columns by variable and annotator
    anonymous: bool = False  # long: no column names the annotators
    key: tuple[str, ...] = ()  # long: the columns that name the items together; `item` is their joined name
    namers: tuple[str, ...] = ()  # wide: for each column of labels, the column that names its annotator
    known: Mapping[str, ColumnRole] = field(default_factory=dict)  # columns whose role a rule decided


@lru_cache(maxsize=1 << 16)  # thousands of columns are checked for each role
def plain_name(name: str) -> str:
    """Normalise a name: Sentence ID → sentence_id."""
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


@lru_cache(maxsize=1 << 16)
def spellings(name: str) -> tuple[str, ...]:
    """Return the normal forms of a name: tweet.ID → tweet.id, tweet_id; _workerId → _workerid, worker_id."""
    plain = plain_name(name)
    words = re.sub(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.strip())
    return tuple(
        dict.fromkeys(
            [plain, re.sub(r"[\W_]+", "_", plain).strip("_"), re.sub(r"[\W_]+", "_", words).strip("_").lower()]
        )
    )


def is_called(name: str, known: Sequence[str]) -> bool:
    return any(spelling in known for spelling in spellings(name))


def first_of(header: Sequence[str], known: Sequence[str]) -> str | None:
    """Return the column with the name that is first in the list of known names."""
    by_name = {spelling: h for h in reversed(header) for spelling in reversed(spellings(h))}
    return next((by_name[name] for name in known if name in by_name), None)


def named_column(header: Sequence[str], kind: str, known: Sequence[str], given: str | None) -> str | None:
    """Return the column that the user names. Default: the first of the known names."""
    if given is not None and given not in header:
        raise UnknownName(f"{kind} column", given, header)
    return given or first_of(header, known)


def holds_units(header: Sequence[str]) -> bool:
    """Whether columns give start and end of units."""
    return first_of(header, START) is not None and end_of(header) is not None


def end_of(header: Sequence[str]) -> str | None:
    """Return the column of ends. A column offset that is already the start is not used again."""
    start = first_of(header, START)
    rest = [h for h in header if h != start]
    return first_of(rest, END) or first_of(rest, LENGTH)


def annotator_columns(header: Sequence[str], item: str | None, needed: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of a wide table that may be annotators: no other role, description, consensus or comment."""
    rest = [h for h in header if h != item and h not in needed and not is_called(h, ASIDE)]
    if item is not None:  # a second item column is no annotator, but pre and post are
        once = [h for h in rest if not is_called(h, ITEM)]
        rest = once if len(once) > 1 else rest
    rest = [h for h in rest if not is_called(h, _DESCRIBES) and not _is_remark(h)] if len(rest) > 2 else rest
    alone = [h for h in rest if not _is_beside(h, rest)]
    unsettled = [h for h in alone if not is_settled(h)]
    return tuple(unsettled if len(unsettled) > 1 else alone if len(alone) > 1 else rest)


def _is_remark(name: str) -> bool:
    """Whether a name ends with a word for remarks: resolution_notes."""
    return spellings(name)[-1].rpartition("_")[2] in _TOLD


def is_settled(name: str) -> bool:
    """Whether a name means a consensus or the output of a system: final, Agree?, Final code, BERT_PREDS."""
    words = set(_WORDS.findall(name.lower()))
    if not words.isdisjoint(_DERIVED_WORDS) or _DERIVED.search(name):
        return True
    return is_called(name.rstrip("?! "), SETTLED) or (
        len(words) > 1 and words <= _SETTLED_WORDS | _LABEL_WORDS and not words.isdisjoint(_SETTLED_WORDS)
    )


def computed_among(names: Sequence[str], *, outputs: bool = True) -> list[str]:
    """Return the names of annotators, files or sheets that mean agreed labels or, with `outputs`, predicted ones.

    Only what distinguishes the names counts: gold_anna and gold_ben are two annotators.
    """
    parts = [re.split(r"[\W_]+", name.strip()) for name in names]
    shortest = min(map(len, parts), default=0)
    before = next((k for k in range(shortest) if len({part[k] for part in parts}) > 1), shortest)
    rest = [part[before:] for part in parts]
    shortest = min(map(len, rest), default=0)
    after = next((k for k in range(shortest) if len({part[-1 - k] for part in rest}) > 1), shortest)
    own = ["_".join(part[: len(part) - after]) for part in rest]
    return [name for name, short in zip(names, own, strict=True) if _is_computed(short, outputs)]


def _is_computed(name: str, outputs: bool) -> bool:
    if not outputs:
        return is_consensus(name)
    return is_settled(name) or is_called(name, _OF_NO_ANNOTATOR)


def is_consensus(name: str) -> bool:
    """Whether a name means the label that annotators agreed on: FINAL, gold, majority_vote."""
    return is_called(name, _CONSENSUS)


def _is_beside(name: str, others: Sequence[str]) -> bool:
    """Whether a column comments on another: anna_confidence on anna, notes_A on label_A."""
    words = set(_WORDS.findall(name.lower()))
    about = words.difference(_BESIDE)
    if about == words or not about:
        return False
    known = [set(_WORDS.findall(other.lower())) for other in others if other != name]
    told = bool(words.intersection(_TOLD))
    return any(about == other or (told and about < other and other.isdisjoint(_BESIDE)) for other in known)


def comments_on_labels(name: str) -> bool:
    """Whether a variable tells of the labels beside it: confidence, difficulty, is_flagged."""
    return not {*spellings(name)[-1].split("_")}.isdisjoint(_ABOUT_LABELS)


def respondent_of(header: Sequence[str], item: str | None) -> str | None:
    """Return the column of respondents. In Google Forms, Timestamp before questions shows that rows are responses."""
    if item is not None and (item == "Timestamp" or first_of([item], RESPONDENT)):  # each row is an item
        return None
    if named := first_of(header, RESPONDENT):
        return named
    questions = [h for h in header[1:] if _A_QUESTION.fullmatch(h)]
    return header[0] if header[0] == "Timestamp" and 2 * len(questions) > len(header) > 2 else None


def is_stimulus(name: str) -> bool:
    """Whether a name means what subjects of an experiment rate: Word, stimulus_id, image."""
    words = {*spellings(name)[-1].split("_")}
    return bool(words & _STIMULI) and words <= _STIMULI | _NUMBERED_BY


def calls_described(name: str) -> bool:
    """Whether a name means people or things that a table describes, one per row: patient, study_id."""
    words = {*spellings(name)[-1].split("_")}
    return bool(words & _DESCRIBED) and words <= _DESCRIBED | _NUMBERED_BY


def never_rates(name: str) -> bool:
    """Whether a name means what raters rate or a table describes, and hardly those who rate: patient, country."""
    return calls_described(name) and not _RATERS & {*spellings(name)[-1].split("_")}


def is_identifier(name: str) -> bool:
    """Whether a name ends like the name of an identifier: art_id, tweet.ID, case no."""
    return any(
        re.fullmatch(r"(?:.*_)?(?:ids?|no|nr|num|number|key|uuid|guid|index|idx)|\w+id", s) for s in spellings(name)
    )


def is_no_name(name: str) -> bool:
    """Whether the header row gives this column no name."""
    return not name or bool(re.fullmatch(r"column \d+( \(unnamed\))*", name))


_LONGEST_NAME = 1_000  # characters of a name that a message repeats in full
_ACTIVE = re.compile(r'["$`\\]')  # characters with a meaning inside double quotes


def listed(header: Sequence[str]) -> str:
    """Return names of columns for a message."""
    return ", ".join(header[:8]) + (" …" if len(header) > 8 else "")


def in_full(name: object) -> str:
    """Return the value of an option in a message: not shortened, and in quotes that a shell reads as they are."""
    text = quoted(name, _LONGEST_NAME)
    return f"'{name}'" if _ACTIVE.search(str(name)) and "'" not in text and text[1:-1] == name else text


def calls_an_annotator(name: str) -> bool:
    """Whether a name calls an annotator: coder1, rater_b, R2."""
    return bool(AN_ANNOTATOR.fullmatch(name) or _INITIAL.fullmatch(name))


def calls_annotators(stem: str) -> bool:
    """Whether a name without its ending means the name of an annotator: annotator, TurkId, worker_id."""
    words = [word for word in re.split(r"[\W_]+", "_".join(spellings(stem)[-1:])) if word]
    people = [word for word in words if A_WORD_FOR_ANNOTATORS.fullmatch(word) or word in {"turk", "turker"}]
    if "model" in people:
        return False  # model_1 and model_2 name what was compared
    return bool(people) and all(word in {*people, "id", "ids", "name", "no", "hash"} for word in words)


def is_person(name: str) -> bool:
    """Whether a name may be a person or model: Ana, AK, Anna Schmidt, s1024, gpt-4o."""
    plain = name.strip()
    first = re.split(r"[\s_.\-]", plain, maxsplit=1)[0].lower()
    return (
        first in _FIRST_NAMES
        or calls_an_annotator(plain)
        or any(known.fullmatch(plain) for known in (_PERSON, _ONE_OF_TWO))
    )


def may_be_person(name: str) -> bool:
    return is_person(name) or is_no_name(name)


def is_category(name: str) -> bool:
    """Whether a name is a category: positive, toxic, joy."""
    return plain_name(name) in _CATEGORIES


def is_variable(name: str) -> bool:
    """Whether a name is a variable: tone, fluency, human_groundedness, is_toxic."""
    plain = spellings(name)[-1]
    last = plain.rpartition("_")[2]
    return bool({plain_name(name), plain, last} & _VARIABLES) or bool(
        _A_VARIABLE.fullmatch(plain) or (_A_VARIABLE.fullmatch(last) and not calls_an_annotator(last))
    )


def is_result(name: str) -> bool:
    """Whether a name means a result of a study of agreement: kappa, observed agreement, p value."""
    return any(spelling in _RESULTS for spelling in spellings(name))


def describes_annotators(name: str, annotator: str | None) -> bool:
    """Whether a name means a trait of annotators: annotator_age, evaluator_role beside evaluator_id, rater_gender."""
    words = spellings(name)[-1].split("_")
    own = spellings(annotator)[-1].split("_")[0] if annotator else None
    return (
        len(words) > 1
        and words[-1] in _TRAITS
        and (words[0] == own or A_WORD_FOR_ANNOTATORS.fullmatch(words[0]) is not None)
    )


def calls_a_trait(name: str) -> bool:
    """Whether a name means a trait of a person: age_group, Gender, english_first_language."""
    return not _TRAITS.isdisjoint(spellings(name)[-1].split("_"))


def calls_a_time(name: str) -> bool:
    """Whether a name means a time or a duration: answer_time_ms, WorkTimeInSeconds, submitted_at."""
    words = set(spellings(name)[-1].split("_"))
    return not words.isdisjoint(_TIMES)


def is_system(name: str) -> bool:
    """Whether a name means a language model or a program: gpt-4o, llama3, bert_base, LLM label."""
    return _SYSTEM.search(name) is not None


def is_question(name: str) -> bool:
    """Whether a name numbers a question or an item: Q1, Item 3, Frage_12."""
    return _QUESTION.fullmatch(name.strip()) is not None


def is_code(name: str) -> bool:
    """Whether a name is a code: A : Trust, Costs > Rent, trust_votes."""
    return _CODE.fullmatch(name.strip()) is not None


def may_be_code(name: str) -> bool:
    """Whether a name may be a code, including Code A and Theme 3."""
    return is_code(name) or _MAYBE_CODE.fullmatch(name.strip()) is not None


def is_document(name: str) -> bool:
    """Whether a name is a document: Interview 1, D 3: Focus group, text.docx."""
    return _DOCUMENTS.fullmatch(name.strip()) is not None


def calls_codes(name: str) -> bool:
    """Whether a column contains names of codes."""
    return plain_name(name) in _CODES_IN_ROWS
