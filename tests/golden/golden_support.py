"""What the tests of this folder share."""

import json
import pathlib

import numpy as np
import torch

import baselines_numpy
import golden_files
import la_hcn_numpy
import la_hcn_torch
import make_baseline_golden
import make_golden
from safetensors_io import read_safetensors

FOLDER = pathlib.Path(__file__).resolve().parent


def golden_model(name):
    tensors, metadata = read_safetensors(FOLDER / f"{name}.safetensors")
    return json.loads(metadata["config"]), la_hcn_numpy.below(tensors, "weights/")


def golden_file(name, training=False):
    """config, weights, batch (as baselines_numpy has it, `arrays` as the file has it) and what is
    expected; `training` gives what is expected with the statistics of the batch."""
    tensors, metadata = read_safetensors(FOLDER / f"{name}.safetensors")
    arrays = la_hcn_numpy.below(tensors, "input.")
    batch = arrays | {"arrays": arrays}
    batch["documents"] = [row[:n].tolist() for row, n in zip(arrays["ids"], arrays["lengths"])]
    sentences = arrays.get("sentence_lengths", np.zeros((len(arrays["ids"]), 0), np.int64))
    batch["sentences"] = [row[row > 0].tolist() for row in sentences]
    expected = la_hcn_numpy.below(tensors, "expected/training/" if training else "expected/")
    weights = la_hcn_numpy.below(tensors, "weights/")
    return json.loads(metadata["config"]), weights, batch, expected


def modes():
    """(file, with the statistics of the batch)"""
    return [(name, False) for name in make_baseline_golden.GOLDEN_FILES] + [("hmcn_f", True)]


def result_of(name, ids, sentences=()):
    """One document's results with the weights of a golden file, and these."""
    config, weights, _, _ = golden_file(name)
    batch = {"documents": [ids], "sentences": [list(sentences)]}
    (result,) = baselines_numpy.forward(weights, config, batch)
    return result, weights


def twin_scores(config, weights, documents):
    batch = golden_files.make_batch(documents, None)
    model = la_hcn_torch.make_model(config, make_golden.SIZES, weights)
    logits = model.used_logits(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    # The mean: local_weight is 0.5.
    return torch.stack(logits).sigmoid().mean(dim=0).detach().numpy()
