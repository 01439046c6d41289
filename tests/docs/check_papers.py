#!/usr/bin/env python3
"""Checks docs/papers: every item of items.tsv has a row with a command or a reason, and every link leads somewhere.

Usage: check_papers.py PROJECT. A row is `| <a id="item-N"></a>N | item | in Firth | remark |`. "In Firth" is a command in
back quotes (checked against docs/cli.md), a script or a file of the project that exists, or `none`; then the remark says why.
Links are checked in docs/papers, docs/notebook and docs/quality.md.
"""
import csv
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "structure"))
import check_commands  # noqa: E402

ITEMS = 175
ROW = re.compile(r'^\| <a id="item-(\d+\.\d+)"></a>(\d+\.\d+) \| (.*) \|$')
LINK = re.compile(r"\]\(([^)\s]+)\)")


def heading_anchor(heading):
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def anchors(page):
    found, seen = set(), {}
    for line in page.read_text(encoding="utf-8").splitlines():
        found |= set(re.findall(r'<a id="([^"]+)"', line))
        if match := re.match(r"#+ (.*)", line):
            name = heading_anchor(match[1])
            seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}-{seen[name]}" if seen[name] else name)
    return found


def check_links(project, problems):
    pages = [*sorted((project / "docs/papers").glob("*.md")), *sorted((project / "docs/notebook").glob("*.md"))]
    for page in [*pages, project / "docs/quality.md"]:
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for link in LINK.findall(line):
                name, _, anchor = link.partition("#")
                target = page.parent / name if name else page
                if "://" in link:
                    continue
                if not target.exists():
                    problems.append(f"{page}:{number}: there is no {name}")
                elif anchor and anchor not in anchors(target):
                    problems.append(f"{page}:{number}: {name or page.name} has no anchor #{anchor}")


def rows_of(page):
    """The rows of a page by item: line number and the cells after the number."""
    rows = {}
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if match := ROW.match(line):
            rows[match[1]] = (number, [cell.strip() for cell in re.split(r"(?<!\\)\|", match[3])], match[1] == match[2])
    return rows


def problem_of_cell(cell, remark, project, commands):
    """What is wrong with what a row says about Firth, or None."""
    if cell == "none":
        return None if len(remark) > 15 else "neither a command nor a reason"
    if not (match := re.fullmatch(r"`([^`]+)`", cell)):
        return f"'{cell}' is neither a command in back quotes nor 'none'"
    if match[1].startswith("firth "):
        found = [check_commands.problem_of(words, commands) for words in check_commands.command_lines(match[1])]
        return next((problem for problem in found if problem), None) if found else "no command line"
    return None if (project / match[1]).is_file() else f"there is no {match[1]}"


def check_items(project, problems):
    folder = project / "docs/papers"
    commands = check_commands.known_options(project / "docs/cli.md")
    pages = {page.name: rows_of(page) for page in folder.glob("*.md")}
    with open(folder / "items.tsv", encoding="utf-8", newline="") as file:
        items = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if len({item["id"] for item in items}) != ITEMS or len(items) != ITEMS:
        problems.append(f"docs/papers/items.tsv: {len(items)} items, not {ITEMS}")
    for item in items:
        page, _, anchor = item["where"].partition("#")
        row = pages.get(page, {}).get(item["id"])
        if anchor != f"item-{item['id']}" or row is None:
            problems.append(f"docs/papers/items.tsv: item {item['id']} has no row at {item['where']}")
            continue
        number, cells, same = row
        if len(cells) != 3 or not same:
            problems.append(f"docs/papers/{page}:{number}: item {item['id']}: four cells and the same number twice are needed")
        elif problem := problem_of_cell(cells[1], cells[2], project, commands):
            problems.append(f"docs/papers/{page}:{number}: item {item['id']}: {problem}")
    listed = {item["id"] for item in items}
    for page, rows in pages.items():
        problems += [f"docs/papers/{page}: item {name} is not in items.tsv" for name in rows if name not in listed]


def check_scripts(project, problems):
    """Every script is in the index of the papers, and every script in the pages exists."""
    index = (project / "docs/papers/README.md").read_text(encoding="utf-8")
    for script in sorted((project / "bench/papers").glob("*_*.py")):
        if script.name != "ciosici_texts.py" and script.name not in index:
            problems.append(f"docs/papers/README.md: {script.name} is not in the index")
    for page in (project / "docs/papers").glob("*.md"):
        for name in re.findall(r"\b((?:stratos|cohen|lamar|ciosici)_\w+\.py)\b", page.read_text(encoding="utf-8")):
            if not (project / "bench/papers" / name).is_file():
                problems.append(f"docs/papers/{page.name}: there is no bench/papers/{name}")


def main():
    project = pathlib.Path(sys.argv[1])
    problems = []
    check_items(project, problems)
    check_scripts(project, problems)
    check_links(project, problems)
    print("\n".join(problems) if problems else f"{ITEMS} items of the papers have a command or a reason")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
