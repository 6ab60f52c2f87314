"""Prints the Markdown table of all results: mean ± sd over the seeds of every experiment and row.

The wall time in the raw results is left out: runs share their machine and may be paused.

    python3 experiments/summarise.py > experiments/results/table.md
"""
import collections
import glob
import json
import os
import statistics

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")

# AU(PRC) of LA-HCN as the paper has it, for the splits that are the paper's.
PAPER = {"enron-paper": 0.8015, "reuters-paper": 0.8006}


def spread(values):
    mean = statistics.mean(values)
    return f"{mean:.4f}" if len(values) == 1 else f"{mean:.4f} ± {statistics.stdev(values):.4f}"


def main():
    groups = collections.defaultdict(list)
    for path in sorted(glob.glob(os.path.join(RESULTS, "*.json"))):
        with open(path) as file:
            record = json.load(file)
        groups[record["experiment"], record["row"]].append(record)
    print("| data | model | seeds | test AU(PRC) | local | global | macro | validation | paper |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for (experiment, row), records in sorted(groups.items()):
        def column(split, scores, metric):
            found = [r[split][scores][metric] for r in records if scores in r[split]]
            return spread(found) if found else "–"
        paper = PAPER.get(experiment) if row.startswith("la-hcn") else None
        seeds = ",".join(str(r["seed"]) for r in sorted(records, key=lambda r: r["seed"]))
        print(f"| {experiment} | {row} | {seeds} | {column('test', 'combined', 'micro')} "
              f"| {column('test', 'local', 'micro')} | {column('test', 'global', 'micro')} "
              f"| {column('test', 'combined', 'macro')} | {column('validation', 'combined', 'micro')} "
              f"| {paper or '–'} |")


if __name__ == "__main__":
    main()
