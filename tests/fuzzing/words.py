"""Valid, borderline and nonsensical values for cells and options."""

from __future__ import annotations

from random import Random

LABELS = ("a", "b", "c", "PER", "yes", "no", "1", "2", "3", "0", "4.5", "-1", "big dog", "Ä", "x|y", "y|x")
CELLS = (
    "", " ", "NA", "nan", "NaN", "inf", "-inf", "null", "None", "-", ".", "0", "-0", "1e400", "1e-400", "1e12",
    "1e-200",
    "00012", "1,5", "1.000,5", "0x1F", "½", "٣", "１", "9007199254740993", "99999999999999999999", "-1", "1.0", "1.",
    ".5", "+1", "=1+1", "@x", "'x", "\"", "\"\"", "a\"b", "a,b", "a;b", "a\tb", "a\nb", "a\r\nb", "a\rb", "\0",
    "\x1b[31m",
    "\ufeff", "\u200b", "\u202e", "é", "e\u0301", "😀", "👩‍👩‍👧", "𝒳", "\ud7ff", "\uffff", "ﬃ", "İ", "ß", "ſ", "true",
    "TRUE",
    "false", "2020-01-01", "12:30", "#REF!", "#N/A", "<b>", "&amp;", "]]>", "{}", "[]", "{\"a\": 1}", "../x", "C:\\x",
    "%s",
    "{0}", "x" * 300, "|", "a|b|c", "|a|", "a||b", "#", "//", "--", "\\", "\\n", "$x$", "_", "*", "_[1]", "B-PER",
    "I-PER",
)  # fmt: skip
NUMBERS = (
    "0", "1", "2", "3", "5", "10", "-1", "-0", "0.5", "0.95", "1.5", "0.0", "1e-300", "1e300", "1e400", "nan", "inf",
    "-inf",
    "0.9999999999999999", "5e-324", "99999999999999999999", "200000000", "2147483647", "2147483648", "4294967296",
    "9223372036854775808", "1_000",
    "١", "1e3", "0x10", "", " ", "x", "true", "None", "½", "1" * 400,
)  # fmt: skip
NONSENSE = (
    "", " ", "x", "nowhere", "-", "--", "=", ",", ",,", "a=b", "a=", "=b", "a,b=c", "=,=", "\0", "\n", "a\nb", "é",
    "😀", "\ud800",
    "{", "}", "{doc}", "{annotator}_{label}", "{annotator}", "{doc}_{annotator}", "{", "{}", "{0}", "{x!r}", "{doc",
    "(", "a(b",
    "((((", "[", "*", "**", "?", "\\", "..", "/", "/dev/null", "/etc", "~", "%", "%s", "'", "\"", "'x'", "|", "||",
    "tab", "\t", ";",
    "utf-8", "latin-1", "utf-16", "undefined", "punycode", "idna", "rot13", "base64", "zlib", "hex", "cp1252", "mbcs",
    "utf-7",
    "raw_unicode_escape", "x" * 300, "nan", "inf", "-1", "0", "1", "1e400", "true", "None", "label", "item", "doc",
    "annotator",
    "A", "B", "A,B", "a,b", "a,b,c", "A,A", "start", "end", "text", "category", "pair", "document", "kind", "first",
    "last", "all",
)  # fmt: skip


def some(rng: Random, *pools: tuple[str, ...]) -> str:
    return rng.choice(rng.choice(pools))


def surrogate_free(text: str) -> str:
    """Replace surrogates, which a UTF-8 file cannot contain."""
    return text.encode("utf-8", "replace").decode("utf-8")
