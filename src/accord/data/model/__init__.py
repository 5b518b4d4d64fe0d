"""Data models: labels and categories, ratings of items, units on continua, segmentations, texts, chains."""

from accord.data.model.chains import Chains
from accord.data.model.corpus import Continuum, Corpus, Unit
from accord.data.model.labels import Categories, Label
from accord.data.model.ratings import Ratings
from accord.data.model.segmentations import Segmentations
from accord.data.model.texts import Texts

__all__ = ["Categories", "Chains", "Continuum", "Corpus", "Label", "Ratings", "Segmentations", "Texts", "Unit"]
