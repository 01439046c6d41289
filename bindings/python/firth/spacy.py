"""A spaCy component that gives tokens the classes of their words.

    nlp = spacy.blank("en")
    nlp.add_pipe("firth_classes", config={"path": "out"})
    [(token.text, token._.word_class, token._.class_bits) for token in nlp("the king")]
"""

from __future__ import annotations

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token

import firth

__all__ = ["FirthClasses", "make_firth_classes"]


class FirthClasses:
    """Sets `token._.word_class` (-1 = none) and `token._.class_bits` ("" = no class or no tree)."""

    def __init__(self, classes: firth.Clustering, unknown: str = "lowercase") -> None:
        self.classes = classes
        self.unknown = unknown
        self._bits = [classes.bits(words[0]) for _, words in classes.top(classes.n_classes, 1)] if classes.has_tree else []
        for name, default in (("word_class", -1), ("class_bits", "")):
            if not Token.has_extension(name):
                Token.set_extension(name, default=default)

    def __call__(self, doc: Doc) -> Doc:
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


def make_firth_classes(nlp: Language, name: str, path: str, unknown: str) -> FirthClasses:
    """The component with the classes of a file or folder; without a path, with none until from_bytes() is called."""
    classes = firth.load_clustering(path) if path else firth.Clustering.from_dict({"<unk>": 0})
    return FirthClasses(classes, unknown)


Language.factory("firth_classes", default_config={"path": "", "unknown": "lowercase"}, func=make_firth_classes)
