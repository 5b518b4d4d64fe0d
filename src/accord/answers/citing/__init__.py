"""Citations: a sentence for the methods section, and its references."""

from accord.answers.citing.citation import Citation, cited

__all__ = ["Citation", "cited"]
