"""What the data are: labels and categories, ratings of items."""

from accord.model.labels import Categories, Label
from accord.model.ratings import Ratings

__all__ = ["Categories", "Label", "Ratings"]
