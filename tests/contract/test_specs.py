"""A spec parses back to an equal measure, which can be kept in sets and sent to other processes."""

from __future__ import annotations

import pickle

import pytest

import accord
from accord.measures.dissimilarities import LABEL_DISTANCES
from accord.measures.distances import DISTANCES, WEIGHTS

from ..cases import for_each

FROM_FILES = {"melamed_resnik", "geertzen_bunt", "extended_senses", "matrix", "power"}  # these need an argument
ITEMS = [
    *(f"alpha(distance={d.name})" for d in DISTANCES if d.name not in FROM_FILES),
    *(f"kappa(weights={w.name})" for w in WEIGHTS if w.name not in FROM_FILES),
    "pi(weights=power(1.5))",
    'alpha(distance=matrix(file="a file.csv"))',
    "alpha(distance=circular(period=24))",
    "kappa(distance=geertzen_bunt(tree,step=0.5))",
    "alpha(distance=extended_senses(tree,sets=jaccard))",
    'alpha(distance=jaccard(separator=";"))',
    "ac(weights=matrix(labels=[a,b],rows=[[1,0.5],[0.5,1]]))",
]
SCALES = ["icc(form=1)", "cronbach(standardised=true)"]
UNITS = [
    *(f"gamma(distance={d.name})" for d in LABEL_DISTANCES if d.name not in FROM_FILES),
    "gamma(categorical=3)",
    "gamma(positional=0.5,categorical=0,delta=2.5)",
    "gamma(f_cat=steep,chance=mix,samples=100,precision=0.01,soft=true)",
    "gamma(chance=statistical)",
    "gamma(reference=Ana)",
    'gamma(reference="7")',
    'gamma(reference="Ana María")',
    'gamma(distance=matrix(file="a file.csv"))',
    "gamma(distance=matrix(labels=[a,b],rows=[[0,0.5],[0.5,0]]))",
    "gamma_cat(distance=ordinal,chance=shift)",
    "gamma_cat(distance=circular(period=24))",
    'gamma_k(distance=numeric,category="two words")',
    'gamma_k(category="3")',
    "alpha_u(grain=0.5,overlaps=merge)",
    "u_alpha(grain=0.04,form=2013)",
    "cu_alpha(distance=ordinal)",
    "cu_alpha(overlaps=pairs)",
    "cu_alpha(distance=interval,form=2013)",
    "cu_alpha(distance=matrix(labels=[a,b],rows=[[0,0.5],[0.5,0]]))",
    'ku_alpha(distance=interval,category="two words")',
    'ku_alpha(category="3")',
    "theta(random=0.25,scale=interval)",
    "theta(scale=ordinal,zones=layered,unpaired=ignored)",
    "ser(reference=Ana,per=slots,overlap=false)",
    'f1(reference="7",match=token,labels=false)',
    "kappa_d(atom=0.04)",
    "alpha_d(atom=25,overlaps=merge)",
]
SEGMENTATIONS = [
    "pk(k=3)",
    'pk(reference="1",window=segeval)',
    "window_diff(reference=A,weighted=true,lamprier=segeval)",
    "ghd(insertion=3,deletion=1,shift=0.5,normalised=true)",
    "ghd(normalised=segments,limit=0.5)",
    "boundary_similarity(pooled=false,n_t=5,weight=unit,matching=greedy)",
    "segmentation_similarity(n_t=3,weight=te,types=pair)",
    "pi_star(on=segmentation_similarity(n_t=3),rates=mean)",
    "kappa_star(on=segmentation_similarity)",
    "alpha_boundaries(distance=jaccard)",
]
TEXTS = [
    "text_gamma(features=[pos,lemma(levenshtein)],gap_b=1.5)",
    "text_gamma(distance=ordinal,text=levenshtein,p_t=0.25,p_s=0.04)",
    "text_gamma(prior_s=[0.04,1000],gaps=true,fold_unicode=true,samples=50,precision=0.01)",
    'text_gamma(features=["two words"])',
]


@for_each("spec", [*(cls.name for cls in accord.MEASURES), *ITEMS, *SCALES, *UNITS, *SEGMENTATIONS, *TEXTS])
def test_spec_parses_back_to_an_equal_measure(spec: str) -> None:
    measure = accord.measure(spec)
    assert str(measure) == ("icc(form=2)" if spec == "icc" else spec)
    again = accord.measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ('alpha(distance=matrix("a file.csv"))', 'alpha(distance=matrix(file="a file.csv"))'),
        ("kappa(distance=melamed_resnik(tree,mass=levels))", "kappa(distance=melamed_resnik(tree,mass=levels))"),
        ('icc(form="3k")', "icc(form=3k)"),
        ("gamma(positional=1,categorical=1.0,delta=1,chance=auto,samples=30)", "gamma"),
        ("theta(random=0.5,scale=nominal,zones=joined,unpaired=gap,overlaps=error)", "theta"),
        ("u_alpha(form=2016)", "u_alpha"),
        ("ser(per=reference,overlap=true)", "ser"),
    ],
)
def test_defaults_are_left_out_of_a_spec(spoken: str, written: str) -> None:
    measure = accord.measure(spoken)
    assert str(measure) == written
    assert accord.measure(written) == measure
