#!/usr/bin/env python3
"""Programs that must not compile: results thrown away, models copied that cannot be, paths where none is meant.

Usage: check_refused.py --compiler CXX --generated FOLDER PROJECT. Each program compiles when its marked part is left out, so
that it is the marked part that is refused.
"""
import argparse
import concurrent.futures
import subprocess
import sys
import tempfile

# Headers, the body of a function, and what is refused in it.
REFUSED = {
    "a cut that is thrown away": (["clustering"], "const firth::Clustering clustering;", "clustering.cut(10);"),
    "counts that are thrown away": (["count"], "", 'firth::count_text("a", {});'),
    "a parser that is copied": (["parser"], "firth::Parser* parser = nullptr;", "const firth::Parser copy(*parser); (void)copy;"),
    "a reader that is copied": (["treebank"], "firth::TreeReader* reader = nullptr;", "const firth::TreeReader copy(*reader); (void)copy;"),
    "inputs from a number": (["count"], "", "(void)firth::count_text(7, {});"),
    "the inside of a model": (["class_lm"], "const firth::LanguageModel* model = nullptr;", "(void)model->internals();"),
    "a class as the name of a method": (["cluster"], "const firth::Counts counts;", "(void)firth::cluster(counts, 7);"),
}


def compiles(arguments, program):
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write(program)
        file.flush()
        done = subprocess.run([arguments.compiler, "-std=c++20", "-fsyntax-only", "-Werror=unused-result", f"-I{arguments.project}/include",
                               f"-I{arguments.generated}", file.name], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stderr


def problem_of(arguments, name):
    headers, before, refused = REFUSED[name]
    head = "".join(f"#include <firth/{header}.hpp>\n" for header in headers)
    allowed, complaint = compiles(arguments, f"{head}int main() {{ {before} }}\n")
    if not allowed:
        return f"{name}: does not compile even without it: {complaint}"
    return f"{name}: compiles" if compiles(arguments, f"{head}int main() {{ {before} {refused} }}\n")[0] else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--generated", required=True)
    parser.add_argument("project")
    arguments = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(lambda name: problem_of(arguments, name), REFUSED) if problem]
    print("\n".join(problems) or f"{len(REFUSED)} programs are refused")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
