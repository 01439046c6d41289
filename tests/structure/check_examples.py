#!/usr/bin/env python3
"""Compiles every C++ example that a user may copy: the head of each public header, README.md, and docs/.

Usage: check_examples.py --compiler CXX --generated FOLDER PROJECT

An example in a header is a block of comment lines indented by three spaces that has a semicolon. In a page it is a
```cpp block. All of them become functions of one source file, which is compiled with -fsyntax-only; complaints carry the
place where the example is written. Examples may use what PRELUDE declares, and nothing else.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

PRELUDE = """\
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <firth/firth.hpp>

namespace {
template <typename... Values>
void use(const Values&...) {}
const firth::Counts counts;
const firth::RunOptions run;
const std::vector<std::string> files;
"""

COMMENT = re.compile(r"^\s*///?(?P<text>.*)$")
# A header may do without an example only for the reason given here.
WITHOUT_EXAMPLE = {
}


def comment_blocks(path):
    """Blocks of indented comment lines, empty ones within included: pairs of first line number and lines."""
    block, first = [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() + [""], 1):
        match = COMMENT.match(line)
        if match and (match["text"].startswith("   ") or (block and not match["text"])):
            first = first if block else number
            block.append(match["text"][3:])
        elif block:
            yield first, block
            block = []


def header_examples(path):
    return [(first, block) for first, block in comment_blocks(path) if any(";" in line for line in block)]


def page_examples(path):
    block = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if block is None and line.strip() == "```cpp":
            block, first = [], number + 1
        elif block is not None and line.strip() == "```":
            yield first, block
            block = None
        elif block is not None:
            block.append(line)


def as_function(path, first, lines, number):
    """The example as a function of its own; #include lines become empty, PRELUDE has them all."""
    code = "\n".join("" if line.startswith("#include") else line for line in lines)
    opening = f'[[maybe_unused]] void example_{number}() {{\n#line {first} "{path}"\n'
    if re.search(r"\bint main\(", code):
        opening, closing = f'namespace program_{number} {{\n#line {first} "{path}"\n', "}"
        code = code.replace("int main(", "int program(")
    else:
        closing = "}"
    return f"{opening}{code}\n{closing}\n"


def collect(project, problems):
    examples = []
    headers = sorted((project / "include" / "firth").glob("*.hpp")) + [project / "cmake" / "version.hpp.in"]
    for path in headers:
        found = header_examples(path)
        if not found and path.name not in WITHOUT_EXAMPLE:
            problems.append(f"{path}:1: a public header starts with an example: '//   code;'")
        examples += [(path, first, lines) for first, lines in found]
    for path in [project / "README.md", *sorted((project / "docs").rglob("*.md"))]:
        examples += [(path, first, lines) for first, lines in page_examples(path)]
    return examples


def compile_all(examples, arguments):
    parts = [PRELUDE] + [as_function(*example, number) for number, example in enumerate(examples)]
    source = "\n".join(parts) + "}  // namespace\n"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "examples.cpp"
        file.write_text(source, encoding="utf-8")
        command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused",
                   f"-I{arguments.project / 'include'}", f"-I{arguments.generated}", str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--generated", type=pathlib.Path, required=True, help="folder with firth/version.hpp")
    parser.add_argument("project", type=pathlib.Path)
    arguments = parser.parse_args()
    problems = []
    examples = collect(arguments.project, problems)
    done = compile_all(examples, arguments)
    if done.returncode != 0:
        problems.append(done.stderr)
    print("\n".join(problems) if problems else f"{len(examples)} examples compile")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
