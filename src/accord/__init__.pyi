# ruff: noqa: I001 - in the order of a table of contents
# The public names, each once: the map of the package. `from room import name as name` is how a stub says that a name
# is public. A new name is a line in its part. Keep this file ASCII: it is read with the encoding of the system.

from ._version import __version__ as __version__

# data
from .io import read as read
from .io import read_all as read_all
from .converting import convert as convert
from .model import Ratings as Ratings
from .model import Corpus as Corpus
from .model import Continuum as Continuum
from .model import Unit as Unit
from .model import Segmentations as Segmentations
from .model import Texts as Texts
from .model import Chains as Chains
from .model import Categories as Categories
from .model.abutting import as_segmentations as as_segmentations
from .model.abutting import as_units as as_units

# scores
from .functions import score as score
from .functions import cite as cite
from .functions import percent as percent
from .functions import s as s
from .functions import pi as pi
from .functions import kappa as kappa
from .functions import alpha as alpha
from .functions import ac as ac
from .functions import gamma as gamma
from .functions import gamma_cat as gamma_cat
from .functions import gamma_k as gamma_k
from .functions import alpha_u as alpha_u
from .functions import u_alpha as u_alpha
from .functions import bar_u_alpha as bar_u_alpha
from .functions import cu_alpha as cu_alpha
from .functions import ku_alpha as ku_alpha
from .functions import theta as theta
from .functions import ser as ser
from .functions import f1 as f1
from .functions import kappa_d as kappa_d
from .functions import alpha_d as alpha_d
from .functions import pk as pk
from .functions import window_diff as window_diff
from .functions import ghd as ghd
from .functions import boundary_edit_distance as boundary_edit_distance
from .functions import boundary_similarity as boundary_similarity
from .functions import segmentation_similarity as segmentation_similarity
from .functions import pi_star as pi_star
from .functions import kappa_star as kappa_star
from .functions import alpha_boundaries as alpha_boundaries
from .functions import pi_boundaries as pi_boundaries
from .functions import kappa_boundaries as kappa_boundaries
from .functions import text_gamma as text_gamma
from .functions import chain_alpha as chain_alpha
from .functions import link_alpha as link_alpha
from .functions import muc as muc
from .functions import b_cubed as b_cubed
from .functions import ceaf_e as ceaf_e
from .functions import conll as conll
from .functions import blanc as blanc
from .functions import links_f1 as links_f1
from .functions import cronbach as cronbach
from .functions import icc as icc
from .functions import icc_forms as icc_forms
from .functions import kendall_w as kendall_w
from .functions import lin as lin

# which of them
from .advising.advising import advise as advise

# alignments
from .measures.texts.two_texts import side_by_side as side_by_side
from .aligning import align as align
from .dissimilarities import dissimilarity as dissimilarity

# what follows from them
from .inference.comparison.compare import compare as compare
from .inference.comparison.compare import compare_all as compare_all
from .inference.comparison.groups import compare_groups as compare_groups
from .inference.comparison.influence import influence as influence
from .inference.comparison.checks import check as check
from .inference.planning.designs import layout as layout
from .inference.planning.repetitions import intra as intra
from .inference.planning.designs import crossing as crossing
from .inference.planning.sample_size import sample_size as sample_size
from .inference.reliability import bland_altman as bland_altman
from .simulate.shuffle import shuffle as shuffle
from .simulate.generate import generate as generate
from .simulate.xray import xray as xray
from .simulate.meaning import meaning as meaning

# people and models
from .consensus.gold import gold as gold
from .consensus.disagreements import disagreements as disagreements
from .inference.replacement.replace import replace as replace
from .inference.replacement.size import replacement_size as replacement_size
from .inference.annotators.ranking import annotators as annotators
from .inference.trend import trend as trend

# to look at, and to send
from .reporting.writing import report as report

# what all of these give
from .tables import Result as Result
from .tables import Table as Table
from .tables import Interval as Interval
from .result import Score as Score
from .result import Scores as Scores
from .result import NamedScores as NamedScores
from .citing import Citation as Citation
from .advising.advice import Advice as Advice
from .inference.comparison.comparisons import Comparison as Comparison
from .inference.comparison.comparisons import Comparisons as Comparisons
from .inference.comparison.groups import GroupAgreement as GroupAgreement
from .inference.comparison.without import Influence as Influence
from .inference.replacement.replace import Replacement as Replacement
from .inference.annotators.ranking import Annotators as Annotators
from .inference.trend import Trend as Trend
from .consensus.settled import Gold as Gold
from .consensus.disagreements import Disagreements as Disagreements
from .inference.comparison.checks import Checks as Checks
from .inference.planning.results import Layout as Layout
from .inference.planning.results import SampleSize as SampleSize
from .inference.planning.results import Crossing as Crossing
from .inference.planning.results import Intra as Intra
from .inference.marginals import Marginals as Marginals
from .inference.reliability import BlandAltman as BlandAltman
from .simulate.meanings import Meaning as Meaning
from .simulate.xray import Xray as Xray
from .converting import Converted as Converted
from .reporting.reports import Report as Report
from .measures.units.unitary import UnitaryAlignment as UnitaryAlignment
from .measures.units.unitary import UnitaryAlignments as UnitaryAlignments
from .measures.texts.side_by_side import TextAlignments as TextAlignments

# long work: on other machines, and kept
from .clusters import cluster as cluster
from .checkpoints import checkpoint as checkpoint

# around them
from .inference.marginals import marginals as marginals
from .measures.catalogue import measure as measure
from .measures.catalogue import MEASURES as MEASURES
from .inference.intervals.methods import INTERVALS as INTERVALS

# trouble
from .errors import AccordError as AccordError
from .errors import DataError as DataError
from .errors import SpecError as SpecError
from .errors import UnknownName as UnknownName
from .errors import AccordWarning as AccordWarning
from .errors import FewLabelsWarning as FewLabelsWarning
from .errors import NameWarning as NameWarning
from .errors import ReadingWarning as ReadingWarning
