#!/usr/bin/env python3
"""Makes a data directory of WordNet's nouns: the text is a gloss, the labels are what the noun is a kind or an instance of.

    apt-get install wordnet-base
    experiments/make_wordnet.py /usr/share/wordnet/data.noun DIR

10,000 glosses drawn by a fixed seed, no text twice: 6,000 to learn from, 2,000 for validation, 2,000 for test. Labels are
the hypernyms within eight levels below WordNet's root, entity, that at least 20 of these glosses have; the third column of
hierarchy.tsv has their words.
"""
import json
import random
import sys
from collections import Counter
from functools import cache
from pathlib import Path

NUM_DOCUMENTS = {"train": 6000, "val": 2000, "test": 2000}
MOST_LEVELS = 8
FEWEST_DOCUMENTS = 20
ROOT = "00001740"


def read_nouns(file):
    """Offset -> (words, hypernyms, gloss); the form of a line: man wndb."""
    nouns = {}
    for line in open(file, encoding="ascii"):
        if line.startswith("  "):
            continue  # the licence
        data, gloss = line.split(" | ", 1)
        fields = data.split()
        num_words = int(fields[3], 16)
        pointers = fields[5 + 2 * num_words:]
        hypernyms = [pointers[i + 1] for i in range(0, len(pointers) - 3, 4) if pointers[i] in ("@", "@i")]
        nouns[fields[0]] = (fields[4:4 + 2 * num_words:2], hypernyms, gloss.strip())
    return nouns


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    nouns = read_nouns(sys.argv[1])
    directory = Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)

    @cache
    def level(noun):
        return max((1 + level(parent) for parent in nouns[noun][1]), default=0)

    @cache
    def hypernyms_of(noun):
        parents = nouns[noun][1]
        return frozenset(parents).union(*map(hypernyms_of, parents))

    of_gloss = {nouns[noun][2]: noun for noun in sorted(nouns, reverse=True)}  # the first of those with the same
    sample = random.Random(0).sample(sorted(of_gloss.values()), sum(NUM_DOCUMENTS.values()))
    counts = Counter(label for noun in sample for label in hypernyms_of(noun))
    labels = {label for label, count in counts.items()
              if label != ROOT and count >= FEWEST_DOCUMENTS and level(label) <= MOST_LEVELS}

    name = {label: f"{nouns[label][0][0]}.{label}" for label in labels}  # a word alone may have several meanings
    with open(directory / "hierarchy.tsv", "w", encoding="utf-8") as out:
        for label in sorted(labels):
            words = ", ".join(nouns[label][0]).replace("_", " ")
            parents = sorted(labels.intersection(nouns[label][1]))
            for parent in parents or [None]:
                print(name[label], name[parent] if parent else "", words, sep="\t", file=out)
    begin = 0
    for split, size in NUM_DOCUMENTS.items():
        with open(directory / f"{split}.jsonl", "w", encoding="utf-8") as out:
            for noun in sample[begin:begin + size]:
                of_noun = sorted(name[label] for label in labels & hypernyms_of(noun))
                print(json.dumps({"id": noun, "text": nouns[noun][2], "labels": of_noun}), file=out)
        begin += size


main()
