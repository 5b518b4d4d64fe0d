# ruff: noqa: E501 - wide tables
"""Tables that state which changes of the data change a value, for each measure and its main options.

A row is a measure, a column a change of the data (`changes.py`). A sign states the effect of the change:

=  nothing changes: value, observed, expected, error, interval, p and n are the same
p  as =, except p of a permutation test: the labels are permuted in a different order
u  as =, except observed and expected: they are relative to a different largest distance
r  value, observed and expected are the same; a resampled interval changes, because the resamples differ
v  the value is the same; its error can change, because the amount of data changes
a  α is based on 2n labels instead of n: 1 − α is multiplied by (1 − 1/2n)/(1 − 1/n)
c  the observed disorder is the same; the value changes within Monte Carlo error, because new random annotations are drawn
o  the observed disorder is the same; the value changes, because expected disorder changes
x  the value changes
.  the change does not apply to these data

The tests fail if a measure, distance, chance model or interval has no row, or a row lacks a sign for a change. On items,
each distance and interval is combined with each coefficient; the stronger of two signs applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

SIGNS = "=purvacox."  # from the weakest to the strongest; `.` (not applicable) is the strongest
QUICK = "samples=10,precision=0.3"  # few random annotations

COEFFICIENTS = """
                       seats order people things labels sorted mirror plus times twice unused blind nobody lone
percent                =     =     =      =      =      =      =      =    =     v     =      =     =      v
s                      =     =     =      =      =      p      p      =    =     v     x      =     =      v
{pi|kappa}             =     =     =      =      =      p      p      =    =     v     =      =     =      x
alpha                  =     =     =      =      =      p      p      =    =     a     =      =     =      =
ac                     =     =     =      =      =      p      p      =    =     v     x      =     =      x
"""
# The data of a row are in brackets.
DISTANCES = """
                                                       seats order people things labels sorted mirror plus times twice unused blind nobody lone
distance=nominal [words]                               =     =     =      =      =      =      =      .    .     =     =      =     =      =
distance=ordinal [words]                               =     =     =      =      =      x      =      .    .     =     u      =     =      =
distance=interval [numbers]                            =     =     =      =      .      =      =      =    =     =     u      =     =      =
distance=ratio [numbers]                               =     =     =      =      .      =      x      x    =     =     =      =     =      =
distance=circular [words]                              =     =     =      =      =      x      =      .    .     =     x      =     =      =
distance=circular(period=360) [degrees]                =     =     =      =      .      =      =      =    x     =     =      =     =      =
distance=bipolar [numbers]                             =     =     =      =      .      =      =      =    =     =     x      =     =      =
distance={jaccard|dice|passonneau} [sets]              =     =     =      =      =      =      =      .    .     =     =      =     =      =
distance={masi|masi_nltk} [sets]                       =     =     =      =      =      =      =      .    .     =     =      =     =      =
distance={melamed_resnik|geertzen_bunt}(TREE) [nodes]  =     =     =      =      =      =      =      .    .     =     =      =     =      =
distance=extended_senses(TREE) [nodes]                 =     =     =      =      =      =      =      .    .     =     =      =     =      =
distance=MATRIX [words]                                =     =     =      =      =      =      =      .    .     =     =      =     =      =
weights=identity [words]                               =     =     =      =      =      =      =      .    .     =     =      =     =      =
weights={linear|quadratic|radical|power(1.5)} [words]  =     =     =      =      =      x      =      .    .     =     u      =     =      =
weights={linear|quadratic|radical} [numbers]           =     =     =      =      .      =      =      =    =     =     u      =     =      =
weights=ordinal [words]                                =     =     =      =      =      x      =      .    .     =     u      =     =      =
weights=ratio [numbers]                                =     =     =      =      .      =      x      x    =     =     =      =     =      =
weights={circular|bipolar} [words]                     =     =     =      =      =      x      =      .    .     =     x      =     =      =
weights=MATRIX [words]                                 =     =     =      =      =      =      =      .    .     =     =      =     =      =
"""
ON_WORDS = """
                                   seats order people things labels sorted mirror plus times twice unused blind nobody lone
{linearised|added|carried}         =     =     =      =      =      =      =      .    .     =     =      =     =      =
unconditional                      =     =     =      =      =      =      =      .    .     =     =      =     =      =
jackknife                          =     =     =      =      =      =      =      .    .     =     =      =     =      v
{bootstrap|bca}                    =     =     r      =      =      r      r      .    .     =     r      =     =      v
dirichlet                          =     =     r      =      =      r      r      .    .     =     =      =     =      v
permutation                        =     =     =      =      =      p      p      .    .     =     =      =     =      =
{table|irrcac}                     =     =     =      =      =      =      =      .    .     =     =      =     =      v
"""
OF_ONE = """
                                           seats order people things labels sorted mirror plus times twice unused blind nobody lone
kappa(weights=DIRECTED) [words]            x     =     =      =      =      p      p      .    .     v     =      =     =      x
alpha @ hayes_krippendorff [words]         =     =     =      =      =      r      r      .    .     a     =      =     =      =
alpha @ krippendorff_2013 [words]          =     =     =      =      =      r      r      .    .     a     =      =     =      =
kappa @ fleiss_cohen_everitt [words]       =     =     =      =      =      =      =      .    .     v     =      =     =      x
pi @ donner_eliasziw [words]               =     =     =      =      =      =      =      .    .     v     =      =     =      x
"""
SCALES = """
                                       seats order people things mirror plus times stricter twice unused blind nobody lone
cronbach                               =     =     =      =      =      =    =     =        v     =      =     =      =
cronbach(standardised=true)            =     =     =      =      =      =    =     =        v     =      =     =      =
icc(form={1|1k|2|2k})                  =     =     =      =      =      =    =     x        x     =      =     =      =
icc(form={3|3k})                       =     =     =      =      =      =    =     =        v     =      =     =      =
lin                                    =     =     =      =      =      =    =     x        v     =      =     =      =
kendall_w                              =     =     r      =      r      =    =     r        v     =      =     =      =
kendall_w @ formula                    =     =     =      =      =      =    =     =        v     =      =     =      =
cronbach @ {bootstrap|bca}             =     =     r      =      r      =    =     r        v     =      =     =      =
icc(form={1|2}) @ {bootstrap|bca}      =     =     r      =      r      =    =     x        x     =      =     =      =
lin @ {bootstrap|bca}                  =     =     r      =      r      =    =     x        v     =      =     =      =
{cronbach|kendall_w} @ jackknife       =     =     =      =      =      =    =     =        v     =      =     =      =
icc @ jackknife                        =     =     =      =      =      =    =     x        x     =      =     =      =
"""
# Positions are decimal, so no two alignments are equally good and random annotations need no whole positions.
# After a circular shift a unit can cross the end, but not the beginning, so a mirrored document has other chance values.
ALIGNED = """
                                                 order people swap things labels sorted mirror plus times twice cut unused nobody lone
gamma                                            =     c      c    c      =      =      o      =    =     x     x   =      o      o
gamma(chance=shift)                              =     c      c    c      =      =      o      =    =     c     x   =      =      =
gamma(chance=shift) @ monte_carlo                =     c      c    c      =      =      o      =    =     c     x   =      =      =
gamma(chance=mix)                                =     c      c    c      =      =      o      =    =     v     x   =      o      o
gamma(chance=mix,soft=true)                      =     c      c    c      =      =      o      =    =     v     x   =      o      o
gamma(chance=statistical)                        =     c      c    c      =      =      o      =    =     c     x   =      =      =
gamma(chance=shift,distance=ordinal) [numbers]   =     c      c    c      .      .      o      =    =     c     x   .      =      =
gamma(chance=shift,distance=numeric) [numbers]   =     c      c    c      .      .      o      =    =     c     x   .      =      =
gamma(chance=shift,distance=levenshtein)         =     c      c    c      .      =      o      =    =     c     x   =      =      =
gamma(chance=shift,f_cat=steep,positional=2,delta=0.5) = c    c    c      =      =      o      =    =     c     x   =      =      =
gamma(chance=shift,reference=Ana)                =     c      x    c      =      =      o      =    =     c     x   =      =      =
gamma_cat                                        =     =      =    r      =      =      =      =    =     x     x   =      =      =
gamma_k                                          =     =      =    r      =      =      =      =    =     x     x   =      =      =
gamma_k(category=a)                              =     =      =    r      =      =      =      =    =     x     x   =      =      =
gamma_cat(chance=shift)                          =     c      c    c      =      =      o      =    =     c     x   =      =      =
gamma_cat(chance=mix)                            =     c      c    c      =      =      o      =    =     v     x   =      o      o
gamma_cat @ bca                                  =     =      =    r      =      =      =      =    =     x     x   =      =      =
gamma_cat @ jackknife                            =     =      =    =      =      =      =      =    =     x     x   =      =      =
"""
# Positions are whole, because some measures count the smallest units.
UNITS = """
                                           order people swap things labels sorted mirror plus times twice cut unused nobody lone
alpha_u                                    =     =      =    r      =      =      =      =    x     x     x   =      x      =
{u_alpha|bar_u_alpha}                      =     =      =    r      =      =      =      =    x     x     v   =      x      =
u_alpha(form=2013)                         =     =      =    r      =      =      =      =    x     x     x   =      x      =
{cu_alpha|cu_alpha(form=2013)}             =     =      =    r      =      =      =      =    =     x     v   =      v      =
{ku_alpha|ku_alpha(category=a)}            =     =      =    r      =      =      =      =    =     x     v   =      v      =
cu_alpha(distance=ordinal) [numbers]       =     =      =    r      .      .      =      =    u     x     v   .      v      =
cu_alpha(distance={interval|ratio}) [numbers] =  =      =    r      .      .      =      =    =     x     v   .      v      =
theta                                      =     =      =    r      =      =      =      =    =     v     x   x      =      =
theta(zones={atomic|layered})              =     =      =    r      =      =      =      =    =     v     x   x      =      =
theta(scale=ordinal)                       =     =      =    r      .      x      =      =    =     v     x   x      =      =
theta(scale={interval|ratio}) [numbers]    =     =      =    r      .      .      =      =    =     v     x   .      =      =
ser                                        =     =      =    r      =      =      =      =    =     v     v   =      =      =
ser(overlap=false,per=slots)               =     =      =    r      =      =      =      =    =     v     x   =      =      =
ser(reference=Ana)                         =     =      x    r      =      =      =      =    =     v     v   =      =      =
f1                                         =     =      =    r      =      =      =      =    =     v     v   =      =      =
f1(match={overlap|token})                  =     =      =    r      =      =      =      =    =     v     v   =      =      =
f1(labels=false)                           =     =      =    r      =      =      =      =    =     v     v   =      =      =
f1(reference=Ana)                          =     =      x    r      =      =      =      =    =     v     v   =      =      =
{kappa_d|kappa_d(atom=0.5) @ none}         =     =      =    r      =      =      =      =    =     v     v   =      x      =
kappa_d(coefficient={pi|percent}) @ none   =     =      =    r      =      =      =      =    =     v     v   =      x      =
kappa_d(coefficient={s|ac}) @ none         =     =      =    r      =      =      =      =    =     v     v   x      x      =
{alpha_d|kappa_d(coefficient=alpha) @ none} =     =      =    r      =      =      =      =    x     x     v   =      x      =
u_alpha @ bca                              =     =      =    r      =      =      =      =    x     x     v   =      x      =
f1 @ {bca|jackknife}                       =     =      =    r      =      =      =      =    =     v     v   =      =      =
u_alpha @ blocks                           =     =      =    =      =      =      =      =    x     x     v   =      x      =
"""
SEGMENTATIONS = """
                                                              order people swap things labels mirror times twice cut lone
{pk|pk(k=3)|pk(window=segeval,pooled=true)}                   =     =      =    r      .      =      x     v     x   =
{window_diff|window_diff(weighted=true,lamprier=segeval)}     =     =      =    r      .      =      x     v     x   =
{ghd|ghd(insertion=3,deletion=1,shift=0.5,normalised=true)}   =     =      =    r      .      =      x     v     x   =
ghd(normalised=segments)                                      =     =      =    r      .      =      x     v     x   =
boundary_edit_distance                                        =     =      =    r      .      =      x     v     x   =
boundary_edit_distance(matching=greedy)                       =     =      =    r      .      =      x     v     x   =
{boundary_edit_distance|boundary_similarity} [types]          =     =      =    r      =      =      x     v     x   =
{boundary_similarity|boundary_similarity(pooled=false,n_t=5,weight=unit)} = =   =    r      .      =      x     v     x   =
boundary_similarity(matching=greedy)                          =     =      =    r      .      =      x     v     x   =
segmentation_similarity                                       =     =      =    r      .      =      x     v     x   =
segmentation_similarity(n_t=3,weight=te,types=pair) [types]   =     =      =    r      =      =      x     v     x   =
{pk|window_diff|ghd|boundary_similarity}(reference=Ana)       =     =      x    r      .      =      x     v     x   =
{pi_star|kappa_star}                                          =     =      =    r      .      =      x     v     x   =
pi_star(on=segmentation_similarity(n_t=3),rates=mean)         =     =      =    r      .      =      x     v     x   =
kappa_star(on=segmentation_similarity)                        =     =      =    r      .      =      x     v     x   =
{alpha_boundaries|alpha_boundaries(ends=true)}                =     =      =    r      .      =      x     x     x   =
{pi_boundaries|kappa_boundaries|pi_boundaries(ends=true)}     =     =      =    r      .      =      x     v     x   =
alpha_boundaries(distance=jaccard) [types]                    =     =      =    r      =      =      x     x     x   =
{pi|kappa}_boundaries(distance=jaccard) [types]               =     =      =    r      =      =      x     v     x   =
{boundary_similarity|pk} @ bca                                =     =      =    r      .      =      x     v     x   =
{boundary_similarity|pk} @ jackknife                          =     =      =    =      .      =      x     v     x   =
"""
# The chance model draws labels and letters from all texts, including those of a single annotator.
TEXTS = """
                                      order people swap things labels twice lone
text_gamma                            =     c      c    c      =      c     o
text_gamma @ monte_carlo              =     c      c    c      =      c     o
text_gamma(text=levenshtein)          =     c      c    c      =      c     o
text_gamma(p_t=0.2,p_s=0.1,gap_t=2)   =     c      c    c      =      c     o
"""
CHAINS = """
                                                       order people swap things labels mirror plus times twice lone
chain_alpha                                            =     =      =    r      =      =      =    =     v     =
chain_alpha(distance={jaccard|dice|masi|masi_nltk})    =     =      =    r      =      =      =    =     v     =
chain_alpha(unmarked={absent|singleton})               =     =      =    r      =      =      =    =     v     =
link_alpha                                             =     =      =    r      =      =      =    =     x     =
{muc|b_cubed|ceaf_e|conll|blanc|links_f1}              =     =      =    r      =      =      =    =     v     =
{muc|b_cubed|ceaf_e|conll}(singletons=false)           =     =      =    r      =      =      =    =     v     =
{blanc|links_f1}(singletons=false)                     =     =      =    r      =      =      =    =     v     =
{muc|b_cubed|ceaf_e|conll|blanc|links_f1}(reference=Ana) =   =      x    r      =      =      =    =     v     =
{chain_alpha|conll} @ bca                              =     =      =    r      =      =      =    =     v     =
{chain_alpha|conll} @ jackknife                        =     =      =    =      =      =      =    =     v     =
"""
TABLES: dict[str, tuple[str, ...]] = {
    "items": (COEFFICIENTS, DISTANCES, ON_WORDS, OF_ONE),
    "scales": (SCALES,),
    "aligned": (ALIGNED,),
    "units": (UNITS,),
    "segmentations": (SEGMENTATIONS,),
    "texts": (TEXTS,),
    "chains": (CHAINS,),
}


def changes_of(kind: str) -> list[str]:
    """Return the changes that the tables of a kind list."""
    return TABLES[kind][0].split("\n")[1].split()


@dataclass(frozen=True)
class Row:
    """A measure, its data, its interval, and a sign for each change."""

    pattern: str
    signs: dict[str, str]

    @property
    def specs(self) -> list[str]:
        """The specs of a pattern such as {pi|kappa}."""
        parts = re.split(r"\{([^}]*)\}", self.pattern)
        return ["".join(one) for one in product(*(p.split("|") if k % 2 else [p] for k, p in enumerate(parts)))]


def rows(table: str) -> list[Row]:
    """Return the rows of a table."""
    head, *lines = table.strip("\n").splitlines()
    changes, found = head.split(), []
    for line in lines:
        *pattern, signs = re.split(r"(?<=\S)\s+(?=(?:[=purvacox.]\s+)+[=purvacox.]$)", line, maxsplit=1)
        assert len(signs.split()) == len(changes), line
        found.append(Row(pattern[0], dict(zip(changes, signs.split(), strict=True))))
    return found


@dataclass(frozen=True)
class Promise:
    """The signs of one measure. `spec` is a spec in which TREE, MATRIX and names are replaced."""

    spec: str
    wanted: str  # the kind of labels
    interval: str  # empty: the default
    signs: dict[str, str]

    def __str__(self) -> str:
        return (
            self.spec + (f" @ {self.interval}" if self.interval else "") + (f" [{self.wanted}]" if self.wanted else "")
        )


def promises(kind: str) -> list[Promise]:
    """Return the rows of a kind, one for each spec."""
    return list(_on_items() if kind == "items" else _plain(kind, TABLES[kind][0]))


def _split(spec: str) -> tuple[str, str, str]:
    """Return the measure, its interval and its data."""
    spec, _, wanted = spec.removesuffix("]").partition(" [")
    spec, _, interval = spec.partition(" @ ")
    return spec, interval, wanted


def _plain(kind: str, table: str) -> Iterator[Promise]:
    for row in rows(table):
        for one in row.specs:
            spec, interval, wanted = _split(one)
            if spec.startswith(("gamma(", "text_gamma(", "gamma_cat(")):
                spec = f"{spec[:-1]},{QUICK})"
            elif spec in {"gamma", "text_gamma"}:
                spec = f"{spec}({QUICK})"
            yield Promise(spec, wanted or {"scales": "numbers"}.get(kind, ""), interval, row.signs)


def _on_items() -> Iterator[Promise]:
    for coefficient in rows(COEFFICIENTS):
        for name in coefficient.specs:
            plain = {**coefficient.signs, "plus": ".", "times": "."}  # words are not numbers
            yield Promise(name, "words", "", plain)
            for row in rows(DISTANCES):
                signs = stronger(coefficient.signs, row.signs)
                if name == "percent":  # its value is the observed agreement
                    signs = {change: "x" if sign == "u" else sign for change, sign in signs.items()}
                for one in row.specs:
                    option, _, wanted = _split(one)
                    yield Promise(f"{name}({option})", wanted, "", signs)
            for row in rows(ON_WORDS):
                for method in row.specs:
                    yield Promise(name, "words", method, stronger(coefficient.signs, row.signs))
    yield from _plain("items", OF_ONE)


def stronger(one: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    return {change: max(sign, other[change], key=SIGNS.index) for change, sign in one.items()}
