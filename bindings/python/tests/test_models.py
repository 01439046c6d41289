"""Language models, taggers, hidden Markov models and parsers: they learn, they agree with the command, they travel."""

from __future__ import annotations

import pathlib
import pickle
import warnings
from typing import Any, Dict, List, Tuple

import numpy as np
import pytest

import firth
from conftest import SETS

pytestmark = pytest.mark.filterwarnings("ignore::firth.FirthWarning")
KINDS = {word: kind for kind, words in SETS.items() for word in words}


def same_again(model: Any, path: pathlib.Path) -> None:
    """Saved and loaded, pickled, compared."""
    model.save(path)
    loaded = firth.load(path)
    assert type(loaded) is type(model) and loaded == model
    again = pickle.loads(pickle.dumps(model))
    assert again == model and hash(again) == hash(model) and repr(again) == repr(model)


@pytest.fixture(scope="module")
def classes(text: pathlib.Path) -> firth.Clustering:
    return firth.cluster(text, 12)


# How text is read

PLAIN = "The cat sees a dog\nThe dog sees A cat\n" * 5


def test_text_is_read_as_that_of_the_classes_was(tmp_path: pathlib.Path) -> None:
    text, more, counted = tmp_path / "text.txt", tmp_path / "more.txt", tmp_path / "text.counts"
    text.write_text(PLAIN)
    more.write_text("THE wolf sees a CAT\n")
    classes = firth.cluster(text, 2, lowercase=True)
    classes.save(tmp_path / "classes")
    classes = firth.load(tmp_path / "classes")
    assert classes.preprocessing == {"boundaries": "lines", "normalize": "none", "lowercase": True, "tokenize": False}
    assert firth.evaluate(classes, text)["token_coverage"] == 1
    assert firth.evaluate(classes, text, lowercase=False)["token_coverage"] < 1
    firth.count(text).save(counted)
    assert firth.evaluate(classes, counted)["token_coverage"] < 1  # it was counted without
    assert [each.word for each in classes.assign(more).assigned] == ["wolf"]
    assert firth.cluster(texts=["a b"], n_classes=1).preprocessing is not None
    assert firth.Clustering.from_dict({"a": 0}).preprocessing is None


def test_text_is_read_as_that_of_the_model_was(tmp_path: pathlib.Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(PLAIN)
    classes = firth.cluster(text, 2, lowercase=True)
    model = firth.LanguageModel.train(text, classes=classes, order=2)
    assert model.preprocessing is not None and model.preprocessing["lowercase"]
    assert model.score(text)["unknown"] == 0 == model.score(tokens=[["The", "CAT"]])["unknown"]
    with pytest.warns(firth.FirthWarning, match="lowercase=True"):
        assert model.score(text, lowercase=False)["unknown"] > 0
    hmm = firth.Hmm.train(text, lowercase=True, n_states=2)
    assert hmm.log_likelihood(text) == hmm.log_likelihood(texts=PLAIN.lower().splitlines())
    assert [list(states) for states in hmm.tag(text)] == [list(states) for states in hmm.tag(texts=PLAIN.lower().splitlines())]


# Language models


@pytest.mark.parametrize("flags, options", [
    ("", {}), ("--order 2 --smoothing witten-bell", {"order": 2, "smoothing": "witten-bell"}),
    ("--emission frequency", {"emission": "frequency"}),
])
def test_class_model(
    flags: str, options: Any, command: Any, text: pathlib.Path, lines: List[str], classes: firth.Clustering, tmp_path: pathlib.Path
) -> None:
    classes.save(tmp_path / "out")
    command("lm", "train", "--classes", tmp_path / "out", text, "-o", tmp_path / "command.lm", *flags.split())
    for source in ({"inputs": text}, {"texts": lines}):
        model = firth.LanguageModel.train(**source, classes=classes, **options)  # type: ignore[arg-type]
        model.save(tmp_path / "python.lm")
        assert (tmp_path / "python.lm").read_bytes() == (tmp_path / "command.lm").read_bytes()
    same_again(model, tmp_path / "model.lm")


def test_word_model(command: Any, text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path) -> None:
    command("lm", "train", "--words", text, "-o", tmp_path / "command.lm", "--min-count", 2)
    model = firth.LanguageModel.train(text, min_count=2)
    model.save(tmp_path / "python.lm")
    assert (tmp_path / "python.lm").read_bytes() == (tmp_path / "command.lm").read_bytes()
    assert "cat" in model and "unheard" not in model and not model.has_classes and model.order == 3


def test_scores(text: pathlib.Path, lines: List[str], classes: firth.Clustering) -> None:
    model = firth.LanguageModel.train(text, classes=classes)
    scores = model.score(texts=lines[:50], accuracy=True)
    assert scores["sentences"] == 50 and scores["perplexity"] > 1 and 0 < scores["class_accuracy"] <= 1
    by_word = [model.log10(line.split()) for line in lines[:50]]
    assert np.allclose(scores["lines"], [each.sum() for each in by_word])
    assert len(by_word[0]) == len(lines[0].split()) + 1
    assert scores["lines"].sum() == pytest.approx(scores["log10_known"] + scores["log10_unknown"])


def test_suggest_and_sample(text: pathlib.Path, classes: firth.Clustering) -> None:
    model = firth.LanguageModel.train(text, classes=classes)
    suggestions = model.suggest(["the"], 5)
    assert len(suggestions) == 5 and suggestions == sorted(suggestions, key=lambda pair: -pair[1])
    assert model.sample(3, seed=2) == model.sample(3, seed=2) != model.sample(3, seed=3)
    assert model.class_of("cat") == model.class_of(classes.members(classes["cat"])[0])


def test_mixture(text: pathlib.Path, lines: List[str], classes: firth.Clustering, tmp_path: pathlib.Path) -> None:
    models = [firth.LanguageModel.train(text, classes=classes), firth.LanguageModel.train(text, order=2)]
    mixture = firth.LanguageModel.mix(models, texts=lines[:100])
    assert len(mixture.parts) == 2 and sum(part["weight"] for part in mixture.parts) == pytest.approx(1)
    best = min(model.score(texts=lines[:100])["perplexity"] for model in models)
    assert mixture.score(texts=lines[:100])["perplexity"] <= best * 1.0001
    same_again(mixture, tmp_path / "mixture.lm")
    half = firth.LanguageModel.mix(models, [0.5, 0.5])
    assert [part["weight"] for part in half.parts] == [0.5, 0.5]


def test_arpa(text: pathlib.Path, lines: List[str], classes: firth.Clustering, tmp_path: pathlib.Path) -> None:
    model = firth.LanguageModel.train(text, classes=classes, order=2)
    model.save_arpa(tmp_path / "classes.arpa")
    model.save_classes(tmp_path / "classes.txt")
    again = firth.load_lm(tmp_path / "classes.arpa", tmp_path / "classes.txt")
    assert again.score(texts=lines[:20])["perplexity"] == pytest.approx(model.score(texts=lines[:20])["perplexity"], rel=1e-4)
    model.save_arpa(tmp_path / "words.arpa", words=True)
    words = firth.load(tmp_path / "words.arpa")
    assert isinstance(words, firth.LanguageModel)
    assert words.score(texts=lines[:20])["perplexity"] == pytest.approx(model.score(texts=lines[:20])["perplexity"], rel=1e-3)
    model.map_text(tmp_path / "mapped.txt", text)
    assert len((tmp_path / "mapped.txt").read_text("utf-8").splitlines()) == len(lines)


# Taggers


@pytest.fixture(scope="module")
def tagged(tokens: List[List[str]]) -> List[List[Tuple[str, str]]]:
    return [[(word, KINDS.get(word, ".")) for word in sentence] for sentence in tokens[:400]]


def test_tagger(
    command: Any, tagged: List[List[Tuple[str, str]]], classes: firth.Clustering, tmp_path: pathlib.Path
) -> None:
    train, test = tagged[:300], tagged[300:]
    path = tmp_path / "train.tsv"
    path.write_text("".join("".join(f"{word}\t{tag}\n" for word, tag in sentence) + "\n" for sentence in train), "utf-8")
    assert firth.read_tagged(path) == train
    classes.save(tmp_path / "out")
    command("tag", "train", path, "-o", tmp_path / "command.tagger", "--clusters", tmp_path / "out")
    tagger = firth.Tagger.train(train, classes=classes)
    tagger.save(tmp_path / "python.tagger")
    assert (tmp_path / "python.tagger").read_bytes() == (tmp_path / "command.tagger").read_bytes()
    assert firth.Tagger.train(path, classes=[classes]) == tagger
    words = [[word for word, _ in sentence] for sentence in test]
    tags = tagger.tag(words, threads=2)
    assert tags == tagger.tag(words, threads=1) == [tagger.tag([sentence])[0] for sentence in words]
    right = sum(guess == tag for guesses, sentence in zip(tags, test) for guess, (_, tag) in zip(guesses, sentence))
    scores = tagger.score(test, bootstrap=50)
    assert scores["accuracy"] == pytest.approx(right / sum(map(len, test))) and scores["accuracy"] > 0.95
    assert scores["accuracy_interval"][0] <= scores["accuracy"] <= scores["accuracy_interval"][1]
    same_again(tagger, tmp_path / "model.tagger")


def test_entities() -> None:
    sentences = [[("Anna", "B-PER"), ("Lee", "I-PER"), ("runs", "O")], [("in", "O"), ("Rome", "B-LOC")],
                 [("he", "O"), ("runs", "O")], [("she", "O"), ("sits", "O"), ("in", "O"), ("Paris", "B-LOC")]] * 10
    tagger = firth.Tagger.train(sentences)
    assert tagger.tag([["Anna", "Lee", "runs"]]) == [["B-PER", "I-PER", "O"]]
    assert tagger.tag([["in", "Rome"]], scheme="bilou") == [["O", "U-LOC"]]
    assert tagger.score(sentences)["entities"]["f1"] == 1
    with pytest.raises(firth.UsageError):
        firth.Tagger.train([["no", "pairs"]])  # type: ignore[list-item]
    assert tagger.tag([]) == [] and tagger.tag([[]]) == [[]]


# Hidden Markov models


def test_hmm(command: Any, text: pathlib.Path, lines: List[str], tokens: List[List[str]], tmp_path: pathlib.Path) -> None:
    command("hmm", "train", text, "-c", 5, "--iterations", 10, "-o", tmp_path / "command.hmm")
    for source in ({"inputs": text}, {"texts": iter(lines)}, {"tokens": tokens}):
        model = firth.Hmm.train(**source, n_states=5, iterations=10, threads=2)  # type: ignore[arg-type]
        model.save(tmp_path / "python.hmm")
        assert (tmp_path / "python.hmm").read_bytes() == (tmp_path / "command.hmm").read_bytes()
    assert len(model.history) == 10 and model.history == sorted(model.history)
    assert model.transitions.shape == (6, 6) and np.allclose(model.transitions.sum(axis=1)[:5], 1)
    assert np.allclose(model.emissions.sum(axis=0), 1)
    states = model.tag(texts=lines[:7])
    assert [len(each) for each in states] == [len(sentence) for sentence in tokens[:7]]
    assert model.log_likelihood(texts=lines) == pytest.approx(model.history[-1], rel=0.05)
    same_again(model, tmp_path / "model.hmm")


def test_hmm_checkpoint(command: Any, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    options: Dict[str, Any] = {"n_states": 5, "iterations": 10, "checkpoint": tmp_path / "state", "checkpoint_seconds": 0}
    model = firth.Hmm.train(text, threads=1, **options)
    state = (tmp_path / "state").read_bytes()
    assert firth.Hmm.train(text, threads=2, resume=True, **options) == model
    command("hmm", "train", text, "-c", 5, "--iterations", 10, "--checkpoint", tmp_path / "state", "--resume", "-o", tmp_path / "command.hmm")
    assert firth.load(tmp_path / "command.hmm") == model and (tmp_path / "state").read_bytes() == state
    with pytest.raises(firth.FormatError, match="remove the file to start from the beginning"):
        firth.Hmm.train(text, resume=True, **{**options, "n_states": 6})
    with pytest.raises(firth.UsageError) as caught:
        firth.Hmm.train(text, n_states=5, resume=True)
    assert caught.value.field == "checkpoint"


# Parsers

TREES = ["(S (NP (D the) (N cat)) (VP (V sees) (NP (D a) (N dog))))", "(S (NP (D a) (N dog)) (VP (V runs)))",
         "(S (NP (D the) (A old) (N dog)) (VP (V hears) (NP (D the) (N cat))))"]


def test_parser_checkpoint(tmp_path: pathlib.Path) -> None:
    options: Dict[str, Any] = {"states": 2, "em_steps": 3, "checkpoint": tmp_path / "state"}
    parser = firth.Parser.train(texts=TREES, threads=1, **options)
    assert parser == firth.Parser.train(texts=TREES, states=2, em_steps=3)
    assert firth.Parser.train(texts=TREES, threads=2, resume=True, **options) == parser
    with pytest.raises(firth.FormatError, match="remove the file to start from the beginning"):
        firth.Parser.train(texts=TREES, resume=True, **{**options, "em_steps": 4})
    with pytest.raises(firth.UsageError, match="keeps the steps of em"):
        firth.Parser.train(texts=TREES, algorithm="pcfg", checkpoint=tmp_path / "state")


def test_parser(command: Any, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text("\n".join(TREES * 10) + "\n")
    command("parse", "train", path, "-o", tmp_path / "command.grammar", "-m", 2, "--rare", 1)
    parser = firth.Parser.train(texts=TREES * 10, states=2, rare=1)
    parser.save(tmp_path / "python.grammar")
    assert (tmp_path / "python.grammar").read_bytes() == (tmp_path / "command.grammar").read_bytes()
    first, with_tag, empty = parser.parse([["the", "dog", "runs"], [("a", "D"), "cat", "runs"], []], threads=2)
    assert first.tree == "( (S (NP (D the) (N dog)) (VP (V runs))))" and first.status == "parsed"
    assert with_tag.status == "parsed" and empty.status == "empty" and first.log_probability < 0
    guess = tmp_path / "guess.mrg"
    sentences = [[leaf.strip("()") for leaf in tree.split() if leaf.endswith(")")] for tree in TREES]
    guess.write_text("".join(parse.tree + "\n" for parse in parser.parse(sentences)))
    gold = tmp_path / "gold.mrg"
    gold.write_text("\n".join(TREES) + "\n")
    assert firth.score_parses(gold, guess)["f1"] == 1
    same_again(parser, tmp_path / "model.grammar")


# Vectors


def test_classes_of_vectors(text: pathlib.Path) -> None:
    counts = firth.count(text, distances=(1, 2))
    vectors = firth.embed(counts, 10)
    for method in ("ward", "divide", "kmeans"):
        classes = firth.cluster_vectors(vectors, 6, method=method)
        assert classes.n_classes == 6 and set(classes) == set(vectors.words) and classes.has_tree
        assert 0 < classes.info["sum_of_squares"] < classes.info["total_sum_of_squares"]
    rows = np.random.default_rng(1).normal(size=(30, 4))
    numbered = firth.cluster_vectors(rows, 5, method="kmeans", distance="euclidean")
    assert numbered.words.to_list() == [f"{row:02}" for row in range(30)]
    with pytest.raises(firth.Error):
        firth.cluster_vectors(rows, 31)
    with pytest.raises(firth.UsageError):
        firth.cluster_vectors(rows, 2, words=["a"])


def test_codes(text: pathlib.Path) -> None:
    classes = firth.cluster(text, 12)
    codes = classes.codes(branch=4, depth=5)
    assert codes.shape == (len(classes), 5) and codes.max() < 4
    assert len({tuple(code) for code in codes.tolist()}) == len(classes)
    assert classes.cut_at_depth(1).n_classes == 2


# A str is a sequence of one-letter words to Python, and to nobody else


def test_a_string_is_no_list_of_words(classes: firth.Clustering, text: pathlib.Path) -> None:
    model = firth.LanguageModel.train(text, order=2)
    for call in (classes.encode, classes.features, model.log10, model.suggest):
        with pytest.raises(firth.UsageError, match="split_words"):
            call("the king")  # type: ignore[arg-type]


def test_a_string_is_no_sentence() -> None:
    sentences = [[("in", "IN"), ("it", "PP")], [("at", "IN"), ("me", "PP")]] * 5
    tagger = firth.Tagger.train(sentences)
    parser = firth.Parser.train(texts=["(S (P in) (N it))", "(S (P at) (N me))"] * 5, algorithm="pcfg", rare=1)
    calls: List[Any] = [tagger.tag, parser.parse]
    for call in calls:
        with pytest.raises(firth.UsageError, match="not a str"):
            call("in it")
        with pytest.raises(firth.InputError, match="item 1 is a str, not a list of words.*split_words") as caught:
            call(["in", "it"])
        assert caught.value.line == 1
        with pytest.raises(firth.InputError, match="item 2 is a str"):
            call([["in", "it"], "in it"])
    with pytest.raises(firth.UsageError, match="item 1 is not a list of"):  # "in" is no word i with a tag n
        firth.Tagger.train([("in", "IN"), ("it", "PP")])  # type: ignore[list-item]


# Pickles of other versions


def test_older_pickles() -> None:
    """What version 0.1.0 pickled, each object with what it must still say."""
    data = (pathlib.Path(__file__).parent / "data" / "version-0.1.0.pickle").read_bytes()
    things = pickle.loads(data)
    assert (things["counts"].n_tokens, things["counts"].distances) == (60, (1, 2))
    classes = things["classes"]
    assert classes["cat"] == classes["dog"] != classes["the"] and classes.has_tree and classes.ami > 0.9
    assert classes.means is None and classes.info["method"] == "auto"
    assert len(things["vectors"]) == 6 and things["vectors"].dim == 2
    assert things["language model"].has_classes and "cat" in things["language model"]
    assert things["tagger"].tag([["the", "cat", "sees"]]) == [["D", "N", "V"]]
    assert things["hmm"].n_states == 2
    assert things["parser"].parse([["the", "dog", "runs"]])[0].status == "parsed"
    assert pickle.loads(pickle.dumps(things)) == things
