#!/usr/bin/env python3
"""Checks the rules that ARCHITECTURE.md states: who may include whom, that the library is silent, and sizes.

Usage: check_structure.py PROJECT_FOLDER. Prints every breach as file:line: message; exit 1 if there is one.
"""
import pathlib
import re
import sys

# What each room (folder) of src/ may include besides itself, its own sub-folders and base. ARCHITECTURE.md shows this
# table; a permission that no include uses is a breach, too.
MAY_INCLUDE = {
    "base": set(),
    "text": set(),
    "counts": {"text"},
    "linalg": set(),
    "vectors": {"text", "counts", "linalg"},
    "cluster": {"text", "counts"},
    "cluster/io": {"text", "counts", "cluster"},
    "cluster/tree": {"cluster"},
    "cluster/brown": {"text", "counts", "cluster"},
    "cluster/balance": {"cluster", "linalg"},
    "cluster/exchange": {"counts", "cluster", "cluster/balance", "cluster/tree"},
    "cluster/assign": {"text", "counts", "cluster"},
    "cluster/choose": {"counts", "cluster", "cluster/exchange"},
    "cluster/spectral": {"counts", "linalg", "vectors", "cluster", "cluster/balance"},
    "cluster/codes": {"cluster"},
    "cluster/points": {"linalg", "cluster", "cluster/balance", "cluster/spectral"},
    "cluster/svd2": {"counts", "linalg", "cluster", "cluster/tree"},
    "cluster/pos": {"text", "counts", "cluster", "cluster/tree", "cluster/exchange"},
    "cluster/methods": {"cluster/exchange", "cluster/brown", "cluster/spectral", "cluster/svd2", "cluster/pos", "cluster"},
    "cluster/estimate": {"counts", "cluster/brown", "cluster/exchange", "cluster/spectral"},
    "phrases": {"text", "counts"},
    "lm": {"text", "counts"},
    "lm/recipe": {"text", "counts", "cluster/exchange", "lm"},
    "hmm": {"text", "counts"},
    "tagger": {"text", "cluster", "cluster/assign"},
    "treebank": {"text"},
    "grammar": {"text", "linalg", "cluster", "treebank"},
    "parser": {"text", "treebank", "grammar"},
    "sample": {"treebank", "grammar"},
    "evaluate": {"text", "counts", "cluster", "cluster/choose", "tagger", "treebank"},
    "report": {"text", "counts", "vectors", "cluster", "cluster/io", "evaluate"},
}

# The room that each public header belongs to.
HEADER_ROOM = {
    "error": "base", "checkpoint": "base", "files": "base", "printable": "base", "types": "base", "run": "base", "world": "base", "build_info": "base", "version": "base",
    "phrases": "phrases", "inputs": "text", "encoding": "text", "text": "text", "count": "counts", "counts": "counts", "embed": "vectors",
    "clustering": "cluster", "class_sizes": "cluster", "class_ids": "cluster/io", "newick": "cluster/io", "cluster_result": "cluster", "cluster": "cluster/methods", "constraints": "cluster", "build_tree": "cluster/tree", "assign": "cluster/assign", "choose": "cluster/choose",
    "brown": "cluster/brown", "exchange": "cluster/exchange", "auto": "cluster/exchange", "estimate": "cluster/estimate", "search_limits": "cluster/exchange", "spectral": "cluster/spectral", "cluster_vectors": "cluster/points", "codes": "cluster/codes",
    "svd2": "cluster/svd2", "pos": "cluster/pos",
    "class_lm": "lm", "lm_counts": "lm", "lm_recipe": "lm/recipe", "rescore": "lm", "hmm": "hmm", "tagger": "tagger", "features": "tagger", "prototypes": "tagger",
    "treebank": "treebank", "lpcfg": "grammar", "latent": "grammar", "parser": "parser", "sample": "sample",
    "evaluate": "evaluate", "compare": "evaluate", "gold_tags": "evaluate", "tag_scores": "evaluate", "parseval": "evaluate", "run_record": "report", "report": "report", "pictures": "report",
}

# Options that can be checked before they are used have a validate(); all values of these make sense.
ANY_VALUE = {
    "RunOptions", "AssignOptions", "ReportOptions", "ParsevalOptions", "ConcordanceOptions", "ChartOptions", "GoldTextOptions", "GoldOptions",
    "TokenOptions", "TagFileOptions",  # columns are checked against the file
    "LmScoreOptions", "HmmDecodeOptions",  # validate(TextOptions) is all there is to say
    "LexiconOptions", "SparseHmmOptions",  # parts of others, checked with them
}

# Folders of tests/unit that test no room: the public headers as a whole, and the command.
NO_ROOMS = {"api", "tools"}

# Functions whose result is a by-product.
MAY_DISCARD = {"parse_text", "tag_files", "save_brown_sample", "save_lpcfg_sample", "advance"}
DECLARATION = re.compile(r"(?:  )?(?:static |constexpr |inline )*((?:const )?[A-Za-z_][\w:]*(?:<[^()]*>)?[&*]?) (\w+)\(")
NO_DECLARATION = ("//", "return", "requires", "using", "friend", "throw", "virtual", "explicit", "[[nodiscard]]")
# Public functions that take Inputs or a path and yet read no text, table or list of a user's: Firth's own files, and names of inputs.
NO_READERS = {"load_counts", "load_lm_counts", "load_hmm", "load_tagger", "load_lpcfg", "load_grammars", "load_class_means", "describe_inputs",
              "expand_folders", "decoded"}
CALL = re.compile(r"\b(\w+)\(((?:[^()]|\([^()]*\))*)\)")
FLAG = re.compile(r'"[^"]*(?<![\w-])--[a-z]|"[^"]*\bfirth (?:count|cluster|tree|assign|convert|evaluate|report|show|choose|compare|embed|nearest|lm|hmm|tag|parse)\b')
FIELD = re.compile(r"\b[A-Z]\w*Options::\w+")
SILENCE = re.compile(r"std::cout|std::cerr|std::clog|\bprintf\(|fprintf\(|\bf?puts\(|\babort\(|[^_a-z]exit\(|getenv")
STANDARD = re.compile(r"^[a-z0-9_]+$")
MAX_LINES = 600
README_LINES, README_WORDS = 60, 600


def included(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#include ([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


def room_of(folder):
    """The room that a folder of src/ belongs to: itself, or the nearest folder above it that has an include rule."""
    while folder not in MAY_INCLUDE and "/" in folder:
        folder = folder.rsplit("/", 1)[0]
    return folder


def edge_problem(room, target, used):
    used.add((room, target))
    if room not in MAY_INCLUDE:
        return f"room '{room}' has no include rule: add it here"
    if target == room or target == "base" or target in MAY_INCLUDE[room]:
        return None
    return f"'{room}' may not include '{target}'"


def include_problem(path, room, kind, name, used):
    if kind == '"' and name.startswith("firth/"):
        header = name[len("firth/"):-len(".hpp")]
        if header not in HEADER_ROOM:
            return f"public header '{name}' belongs to no room: add it here"
        return edge_problem(room, HEADER_ROOM[header], used)
    if kind == '"':
        return edge_problem(room, room_of(pathlib.PurePosixPath(name).parent.as_posix()), used)
    if name.startswith("tbb/") and path.as_posix().split("src/")[-1] not in {"base/tasks.cpp", "base/build_info.cpp"}:
        return "only base/tasks knows the threading library"
    if name.startswith("Eigen/") and path.suffix == ".hpp" and room != "linalg":
        return "Eigen stays in .cpp files and in linalg"
    return None


def check_source(path, source, used, problems):
    room = room_of(path.parent.relative_to(source).as_posix())
    for number, kind, name in included(path):
        problem = include_problem(path, room, kind, name, used)
        if problem:
            problems.append(f"{path}:{number}: {problem}")


def check_unused(used, problems):
    for room, targets in MAY_INCLUDE.items():
        for target in sorted(targets):
            if (room, target) not in used:
                problems.append(f"check_structure.py: '{room}' may include '{target}' but never does: take the permission away")


def include_table():
    """The include table of ARCHITECTURE.md."""
    rows = [f"{room:<18} <- {', '.join(sorted(targets)) or '(base only)'}" for room, targets in MAY_INCLUDE.items() if room != "base"]
    return "\n".join(rows)


def check_architecture(project, problems):
    page = project / "ARCHITECTURE.md"
    if include_table() not in page.read_text(encoding="utf-8"):
        problems.append(f"{page}: the include table is not that of check_structure.py; --table prints it")


def check_readmes(source, problems):
    """A page for every room: what comes in, what goes out, which file to open first."""
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        page = folder / "README.md"
        if not page.exists():
            problems.append(f"{folder}: a room without a README.md")
            continue
        text = page.read_text(encoding="utf-8")
        for wanted, what in ((r"\bIn: ", "'In: ...'"), (r"\bOut: ", "'Out: ...'"), (r"\b[Oo]pen\b(?:[^.]|\.\w)*? first", "which file to open first")):
            if not re.search(wanted, text):
                problems.append(f"{page}: does not say {what}")
        if len(text.splitlines()) > README_LINES or len(text.split()) > README_WORDS:
            problems.append(f"{page}: more than a page ({README_LINES} lines, {README_WORDS} words): mathematics belongs to a MATH.md beside it")


def check_test_folders(project, problems):
    for kind in ("unit", "property"):
        for path in sorted((project / "tests" / kind).rglob("*_test.cpp")):
            room = path.parent.relative_to(project / "tests" / kind)
            if str(room) not in NO_ROOMS and not (project / "src" / room).is_dir():
                problems.append(f"{path}:1: there is no src/{room} that this tests")


def check_silence(path, problems):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if SILENCE.search(line.split("//")[0]):
            problems.append(f"{path}:{number}: the library must not print, exit or read the environment")


def check_messages(path, problems):
    """The library names fields and functions; the command turns them into options and commands."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if FLAG.search(line.split(" // ")[0]) and not line.lstrip().startswith(("//", "#")):
            problems.append(f"{path}:{number}: messages of the library name fields and functions, not options and commands")


def check_fields(project, problems):
    """Every field that a message names within its text is bound to an option."""
    bound = set()
    for path in code_files(project / "tools"):
        bound.update(re.findall(r'field_of_last\("([^"]+)"\)', path.read_text(encoding="utf-8")))
    for path in code_files(project / "src"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                for field in FIELD.findall(text):
                    if field != text and field not in bound:
                        problems.append(f"{path}:{number}: no option is bound to {field} (OptionTable::field_of_last)")


def check_nodiscard(path, problems):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = DECLARATION.match(line)
        if not match or line.lstrip().startswith(NO_DECLARATION) or "operator" in line or "= 0;" in line:
            continue
        if match.group(1) not in {"void", "class", "struct", "enum"} and match.group(2) not in MAY_DISCARD:
            problems.append(f"{path}:{number}: {match.group(2)} returns something: [[nodiscard]]")


def check_run(path, problems):
    """The run is the last parameter of every public function, and may be left out."""
    text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
    for match in re.finditer(r"const RunOptions& run\b(?! = \{\}\))", text):
        line = text.count("\n", 0, match.start()) + 1
        problems.append(f"{path}:{line}: the run comes last, with a default: const RunOptions& run = {{}})")


def check_validate(path, problems):
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"^struct (\w*Options) {$", text, re.MULTILINE):
        if match[1] not in ANY_VALUE and f"void validate(const {match[1]}& options);" not in text:
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{path}:{line}: {match[1]} has no validate(), and is not among those that may have any value")


def check_readers(project, problems):
    """Every public function that reads what users bring is tried with every form of a file."""
    tests = "".join(path.read_text(encoding="utf-8") for path in sorted((project / "tests/unit/text").glob("every_*reader_test.cpp")))
    for path in code_files(project / "include"):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        for name in {match[1] for match in CALL.finditer(text) if "const Inputs& " in match[2] or match[1].startswith("load_")}:
            if name not in NO_READERS and not re.search(rf"\b{name}( reader)?\(", tests):
                problems.append(f"{path}:1: {name} is not among the readers of tests/unit/text/every_reader_test.cpp")


def check_public_header(path, problems):
    for number, kind, name in included(path):
        if kind == "<" and not STANDARD.match(name):
            problems.append(f"{path}:{number}: public headers use standard types only")
        if kind == '"' and not name.startswith("firth/"):
            problems.append(f"{path}:{number}: public headers include public headers only")


def check_user(path, source, problems):
    folders = tuple(f"{folder.name}/" for folder in source.iterdir() if folder.is_dir())
    for number, _, name in included(path):
        if name.startswith(folders):
            problems.append(f"{path}:{number}: commands and examples include only <firth/...>")


def check_mpi(path, problems):
    if path.as_posix().endswith("tools/firth-mpi/mpi_world.cpp"):
        return
    for number, _, name in included(path):
        if name == "mpi.h":
            problems.append(f"{path}:{number}: only tools/firth-mpi/mpi_world.cpp knows MPI")


def check_text(path, problems):
    data = path.read_bytes()
    if any(byte > 126 for byte in data):
        problems.append(f"{path}: sources are ASCII")
    lines = data.count(b"\n")
    if lines > MAX_LINES:
        problems.append(f"{path}: {lines} lines, more than {MAX_LINES}: is it one idea?")


def code_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in {".cpp", ".hpp"})


def main():
    if sys.argv[1] == "--table":
        print(include_table())
        return 0
    project = pathlib.Path(sys.argv[1])
    source = project / "src"
    problems = []
    used = set()
    for path in code_files(source):
        check_source(path, source, used, problems)
        check_silence(path, problems)
        check_messages(path, problems)
    check_fields(project, problems)
    check_readers(project, problems)
    check_unused(used, problems)
    check_architecture(project, problems)
    check_readmes(source, problems)
    check_test_folders(project, problems)
    for path in code_files(project / "include"):
        check_public_header(path, problems)
        check_nodiscard(path, problems)
        check_validate(path, problems)
        check_run(path, problems)
        check_silence(path, problems)
    for folder in ("tools", "bindings", "examples"):
        for path in code_files(project / folder):
            check_user(path, source, problems)
    places = ("src", "include", "tools", "bindings", "tests", "bench", "examples")
    checked = [path for folder in places for path in code_files(project / folder)]
    for path in checked:
        check_text(path, problems)
        check_mpi(path, problems)
    print("\n".join(problems) if problems else f"{len(checked)} files keep the rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
