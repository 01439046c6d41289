#!/usr/bin/env python3
"""Draws lines as SVG: plot_lines.py TABLE.tsv OUT.svg [--title T] [--x-log] [--y-from V].

The first column of the table is x, every other column a line named by its heading; empty cells are left out. A column
whose values are all the same is drawn dashed. Lines of many points have no dots. Standard library only.
"""
import argparse
import dataclasses
import html
import math

COLOURS = ["#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#334155", "#be185d", "#0f766e"]
MAX_LABELS, MAX_DOTS = 14, 40
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 64, 170, 40, 48


def read(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if line.strip()]
    xs = [float(row[0]) for row in rows[1:]]
    lines = []
    for column, name in enumerate(rows[0][1:], 1):
        points = [(x, float(row[column])) for x, row in zip(xs, rows[1:]) if len(row) > column and row[column]]
        lines.append((name, points))
    return rows[0][0], xs, lines


def ticks(low, high):
    step = 10 ** math.floor(math.log10((high - low) or 1))
    for factor in (0.1, 0.2, 0.5, 1, 2):
        if (high - low) / (step * factor) <= 8:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 10) for i in range(first, int(high / step + 1e-9) + 1)]


@dataclasses.dataclass
class Style:
    title: str = ""
    y_title: str = ""
    x_log: bool = False
    y_from: float | None = None


class Axes:
    """Where a point of the table is in the picture."""

    def __init__(self, xs, lines, style):
        self.scale = math.log1p if style.x_log else float
        values = [y for _, points in lines for _, y in points]
        self.low = min(values) if style.y_from is None else style.y_from
        self.high = max(values) + 0.05 * ((max(values) - self.low) or 1)
        self.left, self.right = self.scale(min(xs)), self.scale(max(xs))

    def x(self, x):
        return LEFT + (self.scale(x) - self.left) / ((self.right - self.left) or 1) * (WIDTH - LEFT - RIGHT)

    def y(self, y):
        return HEIGHT - BOTTOM - (y - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


def frame(axes, x_name, xs, style):
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
           f'<text x="{LEFT}" y="22" font-size="15">{html.escape(style.title)}</text>')
    for y in ticks(axes.low, axes.high):
        yield (f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{axes.y(y):.1f}" y2="{axes.y(y):.1f}" stroke="#e2e8f0"/>'
               f'<text x="{LEFT - 6}" y="{axes.y(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in sorted(set(xs)) if len(set(xs)) <= MAX_LABELS else ticks(min(xs), max(xs)):
        yield f'<text x="{axes.x(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>'
    yield (f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{html.escape(x_name)}</text>'
           f'<text x="14" y="{HEIGHT / 2}" transform="rotate(-90 14 {HEIGHT / 2})" text-anchor="middle">'
           f'{html.escape(style.y_title)}</text>')


def line(axes, number, name, points):
    colour = COLOURS[number % len(COLOURS)]
    dash = ' stroke-dasharray="6 4"' if len({y for _, y in points}) == 1 else ""
    path = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
    if not dash and len(points) <= MAX_DOTS:
        for x, y in points:
            yield f'<circle cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="3" fill="{colour}"/>'
    y = TOP + 18 * number + 6
    yield (f'<line x1="{WIDTH - RIGHT + 12}" x2="{WIDTH - RIGHT + 36}" y1="{y}" y2="{y}" stroke="{colour}" '
           f'stroke-width="2"{dash}/><text x="{WIDTH - RIGHT + 42}" y="{y + 4}">{html.escape(name)}</text>')


def draw(table, svg, style):
    x_name, xs, lines = read(table)
    axes = Axes(xs, lines, style)
    out = list(frame(axes, x_name, xs, style))
    for number, (name, points) in enumerate(lines):
        out += line(axes, number, name, points)
    with open(svg, "w", encoding="utf-8") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table")
    parser.add_argument("svg")
    parser.add_argument("--title", default="")
    parser.add_argument("--y-title", default="")
    parser.add_argument("--x-log", action="store_true", help="x on a scale of log(1 + x)")
    parser.add_argument("--y-from", type=float)
    options = parser.parse_args()
    draw(options.table, options.svg, Style(options.title, options.y_title, options.x_log, options.y_from))


if __name__ == "__main__":
    main()
