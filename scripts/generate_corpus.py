#!/usr/bin/env python3
"""Writes a small data directory of made-up documents: scripts/generate_corpus.py OUT [--seed N].

Every label of a tree of 4/12/24 labels has words of its own; a document mixes the words of its
labels with words that say nothing. It stands in where no real data can be had, and a result on it
says only that the program works.
"""
import argparse
import json
import os
import random

SYLLABLES = ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za"]
SPLITS = {"train": 1200, "val": 300, "test": 300}


def make_word(rng):
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4)))


def make_tree():
    """Label -> parent, "" for the top."""
    tree = {}
    for a in range(4):
        tree[f"topic{a}"] = ""
        for b in range(3):
            tree[f"topic{a}/area{b}"] = f"topic{a}"
            for c in range(2):
                tree[f"topic{a}/area{b}/field{c}"] = f"topic{a}/area{b}"
    return tree


def ancestors(tree, label):
    while label:
        yield label
        label = tree[label]


def make_document(rng, tree, words_of, filler, number):
    leaves = rng.sample(sorted(tree), k=rng.choice([1, 1, 2]))
    labels = sorted({a for leaf in leaves for a in ancestors(tree, leaf)})
    words = [rng.choice(words_of[rng.choice(labels)]) for _ in range(rng.randint(8, 20))]
    words += [rng.choice(filler) for _ in range(rng.randint(20, 60))]
    rng.shuffle(words)
    return {"id": f"made-{number}", "text": " ".join(words) + ".", "labels": labels}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    tree = make_tree()
    words_of = {label: [make_word(rng) for _ in range(12)] for label in tree}
    filler = [make_word(rng) for _ in range(1500)]
    os.makedirs(options.out, exist_ok=True)
    with open(os.path.join(options.out, "hierarchy.tsv"), "w") as file:
        file.writelines(f"{label}\t{parent}\n" for label, parent in tree.items())
    number = 0
    for split, size in SPLITS.items():
        with open(os.path.join(options.out, split + ".jsonl"), "w") as file:
            for _ in range(size):
                file.write(json.dumps(make_document(rng, tree, words_of, filler, number)) + "\n")
                number += 1


if __name__ == "__main__":
    main()
