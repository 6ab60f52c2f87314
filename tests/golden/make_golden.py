"""Makes the golden files beside it: inputs, weights and what LA-HCN must compute from them.

    /usr/bin/python3 tests/golden/make_golden.py           # writes the three files
    /usr/bin/python3 tests/golden/make_golden.py --check   # makes them again and compares

Deterministic: a second run gives the same bytes. On another processor or with other libraries the
last bits of sums may differ, therefore --check fails only above 1e-12 and says if bytes differ.
Nothing is written unless the NumPy and the PyTorch model agree on logits, loss, every gradient
(autograd against finite differences of the NumPy loss) and the losses of the training steps.
"""

import argparse
import json
import pathlib
import sys

import numpy as np
import torch

import la_hcn_numpy
import la_hcn_torch
import training_steps
from safetensors_io import from_safetensors, to_safetensors

FOLDER = pathlib.Path(__file__).resolve().parent
NUM_STEPS = 10
SIZES = {
    "vocabulary": 13, "e": 5, "lstm": 3, "a": 4, "C": 3, "d": 6, "g": 7, "levels": [2, 4, 3],
}  # fmt: skip
# 0 is padding, 1 the unknown word. One document has no word, one has one, some words repeat. The
# first two and the last two share no word, so that lazy Adam on them in turn differs from dense.
DOCUMENTS = [[2, 5, 1], [3, 2, 7, 3, 9], [], [4]]
# Parents of labels 2..8: 0 0 1 1 2 3 5. Every label set is closed under ancestors.
TARGETS = np.array(
    [
        [1, 0, 1, 0, 0, 0, 1, 0, 0],
        [1, 1, 0, 1, 0, 1, 0, 1, 1],
        [0, 1, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    np.float32,
)
GOLDEN_FILES = {  # name: (profile, encoder, seed)
    "la_hcn_paper": ("paper", "embedding", 28),
    "la_hcn_reference": ("reference", "embedding", 21),
    "la_hcn_bilstm": ("paper", "bilstm", 22),
}


def make_config(profile, encoder):
    return {
        "model": {"profile": profile, "local_weight": 0.5},
        "encoder": {"kind": encoder},
        "train": {
            "learning_rate": training_steps.LEARNING_RATE,
            "betas": [training_steps.BETA_1, training_steps.BETA_2],
            "epsilon": training_steps.EPSILON,
            "max_norm": training_steps.MAX_NORM,
        },
        "sizes": SIZES,
    }


def make_weights(config, seed):
    # RandomState's stream is frozen by NumPy, and uniform numbers need no library function.
    # The padding row is random too: whoever lets padding through gets other numbers. Biases are
    # smaller, so that documents and not biases decide which ReLU is on.
    random = np.random.RandomState(seed)
    weights = {}
    for name, shape in sorted(la_hcn_numpy.parameter_shapes(config, SIZES).items()):
        bound = 0.3 if len(shape) == 1 else 1.0
        weights[name] = random.uniform(-bound, bound, shape).astype(np.float32)
    return weights


def padded(arrays, shape):
    """(B, *shape), each document's array in the corner and zeros elsewhere."""
    result = np.zeros((len(arrays), *shape))
    for row, array in zip(result, arrays):
        row[tuple(slice(size) for size in array.shape)] = array
    return result


def make_batch(documents, targets):
    longest = max(len(document) for document in documents)
    ids = padded([np.array(document) for document in documents], (longest,)).astype(np.int64)
    lengths = np.array([len(document) for document in documents], np.int64)
    return {"ids": ids, "lengths": lengths, "targets": targets}


def expected_outputs(outputs, num_words):
    """The NumPy model's results over the batch, with padding filled in as zeros."""
    expected = {}
    for h in range(1, len(SIZES["levels"]) + 1):
        levels = [output["levels"][h - 1] for output in outputs]
        for name in la_hcn_numpy.LEVEL_OUTPUTS:
            arrays = [level[name] for level in levels]
            shape = arrays[0].shape
            if name == "S":
                shape = (num_words, SIZES["C"])
            if name == "A":
                shape = (SIZES["levels"][h - 1], num_words)
            expected[f"level_{h}.{name}"] = padded(arrays, shape)
        # R~ depends on the weights alone: (L, C), once for all documents.
        expected[f"level_{h}.R_tilde"] = levels[0]["R_tilde"]
    for name in ("global_logits", "scores"):
        expected[name] = np.array([output[name] for output in outputs])
    return expected


# ---- The two models must agree -------------------------------------------------------------------


def check_logits(config, weights, batch, outputs):
    model = la_hcn_torch.make_model(config, SIZES, weights)
    with torch.no_grad():
        local, over_all = model(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    for name, found in (("local_logits", local), ("global_logits", over_all)):
        expected = np.array([output[name] for output in outputs])
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-13, err_msg=name)


def finite_difference(loss_of, value, index, step=1e-4):
    """Central difference of fourth order: the error is of size step^4, far below 1e-6."""
    kept = value[index]
    at = []
    for distance in (-2, -1, 1, 2):
        value[index] = kept + distance * step
        at.append(loss_of())
    value[index] = kept
    return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * step)


def check_gradients(config, weights, gradients):
    """Every entry of every gradient; a ReLU's kink within the step would fail here as well."""
    weights = {name: np.array(value, np.float64) for name, value in weights.items()}

    def loss_of():
        return la_hcn_numpy.loss(la_hcn_numpy.forward(weights, config, DOCUMENTS), TARGETS)

    largest = 0.0
    for name, value in weights.items():
        numeric = np.array([finite_difference(loss_of, value, i) for i in np.ndindex(value.shape)])
        exact = gradients[name].ravel()
        # 1e-10 is what rounding leaves: 1e-16 of a loss of about 20, divided by the step.
        np.testing.assert_allclose(numeric, exact, rtol=1e-6, atol=1e-10, err_msg=name)
        largest = max(largest, np.abs(numeric - exact).max())
    return largest


def check_steps_against_torch(config, weights, batch, losses):
    """On one batch that repeats, lazy and dense Adam coincide: PyTorch's own must agree."""
    found = torch_adam_losses(config, weights, [batch] * NUM_STEPS)
    np.testing.assert_allclose(found, losses, rtol=1e-11, err_msg="step_losses")


def torch_adam_losses(config, weights, batches):
    model = la_hcn_torch.make_model(config, SIZES, weights)
    optimiser = torch.optim.Adam(
        model.parameters(),
        lr=training_steps.LEARNING_RATE,
        betas=(training_steps.BETA_1, training_steps.BETA_2),
        eps=training_steps.EPSILON,
    )
    losses = []
    for batch in batches:
        optimiser.zero_grad(set_to_none=False)
        value = la_hcn_torch.batch_loss(model, batch)
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), training_steps.MAX_NORM)
        optimiser.step()
        losses.append(value.item())
    return np.array(losses)


# ---- One golden file -----------------------------------------------------------------------------


def expected_training(config, weights, batch):
    repeated = [batch] * NUM_STEPS
    losses, norms, _ = training_steps.train(config, SIZES, weights, repeated)
    check_steps_against_torch(config, weights, batch, losses)

    # The first two documents and the last two in turn: here a lazy embedding shows.
    halves = [make_batch(DOCUMENTS[:2], TARGETS[:2]), make_batch(DOCUMENTS[2:], TARGETS[2:])]
    in_turn = halves * (NUM_STEPS // 2)
    turn_losses, turn_norms, turn_weights = training_steps.train(config, SIZES, weights, in_turn)
    dense = torch_adam_losses(config, weights, in_turn)
    print(f"  norms {norms.min():.2f}..{norms.max():.2f} on the whole batch")
    print(f"  norms {turn_norms.min():.2f}..{turn_norms.max():.2f} on halves in turn")
    lazy_effect = np.abs(dense - turn_losses).max()
    print(f"  lazy and dense Adam differ by {lazy_effect:.1e} in the loss")
    if lazy_effect < 1e-4:
        raise AssertionError("lazy Adam does not show: choose other documents")
    if norms.max() <= training_steps.MAX_NORM:
        raise AssertionError("no step clips its gradient: choose another seed")
    return {
        "step_losses": losses,
        "alternating_step_losses": turn_losses,
        "alternating_embedding": turn_weights[training_steps.EMBEDDING],
    }


def make_golden(profile, encoder, seed):
    """The bytes of one golden file."""
    config = make_config(profile, encoder)
    weights = make_weights(config, seed)
    batch = make_batch(DOCUMENTS, TARGETS)
    outputs = list(la_hcn_numpy.forward(weights, config, DOCUMENTS))
    loss = la_hcn_numpy.loss(outputs, TARGETS)
    torch_loss, gradients = la_hcn_torch.loss_and_gradients(config, SIZES, weights, batch)

    check_logits(config, weights, batch, outputs)
    np.testing.assert_allclose(torch_loss, loss, rtol=1e-13)
    largest = check_gradients(config, weights, gradients)
    print(f"  loss {loss:.6f}, largest gradient error {largest:.1e}")

    expected = expected_outputs(outputs, batch["ids"].shape[1])
    expected.update(expected_training(config, weights, batch))
    expected["loss"] = np.array(loss)
    expected.update({f"grad/{name}": value for name, value in gradients.items()})
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the stored files")
    check = parser.parse_args().check
    torch.set_num_threads(1)  # a fixed order of summation
    agree = True
    for name, choices in GOLDEN_FILES.items():
        path = FOLDER / f"{name}.safetensors"
        print(path.name)
        content = make_golden(*choices)
        if check:
            agree = compare(path.name, content, path.read_bytes()) and agree
        else:
            path.write_bytes(content)
            print(f"  {len(content)} bytes")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
