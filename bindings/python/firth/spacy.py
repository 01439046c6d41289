"""A spaCy component that gives tokens the classes of their words.

    nlp = spacy.blank("en")
    nlp.add_pipe("firth_classes", config={"path": "out"})
    [(token.text, token._.word_class, token._.class_bits) for token in nlp("the king")]

The classes are saved with the pipeline: `nlp.to_disk("model")`, and `spacy.load("model")` needs the folder out no longer.
"""

from __future__ import annotations

import os
from typing import Any, List, Optional

from spacy.language import Language
from spacy.tokens import Doc, Token

import firth

__all__ = ["FirthClasses", "make_firth_classes"]


class FirthClasses:
    """Sets `token._.word_class` (-1 = none) and `token._.class_bits` ("" = no class or no tree)."""

    def __init__(self, classes: Optional[firth.Clustering], unknown: str = "lowercase") -> None:
        self.classes = classes
        self.unknown = unknown
        self.error: firth.Error = firth.UsageError("firth_classes has no classes; give its config a path")
        self._bits: List[str] = []
        if classes is not None and classes.has_tree:
            self._bits = [classes.bits(classes.members(label, 1)[0]) for label in range(classes.n_classes)]
        for name, default in (("word_class", -1), ("class_bits", "")):
            if not Token.has_extension(name):
                Token.set_extension(name, default=default)

    def __call__(self, doc: Doc) -> Doc:
        if self.classes is None:
            raise self.error
        for token, label in zip(doc, self.classes.encode([token.text for token in doc], self.unknown).tolist()):
            token._.word_class = label
            token._.class_bits = self._bits[label] if label >= 0 and self._bits else ""
        return doc

    def to_bytes(self, **_: Any) -> bytes:
        """The classes, as spaCy keeps them with its model."""
        import pickle

        return pickle.dumps((self.classes, self.unknown))

    def from_bytes(self, data: bytes, **_: Any) -> "FirthClasses":
        """Takes classes from to_bytes()."""
        import pickle

        FirthClasses.__init__(self, *pickle.loads(data))
        return self

    def to_disk(self, path: "os.PathLike[str]", **_: Any) -> None:
        """Saves the classes as a folder of the command; spaCy keeps the other settings."""
        if self.classes is None:
            raise self.error
        self.classes.save(path)

    def from_disk(self, path: "os.PathLike[str]", **_: Any) -> "FirthClasses":
        """Takes classes from to_disk()."""
        FirthClasses.__init__(self, firth.load_clustering(path), self.unknown)
        return self


def make_firth_classes(nlp: Language, name: str, path: str, unknown: str) -> FirthClasses:
    """The component with the classes of a file or folder.

    A path that is not there is an error when the component is first used: a saved pipeline still has the path that it was
    made with, and gets its classes by from_disk() or from_bytes().
    """
    try:
        return FirthClasses(firth.load_clustering(path) if path else None, unknown)
    except firth.NotFoundError as error:
        component = FirthClasses(None, unknown)
        component.error = error
        return component


Language.factory("firth_classes", default_config={"path": "", "unknown": "lowercase"}, func=make_firth_classes)
