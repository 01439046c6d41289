#!/usr/bin/env python3
"""Prints the values that tests/unit/evaluate/tagging_test.cpp compares with: scikit-learn's V-measure, homogeneity and
completeness, and SciPy's best assignment, of tables n(c, t) = (a c + b t + c t) mod m. Needs python3-sklearn; run by hand."""
import numpy
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import homogeneity_completeness_v_measure

for classes, tags, a, b, m in [(5, 4, 7, 3, 11), (17, 12, 5, 9, 23), (3, 8, 11, 2, 7), (50, 45, 13, 31, 101)]:
    table = numpy.array([[(a * c + b * t + c * t) % m for t in range(tags)] for c in range(classes)])
    gold, predicted = [], []
    for c in range(classes):
        for t in range(tags):
            gold += [t] * table[c, t]
            predicted += [c] * table[c, t]
    h, c, v = homogeneity_completeness_v_measure(gold, predicted)
    rows, columns = linear_sum_assignment(-table)
    print(f"{{{classes}, {tags}, {a}, {b}, {m}, {h:.15f}, {c:.15f}, {v:.15f}, {table[rows, columns].sum()}}},")
