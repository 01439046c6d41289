"""Threads, signals, progress, processes."""

from __future__ import annotations

import asyncio
import copy
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from typing import Any, Dict, Iterator, List, Tuple

import pytest

import firth
from conftest import PATIENCE

# Work that takes minutes, method by method.
LONG = {
    "auto": "firth.cluster(counts, 300, effort='max')",
    "exchange": "firth.cluster(counts, 300, method='exchange', restarts=100000)",
    "brown": "[firth.cluster(counts, 500, method='brown', window=1500) for _ in range(1000)]",
    "spectral": "[firth.cluster(counts, 300, method='spectral') for _ in range(1000)]",
    "svd2": "[firth.cluster(counts, 300, method='svd2', rank1=30, rank2=30) for _ in range(1000)]",
    "pos": "firth.cluster(counts, 300, method='pos', restarts=100000)",
    "choose": "[firth.choose(counts) for _ in range(1000)]",
    "count": "firth.count([file] * 50000)",
    "phrases": "firth.find_phrases([file] * 5000, max_words=4)",
    "embed": "[firth.embed(counts, 100) for _ in range(1000)]",
    "vectors-ward": "[firth.cluster_vectors(vectors, 100, window=4000) for _ in range(1000)]",
    "vectors-kmeans": "[firth.cluster_vectors(vectors, 300, method='kmeans') for _ in range(1000)]",
    "language-model": "firth.LanguageModel.train([file] * 5000, order=4)",
    "parser": "firth.Parser.train(texts=trees, states=8, em_steps=100000, rare=1)",
    "sample": "firth.LanguageModel.train(texts=texts[:100]).sample(10**9)",
    "score": "firth.LanguageModel.train(texts=texts[:100]).score([file] * 5000)",
    "tagger": "firth.Tagger.train([[(word, word[-1]) for word in line.split()] for line in texts], passes=1000)",
    "classes": "firth.load_clustering(idle)",
    "trees-scored": "firth.score_parses(idle, idle)",
    "hmm": "firth.Hmm.train(texts=texts, n_states=100, iterations=100000, tolerance=0)",
    "iterable": "firth.count(texts=(time.sleep(0.001) or 'a b c' for _ in iter(int, 1)))",
    "sleeping-iterable": "firth.count(texts=(time.sleep(1000) or 'a b c' for _ in iter(int, 1)))",
    "endless-iterable": "firth.count(texts=itertools.repeat('a b c'))",
}
PROGRAM = """
import itertools, os, random, signal, sys, tempfile, time, warnings
import numpy
import firth

def interrupt(*_):
    global used
    used = time.process_time()
    raise KeyboardInterrupt

signal.signal(signal.SIGINT, interrupt)
source = random.Random(1)
texts = [" ".join(f"w{int(source.paretovariate(0.5)) % 4000}" for _ in range(12)) for _ in range(8000)]
counts = firth.count(texts=texts, distances=(1, 2))
vectors = firth.Vectors.from_arrays([str(n) for n in range(4000)], numpy.random.default_rng(1).normal(size=(4000, 50)))
trees = ["(S (NP (D the) (N cat)) (VP (V runs) (ADV fast)))", "(S (NP (D a) (A old) (N dog)) (VP (V sits)))"] * 400
kept = tempfile.NamedTemporaryFile("w")
kept.write("\\n".join(texts))
kept.flush()
file = kept.name
idle = tempfile.mkdtemp() + "/fifo"
os.mkfifo(idle)
writer = os.open(idle, os.O_RDWR)
warnings.simplefilter("ignore")
print("ready", flush=True)
try:
    WORK
except KeyboardInterrupt:
    stopped, after = time.time(), time.process_time() - used
    assert len(firth.cluster(texts=["a b a c"], n_classes=2)) == 3  # works again
    print(stopped, after, flush=True)
os.remove(idle)
os.rmdir(os.path.dirname(idle))
"""


@pytest.mark.parametrize("name", LONG)
def test_interrupt(name: str) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM.replace("WORK", LONG[name])], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    assert process.poll() is None
    sent = time.time()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=12 * PATIENCE)
    assert process.returncode == 0
    stopped, work_after = map(float, output.split())
    assert stopped - sent < 2 * PATIENCE
    # The caller looks every 20th of a second; what matters then is how much more is done, which busy machines do not change.
    assert work_after < 0.04 * PATIENCE, f"{work_after} s of the processor after the signal"


@pytest.fixture(scope="module")
def counts(text: pathlib.Path) -> firth.Counts:
    return firth.count(text)


def busy(counts: firth.Counts) -> firth.Clustering:
    return firth.cluster(counts, 30, method="exchange", restarts=60, threads=1)


def test_gil_is_free(counts: firth.Counts) -> None:
    ticks: List[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    begin = time.monotonic()
    busy(counts)
    took = time.monotonic() - begin
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 20 * took


def test_calls_from_several_threads(counts: firth.Counts) -> None:
    wanted = busy(counts)
    results: List[firth.Clustering] = []
    threads = [threading.Thread(target=lambda: results.append(busy(counts))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [wanted] * 3


def test_asyncio(counts: firth.Counts) -> None:
    async def both() -> List[firth.Clustering]:
        return list(await asyncio.gather(asyncio.to_thread(busy, counts), asyncio.to_thread(busy, counts)))

    first, second = asyncio.run(both())
    assert first == second


def test_progress(counts: firth.Counts, text: pathlib.Path) -> None:
    seen: List[firth.Progress] = []
    idents = set()

    def report(progress: firth.Progress) -> None:
        idents.add(threading.get_ident())
        seen.append(progress)

    firth.cluster(text, 30, method="exchange", restarts=40, threads=2, progress=report)
    assert idents == {threading.get_ident()}
    assert len(seen) >= 2 and all(progress.stage for progress in seen)
    assert seen[0].unit == "bytes" and seen[-1].unit == "merges"  # a search has no unit: it reports the share that is done


def test_progress_that_raises(counts: firth.Counts) -> None:
    def report(_: firth.Progress) -> None:
        raise LookupError("enough")

    begin = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        firth.cluster(counts, 30, method="exchange", restarts=100_000, progress=report)
    assert time.monotonic() - begin < 10 * PATIENCE
    assert busy(counts) == busy(counts)


def test_bar(counts: firth.Counts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    monkeypatch.setattr("firth._progress._DELAY_SECONDS", 0.0)
    busy_with_bar = firth.cluster(counts, 30, method="exchange", restarts=60, threads=1, progress=True)
    assert capsys.readouterr().err != "" and busy_with_bar == busy(counts)
    busy(counts)
    assert capsys.readouterr().err == ""  # no terminal, no bar


def test_warnings() -> None:
    with pytest.warns(firth.FirthWarning, match="too few"):
        firth.LanguageModel.train(texts=["a b"] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(firth.FirthWarning):
            firth.LanguageModel.train(texts=["a b"] * 3)


def _encode(classes: firth.Clustering) -> List[int]:
    return [int(label) for label in classes.encode(["cat", "the"])]


def _cluster(text: str) -> bytes:
    return pickle.dumps(firth.cluster(text, 12, threads=2).to_dict())


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method: str, text: pathlib.Path) -> None:
    classes = firth.cluster(text, 12, threads=2)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_encode, [classes] * 3, chunksize=1) == [_encode(classes)] * 3
        done = pool.map_async(_cluster, [str(text)] * 2, chunksize=1).get(timeout=12 * PATIENCE)
        assert [pickle.loads(each) for each in done] == [classes.to_dict()] * 2


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_methods_travel(method: str, text: pathlib.Path, tokens: List[List[str]]) -> None:
    """A method of an object as the function of a pool: the object goes to the other process with it."""
    classes = firth.cluster(text, 12)
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map(classes.encode, tokens[:20])
    assert [each.tolist() for each in there] == [classes.encode(sentence).tolist() for sentence in tokens[:20]]


def test_joblib(text: pathlib.Path) -> None:
    joblib = pytest.importorskip("joblib")
    classes = firth.cluster(text, 12)
    results: Any = joblib.Parallel(n_jobs=2)(joblib.delayed(_encode)(classes) for _ in range(2))
    assert results == [_encode(classes)] * 2


@pytest.fixture(scope="module")
def things(text: pathlib.Path) -> Dict[str, Any]:
    """One object of every kind."""
    counts = firth.count(text, distances=(1, 2))
    classes = firth.cluster(counts, 12)
    vectors = firth.embed(counts, 10)
    pairs = [("the", "D"), ("cat", "N"), ("runs", "V")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "Counts": counts, "Clustering": classes, "Vectors": vectors, "of vectors": firth.cluster_vectors(vectors, 5),
            "LanguageModel": firth.LanguageModel.train(text, classes=classes), "Tagger": firth.Tagger.train([pairs] * 4),
            "Hmm": firth.Hmm.train(text, n_states=3, iterations=2), "Phrases": firth.find_phrases(text, threshold=0.2),
            "Parser": firth.Parser.train(texts=["(S (NP (D the) (N cat)) (VP (V runs)))"] * 5, states=1, rare=1),
            "PrototypeTagger": firth.PrototypeTagger(classes, [firth.Prototype("cat", "N")]), "Words": vectors.words,
        }


KINDS = ("Counts", "Clustering", "Vectors", "of vectors", "LanguageModel", "Tagger", "Hmm", "Phrases", "Parser", "PrototypeTagger",
         "Words")


@pytest.mark.parametrize("kind", KINDS)
def test_everything_travels(kind: str, things: Dict[str, Any], tmp_path: pathlib.Path) -> None:
    """Every kind of object pickles by every protocol, copies and compares."""
    thing = things[kind]
    others = [copy.copy(thing), copy.deepcopy(thing), *(pickle.loads(pickle.dumps(thing, each)) for each in (2, 3, 4, 5))]
    joblib = pytest.importorskip("joblib")
    try:
        from joblib.externals import cloudpickle
    except ImportError:  # no longer brought along
        cloudpickle = pytest.importorskip("cloudpickle")
    joblib.dump(thing, tmp_path / "thing")
    others += [joblib.load(tmp_path / "thing"), pickle.loads(cloudpickle.dumps(thing))]
    for other in others:
        assert type(other) is type(thing) and other == thing and not other != thing
        assert hash(other) == hash(thing) and repr(other) == repr(thing) and " at 0x" not in repr(thing)


def test_every_kind_is_here(things: Dict[str, Any]) -> None:
    values = (firth.Error, Warning, tuple)  # tuples with names travel by themselves
    kinds = {name for name in firth.__all__ if isinstance(getattr(firth, name), type) and not issubclass(getattr(firth, name), values)}
    assert kinds == {type(thing).__name__ for thing in things.values()}


def test_nothing_is_left_behind(lines: List[str], tmp_path: pathlib.Path) -> None:
    """An iterable that raises leaves no thread, no open file and no temporary file."""
    def texts(count: int) -> Iterator[str]:
        for number in range(count):
            yield lines[number % len(lines)] + f" {number}"
        raise LookupError("no more")

    def held() -> Tuple[int, int]:
        return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))

    def fail() -> None:
        with pytest.raises(LookupError, match="no more"):
            firth.count(texts=texts(100_000), threads=2, memory="33M", temp_folder=tmp_path)

    def settled(wanted: Tuple[int, int]) -> bool:
        """The system lists a thread for a moment after it was joined; one that is left behind stays."""
        until = time.monotonic() + 5
        while (more := any(now > was for now, was in zip(held(), wanted))) and time.monotonic() < until:
            time.sleep(0.01)
        return not more

    fail()
    time.sleep(0.2)
    before = held()
    for _ in range(3):
        fail()
    assert settled(before) and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", ["counts", "language model", "hidden Markov model"])
def test_a_mapped_file_that_is_cut_short_is_named(model: str, text: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Nothing can save the process, as nothing can with numpy.memmap, but it says why it ends."""
    make, use = {
        "counts": ("firth.count(text)", "firth.cluster(thing, 3)"),
        "language model": ("firth.LanguageModel.train(text)", "thing.score(text)"),
        "hidden Markov model": ("firth.Hmm.train(text, n_states=3, iterations=1)", "thing.tag(text)"),
    }[model]
    program = f"""if True:
        import os, warnings
        import firth
        warnings.simplefilter("ignore")
        text, file = {str(text)!r}, {str(tmp_path / "cut")!r}
        {make}.save(file)
        thing = firth.load(file)
        os.truncate(file, 0)
        {use}
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode in (-signal.SIGBUS, -signal.SIGSEGV)
    assert f"firth: error: {tmp_path / 'cut'}: the file changed while it was read" in done.stderr


def test_no_memory_is_an_error() -> None:
    program = """if True:
        import resource
        import firth
        texts = [" ".join(f"w{line}x{place}" for place in range(10)) for line in range(200_000)]
        with open("/proc/self/statm") as sizes:
            now = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + (80 << 20), -1))
        try:
            firth.count(texts=texts, threads=1)
        except firth.ResourceError as error:
            assert "out of memory" in str(error) and isinstance(error, MemoryError), error
        else:
            raise AssertionError("it had enough")
        resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
        assert len(firth.cluster(texts=["a b a c"], n_classes=2)) == 3  # works again
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_thread_is_an_error() -> None:
    program = """if True:
        import os, resource, threading
        import firth
        counts = firth.count(texts=["a b a c"])
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        resource.setrlimit(resource.RLIMIT_NPROC, (0, resource.getrlimit(resource.RLIMIT_NPROC)[1]))
        try:
            firth.cluster(counts, 2, threads=2)
        except firth.ResourceError as error:
            assert "thread" in str(error), error
    """
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_exceptions_travel() -> None:
    with pytest.raises(firth.InputError) as caught:
        firth.count(texts=[None])
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is firth.InputError and str(again) == str(caught.value) and again.line == 1
    assert issubclass(firth.UsageError, ValueError) and issubclass(firth.IoError, OSError)
    assert issubclass(firth.ResourceError, MemoryError)


def test_import_is_light() -> None:
    program = """if True:
        import sys, time
        begin = time.process_time()
        import firth
        print(time.process_time() - begin)
        heavy = {'numpy', 'scipy', 'pandas', 'sklearn', 'tqdm'} & set(sys.modules)
        assert not heavy, heavy
    """
    runs = [subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True) for _ in range(3)]
    assert min(float(run.stdout) for run in runs) < 0.1 * max(1.0, PATIENCE / 5)


def test_without_other_packages(text: pathlib.Path) -> None:
    """numpy is all that is needed; what needs more says so."""
    program = f"""if True:
        import sys
        for name in ("scipy", "pandas", "sklearn", "tqdm", "spacy", "pyarrow"):
            sys.modules[name] = None
        import firth
        classes = firth.cluster({str(text)!r}, 12, progress=True)
        assert classes.encode(["cat"]).shape == (1,) and classes.linkage().shape == (11, 4)
        for call, name in ((classes.to_pandas, "pandas"), (firth.count({str(text)!r}).to_scipy, "scipy")):
            try:
                call()
            except ImportError as error:
                assert name in str(error), error
            else:
                raise AssertionError(name)
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_development_mode(text: pathlib.Path) -> None:
    """Python's own checks (memory, files left open, deprecated calls) find nothing, and neither do warnings."""
    program = f"""if True:
        import gc, pickle
        import firth
        counts = firth.count({str(text)!r}, distances=(1, 2))
        with open({str(text)!r}, encoding="utf-8") as file:
            assert firth.count(file, distances=(1, 2)) == counts
        for method in firth.methods():
            classes = firth.cluster(counts, 5, method=method)
            arrays = [classes.labels, classes.counts, classes.encode(["cat", "unheard"])]
            assert pickle.loads(pickle.dumps(classes)) == classes
            del classes
            gc.collect()
            assert arrays[0].max() == 4
        for bad in (None, 3, "\\ud800", b"\\xff"):
            try:
                firth.count(texts=["good", bad])
            except firth.InputError as error:
                assert error.line == 2
            else:
                raise AssertionError(bad)
    """
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["k", "classes", "n_clusters"])
def test_other_names_for_the_number_of_classes(name: str) -> None:
    with pytest.raises(firth.UsageError, match="the number of classes is n_classes"):
        firth.cluster(texts=["a b"], **{name: 2})


@pytest.mark.parametrize("number", [2.0, True, None, "2"])
def test_the_number_of_classes_is_whole(number: Any) -> None:
    with pytest.raises(firth.UsageError, match="n_classes is a whole number or 'auto'"):
        firth.cluster(texts=["a b"], n_classes=number)


def test_classes_are_not_made_from_paths() -> None:
    made_by = {
        firth.Clustering: "load_clustering",
        firth.Counts: "load_counts",
        firth.Hmm: "load_hmm",
        firth.LanguageModel: "load_lm",
        firth.Parser: "load_parser",
        firth.Tagger: "load_tagger",
        firth.Vectors: "load_vectors",
    }
    for kind, loader in made_by.items():
        with pytest.raises(firth.UsageError, match=rf"not made from a str; firth\.{loader}\(path\)"):
            kind("out")  # type: ignore[arg-type]


def test_boundaries_are_no_flag() -> None:
    with pytest.raises(firth.UsageError, match="line_ends=True"):
        firth.cluster(texts=["a b"], n_classes=2, boundaries=True)  # type: ignore[arg-type]


def test_vectors_are_saved_where_the_path_says(tmp_path: pathlib.Path) -> None:
    counts = firth.count(texts=["the cat sees a dog", "a dog sees the cat"] * 9, distances=(1, 2))
    firth.embed(counts, 2).save(tmp_path / "words.npy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["words.npy", "words.vocab"]


def test_language_models_count_the_words_of_the_text() -> None:
    model = firth.LanguageModel.train(texts=["a cat runs", "a dog runs", "a cat sits"] * 5, order=2)
    assert "5 words" in repr(model)


def test_random_state_is_seed() -> None:
    with pytest.raises(firth.UsageError, match="random_state is seed here"):
        firth.cluster(texts=["a b"], n_classes=2, random_state=1)
