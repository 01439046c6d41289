"""A small text, the command to compare with, and what is not installed."""

from __future__ import annotations

import os
import pathlib
import random
import shutil
import subprocess
from typing import List

import pytest

PATIENCE = float(os.environ.get("FIRTH_PATIENCE", "5"))  # more of it under sanitizers
SETS = {
    "determiner": "the a this every no".split(),
    "adjective": "old new great small gut k\u00fchl \u5927\u304d\u3044 green red blue dark".split(),
    "noun": [f"{stem}{ending}" for stem in ("cat", "dog", "house", "tree", "Flu\u00df", "\u043a\u043d\u0438\u0433\u0430", "fish", "bird", "king", "son")
             for ending in ("", "s", "ship", "let")],
    "verb": [f"{stem}{ending}" for stem in ("run", "sit", "see", "find", "go", "eat", "\u043b\u0435\u0436\u0438\u0442", "call")
             for ending in ("s", "ed", "ing")],
    "preposition": "in on under with near".split(),
}
PATTERNS = ("determiner noun verb", "determiner adjective noun verb preposition determiner noun",
            "determiner noun verb determiner adjective adjective noun", "noun verb preposition noun .")


def sentences(count: int = 1500) -> List[List[str]]:
    """Sentences of a small grammar, with words by Zipf's law."""
    source = random.Random(7)
    result = []
    for _ in range(count):
        sentence = []
        for kind in source.choice(PATTERNS).split():
            words = SETS.get(kind, [kind])
            sentence.append(words[min(int(source.paretovariate(0.8)) - 1, len(words) - 1)])
        result.append(sentence)
    return result


@pytest.fixture(scope="session")
def tokens() -> List[List[str]]:
    return sentences()


@pytest.fixture(scope="session")
def lines(tokens: List[List[str]]) -> List[str]:
    return [" ".join(sentence) for sentence in tokens]


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory, lines: List[str]) -> pathlib.Path:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


class Command:
    """Runs the command; arguments as in a shell."""

    def __init__(self, program: str) -> None:
        self.program = program

    def __call__(self, *arguments: object) -> str:
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def command() -> Command:
    program = os.environ.get("FIRTH_COMMAND") or shutil.which("firth")
    if not program:
        pytest.skip("the command firth is not there to compare with; set FIRTH_COMMAND")
    return Command(program)


def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """Tests against packages of PyPI, and those that need minutes or much memory, run when they are asked for."""
    asked = config.getoption("markexpr") or ""
    reasons = {"interop": "needs packages of PyPI: ./check.sh interop, or pytest -m interop where they are installed",
               "slow": "takes a minute or gigabytes: pytest -m slow"}
    for marker, reason in reasons.items():
        for item in items:
            if marker not in asked and item.get_closest_marker(marker) is not None:
                item.add_marker(pytest.mark.skip(reason=reason))
