"""What the data are: labels and categories, ratings of items, units on continua."""

from accord.model.corpus import Continuum, Corpus, Unit
from accord.model.labels import Categories, Label
from accord.model.ratings import Ratings

__all__ = ["Categories", "Continuum", "Corpus", "Label", "Ratings", "Unit"]
