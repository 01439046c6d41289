#!/usr/bin/env python3
"""Table 3 of Stratos et al. (2014): CPU seconds of the spectral method and of exact Brown clustering, both after counting.

stratos_table3.py FIRTH TEXT [--classes 200,400,600,800,1000] [--words 50000] [--kappa 200] [--out DIR]

Both run on one thread unless --threads says otherwise. The columns of F1 are those of stratos_table1.py. searches is the paper's gamma, counted as
src/cluster/spectral/MATH.md tells.
"""
import json

import common


def stages(folder):
    """Wall seconds of the singular vectors and of the clustering, and the searches for each merge."""
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    seconds = {}
    for stage in run["stages"]:
        seconds[stage["stage"]] = seconds.get(stage["stage"], 0.0) + stage["seconds"]
    return seconds.get("singular vectors", 0.0), seconds.get("clustering", 0.0), run["series"]["searches_per_merge"][0]


def main():
    parser = common.parser(__doc__, "text")
    parser.add_argument("--classes", default="200,400,600,800,1000")
    parser.add_argument("--words", type=int, default=50000)
    parser.add_argument("--kappa", default="200")
    options = parser.parse_args()
    firth = common.workspace(options)
    counts = firth.path("words.counts")
    firth.run("count", options.text, "--max-vocab", options.words, "--distances", "1,2", "-o", counts)
    columns = ["classes", "searches", "SVD, wall s", "cluster, wall s", "spectral, CPU s", "Brown, CPU s",
               "spectral / Brown", "AMI, spectral", "AMI, Brown"]
    report = common.Report(options.out, "stratos_table3", columns)
    for classes in common.numbers(options.classes):
        spectral = firth.cluster(counts, "spectral", classes, "--kappa", options.kappa, "--weights", "none")
        seconds = firth.seconds
        brown = firth.cluster(counts, "brown", classes)
        svd, ward, searches = stages(spectral)
        report.add(classes, searches, svd, ward, seconds, firth.seconds, seconds / firth.seconds,
                   firth.ami(spectral, counts), firth.ami(brown, counts))


if __name__ == "__main__":
    main()
