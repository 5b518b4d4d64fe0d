"""What the name of a column says: a person, a category, a code, a document."""

from __future__ import annotations

import re

from accord.data.io.tables.roles import plain_name
from accord.data.io.tables.variables import calls_an_annotator

# What one calls categories, and no annotator.
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
# What is asked about an item, by one who answers it in several columns.
_VARIABLES = frozenset(
    """tone frame topic sentiment stance polarity emotion valence arousal dominance theme relevance clarity fluency
    adequacy coherence consistency grammaticality grammar quality accuracy helpfulness harmlessness readability
    satisfaction difficulty severity intensity frequency importance urgency risk impact likelihood probability
    satisfaktion thema ton tonalität rahmen relevanz verständlichkeit qualität sujet thème""".split()  # noqa: SIM905
)
_CODE_WORDS = (
    "codes?|themes?|topics?|categor(?:y|ies)|cat|nodes?|kategorien?|themen?|(?:ober|unter)kategorie|aspekte?|aspects?"
)
# Code A, Theme 3: but Code 1 and Code 2 may be those of two annotators.
_MAYBE_CODE = re.compile(rf"(?:.*\b)?(?:sub)?(?:{_CODE_WORDS})(?:[ _.\-:]*\w{{1,3}})?", re.IGNORECASE)
# As MAXQDA, NVivo and ATLAS.ti write them, and as one calls numbers.
_CODE = re.compile(
    r"[a-z]{1,2} : .+|\d+ : .+|.+ > .+|.+\\.+|.*\bgr\s*=\s*\d+.*|[●○•◦] .+|(?:count|number)[ _]of[ _].+|"
    r"(?:n|num|count|freq|anzahl|votes)[ _](?=[a-z]{3}).+|.*[a-z][a-z][ _](?:counts?|votes|freq|frequency|anzahl)",
    re.IGNORECASE | re.DOTALL,
)
# What is coded: the columns of a matrix that has its codes in rows.
_DOCUMENTS = re.compile(
    r"d \d+: .*|\d+: .+|(?:.*\b)?(?:interviews?|documents?|dokumente?|docs?|focus[ _]?groups?|transcripts?|texts?|"
    r"artikel|articles?|gruppe|groups?|cases?|files?|fall)[ _.\-:]*\w{0,4}|.+\.(?:docx?|pdf|txt|rtf)",
    re.IGNORECASE,
)
_CODES_IN_ROWS = ("code", "codes", "codesystem", "code_system", "node", "nodes", "theme", "themes", "topic", "topics",
                  "category", "categories", "kategorie", "kategorien", "thema", "themen")  # fmt: skip
# Letters, initials, numbers, identifiers, models: nobody calls a code so.
_PERSON = re.compile(
    r"[a-zA-Z]{1,2}|[A-Z]{1,3}|\d+|[a-zA-Z]{0,3}[_.\-]?\d+|(?=.*\d)[0-9a-fA-F]{6,}|.+@.+|[A-Z]\.\s?[A-Z]\w*|"
    r"[A-Z]\w+ [A-Z]\.|(?i:(?:dr|prof|mr|mrs|ms|herr|frau)\.? \w+|.*(?:gpt|claude|llama|gemini|mistral|mixtral|qwen|"
    r"gemma|deepseek|bert|palm|falcon|vicuna|phi-?\d|human|llm|expert|novice|turker|nurse|doctor|physician|"
    r"radiologist|pathologist|dermatologist|clinician|therapist|teacher|student|parent|reviewer|coder|rater|annotator|"
    r"judge|observer|supervisor|trainee|algorithm).*)"
)
# What tells two of a kind apart: times, places in an order, systems; labels of somebody.
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


def is_category(name: str) -> bool:
    """positive, toxic, joy."""
    return plain_name(name) in _CATEGORIES


def is_variable(name: str) -> bool:
    """tone, fluency."""
    return plain_name(name) in _VARIABLES


def is_code(name: str) -> bool:
    """A : Trust, Costs > Rent, trust_votes."""
    return _CODE.fullmatch(name.strip()) is not None


def may_be_code(name: str) -> bool:
    """The same, and Code A, Theme 3."""
    return is_code(name) or _MAYBE_CODE.fullmatch(name.strip()) is not None


def is_document(name: str) -> bool:
    """Interview 1, D 3: Focus group, text.docx."""
    return _DOCUMENTS.fullmatch(name.strip()) is not None


def calls_codes(name: str) -> bool:
    """The column that holds names of codes."""
    return plain_name(name) in _CODES_IN_ROWS


def is_person(name: str) -> bool:
    """Ana, AK, Anna Schmidt, s1024, gpt-4o."""
    plain = name.strip()
    first = re.split(r"[\s_.\-]", plain, maxsplit=1)[0].lower()
    return (
        first in _FIRST_NAMES
        or calls_an_annotator(plain)
        or any(known.fullmatch(plain) for known in (_PERSON, _ONE_OF_TWO))
    )
