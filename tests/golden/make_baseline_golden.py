"""Makes the golden files of the baselines: inputs, weights and what they must compute from them.

    /usr/bin/python3 tests/golden/make_baseline_golden.py           # writes the six files
    /usr/bin/python3 tests/golden/make_baseline_golden.py --check   # makes them again and compares

As make_golden.py: deterministic, and nothing is written unless the NumPy and the PyTorch model
agree on results, loss and every gradient.
"""

import sys

import numpy as np

import baselines_numpy
import baselines_torch
from golden_files import check_gradients, golden_bytes, make_batch, padded, random_weights, run

SIZES = {"vocabulary": 13, "e": 5, "lstm": 3, "levels": [2, 3, 4]}
# 0 is padding, 1 the unknown word. One document is longer than the capsule network's max_words.
DOCUMENTS = [[2, 5, 1, 7, 3, 3, 9, 12, 4], [], [6, 2, 10], [8], [11, 1, 5, 7, 2]]
SENTENCES = [[4, 1, 4], [], [3], [1], [2, 3]]
# (child, parent); label 8 has two parents.
EDGES = np.array([[2, 0], [3, 0], [4, 1], [5, 2], [6, 3], [7, 4], [8, 3], [8, 4]], np.int64)
# Every label set is closed under ancestors.
TARGETS = np.array(
    [
        [1, 1, 0, 1, 1, 0, 0, 0, 1],
        [0, 1, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 1, 0, 0, 1, 0, 0],
    ],
    np.float32,
)
# Not 0.5: who takes local for global gets other numbers.
MIXED = {"local_weight": 0.25}
HMCN = MIXED | {"violation_weight": 0.1}
GOLDEN_FILES = {  # name: (settings of the model, encoder, sizes, seed)
    "flat": ({"name": "flat"}, "embedding", {}, 42),
    "harnn": (MIXED | {"name": "harnn"}, "bilstm", {"a": 4, "d": 6, "g": 7}, 89),
    "hmcn_f": (HMCN | {"name": "hmcn-f"}, "embedding", {"u": 6}, 78),
    "hmcn_r": (HMCN | {"name": "hmcn-r"}, "embedding", {"u": 6}, 41),
    "capsule": ({"name": "capsule"}, "embedding", {"F": 2, "k": 3, "max_words": 6}, 45),
    "han": ({"name": "han"}, "embedding", {"u": 3, "c": 4}, 46),
}


def make_config(model, encoder, sizes):
    return {"model": model, "encoder": {"kind": encoder}, "sizes": SIZES | sizes}


def numpy_batch():
    return {"documents": DOCUMENTS, "targets": TARGETS, "edges": EDGES, "sentences": SENTENCES}


def padded_batch(model):
    """The inputs as the file has them: what the model does not need is left out."""
    batch = make_batch(DOCUMENTS, TARGETS)
    if model in baselines_numpy.HMCN:
        batch["edges"] = EDGES
    if model == "han":
        batch["sentence_lengths"] = padded([np.array(s) for s in SENTENCES]).astype(np.int64)
    return batch


def expected_results(config, weights, batch, training=False):
    """Results, loss and gradients, after both models have agreed on them."""
    options = {"training": True} if training else {}
    documents = numpy_batch()
    results = baselines_numpy.forward(weights, config, documents, **options)
    expected = {name: padded([result[name] for result in results]) for name in results[0]}
    expected["loss"] = np.array(baselines_numpy.loss(config, results, TARGETS))

    found, gradients = baselines_torch.results_and_gradients(config, weights, batch, training)
    for name, value in found.items():
        np.testing.assert_allclose(value, expected[name], rtol=1e-12, atol=1e-13, err_msg=name)

    if "c" in expected:  # for gradients a constant
        options["couplings"] = expected["c"]

    def loss_with(changed):
        changed_results = baselines_numpy.forward(changed, config, documents, **options)
        return baselines_numpy.loss(config, changed_results, TARGETS)

    largest = check_gradients(loss_with, weights, gradients)
    print(f"  loss {expected['loss']:.6f}, largest gradient error {largest:.1e}")
    return expected | {f"grad/{name}": value for name, value in gradients.items()}


def make_golden(model, encoder, sizes, seed):
    """The bytes of one golden file."""
    config = make_config(model, encoder, sizes)
    weights = random_weights(baselines_numpy.parameter_shapes(config), seed)
    batch = padded_batch(model["name"])
    expected = expected_results(config, weights, batch)
    if model["name"].startswith("hmcn"):
        training = expected_results(config, weights, batch, training=True)
        expected |= {f"training/{name}": value for name, value in training.items()}
    return golden_bytes(config, batch, weights, expected)


if __name__ == "__main__":
    sys.exit(run(__doc__.splitlines()[0], make_golden, GOLDEN_FILES))
