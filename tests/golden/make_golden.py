"""Makes LA-HCN's golden files: inputs, weights and what it and its variants must compute.

    /usr/bin/python3 tests/golden/make_golden.py           # writes the six files
    /usr/bin/python3 tests/golden/make_golden.py --check   # makes them again and compares

Deterministic: a second run gives the same bytes. On another processor or with other libraries the
last bits of sums may differ, therefore --check fails only above 1e-12 and says if bytes differ.
Nothing is written unless the NumPy and the PyTorch model agree on logits, loss, every gradient
(autograd against finite differences of the NumPy loss) and the losses of the training steps.
"""

import sys

import numpy as np
import torch

import la_hcn_numpy
import la_hcn_torch
import training_steps
from golden_files import check_gradients, golden_bytes, make_batch, padded, random_weights, run

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
GOLDEN_FILES = {  # name: (profile, encoder, seed, variant)
    "la_hcn_paper": ("paper", "embedding", 28),
    "la_hcn_reference": ("reference", "embedding", 21),
    "la_hcn_bilstm": ("paper", "bilstm", 22),
    "la_hcn_nc": ("paper", "embedding", 61, "la-hcn-nc"),
    "la_hcn_l": ("reference", "embedding", 43, "la-hcn-l"),
    "la_hcn_g": ("reference", "embedding", 34, "la-hcn-g"),
}


def make_config(profile, encoder, variant=None):
    name = {"name": variant} if variant else {}
    return {
        "model": name | {"profile": profile, "local_weight": 0.5},
        "encoder": {"kind": encoder},
        "train": {
            "learning_rate": training_steps.LEARNING_RATE,
            "betas": [training_steps.BETA_1, training_steps.BETA_2],
            "epsilon": training_steps.EPSILON,
            "max_norm": training_steps.MAX_NORM,
        },
        "sizes": SIZES,
    }


def expected_outputs(outputs):
    """The NumPy model's results over the batch, with padding filled in as zeros."""
    expected = {}
    for h in range(1, len(SIZES["levels"]) + 1):
        levels = [output["levels"][h - 1] for output in outputs]
        for name in levels[0]:
            # R~ and F_l depend on the weights alone: (L, C) and (L, a), once for all documents.
            once = name in ("R_tilde", "F_l")
            arrays = [level[name] for level in levels]
            expected[f"level_{h}.{name}"] = arrays[0] if once else padded(arrays)
    for name in ("global_logits", "scores"):
        if name in outputs[0]:  # la-hcn-l has no global classifier
            expected[name] = np.array([output[name] for output in outputs])
    return expected


# ---- The two models must agree -------------------------------------------------------------------


def check_logits(config, weights, batch, outputs):
    model = la_hcn_torch.make_model(config, SIZES, weights)
    with torch.no_grad():
        logits = model(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    for name, found in logits.items():
        expected = np.array([output[name] for output in outputs])
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-13, err_msg=name)


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


def make_golden(profile, encoder, seed, variant=None):
    """The bytes of one golden file."""
    config = make_config(profile, encoder, variant)
    weights = random_weights(la_hcn_numpy.parameter_shapes(config, SIZES), seed)
    batch = make_batch(DOCUMENTS, TARGETS)
    outputs = list(la_hcn_numpy.forward(weights, config, DOCUMENTS))
    loss = la_hcn_numpy.loss(config, outputs, TARGETS)
    torch_loss, gradients = la_hcn_torch.loss_and_gradients(config, SIZES, weights, batch)

    check_logits(config, weights, batch, outputs)
    np.testing.assert_allclose(torch_loss, loss, rtol=1e-13)
    largest = check_gradients(
        lambda w: la_hcn_numpy.loss(config, la_hcn_numpy.forward(w, config, DOCUMENTS), TARGETS),
        weights,
        gradients,
    )
    print(f"  loss {loss:.6f}, largest gradient error {largest:.1e}")

    expected = expected_outputs(outputs)
    expected.update(expected_training(config, weights, batch))
    expected["loss"] = np.array(loss)
    expected.update({f"grad/{name}": value for name, value in gradients.items()})
    return golden_bytes(config, batch, weights, expected)


if __name__ == "__main__":
    sys.exit(run(__doc__.splitlines()[0], make_golden, GOLDEN_FILES))
