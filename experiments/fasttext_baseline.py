#!/usr/bin/env python3
"""fastText on a data directory that has train, val and test, as a yardstick for experiments: JSON on stdout.

    apt-get install fasttext python3-numpy
    experiments/fasttext_baseline.py DIR [--vectors FILE] [--seed N]

One logistic loss a label (-loss ova), scores closed by the max constraint. Learning rate, epochs and pairs of words are
chosen by validation; test is read once, by the model that was best. Files may not be compressed. FILE: word vectors as
text, or wink's JSON.
"""
import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

RATES = (0.01, 0.03, 0.1, 0.3, 1.0)
EPOCHS = (2, 5, 15, 50, 150)
NGRAMS = (1, 2)


def documents_of(file):
    return [json.loads(line) for line in open(file, encoding="utf-8") if line.strip()]


def labels_of(file):
    return {label for document in documents_of(file) for label in document["labels"]}


def read_hierarchy(directory):
    """Label -> its parents, parents first. Without a file, labels are paths."""
    parents = {}
    file = directory / "hierarchy.tsv"
    if file.exists():
        lines = [line.rstrip("\n").split("\t")[:2] for line in open(file, encoding="utf-8") if line.strip()]
    else:
        labels = {label for split in directory.glob("*.jsonl") for label in labels_of(split)}
        paths = {"/".join(label.split("/")[:i + 1]) for label in labels for i in range(label.count("/") + 1)}
        lines = [(path, path.rpartition("/")[0]) for path in sorted(paths)]
    for label, parent in lines:
        parents.setdefault(label, []).extend([parent] if parent else [])
    order = {}
    while len(order) < len(parents):
        order |= {label: above for label, above in parents.items() if all(one in order for one in above)}
    return order


class Split:
    """Lines of words, and which labels are true, (documents, labels)."""

    def __init__(self, file, parents):
        place = {label: i for i, label in enumerate(parents)}
        documents = documents_of(file)
        self.lines = [self.words_of(document) for document in documents]
        self.truth = np.zeros((len(documents), len(place)), bool)
        for row, document in enumerate(documents):
            wanted = list(document["labels"])
            while wanted:
                label = wanted.pop()
                self.truth[row, place[label]] = True
                wanted += parents[label]

    @staticmethod
    def words_of(document):
        tokens = document.get("tokens")
        words = tokens if tokens is not None else re.findall(r"\w+", document["text"].lower())
        return " ".join(words)


def write_vectors(file, target, known):
    """Those of known words, in the form that fastText reads: a head line, then a word and its numbers a line."""
    if file.suffix == ".json":
        table = json.load(open(file, encoding="utf-8"))
        width = int(table["dimensions"])
        rows = [(word, numbers[:width]) for word, numbers in table["vectors"].items() if word in known]
    else:
        lines = (line.split() for line in open(file, encoding="utf-8"))
        rows = [(line[0], line[1:]) for line in lines if line[0] in known and len(line) > 2]
        width = len(rows[0][1])
    with open(target, "w", encoding="utf-8") as out:
        out.write(f"{len(rows)} {width}\n")
        out.writelines(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in rows)
    return width


def train(folder, split, settings, more):
    """False when fastText gives up, as it does where its numbers are not finite."""
    lines = (" ".join(f"__label__{label}" for label in np.flatnonzero(truth)) + " " + words
             for words, truth in zip(split.lines, split.truth))
    (folder / "train.txt").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    rate, epochs, ngrams = settings
    command = ["fasttext", "supervised", "-input", "train.txt", "-output", "model", "-loss", "ova", "-minCount", "2",
               "-lr", rate, "-epoch", epochs, "-wordNgrams", ngrams, "-bucket", 500000, "-thread", 1, *more]
    return subprocess.run([str(argument) for argument in command], cwd=folder, capture_output=True).returncode == 0


def scores_of(folder, split, parents):
    (folder / "texts.txt").write_text("".join(line + "\n" for line in split.lines), encoding="utf-8")
    answer = subprocess.run(["fasttext", "predict-prob", "model.bin", "texts.txt", "-1"], cwd=folder, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    assert len(answer) == len(split.lines)
    scores = np.zeros(split.truth.shape)
    for row, line in enumerate(answer):
        fields = line.split()
        for label, score in zip(fields[::2], fields[1::2]):
            scores[row, int(label.removeprefix("__label__"))] = float(score)
    place = {label: i for i, label in enumerate(parents)}
    for label in reversed(parents):  # children first
        for parent in parents[label]:
            scores[:, place[parent]] = np.maximum(scores[:, place[parent]], scores[:, place[label]])
    return scores


def average_precision(scores, truth):
    order = np.argsort(-scores, kind="stable")
    scores, hits = scores[order], np.cumsum(truth[order])
    last_of_equals = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    hits = hits[last_of_equals]
    return float(np.sum(np.diff(hits, prepend=0) * hits / (last_of_equals + 1)) / hits[-1])


def measures(folder, split, parents):
    scores = scores_of(folder, split, parents)
    known = np.flatnonzero(split.truth.any(axis=0))
    return {"micro": average_precision(scores.ravel(), split.truth.ravel()),
            "macro": float(np.mean([average_precision(scores[:, i], split.truth[:, i]) for i in known]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    parents = read_hierarchy(arguments.directory)
    splits = {name: Split(arguments.directory / f"{name}.jsonl", parents) for name in ("train", "val", "test")}
    has_order = "text" in documents_of(arguments.directory / "train.jsonl")[0]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        more = ["-seed", arguments.seed]
        if arguments.vectors:
            known = {word for line in splits["train"].lines for word in line.split()}
            width = write_vectors(arguments.vectors, folder / "vectors.vec", known)
            more += ["-pretrainedVectors", "vectors.vec", "-dim", width]
        trials, failed = [], []
        for settings in itertools.product(RATES, EPOCHS, NGRAMS if has_order else NGRAMS[:1]):
            if train(folder, splits["train"], settings, more):
                trials.append((measures(folder, splits["val"], parents), settings))
                print(*settings, trials[-1][0], file=sys.stderr)
            else:
                failed.append(settings)
        validation, best = max(trials, key=lambda trial: trial[0]["micro"])
        train(folder, splits["train"], best, more)
        test = measures(folder, splits["test"], parents)
    def named(settings):
        return dict(zip(("rate", "epochs", "ngrams"), settings))

    json.dump({"seed": arguments.seed, "vectors": arguments.vectors.name if arguments.vectors else None,
               "chosen": named(best), "validation": validation, "test": test,
               "trials": [{**named(settings), "validation": measured} for measured, settings in trials],
               "failed": [named(settings) for settings in failed]},
              sys.stdout, indent=1)
    print()


main()
