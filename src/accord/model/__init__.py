"""What the data are: labels and categories, ratings of items, units on continua, segmentations, texts, chains."""

from accord.model.chains import Chains
from accord.model.corpus import Continuum, Corpus, Unit
from accord.model.labels import Categories, Label
from accord.model.ratings import Ratings
from accord.model.segmentations import Segmentations
from accord.model.texts import Texts

__all__ = ["Categories", "Chains", "Continuum", "Corpus", "Label", "Ratings", "Segmentations", "Texts", "Unit"]
