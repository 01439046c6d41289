"""Others read what we write, and we read what they write. Packages of Debian run where they are installed; those of PyPI with
`pytest -m interop`. `./check.sh interop` installs all of them."""

from __future__ import annotations

import pathlib
import shutil
from typing import Any, List

import numpy as np
import pytest

import firth


@pytest.fixture(scope="module")
def classes(text: pathlib.Path) -> firth.Clustering:
    return firth.cluster(text, 12)


@pytest.fixture(scope="module")
def vectors(text: pathlib.Path) -> firth.Vectors:
    return firth.embed(firth.count(text, distances=(1, 2)), 10)


def test_gensim(vectors: firth.Vectors, tmp_path: pathlib.Path) -> None:
    models = pytest.importorskip("gensim.models", reason="python3-gensim is missing")
    for format_, binary in (("word2vec", False), ("word2vec-binary", True)):
        vectors.save(tmp_path / "ours", format_)
        theirs = models.KeyedVectors.load_word2vec_format(str(tmp_path / "ours"), binary=binary)
        assert np.allclose(theirs["cat"], vectors["cat"], atol=1e-5)
        theirs.save_word2vec_format(str(tmp_path / "theirs"), binary=binary)
        assert np.allclose(firth.load_vectors(tmp_path / "theirs")["cat"], vectors["cat"], atol=1e-5)


def test_nltk(classes: firth.Clustering) -> None:
    translate = pytest.importorskip("nltk.translate", reason="python3-nltk is missing")
    corpus = [translate.AlignedSent(["the", "cat"], ["die", "Katze"]), translate.AlignedSent(["the", "dog"], ["der", "Hund"])]
    source = firth.Clustering.from_dict({"the": 0, "cat": 1, "dog": 1})
    target = firth.Clustering.from_dict({"die": 0, "der": 0, "Katze": 1, "Hund": 1})
    model = translate.IBMModel4(corpus, 2, target.to_dict(), source.to_dict())
    assert model.translation_table


def test_faiss(vectors: firth.Vectors) -> None:
    faiss = pytest.importorskip("faiss", reason="python3-faiss is missing")
    index = faiss.IndexFlatIP(vectors.dim)
    index.add(np.ascontiguousarray(vectors.array))
    _, near = index.search(vectors["cat"].reshape(1, -1), 4)
    assert [vectors.words[int(rank)] for rank in near[0][1:]] == [word for word, _ in vectors.similar("cat", 3)]


def test_fasttext(vectors: firth.Vectors, lines: List[str], tmp_path: pathlib.Path) -> None:
    """A .vec file of fastText's is read; what we write starts its training (pretrainedVectors)."""
    fasttext = pytest.importorskip("fasttext", reason="python3-fasttext is missing")
    (tmp_path / "text.txt").write_text("".join(line + "\n" for line in lines), "utf-8")
    vectors.save(tmp_path / "ours.vec", "word2vec")
    model = fasttext.train_unsupervised(str(tmp_path / "text.txt"), dim=10, epoch=1, thread=1, minCount=1, lr=0.0,
                                        pretrainedVectors=str(tmp_path / "ours.vec"))
    words = model.get_words()
    with open(tmp_path / "theirs.vec", "w", encoding="utf-8") as file:
        file.write(f"{len(words)} 10\n")
        for word in words:
            file.write(" ".join([word, *(f"{number:.6f}" for number in model.get_word_vector(word))]) + "\n")
    theirs = firth.load_vectors(tmp_path / "theirs.vec")
    assert set(theirs.words) == set(words) and theirs.dim == 10
    assert firth.cluster_vectors(theirs, 5).n_classes == 5


# Packages of PyPI


@pytest.fixture(scope="module")
def pipeline(classes: firth.Clustering, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A pipeline of spaCy with our component, whose folder of classes is gone afterwards."""
    spacy = pytest.importorskip("spacy", reason="spacy is missing")
    folder = tmp_path_factory.mktemp("spacy") / "out"
    classes.save(folder)
    nlp = spacy.blank("en")
    nlp.add_pipe("firth_classes", config={"path": str(folder)})  # found by its entry point: nothing of firth is imported here
    shutil.rmtree(folder)
    return nlp


def check_tokens(nlp: Any, classes: firth.Clustering) -> None:
    the, cat, nothing = nlp("the Cat \u2603")
    assert (the._.word_class, cat._.word_class, nothing._.word_class) == (classes["the"], classes["cat"], -1)
    assert cat._.class_bits == classes.bits("cat") and nothing._.class_bits == ""


@pytest.mark.interop
def test_spacy(pipeline: Any, classes: firth.Clustering) -> None:
    check_tokens(pipeline, classes)
    both = list(pipeline.pipe(["the cat", "the dog"], n_process=2))
    assert both[1][1]._.word_class == classes["dog"]


@pytest.mark.interop
def test_spacy_keeps_classes(pipeline: Any, classes: firth.Clustering, tmp_path: pathlib.Path) -> None:
    import spacy

    pipeline.to_disk(tmp_path / "model")
    check_tokens(spacy.load(tmp_path / "model"), classes)
    other = spacy.blank("en")
    other.add_pipe("firth_classes")
    with pytest.raises(firth.UsageError, match="path"):
        other("no classes yet")
    check_tokens(other.from_bytes(pipeline.to_bytes()), classes)
    other.remove_pipe("firth_classes")
    other.add_pipe("firth_classes", config={"path": str(tmp_path / "nothing")})
    with pytest.raises(FileNotFoundError, match="nothing"):
        other("no such folder")


@pytest.mark.interop
def test_crfsuite(classes: firth.Clustering, tokens: List[List[str]]) -> None:
    crfsuite = pytest.importorskip("sklearn_crfsuite", reason="sklearn-crfsuite is missing")
    from conftest import SETS

    kinds = {word: kind for kind, words in SETS.items() for word in words}
    rows = [classes.features(sentence, window=1) for sentence in tokens[:100]]
    tags = [[kinds.get(word, ".") for word in sentence] for sentence in tokens[:100]]
    model = crfsuite.CRF(max_iterations=20).fit(rows, tags)
    assert model.score(rows, tags) > 0.9


@pytest.mark.interop
def test_pycrfsuite(classes: firth.Clustering, tokens: List[List[str]], tmp_path: pathlib.Path) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite", reason="python-crfsuite is missing")
    trainer = pycrfsuite.Trainer(verbose=False)
    for sentence in tokens[:100]:
        trainer.append(classes.features(sentence), ["." if word == "." else "word" for word in sentence])
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    assert tagger.tag(classes.features(["the", "cat", "."])) == ["word", "word", "."]


@pytest.mark.interop
@pytest.mark.parametrize("library", ["pyarrow", "polars", "datasets", "duckdb"])
def test_tables(library: str, lines: List[str]) -> None:
    module = pytest.importorskip(library, reason=f"{library} is missing")
    wanted = firth.count(texts=lines)
    numbers = list(range(len(lines)))
    if library == "pyarrow":
        table: Any = module.table({"text": lines, "n": numbers})
        sources = [table, table["text"], table.to_reader(), table.slice(0)]
    elif library == "polars":
        table = module.DataFrame({"text": lines, "n": numbers})
        pieces = module.concat([table[:10], table[10:]], rechunk=False)
        sources = [table, table["text"], pieces, pieces["text"], table.lazy().collect()]
    elif library == "duckdb":
        pytest.importorskip("pyarrow")
        import pyarrow

        data = pyarrow.table({"text": lines})  # noqa: F841  (read by the query)
        one, other = module.connect(), module.connect()  # a connection has one open result
        sources = [one.sql("select text from data"), other.sql("select text from data").arrow()]
    else:
        table = module.Dataset.from_dict({"text": lines, "n": numbers})
        streamed = table.to_iterable_dataset(num_shards=3).map(lambda row: row)
        sources = [table, table["text"], table.select_columns("text"), (row["text"] for row in streamed)]
    for source in sources:
        is_table = hasattr(source, "columns") or hasattr(source, "column_names") or hasattr(source, "read_next_batch")
        assert firth.count(texts=source, field="text" if is_table else None) == wanted


@pytest.mark.interop
def test_kenlm(text: pathlib.Path, lines: List[str], tmp_path: pathlib.Path) -> None:
    kenlm = pytest.importorskip("kenlm", reason="kenlm is missing")
    model = firth.LanguageModel.train(text, order=3)
    model.save_arpa(tmp_path / "model.arpa")
    theirs = kenlm.Model(str(tmp_path / "model.arpa"))
    for line in lines[:20]:
        assert theirs.score(line) == pytest.approx(model.log10(line.split()).sum(), abs=1e-3)


@pytest.mark.interop
def test_tokenizers(lines: List[str]) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is missing")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(lines, tokenizers.trainers.BpeTrainer(vocab_size=300, special_tokens=["[UNK]"]))
    names = [tokenizer.id_to_token(number) for number in range(tokenizer.get_vocab_size())]
    encoded = tokenizer.encode_batch(lines)
    counts = firth.count(ids=[each.ids for each in encoded], names=names)
    assert counts == firth.count(tokens=[each.tokens for each in encoded])
    assert firth.cluster(counts, 20).n_classes == 20
