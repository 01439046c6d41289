"""Word classes for scikit-learn: documents in, matrices of class counts out; sentences in, dicts of features out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Union

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

import firth

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import scipy.sparse

__all__ = ["SequenceFeatures", "WordClasses"]


def _cluster(estimator: Any, source: Dict[str, Any]) -> firth.Clustering:
    """Classes as the parameters of an estimator say, or those that it was given."""
    if estimator.classes is not None:
        return estimator.classes if isinstance(estimator.classes, firth.Clustering) else firth.load_clustering(estimator.classes)
    return firth.cluster(
        n_classes=estimator.n_classes,
        method=estimator.method,
        min_count=estimator.min_count,
        seed=estimator.seed,
        threads=estimator.threads,
        progress=False,
        **source,
        **(estimator.options or {}),
    )


def _string_tags(tags: Any) -> Any:
    """Tags of scikit-learn 1.6 and later, which took the place of _more_tags: documents are no matrix."""
    tags.input_tags.string = True
    tags.input_tags.two_d_array = False
    return tags


class WordClasses(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Documents (strings) to counts of the classes of their words.

    Parameters
    ----------
    n_classes, method, min_count, seed, threads
        As in :func:`firth.cluster`.
    lowercase, tokenize : bool
        How documents become words.
    unknown : {"spelling", "lowercase", "none"}
        The class of words that were not clustered.
    binary : bool
        Whether a class counts once per document.
    sparse_output : bool
        Whether matrices are sparse; `set_output(transform="pandas")` needs those that are not.
    options : dict
        Further options of :func:`firth.cluster`.
    classes : Clustering or path
        Classes that were made before: `fit` then learns nothing.

    Attributes
    ----------
    clustering_ : firth.Clustering

    >>> import firth.sklearn
    >>> texts = ["the cat sees a dog", "a cat sees the dog", "the dog hears a cat", "a dog hears the cat"]
    >>> firth.sklearn.WordClasses(3).fit_transform(texts).toarray().sum(axis=1).tolist()
    [5, 5, 5, 5]
    """

    def __init__(
        self,
        n_classes: int = 100,
        *,
        method: str = "auto",
        min_count: Union[int, str] = "auto",
        lowercase: bool = False,
        tokenize: bool = False,
        unknown: str = "lowercase",
        binary: bool = False,
        sparse_output: bool = True,
        seed: int = 1,
        threads: int = 0,
        options: Optional[Dict[str, Any]] = None,
        classes: Union[None, firth.Clustering, str] = None,
    ) -> None:
        self.n_classes = n_classes
        self.method = method
        self.min_count = min_count
        self.lowercase = lowercase
        self.tokenize = tokenize
        self.unknown = unknown
        self.binary = binary
        self.sparse_output = sparse_output
        self.seed = seed
        self.threads = threads
        self.options = options
        self.classes = classes

    def fit(self, X: Iterable[str], y: object = None) -> "WordClasses":
        """Clusters the words of the documents."""
        source = {"texts": X, "lowercase": self.lowercase, "tokenize": self.tokenize}
        self.clustering_ = _cluster(self, source)
        return self

    def transform(self, X: Iterable[str]) -> "Union[scipy.sparse.csr_matrix, npt.NDArray[np.int64]]":
        """A row per document, a column per class."""
        import numpy as np
        import scipy.sparse

        check_is_fitted(self)
        if isinstance(X, str):
            raise firth.UsageError("documents are an iterable of str, not a single one")
        columns: List[npt.NDArray[np.int64]] = []
        for document in X:
            words = firth.split_words(document, lowercase=self.lowercase, tokenize=self.tokenize)
            labels = self.clustering_.encode(words, self.unknown)
            columns.append(np.unique(labels[labels >= 0]) if self.binary else labels[labels >= 0])
        ends = np.concatenate([[0], np.cumsum([len(row) for row in columns], dtype=np.int64)])
        indices = np.concatenate(columns) if columns else np.empty(0, np.int64)
        shape = (len(columns), self.clustering_.n_classes)
        matrix = scipy.sparse.csr_matrix((np.ones(len(indices), np.int64), indices, ends), shape=shape)
        matrix.sum_duplicates()
        return matrix if self.sparse_output else matrix.toarray()

    def get_feature_names_out(self, input_features: object = None) -> "npt.NDArray[np.object_]":
        """One name per class: its number and its most frequent word."""
        import numpy as np

        check_is_fitted(self)
        first = self.clustering_.top(self.clustering_.n_classes, 1)
        return np.array([f"class{label}_{words[0]}" for label, words in first], dtype=object)

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["string"]}

    def __sklearn_tags__(self) -> Any:
        return _string_tags(super().__sklearn_tags__())


class SequenceFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Sentences (lists of words) to lists of dicts, one per word, for sklearn-crfsuite and the like.

    Parameters
    ----------
    n_classes, method, min_count, seed, threads, options, classes
        As in :class:`WordClasses`.
    prefixes, cuts, window, unknown
        As in :meth:`firth.Clustering.features`.
    """

    def __init__(
        self,
        n_classes: int = 100,
        *,
        method: str = "auto",
        min_count: Union[int, str] = "auto",
        prefixes: Sequence[int] = (4, 6, 10, 20),
        cuts: Sequence[int] = (),
        window: int = 0,
        unknown: str = "spelling",
        seed: int = 1,
        threads: int = 0,
        options: Optional[Dict[str, Any]] = None,
        classes: Union[None, firth.Clustering, str] = None,
    ) -> None:
        self.n_classes = n_classes
        self.method = method
        self.min_count = min_count
        self.prefixes = prefixes
        self.cuts = cuts
        self.window = window
        self.unknown = unknown
        self.seed = seed
        self.threads = threads
        self.options = options
        self.classes = classes

    def fit(self, X: Iterable[Sequence[str]], y: object = None) -> "SequenceFeatures":
        """Clusters the words of the sentences."""
        self.clustering_ = _cluster(self, {"tokens": X})
        return self

    def transform(self, X: Iterable[Sequence[str]]) -> List[List[Dict[str, str]]]:
        """One dict of features per word of each sentence."""
        check_is_fitted(self)
        return [
            self.clustering_.features(sentence, self.prefixes, self.cuts, self.window, self.unknown) for sentence in X
        ]

    def _more_tags(self) -> Dict[str, Any]:
        return {"X_types": ["string"]}

    def __sklearn_tags__(self) -> Any:
        return _string_tags(super().__sklearn_tags__())
