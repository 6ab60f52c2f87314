"""What the makers of golden files share: weights, padding, gradients by differences, writing.

Not a program: make_golden.py and make_baseline_golden.py import it.
"""

import argparse
import json
import pathlib

import numpy as np
import torch

from safetensors_io import from_safetensors, to_safetensors

FOLDER = pathlib.Path(__file__).resolve().parent
# So that attention, routing and gates are far from uniform, and their gradients far from zero.
WIDE = {"W_s1.weight": 3.0, "W_s2.weight": 3.0, "cell.weight": 2.0, "transform": 1.5}


# ---- Input ---------------------------------------------------------------------------------------


def random_weights(shapes, seed):
    # RandomState's stream is frozen by NumPy, and uniform numbers need no library function.
    # The padding row is random too: whoever lets padding through gets other numbers.
    random = np.random.RandomState(seed)
    return {
        name: random.uniform(*bounds(name, shape), shape).astype(np.float32)
        for name, shape in sorted(shapes.items())
    }


def bounds(name, shape):
    if name.endswith(("norm.weight", "norm.running_var")):
        return 0.5, 1.5
    # Biases are smaller, so that documents and not biases decide which ReLU is on.
    bound = 0.3 if len(shape) == 1 and not name.endswith("_context") else 1.0
    bound = next((wide for ending, wide in WIDE.items() if name.endswith(ending)), bound)
    return -bound, bound


def padded(arrays, shape=None):
    """(B, *shape), each document's array in the corner and zeros elsewhere; by default the
    smallest shape that holds them all."""
    if shape is None:
        shape = np.max([array.shape for array in arrays], axis=0).astype(int)
    result = np.zeros((len(arrays), *shape))
    for i, array in enumerate(arrays):
        result[(i, *map(slice, array.shape))] = array
    return result


def make_batch(documents, targets):
    ids = padded([np.array(document) for document in documents]).astype(np.int64)
    lengths = np.array([len(document) for document in documents], np.int64)
    return {"ids": ids, "lengths": lengths, "targets": targets}


# ---- Gradients -----------------------------------------------------------------------------------


def finite_difference(loss_of, value, index, step=1e-4):
    """Central difference of fourth order: the error is of size step^4, far below 1e-6."""
    kept = value[index]
    at = []
    for distance in (-2, -1, 1, 2):
        value[index] = kept + distance * step
        at.append(loss_of())
    value[index] = kept
    return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * step)


def check_gradients(loss_with, weights, gradients):
    """Every entry of every gradient; a ReLU's kink within the step would fail here as well.
    `loss_with` takes weights; what has no gradient (running statistics) stays as it is."""
    weights = {name: np.array(value, np.float64) for name, value in weights.items()}

    largest = 0.0
    for name, gradient in gradients.items():
        value = weights[name]
        numeric = np.array(
            [
                finite_difference(lambda: loss_with(weights), value, index)
                for index in np.ndindex(value.shape)
            ]
        )
        exact = gradient.ravel()
        # 1e-10 is what rounding leaves: 1e-16 of a loss of about 20, divided by the step.
        np.testing.assert_allclose(numeric, exact, rtol=1e-6, atol=1e-10, err_msg=name)
        largest = max(largest, np.abs(numeric - exact).max())
    return largest


# ---- Files ---------------------------------------------------------------------------------------


def golden_bytes(config, batch, weights, expected):
    tensors = {f"input.{name}": value for name, value in batch.items()}
    tensors.update({f"weights/{name}": value for name, value in weights.items()})
    tensors.update({f"expected/{name}": value for name, value in expected.items()})
    return to_safetensors(tensors, {"config": json.dumps(config, sort_keys=True)})


def compare(name, made, stored):
    if made == stored:
        print(f"{name}: the same bytes")
        return True
    made_tensors, stored_tensors = from_safetensors(made)[0], from_safetensors(stored)[0]
    if made_tensors.keys() != stored_tensors.keys():
        print(f"{name}: other tensors than the stored file")
        return False
    difference = max(np.abs(made_tensors[k] - stored_tensors[k]).max() for k in made_tensors)
    print(f"{name}: other bytes, largest difference {difference:.1e}")
    return bool(difference <= 1e-12)


def run(description, make, files):
    """The program of a maker: `make` turns the choices in `files` into the bytes of a file."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="compare with the stored files")
    check = parser.parse_args().check
    torch.set_num_threads(1)  # a fixed order of summation
    agree = True
    for name, choices in files.items():
        path = FOLDER / f"{name}.safetensors"
        print(path.name)
        content = make(*choices)
        if check:
            agree = compare(path.name, content, path.read_bytes()) and agree
        else:
            path.write_bytes(content)
            print(f"  {len(content)} bytes")
    return 0 if agree else 1
