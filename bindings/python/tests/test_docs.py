"""The examples in docstrings and on the page work as they stand."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import pathlib
import pkgutil
import re
import shutil
import subprocess
from typing import Any, Dict, Iterator, Set, Tuple

import pytest

import firth

MODULES = ["firth"] + [f"firth.{module.name}" for module in pkgutil.iter_modules(firth.__path__)
                       if module.name not in ("__main__", "_firth", "spacy")]
DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    if name == "firth.sklearn":
        pytest.importorskip("sklearn")
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_public_names_are_documented() -> None:
    for name in firth.__all__:
        value = getattr(firth, name)
        if callable(value):
            assert value.__doc__, name
        if isinstance(value, type) and value.__module__ == "firth":
            for attribute, member in vars(value).items():
                if not attribute.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__, f"{name}.{attribute}"


def callables() -> Iterator[Tuple[str, Any]]:
    """Every public function, and every public method of a public class."""
    for name in firth.__all__:
        value = getattr(firth, name)
        if inspect.isclass(value):
            for attribute, member in vars(value).items():
                function = getattr(member, "__func__", member)
                if not attribute.startswith("_") and inspect.isfunction(function):
                    yield f"{name}.{attribute}", function
        elif inspect.isfunction(value):
            yield name, value


def described(function: Any) -> Set[str]:
    """The names in the section "Parameters" of a docstring."""
    section = re.search(r"\nParameters\n-+\n(.*?)(?:\n\n|\Z)", inspect.getdoc(function) or "", re.DOTALL)
    lines = section.group(1).splitlines() if section else []
    return {name.strip("* ") for line in lines if not line.startswith(" ") for name in line.split(" : ")[0].split(",")}


@pytest.mark.parametrize("name, function", [pytest.param(*each, id=each[0]) for each in callables()])
def test_parameters_exist(name: str, function: Any) -> None:
    """A docstring describes no parameter that is not there."""
    there = [each for each in inspect.signature(function).parameters if each not in ("self", "cls")]
    assert described(function) <= set(there)


def test_parameters_are_found() -> None:
    """The test above reads the docstrings."""
    assert {"data", "n_classes", "method", "options"} <= described(firth.cluster)
    assert {"inputs", "texts", "min_count", "distances"} <= described(firth.count)


@pytest.fixture()
def bible(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working folder with bible.txt."""
    if shutil.which("bible") is None:
        pytest.skip("bible-kjv is missing")
    verses = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, text=True, check=True).stdout
    (tmp_path / "bible.txt").write_text("".join(line.split(" ", 1)[1] + "\n" for line in verses.splitlines()), "utf-8")
    monkeypatch.chdir(tmp_path)


def test_page(bible: None) -> None:
    for package in ("numpy", "scipy", "pandas", "sklearn"):
        pytest.importorskip(package)
    failed, tried = doctest.testfile(str(DOCS / "python.md"), module_relative=False, encoding="utf-8",
                                     optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert tried > 20 and failed == 0


@pytest.mark.filterwarnings("ignore::firth.FirthWarning")
def test_notebook(bible: None) -> None:
    for package in ("scipy", "pandas", "sklearn"):
        pytest.importorskip(package)
    names: Dict[str, object] = {}
    for cell in json.loads((DOCS / "python.ipynb").read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "python.ipynb", "exec"), names)
