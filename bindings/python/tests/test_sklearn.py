"""Estimators keep the rules of scikit-learn. check_estimator has no checks for strings, so they stand here."""

from __future__ import annotations

import pickle
from typing import Any, List

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import firth  # noqa: E402
from firth.sklearn import SequenceFeatures, WordClasses  # noqa: E402


@pytest.fixture(scope="module")
def documents(lines: List[str]) -> List[str]:
    return lines[:300]


@pytest.fixture(scope="module")
def answers(documents: List[str]) -> List[int]:
    return [int(len(line.split()) > 4) for line in documents]


@pytest.mark.parametrize("estimator", [WordClasses(8, min_count=2), SequenceFeatures(8, window=1)])
def test_parameters(estimator: Any) -> None:
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    copy.set_params(n_classes=5)
    assert copy.n_classes == 5 and estimator.n_classes == 8
    with pytest.raises(NotFittedError):
        estimator.transform([])
    with pytest.raises(ValueError):
        copy.set_params(unheard_of=1)


def test_documents(documents: List[str]) -> None:
    estimator = WordClasses(8)
    matrix = estimator.fit_transform(documents)
    assert matrix.shape == (300, 8)
    assert matrix.sum(axis=1).ravel().tolist()[0] == [len(line.split()) for line in documents]
    assert (matrix != WordClasses(8).fit(documents).transform(documents)).nnz == 0
    assert estimator.fit(documents) is estimator
    assert estimator.transform([]).shape == (0, 8) and estimator.transform(["", "unheard of"]).nnz == 0
    assert len(estimator.get_feature_names_out()) == 8
    assert WordClasses(8, binary=True).fit_transform(documents).max() == 1
    with pytest.raises(firth.UsageError):
        estimator.transform("one document")


def test_series(documents: List[str]) -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(documents)
    assert (WordClasses(8).fit_transform(series) != WordClasses(8).fit_transform(documents)).nnz == 0


def test_grid_search(documents: List[str], answers: List[int]) -> None:
    pipeline = make_pipeline(WordClasses(8), LogisticRegression(max_iter=1000))
    search = GridSearchCV(pipeline, {"wordclasses__n_classes": [2, 8]}, cv=3, n_jobs=2)
    search.fit(documents, answers)
    assert search.best_score_ > 0.8
    assert np.array_equal(pickle.loads(pickle.dumps(search)).predict(documents), search.predict(documents))


def test_given_classes(documents: List[str]) -> None:
    classes = firth.cluster(texts=documents, n_classes=8)
    assert WordClasses(classes=classes).fit(["other text"]).clustering_ is classes


def test_sequences(tokens: List[List[str]]) -> None:
    sentences = tokens[:100]
    estimator = SequenceFeatures(8, window=1).fit(sentences)
    rows = estimator.transform(sentences[:3])
    assert [len(row) for row in rows] == [len(sentence) for sentence in sentences[:3]]
    assert rows[0] == estimator.clustering_.features(sentences[0], window=1)


def test_fit_again(documents: List[str]) -> None:
    """A second fit forgets the first."""
    estimator = WordClasses(8).fit(documents[:50])
    assert estimator.fit(documents).clustering_ == WordClasses(8).fit(documents).clustering_
    wider = WordClasses(4).fit(documents[:100]).transform(documents)
    assert wider.shape == (len(documents), 4)  # as many columns as there were classes in fit, whatever is transformed


def test_output(documents: List[str]) -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(documents)
    estimator = WordClasses(8, sparse_output=False).set_output(transform="pandas").fit(series)
    frame = estimator.transform(series)
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == estimator.get_feature_names_out().tolist()
    assert np.array_equal(frame.to_numpy(), WordClasses(8).fit_transform(documents).toarray())
    with pytest.raises(ValueError, match="sparse"):
        WordClasses(8).set_output(transform="pandas").fit_transform(series)
    assert not hasattr(SequenceFeatures(8), "set_output")  # dicts are no table


def test_tags() -> None:
    """What scikit-learn asks before it checks an estimator: by a method until 1.5, by another one since."""
    for estimator in (WordClasses(), SequenceFeatures()):
        try:
            from sklearn.utils import get_tags
        except ImportError:
            assert estimator._get_tags()["X_types"] == ["string"]
        else:
            assert get_tags(estimator).input_tags.string and not get_tags(estimator).input_tags.two_d_array
