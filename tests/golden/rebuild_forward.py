"""Rebuilds the scores of a trained model from its directory, in NumPy (float64): LA-HCN and its
variants in every profile, one network or several, alone or fused with a linear model; the linear
model itself.

    /usr/bin/python3 tests/golden/rebuild_forward.py MODEL_DIR INPUT.jsonl
        [--scores PREDICTIONS.jsonl] [--raw]

INPUT has lines {"id": …, "tokens": […]}; nothing here splits text into words, so a document with
"text" must bring the tokens that the program made of it. Tokens are looked up as they stand.
Without --scores it prints {"id", "scores"} lines. With it, it compares them with PREDICTIONS
(`hmtc predict --all-scores`, same documents in the same order) and prints the largest absolute
difference. --raw leaves out the max constraint (a parent scores at least as much as its children).
Exit code: 0 fine, 1 a difference above 1e-5, 3 bad input. The section of docs/formats.md on the
forward pass is what it follows.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

import numpy as np

import la_hcn_numpy
from safetensors_io import read_safetensors

TOLERANCE = 1e-5
PADDING, UNKNOWN = 0, 1
ESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r"}


def lines_of(path):
    # Neither text mode nor splitlines(): only \n ends a line, Unicode has other separators.
    lines = path.read_bytes().decode("utf-8").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def read_vocabulary(path):
    """{word: id} and the number of ids; <pad> and <unk> are no words, whatever a text says."""
    ids = {}
    lines = lines_of(path)
    for word_id, line in enumerate(lines):
        fields = line.split("\t")
        if len(fields) != 2:
            raise ValueError(f"{path}:{word_id + 1}: expected word<TAB>count, found {line!r}")
        word = re.sub(r"\\(.)", lambda match: ESCAPES[match[1]], fields[0])
        if word_id in (PADDING, UNKNOWN):
            if word != ("<pad>", "<unk>")[word_id]:
                raise ValueError(f"{path}:{word_id + 1}: expected <pad>, <unk> first, found {word}")
        elif ids.setdefault(word, word_id) != word_id:
            raise ValueError(f"{path}:{word_id + 1}: {word!r} stands twice")
    return ids, len(lines)


class Hierarchy:
    """hierarchy.tsv of a model: ids in the order of first appearance, level after level."""

    def __init__(self, path):
        self.parents = {}  # label: its parents, in the order of ids
        for line in lines_of(path):
            label, parent = line.split("\t")[:2]
            self.parents.setdefault(label, []).extend([parent] if parent else [])
        depth = {}
        for label, parents in self.parents.items():
            missing = [parent for parent in parents if parent not in depth]
            if missing:
                raise ValueError(f"{path}: {label} stands before its parent {missing[0]}")
            depth[label] = 1 + max((depth[parent] for parent in parents), default=-1)
        depths = list(depth.values())
        if depths != sorted(depths):
            raise ValueError(f"{path}: the labels do not stand level by level")
        self.labels = list(depth)
        self.level_sizes = [depths.count(level) for level in range(depths[-1] + 1)]

    def parent_ids(self):
        ids = {label: label_id for label_id, label in enumerate(self.labels)}
        return [[ids[parent] for parent in self.parents[label]] for label in self.labels]

    def make_coherent(self, scores):
        """Raises parents, deepest labels first, so that one pass reaches the top."""
        scores[:] = la_hcn_numpy.best_of_subtree(scores, self.parent_ids())


def check_shapes(weights, config, num_words, level_sizes):
    """Every parameter that the configuration asks for is there, and no other."""
    sizes = {
        "vocabulary": num_words,
        "levels": level_sizes,
        "e": weights["encoder.embedding.weight"].shape[1],
        "a": weights["level_1.f_l.weight"].shape[0],
        "d": weights["level_1.labels"].shape[1],
    }
    if la_hcn_numpy.has_components(config):
        sizes["C"] = weights["level_1.components"].shape[0]
    if la_hcn_numpy.has_global_classifier(config):
        sizes["g"] = weights["global.hidden.weight"].shape[0]
    if config["encoder"]["kind"] == "bilstm":
        sizes["lstm"] = weights["encoder.lstm.weight_hh_l0"].shape[1]
    expected = la_hcn_numpy.parameter_shapes(config, sizes)
    for name in sorted(expected.keys() | weights.keys()):
        found = weights[name].shape if name in weights else None
        if found != expected.get(name):
            raise ValueError(f"{name}: expected shape {expected.get(name)}, found {found}")


def logits_of(probabilities):
    """ln(p / (1 - p)), held within 16, as fusion and several networks take it."""
    with np.errstate(divide="ignore"):
        return np.clip(np.log(probabilities) - np.log1p(-probabilities), -16, 16)


class Network:
    """One LA-HCN, or several that vote."""

    def __init__(self, config, tensors, num_words, hierarchy):
        # What `plus` adds to the equations of `reference` has settings of its own.
        profile = config["model"]["profile"]
        self.config = config | {
            "model": config["model"] | {"profile": "reference" if profile == "plus" else profile}
        }
        self.parents = hierarchy.parent_ids()
        self.members = []
        while members := la_hcn_numpy.below(tensors, f"members.{len(self.members)}."):
            self.members.append(members)
        self.members = self.members or [tensors]
        for weights in self.members:
            check_shapes(weights, self.config, num_words, hierarchy.level_sizes)

    def classifiers(self, ids):
        """The probabilities of local and global classifier, or of the only one, and combined."""
        ids = ids[: self.config["train"]["max_words"]]
        voices = []
        for weights in self.members:
            (output,) = la_hcn_numpy.forward(weights, self.config, [ids], self.parents)
            voices.append([*output["probabilities"], output["scores"]])
        if len(voices) == 1:
            return voices[0]
        return [la_hcn_numpy.sigmoid(z) for z in np.mean(logits_of(np.array(voices)), axis=0)]


class Linear:
    """Logistic regression on TF-IDF of words and of pairs of neighbours."""

    def __init__(self, config, tensors):
        self.idf, self.weight, self.bias = (
            np.asarray(tensors[f"linear.{name}"], np.float64) for name in ("idf", "weight", "bias")
        )
        pairs = tensors.get("linear.pairs", np.zeros((0, 2)))
        num_words = len(self.idf) - len(pairs)
        self.pairs = {tuple(int(x) for x in pair): num_words + i for i, pair in enumerate(pairs)}
        self.is_sublinear = config["linear"]["term_frequency"] == "sublinear"

    def probabilities(self, ids):
        terms = [x for x in ids if x > UNKNOWN]
        terms += [self.pairs[pair] for pair in zip(ids, ids[1:]) if pair in self.pairs]
        counts = collections.Counter(terms)
        logits = self.bias.copy()
        if counts:
            x = np.array(list(counts))
            n = np.array(list(counts.values()), np.float64)
            y = (1 + np.log(n) if self.is_sublinear else np.ones_like(n)) * self.idf[x]
            logits += (y / np.linalg.norm(y)) @ self.weight[x]
        return la_hcn_numpy.sigmoid(logits)  # (M)


class Model:
    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text("utf-8"))
        self.word_ids, num_words = read_vocabulary(folder / "vocabulary.txt")
        self.hierarchy = Hierarchy(folder / "hierarchy.tsv")
        tensors, _ = read_safetensors(folder / "model.safetensors")
        beside = ("thresholds.", "linear.", "fusion.")  # the network
        network = {name: values for name, values in tensors.items() if not name.startswith(beside)}
        self.network = None
        if network:
            self.network = Network(self.config, network, num_words, self.hierarchy)
        self.linear = Linear(self.config, tensors) if "linear.weight" in tensors else None
        self.fusion = la_hcn_numpy.below(tensors, "fusion.")

    def raw_scores(self, ids):
        if self.network is None:
            return self.linear.probabilities(ids)
        *parts, combined = self.network.classifiers(ids)
        if not self.fusion:
            return combined
        voices = parts if len(parts) == 2 else [combined]
        if self.linear:
            voices.append(self.linear.probabilities(ids))  # of the whole document
        logits = np.float64(self.fusion["shift"])
        for weight, voice in zip(np.float64(self.fusion["weight"]).T, voices, strict=True):
            logits = logits + weight * logits_of(voice)
        return la_hcn_numpy.sigmoid(logits)  # (M)

    def scores(self, documents, raw):
        """One array of scores for each list of tokens."""
        results = []
        for tokens in documents:
            scores = self.raw_scores([self.word_ids.get(token, UNKNOWN) for token in tokens])
            if not raw:
                self.hierarchy.make_coherent(scores)
            results.append(scores)
        return results


def read_json_lines(path):
    return [json.loads(line) for line in lines_of(path) if line.strip()]


def tokens_of(document):
    if "tokens" not in document:
        raise ValueError(
            f"document {document.get('id')!r} has no tokens: this program does not split text, "
            "give it the words as \"tokens\""
        )
    return document["tokens"]


def largest_difference(documents, results, predictions, labels):
    if len(predictions) != len(documents):
        raise ValueError(f"expected {len(documents)} predictions, found {len(predictions)}")
    largest = 0.0
    for document, scores, prediction in zip(documents, results, predictions):
        if prediction["id"] != document["id"]:
            raise ValueError(f"expected document {document['id']!r}, found {prediction['id']!r}")
        if prediction["scores"].keys() != set(labels):
            raise ValueError(f"document {document['id']!r}: expected one score for every label")
        given = np.array([prediction["scores"][label] for label in labels], np.float64)
        # np.maximum, unlike max, lets NaN through.
        largest = np.maximum(largest, np.abs(scores - given).max())
    return float(largest)


def run(arguments):
    model = Model(arguments.model)
    documents = read_json_lines(arguments.input)
    results = model.scores([tokens_of(document) for document in documents], arguments.raw)
    labels = model.hierarchy.labels
    if arguments.scores is None:
        for document, scores in zip(documents, results):
            line = {"id": document["id"], "scores": dict(zip(labels, scores.tolist()))}
            print(json.dumps(line, ensure_ascii=False))
        return 0
    predictions = read_json_lines(arguments.scores)
    largest = largest_difference(documents, results, predictions, labels)
    print(f"{len(documents)} documents, {len(labels)} labels: largest difference {largest:.3e}")
    return 0 if largest <= TOLERANCE else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=pathlib.Path, metavar="MODEL_DIR")
    parser.add_argument("input", type=pathlib.Path, metavar="INPUT.jsonl")
    parser.add_argument("--scores", type=pathlib.Path, metavar="PREDICTIONS.jsonl")
    parser.add_argument("--raw", action="store_true", help="without the max constraint")
    try:
        return run(parser.parse_args())
    except (OSError, ValueError, KeyError) as error:
        print(f"rebuild_forward: {error!r}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
