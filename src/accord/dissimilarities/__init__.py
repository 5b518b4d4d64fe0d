"""Dissimilarities between units (Mathet et al. 2015, 4.4)."""

from __future__ import annotations

from accord.dissimilarities.base import Dissimilarity, Positioned
from accord.dissimilarities.combined import Combined
from accord.dissimilarities.custom import Custom, dissimilarity
from accord.dissimilarities.labels import LABEL_DISTANCES, label_distance, label_table

__all__ = [
    "LABEL_DISTANCES",
    "Combined",
    "Custom",
    "Dissimilarity",
    "Positioned",
    "dissimilarity",
    "label_distance",
    "label_table",
]
