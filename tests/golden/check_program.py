"""Trains small models with the program and rebuilds their scores from the files alone.

    check_program.py HMTC

Every part of the default model has a turn: profile plus, several networks, the ingredients, the
linear model with pairs of words, fusion. Exit code 0 when all scores agree.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

REBUILD = pathlib.Path(__file__).resolve().parent / "rebuild_forward.py"

SIZES = {
    "encoder.embedding_width": 8, "encoder.lstm_width": 5, "model.document_width": 12,
    "model.attention_width": 8, "model.components": 6, "model.global_width": 12,
    "train.epochs": 3, "train.max_words": 20,
}  # fmt: skip
INGREDIENTS = {
    f"model.{name}": "true" for name in ("rarity", "parent_prior", "label_sharing", "max_constraint")
}
PAIRS = {"linear.word_pairs": 100}
FUSED = {"fusion.wide": "true", "fusion.calibrate": "true", "fusion.by_frequency": "true"}

MODELS = {
    "paper": ("la-hcn", {"model.profile": "paper"}),
    "plus": ("la-hcn", {}),
    "two networks of everything":
        ("la-hcn", {"train.members": 2, "encoder.kind": "bilstm"} | INGREDIENTS | PAIRS),
    "without components": ("la-hcn-nc", FUSED),
    "local classifier alone": ("la-hcn-l", FUSED | PAIRS),
    "linear": ("linear", PAIRS),
}  # fmt: skip

LABELS = {"a": "", "b": "", "a1": "a", "a2": "a", "b1": "b", "a1x": "a1", "b1x": "b1"}


def documents(count, seed):
    """Words of the document's label and words that all share, more of them than a network reads."""
    draw = random.Random(seed)
    for number in range(count):
        label = draw.choice(list(LABELS))
        words = [f"{draw.choice([label, 'all'])}{draw.randrange(6)}" for _ in range(draw.randrange(40))]
        yield {"id": str(number), "tokens": words, "labels": [label]}


def write_data(folder):
    folder.mkdir()
    (folder / "hierarchy.tsv").write_text("".join(f"{l}\t{p}\n" for l, p in LABELS.items()))
    for seed, (split, count) in enumerate({"train": 120, "val": 40, "test": 20}.items()):
        lines = (json.dumps(document) for document in documents(count, seed))
        (folder / f"{split}.jsonl").write_text("\n".join(lines) + "\n")


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"check_program: {' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(hmtc, folder, name):
    model, settings = MODELS[name]
    data, out = folder / "data", folder / name.replace(" ", "-")
    options = [f"--set={key}={value}" for key, value in (SIZES | settings).items()]
    run(hmtc, "train", "--data", data, "--out", out, "--model", model, "--threads", 1, *options)
    for raw in (True, False):
        scores = folder / "scores.jsonl"
        options = ["--raw-scores"] if raw else []
        scores.write_text(run(hmtc, "predict", out, data / "test.jsonl", "--all-scores", *options))
        options = ["--raw"] if raw else []
        rebuilt = run(sys.executable, REBUILD, out, data / "test.jsonl", "--scores", scores, *options)
        print(f"{name}{', raw' if raw else ''}: {rebuilt}", end="")


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_data(folder / "data")
        for name in MODELS:
            check(sys.argv[1], folder, name)


if __name__ == "__main__":
    main()
