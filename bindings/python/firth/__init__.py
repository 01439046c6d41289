"""Classes of words from the company they keep.

>>> import firth
>>> texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
>>> classes = firth.cluster(texts=texts, n_classes=3)
>>> sorted(classes.members(classes["cat"]))
['cat', 'dog']

`count`, `cluster`, `embed`, `evaluate` and `load` are where to begin; docs/python.md has a tour.
"""

from ._assigned import AssignedVector, AssignedWord
from ._cluster import cluster, cluster_vectors, methods
from ._clustering import Clustering
from ._counts import Counts, count
from ._errors import (
    Error,
    FirthWarning,
    FormatError,
    InputError,
    IoError,
    NotFoundError,
    ResourceError,
    UsageError,
)
from ._evaluate import choose, evaluate
from ._firth import __version__
from ._hmm import Hmm, load_hmm
from ._lm import LanguageModel, load_lm
from ._load import load, load_clustering, load_counts, load_vectors
from ._parser import Parse, Parser, load_parser, score_parses
from ._phrases import Phrase, Phrases, find_phrases, load_phrases
from ._progress import Progress
from ._prototypes import Prototype, PrototypeTagger, choose_prototypes, load_prototypes, save_prototypes
from ._tagger import Tagger, load_tagger, read_tagged
from ._vectors import Vectors, embed
from ._words import Words, split_words

__all__ = [
    "AssignedVector",
    "AssignedWord",
    "Clustering",
    "Counts",
    "Error",
    "FirthWarning",
    "FormatError",
    "Hmm",
    "InputError",
    "IoError",
    "LanguageModel",
    "NotFoundError",
    "Parse",
    "Parser",
    "Phrase",
    "Phrases",
    "Progress",
    "Prototype",
    "PrototypeTagger",
    "ResourceError",
    "Tagger",
    "UsageError",
    "Vectors",
    "Words",
    "__version__",
    "choose",
    "choose_prototypes",
    "cluster",
    "cluster_vectors",
    "count",
    "embed",
    "evaluate",
    "find_phrases",
    "load",
    "load_clustering",
    "load_counts",
    "load_hmm",
    "load_lm",
    "load_parser",
    "load_phrases",
    "load_prototypes",
    "load_tagger",
    "load_vectors",
    "methods",
    "read_tagged",
    "save_prototypes",
    "score_parses",
    "split_words",
]

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
