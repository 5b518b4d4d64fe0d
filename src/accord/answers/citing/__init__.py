"""Citations: a sentence for the methods section, and its references."""

from accord.answers.citing.citation import Citation, cited, full_name

__all__ = ["Citation", "cited", "full_name"]
