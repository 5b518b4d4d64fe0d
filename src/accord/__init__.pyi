# ruff: noqa: I001 - in the order of a table of contents
# The public names, each once: the map of the package. `from room import name as name` is how a stub says that a name
# is public. A new name is a line in its part. Keep this file ASCII: it is read with the encoding of the system.

from ._version import __version__ as __version__

# data
from .data.io import read as read
from .data.io import read_all as read_all
from .answers.map import map as map
from .answers.converting import convert as convert
from .data.model import Ratings as Ratings
from .data.model import Corpus as Corpus
from .data.model import Continuum as Continuum
from .data.model import Unit as Unit
from .data.model import Segmentations as Segmentations
from .data.model import Texts as Texts
from .data.model import Chains as Chains
from .data.model import Categories as Categories
from .data.model.segmentations import as_segmentations as as_segmentations
from .data.model.segmentations import as_units as as_units

# scores
from .answers.score import score as score
from .answers.cite import cite as cite
from .doors.functions import percent as percent
from .doors.functions import s as s
from .doors.functions import pi as pi
from .doors.functions import kappa as kappa
from .doors.functions import alpha as alpha
from .doors.functions import ac as ac
from .doors.functions import gamma as gamma
from .doors.functions import gamma_cat as gamma_cat
from .doors.functions import gamma_k as gamma_k
from .doors.functions import alpha_u as alpha_u
from .doors.functions import u_alpha as u_alpha
from .doors.functions import bar_u_alpha as bar_u_alpha
from .doors.functions import cu_alpha as cu_alpha
from .doors.functions import ku_alpha as ku_alpha
from .doors.functions import theta as theta
from .doors.functions import ser as ser
from .doors.functions import f1 as f1
from .doors.functions import kappa_d as kappa_d
from .doors.functions import alpha_d as alpha_d
from .doors.functions import pk as pk
from .doors.functions import window_diff as window_diff
from .doors.functions import ghd as ghd
from .doors.functions import boundary_edit_distance as boundary_edit_distance
from .doors.functions import boundary_similarity as boundary_similarity
from .doors.functions import segmentation_similarity as segmentation_similarity
from .doors.functions import pi_star as pi_star
from .doors.functions import kappa_star as kappa_star
from .doors.functions import alpha_boundaries as alpha_boundaries
from .doors.functions import pi_boundaries as pi_boundaries
from .doors.functions import kappa_boundaries as kappa_boundaries
from .doors.functions import text_gamma as text_gamma
from .doors.functions import chain_alpha as chain_alpha
from .doors.functions import link_alpha as link_alpha
from .doors.functions import muc as muc
from .doors.functions import b_cubed as b_cubed
from .doors.functions import ceaf_e as ceaf_e
from .doors.functions import conll as conll
from .doors.functions import blanc as blanc
from .doors.functions import links_f1 as links_f1
from .doors.functions import cronbach as cronbach
from .doors.functions import icc as icc
from .doors.functions import icc_forms as icc_forms
from .doors.functions import kendall_w as kendall_w
from .doors.functions import lin as lin

# which of them
from .answers.advising.advising import advise as advise

# alignments
from .measures.texts.text_gamma import side_by_side as side_by_side
from .answers.align import align as align
from .measures.dissimilarities import dissimilarity as dissimilarity

# what follows from them
from .answers.compare import compare as compare
from .answers.compare import compare_all as compare_all
from .answers.compare_groups import compare_groups as compare_groups
from .answers.influence import influence as influence
from .answers.checks import check as check
from .answers.plan_study import plan as plan
from .answers.plan_layout import layout as layout
from .answers.intra import intra as intra
from .answers.plan_layout import crossing as crossing
from .answers.plan_size import sample_size as sample_size
from .answers.limits import limits as limits
from .answers.limits import bland_altman as bland_altman
from .answers.simulate.shuffle import shuffle as shuffle
from .answers.simulate.generate import generate as generate
from .answers.simulate.xray import xray as xray
from .answers.simulate.meaning import meaning as meaning

# people and models
from .answers.gold.gold import gold as gold
from .answers.disagreements import disagreements as disagreements
from .answers.replacement import replace as replace
from .answers.replacement_size import replacement_size as replacement_size
from .answers.annotators import annotators as annotators
from .answers.trend import trend as trend

# to look at, and to send
from .answers.plot import plot as plot
from .answers.reporting.writing import report as report

# what all of these give
from .core.tables import Result as Result
from .core.tables import Table as Table
from .core.tables import Interval as Interval
from .core.result import Score as Score
from .core.result import Scores as Scores
from .core.result import NamedScores as NamedScores
from .answers.citing import Citation as Citation
from .answers.advising.advice import Advice as Advice
from .answers.comparison import Comparison as Comparison
from .answers.comparison import Comparisons as Comparisons
from .answers.compare_groups import GroupAgreement as GroupAgreement
from .answers.influence import Influence as Influence
from .answers.replacement import Replacement as Replacement
from .answers.annotators import Annotators as Annotators
from .answers.trend import Trend as Trend
from .answers.gold.settled import Gold as Gold
from .answers.disagreements import Disagreements as Disagreements
from .answers.checks import Checks as Checks
from .answers.plan_layout import Layout as Layout
from .answers.plan_size import SampleSize as SampleSize
from .answers.plan_layout import Crossing as Crossing
from .answers.intra import Intra as Intra
from .answers.marginals import Marginals as Marginals
from .answers.limits import BlandAltman as BlandAltman
from .answers.simulate.meaning import Meaning as Meaning
from .answers.simulate.xray import Xray as Xray
from .answers.converting import Converted as Converted
from .answers.reporting.reports import Report as Report
from .measures.units.unitary import UnitaryAlignment as UnitaryAlignment
from .measures.units.unitary import UnitaryAlignments as UnitaryAlignments
from .measures.texts.side_by_side import TextAlignments as TextAlignments

# long work: on other machines, and kept
from .core.clusters import cluster as cluster
from .core.checkpoints import checkpoint as checkpoint

# around them
from .answers.marginals import marginals as marginals
from .measures.catalogue import measure as measure
from .measures.catalogue import MEASURES as MEASURES
from .measures.intervals.methods import INTERVALS as INTERVALS

# trouble
from . import errors as errors
from .core.errors import AccordError as AccordError
from .core.errors import CheckFailed as CheckFailed
from .core.errors import DataError as DataError
from .core.errors import SpecError as SpecError
from .core.errors import UnknownName as UnknownName
from .core.errors import AccordWarning as AccordWarning
from .core.errors import FewLabelsWarning as FewLabelsWarning
from .core.errors import NameWarning as NameWarning
from .core.errors import ReadingWarning as ReadingWarning
