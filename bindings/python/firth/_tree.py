"""The merge tree of a clustering in the shapes that others like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from . import _firth
from ._arrays import checked
from ._errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Merges = List[Tuple[int, int, float]]


def class_merges(core: _firth.Clustering) -> Merges:
    """The merges above the classes: nodes 0..K-1 are classes, merge i makes node K + i."""
    tree = core.tree()
    if tree is None:
        raise UsageError("these classes have no tree; make one with with_tree(counts)")
    of_words, leaves, left, right, ami = tree
    merges = list(zip(checked(left).tolist(), right.tolist(), ami.tolist()))
    if not of_words:
        return merges
    return _above_classes(merges, leaves, core)


def _above_classes(merges: Merges, leaves: int, core: _firth.Clustering) -> Merges:
    """Of a tree over words, what is above the classes, with classes as leaves."""
    classes = core.n_classes()
    labels = core.labels().tolist()
    first = leaves - classes  # merges that make the classes
    node: Dict[int, int] = {}
    for i, (a, b, _) in enumerate(merges[:first]):
        labels.append(labels[a])
    for number in range(leaves + first):
        node[number] = labels[number]
    above: Merges = []
    for i, (a, b, ami) in enumerate(merges[first:]):
        above.append((node[a], node[b], ami))
        node[leaves + first + i] = classes + i
    return above


def word_merges(core: _firth.Clustering) -> Merges:
    """The merges of a tree whose leaves are words."""
    tree = core.tree()
    if tree is None or not tree[0]:
        raise UsageError("the leaves of this tree are classes, not words")
    return list(zip(tree[2].tolist(), tree[3].tolist(), tree[4].tolist()))


def linkage(merges: Merges, leaves: int) -> "npt.NDArray[np.float64]":
    """scipy's matrix: the two nodes, the height, the number of leaves below.

    The height is the AMI lost so far, which never falls; where the AMI is not known, the number of the merge.
    """
    import numpy as np

    if len(merges) != leaves - 1:
        raise UsageError("this tree is not complete")
    matrix = np.zeros((len(merges), 4))
    below = [1] * leaves
    for i, (a, b, _) in enumerate(merges):
        below.append(below[a] + below[b])
        matrix[i] = (a, b, i + 1, below[-1])
    ami = np.array([merge[2] for merge in merges])
    if len(ami) and np.isfinite(ami).all():
        matrix[:, 2] = np.maximum.accumulate(ami.max() - ami)
    return matrix


def nested(merges: Merges, leaves: List[Dict[str, Any]]) -> Dict[str, Any]:
    """Dicts within dicts, as d3 wants them."""
    nodes: List[Dict[str, Any]] = list(leaves)
    for a, b, ami in merges:
        node: Dict[str, Any] = {"children": [nodes[a], nodes[b]]}
        if ami == ami:
            node["ami_bits"] = ami
        nodes.append(node)
    return nodes[-1]
