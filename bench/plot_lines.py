#!/usr/bin/env python3
"""Draws lines as SVG: plot_lines.py TABLE.tsv OUT.svg [--title T] [--x-log] [--y-from V].

The first column of the table is x, every other column a line named by its heading; empty cells are left out. A column
whose values are all the same is drawn dashed. Standard library only.
"""
import argparse
import math

COLOURS = ["#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#334155", "#be185d", "#0f766e"]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table")
    parser.add_argument("svg")
    parser.add_argument("--title", default="")
    parser.add_argument("--y-title", default="")
    parser.add_argument("--x-log", action="store_true", help="x on a scale of log(1 + x)")
    parser.add_argument("--y-from", type=float)
    options = parser.parse_args()
    x_name, xs, lines = read(options.table)
    scale = math.log1p if options.x_log else float
    values = [y for _, points in lines for _, y in points]
    low = min(values) if options.y_from is None else options.y_from
    high = max(values)
    high += 0.05 * (high - low)
    left, right = scale(min(xs)), scale(max(xs))

    def px(x):
        return LEFT + (scale(x) - left) / (right - left) * (WIDTH - LEFT - RIGHT)

    def py(y):
        return HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
           f'<text x="{LEFT}" y="22" font-size="15">{options.title}</text>']
    for y in ticks(low, high):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{py(y):.1f}" y2="{py(y):.1f}" stroke="#e2e8f0"/>'
                   f'<text x="{LEFT - 6}" y="{py(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in xs:
        out.append(f'<text x="{px(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_name}</text>'
               f'<text x="14" y="{HEIGHT / 2}" transform="rotate(-90 14 {HEIGHT / 2})" text-anchor="middle">'
               f'{options.y_title}</text>')
    for number, (name, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        dash = ' stroke-dasharray="6 4"' if len({y for _, y in points}) == 1 else ""
        path = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        if not dash:
            out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        y = TOP + 18 * number + 6
        out.append(f'<line x1="{WIDTH - RIGHT + 12}" x2="{WIDTH - RIGHT + 36}" y1="{y}" y2="{y}" stroke="{colour}" '
                   f'stroke-width="2"{dash}/><text x="{WIDTH - RIGHT + 42}" y="{y + 4}">{name}</text>')
    out.append("</svg>")
    with open(options.svg, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
