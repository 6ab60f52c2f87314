"""Makes the small JSON of one run out of its two evaluations. Called by experiments/common.sh."""
import argparse
import json
import os


def headline(report):
    """The AU(PRC) figures of one evaluation, per score set."""
    return {name: scores["au_prc"] for name, scores in report.items()}


def main():
    parser = argparse.ArgumentParser()
    for name in ("experiment", "row", "test", "validation", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--seconds", type=int, required=True)
    parser.add_argument("arguments", nargs="*", help="of hmtc train")
    options = parser.parse_args()
    with open(options.test) as test, open(options.validation) as validation:
        record = {
            "experiment": options.experiment,
            "row": options.row,
            "seed": options.seed,
            "train_arguments": [os.path.basename(a) if a.startswith("/") else a for a in options.arguments],
            "seconds": options.seconds,
            "validation": headline(json.load(validation)),
            "test": headline(json.load(test)),
        }
    with open(options.out + ".tmp", "w") as out:
        json.dump(record, out, indent=1)
        out.write("\n")
    os.replace(options.out + ".tmp", options.out)


if __name__ == "__main__":
    main()
