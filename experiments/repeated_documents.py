#!/usr/bin/env python3
"""How many test documents of a data directory have exactly the words of a training document, and at least one.

    experiments/repeated_documents.py DIR
"""
import json
import re
import sys
from pathlib import Path


def words_of(document):
    tokens = document.get("tokens")
    return frozenset(tokens if tokens is not None else re.findall(r"\w+", document["text"].lower()))


def word_sets(file):
    with open(file, encoding="utf-8") as lines:
        return [words_of(json.loads(line)) for line in lines if line.strip()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = Path(sys.argv[1])
    known = set(word_sets(directory / "train.jsonl"))
    test = word_sets(directory / "test.jsonl")
    print(f"{sum(words in known for words in test if words)} of {len(test)}")


main()
