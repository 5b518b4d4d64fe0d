"""The works that accord cites, and the works for each measure, distance and interval.

Facts without a reliable source (a page, a DOI) are left out.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, fields
from typing import Literal

from accord._version import __version__
from accord.core.prose import Paragraph, Phrase, PrintedReference
from accord.measures.measure import Measure

Entry = Literal["article", "book", "inproceedings", "phdthesis", "misc"]


@dataclass(frozen=True)
class Work:
    """A work, with the field names of BibTeX."""

    key: str
    entry: Entry
    authors: tuple[str, ...]  # "Mathet, Yann"; a name without a comma is a group
    year: str  # empty for software
    title: str
    journal: str = ""
    booktitle: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""
    publisher: str = ""
    address: str = ""
    school: str = ""
    note: str = ""
    doi: str = ""

    @property
    def short(self) -> str:
        """The citation: Mathet et al., 2015."""
        return f"{self.who}, {self.year}" if self.year else self.who

    @property
    def who(self) -> str:
        """The authors in a citation: Mathet et al."""
        names = self.names
        return f"{names[0]} et al." if len(names) > 2 else " & ".join(names)

    @property
    def names(self) -> tuple[str, ...]:
        """The family names of its authors."""
        return tuple(name.partition(",")[0] for name in self.authors)

    @property
    def reference(self) -> PrintedReference:
        return PrintedReference(self.key, _listed(self), _bibtex(self))


def _initials(name: str) -> str:
    """Mathet, Y.; Métivier, J.-P."""
    last, comma, first = name.partition(", ")
    if not comma:
        return last
    words = ("-".join(f"{part[0]}." for part in word.split("-")) for word in first.split())
    return f"{last}, {' '.join(words)}"


def _listed(work: Work) -> Paragraph:
    """Authors (year). Title. *Journal, volume*(number), pages. https://doi.org/…"""
    *others, last = map(_initials, work.authors)
    who = f"{', '.join(others)}, & {last}" if others else last
    made = [Phrase(f"{who} ({work.year}). " if work.year else f"{who}. ")]
    pages = work.pages.replace("--", "–")
    if work.entry == "article":
        volume = f", {work.volume}" if work.volume else ""
        number = f"({work.number.replace('--', '–')})" if work.number else ""
        made += [Phrase(f"{work.title}. "), Phrase(f"{work.journal}{volume}", "italic")]
        made.append(Phrase(f"{number}{f', {pages}' if pages else ''}."))
    elif work.entry == "inproceedings":
        inside = ", ".join(
            filter(None, [f"Vol. {work.volume}" if work.volume else "", f"pp. {pages}" if pages else ""])
        )
        made += [Phrase(f"{work.title}. In "), Phrase(work.booktitle, "italic")]
        made.append(Phrase(f" ({inside})." if inside else "."))
    elif work.entry == "misc":
        made += [Phrase(work.title, "italic"), Phrase(f" ({work.note})." if work.note else ".")]
    else:
        kind = "PhD thesis, " + work.school if work.entry == "phdthesis" else ""
        edition = f"{work.edition} ed." if work.edition else ""
        inside = ", ".join(filter(None, [edition, f"Vol. {work.volume}" if work.volume else "", kind]))
        made += [Phrase(work.title, "italic"), Phrase(f" ({inside})." if inside else ".")]
        if work.publisher:
            made.append(Phrase(f" {work.publisher}."))
    if work.doi:
        made.append(Phrase(f" https://doi.org/{work.doi}"))
    return tuple(made)


_ACCENTS = {"\u0301": r"\'", "\u0300": r"\`", "\u0302": r"\^", "\u0308": r"\"", "\u030c": r"\v ", "\u0327": r"\c "}
_SIGNS = {"&": r"\&", "_": r"\_", "–": "--", "γ": r"$\gamma$"}


def _in_bibtex(text: str) -> str:
    """Return ASCII text, which every version of BibTeX sorts and abbreviates correctly."""
    made = []
    for sign in text:
        base, *marks = list(unicodedata.normalize("NFD", sign))
        made.append(f"{{{_ACCENTS[marks[0]]}{base}}}" if marks else _SIGNS.get(sign, sign))
    return "".join(made)


def _bibtex(work: Work) -> str:
    who = " and ".join(name if "," in name else f"{{{name}}}" for name in work.authors)
    fields = {"author": who, "title": f"{{{work.title}}}", "year": work.year}  # braces keep capitals
    for name in ("journal", "booktitle", "volume", "number", "pages", "edition", "publisher", "address", "school"):
        fields[name] = getattr(work, name)
    fields |= {"note": work.note}
    lines = [f"  {name:<9} = {{{_in_bibtex(value)}}}," for name, value in fields.items() if value]
    if work.doi:
        lines.append(f"  {'doi':<9} = {{{work.doi}}},")
    return "\n".join([f"@{work.entry}{{{work.key},", *lines, "}"])


_CL = "Computational Linguistics"
_BULLETIN = "Psychological Bulletin"
_MEASUREMENT = "Educational and Psychological Measurement"
_CONTENT = "Content Analysis: An Introduction to Its Methodology"
_HANDBOOK = "Handbook of Inter-Rater Reliability"
_ACL_2014 = (
    "Proceedings of the 52nd Annual Meeting of the Association for Computational Linguistics (Volume 2: Short Papers)"
)

WORKS: tuple[Work, ...] = (
    # surveys and books
    Work("artstein2008", "article", ("Artstein, Ron", "Poesio, Massimo"), "2008",
         "Inter-coder agreement for computational linguistics", journal=_CL, volume="34", number="4", pages="555--596",
         doi="10.1162/coli.07-034-R2"),
    Work("krippendorff1980", "book", ("Krippendorff, Klaus",), "1980", _CONTENT, publisher="Sage",
         address="Beverly Hills, CA"),
    Work("krippendorff2004", "book", ("Krippendorff, Klaus",), "2004", _CONTENT, edition="2nd", publisher="Sage",
         address="Thousand Oaks, CA"),
    Work("krippendorff2013", "book", ("Krippendorff, Klaus",), "2013", _CONTENT, edition="3rd", publisher="Sage",
         address="Thousand Oaks, CA"),
    Work("krippendorff2019", "book", ("Krippendorff, Klaus",), "2019", _CONTENT, edition="4th", publisher="Sage"),
    Work("gwet2014", "book", ("Gwet, Kilem L.",), "2014", _HANDBOOK, edition="4th", publisher="Advanced Analytics",
         address="Gaithersburg, MD"),
    Work("gwet2021", "book", ("Gwet, Kilem L.",), "2021", _HANDBOOK, edition="5th", volume="1",
         publisher="AgreeStat Analytics"),
    Work("siegel1988", "book", ("Siegel, Sidney", "Castellan, N. John"), "1988",
         "Nonparametric Statistics for the Behavioral Sciences", edition="2nd", publisher="McGraw-Hill",
         address="New York"),
    Work("efron1993", "book", ("Efron, B.", "Tibshirani, R. J."), "1993", "An Introduction to the Bootstrap",
         publisher="Chapman & Hall", address="New York"),
    # labels of items
    Work("bennett1954", "article", ("Bennett, E. M.", "Alpert, R.", "Goldstein, A. C."), "1954",
         "Communications through limited-response questioning", journal="Public Opinion Quarterly", volume="18",
         number="3", pages="303--308"),
    Work("brennan1981", "article", ("Brennan, Robert L.", "Prediger, Dale J."), "1981",
         "Coefficient kappa: Some uses, misuses, and alternatives", journal=_MEASUREMENT, volume="41", number="3",
         pages="687--699", doi="10.1177/001316448104100307"),
    Work("scott1955", "article", ("Scott, William A.",), "1955",
         "Reliability of content analysis: The case of nominal scale coding", journal="Public Opinion Quarterly",
         volume="19", number="3", pages="321--325"),
    Work("fleiss1971", "article", ("Fleiss, Joseph L.",), "1971",
         "Measuring nominal scale agreement among many raters", journal=_BULLETIN, volume="76", number="5",
         pages="378--382", doi="10.1037/h0031619"),
    Work("cohen1960", "article", ("Cohen, Jacob",), "1960", "A coefficient of agreement for nominal scales",
         journal=_MEASUREMENT, volume="20", number="1", pages="37--46", doi="10.1177/001316446002000104"),
    Work("cohen1968", "article", ("Cohen, Jacob",), "1968",
         "Weighted kappa: Nominal scale agreement with provision for scaled disagreement or partial credit",
         journal=_BULLETIN, volume="70", number="4", pages="213--220", doi="10.1037/h0026256"),
    Work("davies1982", "article", ("Davies, Mark", "Fleiss, Joseph L."), "1982",
         "Measuring agreement for multinomial data", journal="Biometrics", volume="38", number="4",
         pages="1047--1051"),
    Work("conger1980", "article", ("Conger, Anthony J.",), "1980",
         "Integration and generalization of kappas for multiple raters", journal=_BULLETIN, volume="88", number="2",
         pages="322--328", doi="10.1037/0033-2909.88.2.322"),
    Work("gwet2008", "article", ("Gwet, Kilem L.",), "2008",
         "Computing inter-rater reliability and its variance in the presence of high agreement",
         journal="British Journal of Mathematical and Statistical Psychology", volume="61", number="1",
         pages="29--48", doi="10.1348/000711006X126600"),
    # numbers on a scale
    Work("cronbach1951", "article", ("Cronbach, Lee J.",), "1951",
         "Coefficient alpha and the internal structure of tests", journal="Psychometrika", volume="16", number="3",
         pages="297--334", doi="10.1007/BF02310555"),
    Work("feldt1965", "article", ("Feldt, Leonard S.",), "1965",
         "The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty",
         journal="Psychometrika", volume="30", number="3", pages="357--370", doi="10.1007/BF02289499"),
    Work("shrout1979", "article", ("Shrout, Patrick E.", "Fleiss, Joseph L."), "1979",
         "Intraclass correlations: Uses in assessing rater reliability", journal=_BULLETIN, volume="86", number="2",
         pages="420--428", doi="10.1037/0033-2909.86.2.420"),
    Work("mcgraw1996", "article", ("McGraw, K. O.", "Wong, S. P."), "1996",
         "Forming inferences about some intraclass correlation coefficients", journal="Psychological Methods",
         volume="1", number="1", pages="30--46", doi="10.1037/1082-989X.1.1.30"),
    Work("lin1989", "article", ("Lin, Lawrence I-Kuei",), "1989",
         "A concordance correlation coefficient to evaluate reproducibility", journal="Biometrics", volume="45",
         number="1", pages="255--268", doi="10.2307/2532051"),
    Work("barnhart2002", "article", ("Barnhart, H. X.", "Haber, M.", "Song, J."), "2002",
         "Overall concordance correlation coefficient for evaluating agreement among multiple observers",
         journal="Biometrics", volume="58", number="4", pages="1020--1027"),
    Work("kendall1939", "article", ("Kendall, M. G.", "Babington Smith, B."), "1939", "The problem of m rankings",
         journal="The Annals of Mathematical Statistics", volume="10", number="3", pages="275--287"),
    # units
    Work("mathet2015", "article", ("Mathet, Yann", "Widlöcher, Antoine", "Métivier, Jean-Philippe"), "2015",
         "The unified and holistic method gamma (γ) for inter-annotator agreement measure and alignment",
         journal=_CL, volume="41", number="3", pages="437--479", doi="10.1162/COLI_a_00227"),
    Work("mathet2017", "article", ("Mathet, Yann",), "2017",
         "The agreement measure γ_cat, a complement to γ focused on categorization of a continuum",
         journal=_CL, volume="43", number="3", pages="661--681", doi="10.1162/COLI_a_00296"),
    Work("krippendorff1995", "article", ("Krippendorff, Klaus",), "1995",
         "On the reliability of unitizing continuous data", journal="Sociological Methodology", volume="25",
         pages="47--76"),
    Work("krippendorff2004quality", "article", ("Krippendorff, Klaus",), "2004",
         "Measuring the reliability of qualitative text analysis data", journal="Quality & Quantity", volume="38",
         number="6", pages="787--800"),
    Work("krippendorff2016", "article",
         ("Krippendorff, Klaus", "Mathet, Yann", "Bouvry, Stéphane", "Widlöcher, Antoine"), "2016",
         "On the reliability of unitizing textual continua: Further developments", journal="Quality & Quantity",
         volume="50", number="6", pages="2347--2364", doi="10.1007/s11135-015-0266-1"),
    Work("makhoul1999", "inproceedings",
         ("Makhoul, John", "Kubala, Francis", "Schwartz, Richard", "Weischedel, Ralph"), "1999",
         "Performance measures for information extraction",
         booktitle="Proceedings of DARPA Broadcast News Workshop", pages="249--252", address="Herndon, VA"),
    Work("hripcsak2005", "article", ("Hripcsak, George", "Rothschild, Adam S."), "2005",
         "Agreement, the F-measure, and reliability in information retrieval",
         journal="Journal of the American Medical Informatics Association", volume="12", number="3", pages="296--298",
         doi="10.1197/jamia.M1733"),
    Work("reidsma2006", "inproceedings", ("Reidsma, D.", "Heylen, D. K. J.", "Ordelman, R. J. F."), "2006",
         "Annotating emotions in meetings",
         booktitle="Proceedings of the Fifth International Conference on Language Resources and Evaluation (LREC 2006)",
         pages="1117--1122"),
    Work("reidsma2008", "phdthesis", ("Reidsma, D.",), "2008",
         "Annotations and Subjective Machines of Annotators, Embodied Agents, Users, and Other Humans",
         school="University of Twente"),
    # segmentations
    Work("beeferman1999", "article", ("Beeferman, Doug", "Berger, Adam", "Lafferty, John"), "1999",
         "Statistical models for text segmentation", journal="Machine Learning", volume="34", number="1--3",
         pages="177--210", doi="10.1023/A:1007506220214"),
    Work("pevzner2002", "article", ("Pevzner, Lev", "Hearst, Marti A."), "2002",
         "A critique and improvement of an evaluation metric for text segmentation", journal=_CL, volume="28",
         number="1", pages="19--36", doi="10.1162/089120102317341756"),
    Work("lamprier2007", "inproceedings", ("Lamprier, S.", "Amghar, T.", "Levrat, B.", "Saubion, F."), "2007",
         "On evaluation methodologies for text segmentation algorithms", booktitle="Proceedings of ICTAI 2007",
         pages="19--26"),
    Work("bookstein2002", "article", ("Bookstein, A.", "Kulyukin, V. A.", "Raita, T."), "2002",
         "Generalized Hamming distance", journal="Information Retrieval", volume="5", pages="353--375"),
    Work("fournier2012", "inproceedings", ("Fournier, Chris", "Inkpen, Diana"), "2012",
         "Segmentation similarity and agreement",
         booktitle="Proceedings of the 2012 Conference of the North American Chapter of the Association for "
         "Computational Linguistics: Human Language Technologies", pages="152--161"),
    Work("fournier2013", "inproceedings", ("Fournier, Chris",), "2013",
         "Evaluating text segmentation using boundary edit distance",
         booktitle="Proceedings of the 51st Annual Meeting of the Association for Computational Linguistics "
         "(Volume 1: Long Papers)", pages="1702--1712"),
    # texts
    Work("barteld2016", "inproceedings", ("Barteld, Fabian", "Schröder, Ingrid", "Zinsmeister, Heike"), "2016",
         "text-gamma – Inter-annotator agreement for categorization with simultaneous segmentation and "
         "transcription-error correction",
         booktitle="Proceedings of the 13th Conference on Natural Language Processing (KONVENS 2016)",
         pages="27--37"),
    # chains
    Work("passonneau2004", "inproceedings", ("Passonneau, Rebecca J.",), "2004",
         "Computing reliability for coreference annotation", booktitle="Proceedings of LREC", volume="4",
         pages="1503--1506", address="Lisbon"),
    Work("passonneau2006", "inproceedings", ("Passonneau, Rebecca J.",), "2006",
         "Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation",
         booktitle="Proceedings of LREC", pages="831--836", address="Genoa"),
    Work("vilain1995", "inproceedings",
         ("Vilain, Marc", "Burger, John", "Aberdeen, John", "Connolly, Dennis", "Hirschman, Lynette"), "1995",
         "A model-theoretic coreference scoring scheme",
         booktitle="Proceedings of the Sixth Message Understanding Conference", pages="45--52", address="Columbia, MD"),
    Work("bagga1998", "inproceedings", ("Bagga, Amit", "Baldwin, Breck"), "1998",
         "Algorithms for scoring coreference chains",
         booktitle="The First International Conference on Language Resources and Evaluation Workshop on Linguistics "
         "Coreference", pages="563--566"),
    Work("luo2005", "inproceedings", ("Luo, Xiaoqiang",), "2005", "On coreference resolution performance metrics",
         booktitle="Proceedings of HLT/EMNLP", pages="25--32"),
    Work("recasens2011", "article", ("Recasens, Marta", "Hovy, Eduard"), "2011",
         "BLANC: Implementing the Rand index for coreference evaluation", journal="Natural Language Engineering",
         volume="17", number="4", pages="485--510"),
    Work("luo2014", "inproceedings", ("Luo, Xiaoqiang", "Pradhan, Sameer", "Recasens, Marta", "Hovy, Eduard"), "2014",
         "An extension of BLANC to system mentions", booktitle=_ACL_2014),
    Work("pradhan2012", "inproceedings",
         ("Pradhan, Sameer", "Moschitti, Alessandro", "Xue, Nianwen", "Uryupina, Olga", "Zhang, Yuchen"), "2012",
         "CoNLL-2012 shared task: Modeling multilingual unrestricted coreference in OntoNotes",
         booktitle="Joint Conference on EMNLP and CoNLL: Shared Task", pages="1--40"),
    Work("pradhan2014", "inproceedings",
         ("Pradhan, Sameer", "Luo, Xiaoqiang", "Recasens, Marta", "Hovy, Eduard", "Ng, Vincent", "Strube, Michael"),
         "2014", "Scoring coreference partitions of predicted mentions: A reference implementation",
         booktitle=_ACL_2014, pages="30--35"),
    Work("popescubelis2000", "misc", ("Popescu-Belis, Andrei",), "2000",
         "Évaluation numérique de la résolution de la référence"),
    # models
    Work("calderon2025", "misc", ("Calderon, Nitay", "Reichart, Roi", "Dror, Rotem"), "2025",
         "The alternative annotator test for LLM-as-a-judge: How to statistically justify replacing human annotators "
         "with LLMs"),
    # distances
    Work("jaccard1912", "article", ("Jaccard, Paul",), "1912", "The distribution of the flora in the Alpine zone",
         journal="New Phytologist", volume="11", number="2", pages="37--50"),
    Work("dice1945", "article", ("Dice, Lee R.",), "1945",
         "Measures of the amount of ecologic association between species", journal="Ecology", volume="26", number="3",
         pages="297--302"),
    Work("melamed2000", "article", ("Melamed, I. Dan", "Resnik, Philip"), "2000",
         "Tagger evaluation given hierarchical tagsets", journal="Computers and the Humanities", volume="34",
         number="1--2", pages="79--84"),
    Work("geertzen2006", "inproceedings", ("Geertzen, Jeroen", "Bunt, Harry"), "2006",
         "Measuring annotator agreement in a complex hierarchical dialogue act annotation scheme",
         booktitle="Proceedings of the 7th SIGdial Workshop on Discourse and Dialogue", pages="126--133",
         address="Sydney"),
    # intervals
    Work("agresti1998", "article", ("Agresti, Alan", "Coull, Brent A."), "1998",
         'Approximate is better than "exact" for interval estimation of binomial proportions',
         journal="The American Statistician", volume="52", number="2", pages="119--126",
         doi="10.1080/00031305.1998.10480550"),
    Work("donner1992", "article", ("Donner, Allan", "Eliasziw, Michael"), "1992",
         "A goodness-of-fit approach to inference procedures for the kappa statistic: Confidence interval "
         "construction, significance-testing and sample size estimation", journal="Statistics in Medicine",
         volume="11", number="11", pages="1511--1519", doi="10.1002/sim.4780111109"),
    Work("efron1979", "article", ("Efron, B.",), "1979", "Bootstrap methods: Another look at the jackknife",
         journal="The Annals of Statistics", volume="7", number="1", pages="1--26", doi="10.1214/aos/1176344552"),
    Work("efron1987", "article", ("Efron, B.",), "1987", "Better bootstrap confidence intervals",
         journal="Journal of the American Statistical Association", volume="82", number="397", pages="171--185",
         doi="10.1080/01621459.1987.10478410"),
    Work("fleiss1969", "article", ("Fleiss, Joseph L.", "Cohen, Jacob", "Everitt, B. S."), "1969",
         "Large sample standard errors of kappa and weighted kappa", journal=_BULLETIN, volume="72", number="5",
         pages="323--327", doi="10.1037/h0028106"),
    Work("hayes2007", "article", ("Hayes, Andrew F.", "Krippendorff, Klaus"), "2007",
         "Answering the call for a standard reliability measure for coding data",
         journal="Communication Methods and Measures", volume="1", number="1", pages="77--89",
         doi="10.1080/19312450709336664"),
    Work("kuensch1989", "article", ("Künsch, H. R.",), "1989",
         "The jackknife and the bootstrap for general stationary observations", journal="The Annals of Statistics",
         volume="17", number="3", pages="1217--1241", doi="10.1214/aos/1176347265"),
    Work("rubin1981", "article", ("Rubin, D. B.",), "1981", "The Bayesian bootstrap",
         journal="The Annals of Statistics", volume="9", pages="130--134", doi="10.1214/aos/1176345338"),
)  # fmt: skip


def software(version: str = __version__) -> Work:
    """Return the entry of accord, as in CITATION.cff."""
    title = "accord: inter-annotator agreement"
    return Work("accord", "misc", ("The accord authors",), "", title, note=f"Version {version}")


_BY_KEY = {work.key: work for work in WORKS}


def work(key: str) -> Work:
    return _BY_KEY[key]


# -- keys of the works for each measure, distance and interval ---------------------------------------------------------


@dataclass(frozen=True)
class Sources:
    """Keys of the works for a measure. Some apply to one form only."""

    always: tuple[str, ...] = ()
    two: tuple[str, ...] = ()  # for two annotators
    many: tuple[str, ...] = ()  # for more annotators
    plain: tuple[str, ...] = ()  # without weights or a distance
    weighted: tuple[str, ...] = ()  # with weights or a distance


OF_MEASURES: dict[str, Sources] = {
    "percent": Sources(("artstein2008",), many=("fleiss1971",)),
    "s": Sources(("bennett1954",), many=("brennan1981",), weighted=("brennan1981",)),
    "pi": Sources(two=("scott1955",), many=("fleiss1971",)),
    "kappa": Sources(plain=("cohen1960",), weighted=("cohen1968",), many=("davies1982", "conger1980")),
    "alpha": Sources(("krippendorff2004",)),
    "ac": Sources(("gwet2008",), weighted=("gwet2014",)),
    "cronbach": Sources(("cronbach1951",)),
    "icc": Sources(("shrout1979", "mcgraw1996")),
    "lin": Sources(("lin1989",), many=("barnhart2002",)),
    "kendall_w": Sources(("kendall1939",)),
    "gamma": Sources(("mathet2015",)),
    "gamma_cat": Sources(("mathet2017",)),
    "gamma_k": Sources(("mathet2017",)),
    "alpha_u": Sources(("krippendorff1995", "krippendorff2004quality")),
    "u_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "bar_u_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "cu_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "ku_alpha": Sources(("krippendorff2016", "krippendorff2019")),
    "theta": Sources(("gwet2021",)),
    "ser": Sources(("makhoul1999",)),
    "f1": Sources(("hripcsak2005",)),
    "kappa_d": Sources(("reidsma2006", "mathet2015")),
    "alpha_d": Sources(("reidsma2008", "mathet2015")),
    "pk": Sources(("beeferman1999",)),
    "window_diff": Sources(("pevzner2002",)),
    "ghd": Sources(("bookstein2002",)),
    "boundary_edit_distance": Sources(("fournier2013",)),
    "boundary_similarity": Sources(("fournier2013",)),
    "segmentation_similarity": Sources(("fournier2012",)),
    "pi_star": Sources(("fournier2012", "fournier2013")),
    "kappa_star": Sources(("fournier2012", "fournier2013")),
    "alpha_boundaries": Sources(("krippendorff1980", "artstein2008")),
    "pi_boundaries": Sources(("siegel1988", "artstein2008")),
    "kappa_boundaries": Sources(("cohen1960", "artstein2008"), many=("davies1982",)),
    "text_gamma": Sources(("barteld2016",)),
    "chain_alpha": Sources(("passonneau2004",)),
    "link_alpha": Sources(("krippendorff2004", "artstein2008")),
    "muc": Sources(("vilain1995", "pradhan2014")),
    "b_cubed": Sources(("bagga1998", "pradhan2014")),
    "ceaf_e": Sources(("luo2005", "pradhan2014")),
    "conll": Sources(("pradhan2012", "pradhan2014")),
    "blanc": Sources(("recasens2011", "luo2014")),
    "links_f1": Sources(("popescubelis2000", "recasens2011")),
}

OF_OPTIONS: dict[tuple[str, str], tuple[str, ...]] = {  # if they differ from the default
    ("u_alpha", "form"): ("mathet2015",),
    ("window_diff", "lamprier"): ("lamprier2007",),
}

# In addition to the works for the measure. The works for α and κ cover the usual scales.
OF_DISTANCES: dict[str, tuple[str, ...]] = {
    "jaccard": ("jaccard1912",),
    "dice": ("dice1945",),
    "passonneau": ("passonneau2004",),
    "masi": ("artstein2008",),  # which attributes d_P·d_J to Passonneau 2006, whose own formula is 1 − J·M
    "masi_nltk": ("passonneau2006",),
    "melamed_resnik": ("melamed2000", "artstein2008"),
    "geertzen_bunt": ("geertzen2006", "artstein2008"),
    "extended_senses": ("artstein2008",),
}

OF_INTERVALS: dict[str, tuple[str, ...]] = {
    "linearised": ("gwet2008",),
    "added": ("gwet2008", "agresti1998"),
    "carried": ("gwet2008",),
    "dirichlet": ("rubin1981", "agresti1998"),
    "unconditional": ("gwet2014",),
    "bootstrap": ("efron1979",),
    "bca": ("efron1987",),
    "jackknife": ("efron1993",),
    "blocks": ("kuensch1989",),
    "formula": (),  # see OF_FORMULAS
    "fleiss_cohen_everitt": ("fleiss1969",),
    "donner_eliasziw": ("donner1992",),
    "hayes_krippendorff": ("hayes2007",),
    "krippendorff_2013": ("krippendorff2013", "hayes2007"),
    "table": ("gwet2014",),
    "irrcac": ("gwet2014",),
    "monte_carlo": ("mathet2015",),
}
OF_FORMULAS: dict[str, tuple[str, ...]] = {
    "cronbach": ("feldt1965",),
    "icc": ("shrout1979", "mcgraw1996"),
    "lin": ("lin1989",),
}


def behind_measure(measure: Measure, annotators: int | None) -> tuple[Work, ...]:
    """Return the works for the form that was used: κ for three annotators cites more than Cohen."""
    sources = OF_MEASURES[measure.name]
    by_number = sources.two if annotators == 2 else sources.many
    by_degrees = sources.weighted if graded(measure) else sources.plain
    distance = getattr(measure, "distance", None)
    of_distance = OF_DISTANCES.get(str(distance).partition("(")[0], ()) if distance is not None else ()
    of_options = (key for name in _changed(measure) for key in OF_OPTIONS.get((measure.name, name), ()))
    return tuple(map(work, dict.fromkeys((*sources.always, *by_degrees, *by_number, *of_distance, *of_options))))


def _changed(measure: Measure) -> list[str]:
    return [field.name for field in fields(measure) if getattr(measure, field.name) != field.default]


def behind_interval(method: str, measure: Measure) -> tuple[Work, ...]:
    keys = OF_FORMULAS.get(measure.name, ()) if method == "formula" else OF_INTERVALS[method]
    return tuple(map(work, keys))


def graded(measure: Measure) -> bool:
    """Whether near misses count in part. Nominal weights do not."""
    return measure.by_degrees and str(getattr(measure, "metric", "")) != "nominal"
