"""What text may come from, and how bad items are named."""

from __future__ import annotations

import gzip
import io
import pathlib
import statistics
import time
from typing import Any, Iterator, List

import pytest

import firth
from conftest import PATIENCE


def test_one_source_is_needed(text: pathlib.Path) -> None:
    for arguments in ({}, {"inputs": text, "texts": ["a"]}, {"texts": ["a"], "tokens": [["a"]]}):
        with pytest.raises(firth.UsageError, match="give one of"):
            firth.count(**arguments)  # type: ignore[arg-type]


def test_paths(text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    wanted = firth.count(text)
    assert firth.count(str(text)) == firth.count([text]) == firth.count(text.parent) == wanted
    assert firth.count(text.parent.glob("*.txt")) == wanted
    packed = tmp_path / "text.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    assert firth.count(packed) == wanted
    with open(packed, "rb") as file:
        assert firth.count(file) == wanted
    assert firth.count(io.BytesIO(text.read_bytes())) == firth.count(io.StringIO(text.read_text("utf-8"))) == wanted


def test_missing_file() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        firth.count("no/such/file.txt")
    assert isinstance(caught.value, firth.IoError)
    assert caught.value.filename == caught.value.path == "no/such/file.txt"
    assert caught.value.errno == 2


def test_strings_are_no_paths(lines: List[str]) -> None:
    with pytest.raises(firth.UsageError, match="texts="):
        firth.count(line for line in lines)
    with pytest.raises(firth.UsageError, match="texts="):
        firth.count([["a", "b"]])
    with pytest.raises(firth.UsageError, match="iterable of str"):
        firth.count(texts="a single text")


def test_a_text_is_no_path(lines: List[str]) -> None:
    for text in ("the cat sees a dog", lines):
        with pytest.raises(firth.NotFoundError, match="texts="):
            firth.count(text)
    with pytest.raises(firth.NotFoundError) as caught:
        firth.count("folder/file.txt")
    assert "texts=" not in str(caught.value)


def test_texts_of_several_lines() -> None:
    one = firth.count(texts=["a b\nc d\n", "e f"])
    assert one == firth.count(texts=["a b", "c d", "e f"])
    assert one.n_sequences == 3


@pytest.mark.parametrize("item, message", [
    (None, "item 3 is None"),
    (float("nan"), "item 3 is of type float"),
    (["a", "b"], "item 3 is of type list.*tokens="),
    ("broken \ud800", "item 3 has half of a surrogate pair"),
    (b"broken \xff", "item 3 is not UTF-8"),
])
def test_bad_texts(item: object, message: str) -> None:
    with pytest.raises(firth.InputError, match=message) as caught:
        firth.count(texts=["good", "good", item, "good"])
    assert (caught.value.path, caught.value.line) == ("texts", 3)
    assert caught.value.hint


def test_bad_tokens() -> None:
    with pytest.raises(firth.InputError, match="item 2 .*texts="):
        firth.count(tokens=[["a"], "a b"])  # type: ignore[list-item]
    with pytest.raises(firth.InputError, match="item 1 has a word of type int.*ids="):
        firth.count(tokens=[["a", 3]])  # type: ignore[list-item]
    with pytest.raises(firth.InputError) as caught:
        firth.count(tokens=[["a"], ["two words"]])
    assert caught.value.line == 2


def test_invalid_bytes_can_be_replaced() -> None:
    counts = firth.count(texts=[b"a \xff b"], invalid_utf8="replace")
    assert sorted(counts.words) == ["a", "b", "\ufffd"]


def test_ids() -> None:
    import numpy as np

    counts = firth.count(ids=[[0, 1, 2], [0, 1]], names=["to", "be", "or"])
    assert counts == firth.count(tokens=[["to", "be", "or"], ["to", "be"]])
    assert firth.count(ids=np.array([[7, 8], [7, 9]], dtype=np.uint16)) == firth.count(texts=["7 8", "7 9"])
    for bad in ([[-1]], [[2**32]], [["a"]], [np.array([1.5])], [3]):
        with pytest.raises(firth.InputError, match="item 1"):
            firth.count(ids=bad)


def test_nothing() -> None:
    assert len(firth.count(texts=[])) == 0
    assert len(firth.count(texts=["", "\n"])) == 0
    with pytest.raises(firth.InputError):
        firth.cluster(texts=[], n_classes=2)


def test_nul_and_odd_characters() -> None:
    with pytest.raises(firth.InputError, match="NUL byte"):
        firth.count(texts=["a\0b"])
    assert set(firth.count(texts=["a \u2028 \U0001f600"]).words) == {"a", "\u2028", "\U0001f600"}


def test_generator_that_raises() -> None:
    def texts() -> Iterator[str]:
        yield "good"
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        firth.count(texts=texts())
    assert len(firth.count(texts=["works again"])) == 2


def test_python_runs_on_the_calling_thread() -> None:
    import threading

    seen = set()

    def texts() -> Iterator[str]:
        for number in range(5000):
            seen.add(threading.get_ident())
            yield f"a b c {number}"

    firth.count(texts=texts(), threads=2)
    assert seen == {threading.get_ident()}


def test_pandas(lines: List[str]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": lines, "n": range(len(lines))})
    wanted = firth.count(texts=lines)
    assert firth.count(texts=frame["text"]) == wanted
    assert firth.count(texts=frame, field="text") == wanted
    with pytest.raises(firth.UsageError, match="field='text'") as caught:  # and not the two words "text" and "n"
        firth.count(texts=frame)
    assert caught.value.field == "field"
    with pytest.raises(firth.UsageError, match="field='text'"):
        firth.cluster(frame, 1)
    with pytest.raises(firth.UsageError, match="no column 'body'.*'text', 'n'"):
        firth.count(texts=frame, field="body")
    with pytest.raises(firth.InputError, match="item 2 is .*dropna"):  # None, or NaN since pandas 3
        firth.count(texts=pandas.Series(["a", None]))


def test_vocab(text: pathlib.Path) -> None:
    counts = firth.count(text, vocab=["the", "a", "king"])
    assert set(counts.words) == {"the", "a", "king", "<unk>"}


def test_many_items_and_a_large_one() -> None:
    assert firth.count(texts=("a b" for _ in range(200_000))).n_tokens == 400_000
    assert firth.count(texts=["word " * 2_000_000]).n_tokens == 2_000_000


def test_short_items_cost_little(tmp_path: pathlib.Path) -> None:
    """A call per item, and still about twice the work of reading them from a file (1.9 times when measured)."""
    lines = [f"a b{number % 100}" for number in range(1_000_000)]
    file = tmp_path / "text.txt"
    file.write_text("".join(line + "\n" for line in lines), "utf-8")

    def seconds(**source: Any) -> float:
        begin = time.process_time()
        firth.count(**source, threads=1)
        return time.process_time() - begin

    # In turns, and the median: a busy machine slows one and then the other.
    ratios = [seconds(texts=lines) / seconds(inputs=file) for _ in range(9)]
    assert statistics.median(ratios) < 2.5 * max(1.0, PATIENCE / 5)


@pytest.mark.slow
def test_an_item_of_a_gigabyte() -> None:
    words = 200_000_000
    counts = firth.count(texts=["word " * words])
    assert (counts.n_tokens, counts.n_sequences, len(counts)) == (words, 1, 1)


def test_other_encodings(text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text("gut k\u00fchl\nFlu\u00df\n", "latin-1")
    with open(old, encoding="latin-1") as file:
        assert firth.count(file) == firth.count(texts=["gut k\u00fchl", "Flu\u00df"])
    with pytest.raises(firth.InputError, match="UTF-8.*encoding=.*invalid_utf8"):
        firth.count(old)


def test_an_encoding_is_read_as_the_command_does(command: Any, tmp_path: pathlib.Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    text = "gut k\u00fchl\nFlu\u00df k\u00fchl\n" * 3
    old.write_text(text, "latin-1")
    new.write_text(text, "utf-8")
    command("count", old, "--encoding", "latin-1", "-o", tmp_path / "counts")
    wanted = firth.load(tmp_path / "counts")
    assert firth.count(old, encoding="latin-1") == wanted == firth.count(new)
    with open(old, "rb") as file:
        assert firth.count(file, encoding="latin-1") == wanted
    with open(new, encoding="utf-8") as file, pytest.raises(firth.UsageError, match="decoded already"):
        firth.count(file, encoding="latin-1")
    with pytest.raises(firth.UsageError, match="for files"):
        firth.count(texts=["a"], encoding="latin-1")
    with pytest.raises(firth.UsageError, match="latin-17"):
        firth.count(old, encoding="latin-17")
    assert firth.cluster(old, 2, encoding="latin-1") == firth.cluster(new, 2)
    with pytest.raises(firth.UsageError, match="has no effect on counts"):
        firth.cluster(wanted, 2, encoding="latin-1")


def test_encodings_of_models(tmp_path: pathlib.Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    text = "gut k\u00fchl\nFlu\u00df k\u00fchl\n" * 3
    for path, encoding in ((old, "latin-1"), (new, "utf-8")):
        path.write_text(text, encoding)
    model = firth.LanguageModel.train(old, encoding="latin-1", order=2)
    assert model.score(old, encoding="latin-1")["words"] == 12 == model.score(new)["words"]
    assert "k\u00fchl" in model
    hmm = firth.Hmm.train(old, encoding="latin-1", n_states=2)
    assert "k\u00fchl" in list(hmm.words)
    assert hmm.log_likelihood(old, encoding="latin-1") == hmm.log_likelihood(new)
    assert [list(states) for states in hmm.tag(old, encoding="latin-1")] == [list(states) for states in hmm.tag(new)]
    classes = firth.cluster(new, 2)
    assert firth.evaluate(classes, old, encoding="latin-1") == firth.evaluate(classes, new)
    assert firth.choose_prototypes(classes, old, encoding="latin-1") == firth.choose_prototypes(classes, new)
    assert list(firth.find_phrases(old, encoding="latin-1", min_count=1)) == list(firth.find_phrases(new, min_count=1))
    old.write_text("k\u00fchl\tA\n\n", "latin-1")
    assert firth.read_tagged(old, encoding="latin-1") == [[("k\u00fchl", "A")]]
    old.write_text("(S (A k\u00fchl) (B sehr))\n", "latin-1")
    assert firth.score_parses(old, old, encoding="latin-1")["sentences"] == 1
    assert firth.Parser.train(old, encoding="latin-1", algorithm="pcfg").info["tags"] == 2


class ArrowStream:
    """A column of strings with the Arrow C stream interface, made by ctypes: no library of Arrow is needed."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.column.capsule()


def test_arrow(lines: List[str]) -> None:
    from arrow_stream import Column

    wanted = firth.count(texts=lines)
    for format_ in ("u", "U", "vu"):
        assert firth.count(texts=ArrowStream(Column(lines, format_))) == wanted, format_
    assert firth.count(texts=ArrowStream(Column(lines, "u", table=True)), field="text") == wanted
    with pytest.raises(firth.UsageError, match="no column is called 'other'"):
        firth.count(texts=ArrowStream(Column(lines, "u", table=True)), field="other")
    with pytest.raises(firth.UsageError, match="no strings"):
        firth.count(texts=ArrowStream(Column([], "l")))
    with pytest.raises(firth.InputError, match="item 2 is null"):
        firth.count(texts=ArrowStream(Column(["a", None, "b"], "u")))
