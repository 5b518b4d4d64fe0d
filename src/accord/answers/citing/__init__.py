"""How agreement was measured, for the methods section: a sentence, and the references behind it."""

from accord.answers.citing.citation import Citation, cited

__all__ = ["Citation", "cited"]
