#!/usr/bin/env python3
"""Breaks every rule that the scripts of this folder check, in a copy of the project, and expects each of them to complain.

Usage: rules_bite.py PROJECT. A check that lets its own rule be broken is as good as no check.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PARTS = ("ARCHITECTURE.md", "CITATION.cff", "CMakeLists.txt", "CONTRIBUTING.md", "README.md", "bench", "bindings", "docs", "examples", "include",
         "packaging", "src", "tests/structure", "tests/unit/text", "tools")

LONG_FUNCTION = "int too_long() {\n" + "  ;\n" * 60 + "  return 0;\n}\n"
MANY_PARAMETERS = "int too_many(int a, int b, int c, int d, int e, int f) { return a; }\n"
MANY_MEMBERS = "struct TooManyMembers {\n" + "".join(f"  int member{i};\n" for i in range(13)) + "};\n"
LONG_CLASS = "class TooManyLines {\n" + "  void next();\n" * 151 + "};\n"
MANY_LONG_FUNCTIONS = "".join(f"int long{i}() {{\n" + "  ;\n" * 20 + "  return 0;\n}\n" for i in range(700))

# A new file, and for each rule that it breaks the script that must say so and what it says.
BREACHES = {
    "src/base/bite.cpp": (
        '#include "lm/model.hpp"\n#include <tbb/task_group.h>\n' + LONG_FUNCTION + MANY_PARAMETERS + MANY_MEMBERS + LONG_CLASS +
        'void loud() { std::cout << "loud"; }\nconst char* home() { return std::getenv("HOME"); }\nvoid stop() { std::abort(); }\n'
        'const char* advice() { return "use --min-count"; }\nconst char* field() { return "set NoOptions::no_field"; }\n'
        "constexpr int kMostThings = 1;\n// One word a line, so many words, which are looked at where they stand in the text.\n// caf\u00e9\n",
        [("check_structure", "bite.cpp:1: 'base' may not include 'lm'"), ("check_structure", "only base/tasks knows the threading library"),
         ("check_structure", "the library must not print, exit or read the environment"), ("check_structure", "sources are ASCII"),
         ("check_structure", "messages of the library name fields"), ("check_structure", "no option is bound to NoOptions::no_field"),
         ("check_sizes", "too_long has 63 lines"), ("check_sizes", "too_many has 6 parameters"), ("check_sizes", "TooManyMembers has 15 lines and 13"),
         ("check_sizes", "TooManyLines has 153 lines"), ("check_words", "'kMostThings': a limit is a maximum"),
         ("check_words", "'word a line': per"), ("check_words", "'so many'"),
         ("check_words", "'are looked at'"), ("check_words", "'stand in the'")]),
    "src/text/bite.cpp": (
        "namespace firth::text {\nnamespace {\nint kByteOrderMark = 1;\nstruct InputFile {};\nvoid bite() {}\n}\nstatic int bitten = 1;\n}\n"
        "namespace firth {\nusing text::WordSink;\n}\n",
        [("check_names", "bite.cpp:3: kByteOrderMark is a name of src/text/characters.hpp"), ("check_names", "InputFile is a name of"),
         ("check_names", "bite_again.cpp:2: bite is a name of src/text/bite.cpp"), ("check_names", "bitten is a name of src/text/bite.cpp"),
         ("check_names", "bite_again.cpp:6: WordSink is a name of src/text/bite.cpp")]),
    "src/text/bite_again.cpp": (
        "namespace firth::text {\nstatic void bite(int) {}\nconst int bitten = 2;\n}\nnamespace firth {\nusing counts::WordSink;\n}\n", []),
    "src/base/long_file.cpp": ("int x;\n" * 401, [("check_sizes", "long_file.cpp:1: 401 lines")]),
    "src/base/long_functions.cpp": (MANY_LONG_FUNCTIONS, [("check_sizes", "functions have over 20 lines")]),
    "src/attic/attic.cpp": ('#include "base/files.hpp"\n', [("check_structure", "has no include rule")]),
    "src/attic/README.md": ("word " * 601, [("check_structure", "does not say 'In: ...'"), ("check_structure", "does not say 'Out: ...'"),
                                            ("check_structure", "does not say which file to open first"), ("check_structure", "more than a page")]),
    "src/attic/chest/chest.cpp": ("int chest;\n", [("check_structure", "chest: a room without a README.md")]),
    "include/firth/bite.hpp": (
        "// A header.\n#include <fmt/core.h>\n#include \"base/files.hpp\"\nint forgotten();\nstruct BiteOptions {\n  int a = 0;\n};\n"
        "void run_first(const RunOptions& run, int count);\nvoid load_bites(const std::string& path);\n",
        [("check_structure", "public headers use standard types only"), ("check_structure", "public headers include public headers only"),
         ("check_structure", "forgotten returns something: [[nodiscard]]"), ("check_structure", "BiteOptions has no validate()"),
         ("check_structure", "the run comes last"), ("check_structure", "load_bites is not among the readers")]),
    "tests/unit/nowhere/bite_test.cpp": ("int x;\n", [("check_structure", "there is no src/nowhere that this tests")]),
    "tools/firth/bite.cpp": ('#include "text/inputs.hpp"\n', [("check_structure", "commands and examples include only <firth/...>")]),
    "docs/bite.md": ("```sh\nfirth cluster text.txt --no-such-option\nfirth no-such-command\n```\n",
                     [("check_commands", "--no-such-option"), ("check_commands", "no-such-command")]),
}

# A file, what is replaced in it, by what, the script and what it says.
EDITS = [
    ("tests/structure/check_structure.py", '    "treebank": {"text"},', '    "treebank": {"text", "linalg"},', "check_structure",
     "'treebank' may include 'linalg' but never does"),
    ("ARCHITECTURE.md", "treebank           <- text", "treebank           <- lm", "check_structure", "the include table is not that of check_structure.py"),
    ("ARCHITECTURE.md", "`src/text/block_reader.cpp`", "`src/text/nowhere.cpp`", "check_words", "there is no src/text/nowhere.cpp"),
    ("ARCHITECTURE.md", "`save_counts`", "`save_nothing_at_all`", "check_words", "there is no save_nothing_at_all"),
    ("CITATION.cff", "\nversion: ", "\nversion: 9.9.9+", "check_versions", "CITATION.cff: version 9.9.9"),
]


def make_copy(project, copy):
    for part in PARTS:
        source = project / part
        if source.is_dir():
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("build", "node_modules", "__pycache__"))
        else:
            shutil.copy(source, copy / part)
    for name, (content, _) in BREACHES.items():
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    for name, old, new, _, _ in EDITS:
        text = (copy / name).read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f"{name} has no '{old}' to break: choose something else")
        (copy / name).write_text(text.replace(old, new), encoding="utf-8")


def expected():
    for _, breaches in BREACHES.values():
        yield from breaches
    for _, _, _, script, message in EDITS:
        yield script, message


def main():
    project = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="firth-rules-") as folder:
        make_copy(project, pathlib.Path(folder))
        outputs = {}
        for script in sorted({script for script, _ in expected()}):
            done = subprocess.run([sys.executable, f"tests/structure/{script}.py", "."], cwd=folder, capture_output=True, text=True)
            outputs[script] = done.stdout + done.stderr if done.returncode == 1 else f"exit code {done.returncode}: {done.stderr}"
    lenient = [f"{script} does not say '{message}'" for script, message in expected() if message not in outputs[script]]
    print("\n".join(lenient) or f"{len(list(expected()))} broken rules were found")
    return 1 if lenient else 0


if __name__ == "__main__":
    sys.exit(main())
