"""Training steps in NumPy (float64): gradient clipping and Adam, lazy for the embedding.

Not a program: make_golden.py imports it; `test_la_hcn.py` tests it.
"""

import numpy as np

import la_hcn_torch

LEARNING_RATE = 1e-3
BETA_1, BETA_2 = 0.9, 0.999
EPSILON = 1e-8
MAX_NORM = 2.0
EMBEDDING = "encoder.embedding.weight"


def clip_gradients(gradients):
    """All gradients together get a norm of at most MAX_NORM (PyTorch's clip_grad_norm_)."""
    norm = np.sqrt(sum((gradient**2).sum() for gradient in gradients.values()))
    coefficient = min(1.0, MAX_NORM / (norm + 1e-6))
    return {name: coefficient * gradient for name, gradient in gradients.items()}, norm


class Adam:
    """PyTorch's Adam. The embedding is lazy: only the rows of the batch's words are touched, the
    others keep value and moments. The step count is common to all parameters and rows."""

    def __init__(self, weights):
        self.weights = {name: np.array(value, np.float64) for name, value in weights.items()}
        self.first = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.second = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.step_count = 0

    def step(self, gradients, words_in_use):
        self.step_count += 1
        for name, gradient in gradients.items():
            rows = words_in_use if name == EMBEDDING else slice(None)
            self.update(name, rows, gradient[rows])

    def update(self, name, rows, g):
        first, second = self.first[name], self.second[name]
        first[rows] = BETA_1 * first[rows] + (1 - BETA_1) * g
        second[rows] = BETA_2 * second[rows] + (1 - BETA_2) * g * g
        first_corrected = first[rows] / (1 - BETA_1**self.step_count)
        second_corrected = second[rows] / (1 - BETA_2**self.step_count)
        self.weights[name][rows] -= LEARNING_RATE * first_corrected / (
            np.sqrt(second_corrected) + EPSILON
        )


def words_of(batch):
    """The rows of the embedding that a batch uses: never row 0, which is padding."""
    words = np.unique(batch["ids"])
    return words[words != 0]


def train(config, sizes, weights, batches):
    """One step per batch; returns the losses before each update, the norms and the weights."""
    adam = Adam(weights)
    losses, norms = [], []
    for batch in batches:
        value, gradients = la_hcn_torch.loss_and_gradients(config, sizes, adam.weights, batch)
        clipped, norm = clip_gradients(gradients)
        adam.step(clipped, words_of(batch))
        losses.append(value)
        norms.append(norm)
    return np.array(losses), np.array(norms), adam.weights
