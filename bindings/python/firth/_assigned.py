"""Classes of what was not clustered."""

from __future__ import annotations

from typing import NamedTuple


class AssignedWord(NamedTuple):
    """A word that got a class although it was not clustered."""

    word: str
    label: int
    by: str
    """"contexts" or "spelling"."""
    frequency: int
    """How often the text has it."""
    contexts: int
    """Neighbours of it that have a class."""
    margin: float
    """How far the class is ahead of the second best, in nats; below about 2 the choice is a guess."""


class AssignedVector(NamedTuple):
    """A word that got a class by its vector."""

    word: str
    label: int
    """Under the numbers of the classes that it was assigned to."""
    distance: float
    """To the mean of the class."""
    margin: float
    """How much farther the second nearest mean is."""
