#!/usr/bin/env python3
"""The window a apart from the number of classes C (Ciosici 2015, section 3.2; Derczynski & Chester 2016).

ciosici_window.py FIRTH TEXT [--length 50000] [--classes 50,100,200] [--windows 51,101,201,401,801,1601,3201] [--all] [--out DIR]

The first words of TEXT as one stream. A column for each C, a row for each window; windows of C or less are left out.
With --all the last row is a window of all words (BROWN_NW), and there is no picture.
"""
import common
import ciosici_texts


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--length", type=int, default=50000)
    parser.add_argument("--classes", default="50,100,200")
    parser.add_argument("--windows", default="51,101,201,401,801,1601,3201")
    parser.add_argument("--all", action="store_true", help="also without a window: memory grows with the square of the words")
    options = parser.parse_args()
    firth = common.workspace(options)
    text = firth.path("text.txt")
    ciosici_texts.first_words(options.text, 0, options.length, text)
    classes = common.numbers(options.classes)
    report = common.Report(options.out, "ciosici_window", ["window", *(f"C = {number}" for number in classes)])
    for window in [*common.numbers(options.windows), *(["all"] if options.all else [])]:
        row = []
        for number in classes:
            wide = window == "all" or window > number
            folder = firth.cluster(text, "brown", number, "--stream", "--window", window) if wide else None
            row.append(firth.ami(folder, text, "bigrams", "--stream") if wide else "")
        report.add(window, *row)
    if not options.all:
        report.draw("AMI against the window, by number of classes", "AMI in bits", x_log=True)


if __name__ == "__main__":
    main()
