#!/usr/bin/env python3
"""Checks that every line number in the table of equations of docs/paper_map.md is that of a line
marked with the equation (`Eq. 4`) or with a choice that the row names (`D3`).

    check_paper_map.py ROOT    a line per breach, exit code 1
"""

import pathlib
import re
import sys

FILES = {
    "LA": "src/model/la_hcn.cc",
    "AT": "src/model/label_attention.cc",
    "LM": "src/model/logit_model.cc",
    "GC": "src/model/global_classifier.cc",
    "NL": "src/network/la_hcn_level.cc",
    "NN": "src/network/la_hcn_network.cc",
    "NS": "src/network/network.cc",
}
ROW = re.compile(r"\| (\d+) \|")
REFERENCE = re.compile(r"\b(LA|AT|LM|GC|NL|NN|NS):(\d+)(?:–(\d+))?")
EQUATIONS = range(1, 19)


def marks_of(lines):
    """The equations and choices that some lines are marked with."""
    marks = set()
    for line in lines:
        for numbers in re.findall(r"Eq\. (\d+(?:, \d+)*)", line):
            marks |= {f"Eq. {number}" for number in numbers.split(", ")}
        marks |= set(re.findall(r"\bD\d+\b", line))
    return marks


def check(root):
    document = root / "docs/paper_map.md"
    sources = {name: (root / file).read_text(encoding="utf-8").splitlines() for name, file in FILES.items()}
    seen = set()
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        row = ROW.match(line)
        if not row:
            continue
        equation = int(row.group(1))
        seen.add(equation)
        wanted = {f"Eq. {equation}"} | set(re.findall(r"\bD\d+\b", line))
        found = set()
        for name, first, last in REFERENCE.findall(line):
            marks = marks_of(sources[name][int(first) - 1 : int(last or first)])
            found |= marks
            if not marks & wanted:
                yield f"{document}:{number}: {FILES[name]}:{first} has none of the marks {sorted(wanted)}"
        if f"Eq. {equation}" not in found:
            yield f"{document}:{number}: no line of the row is marked Eq. {equation}"
    for equation in sorted(set(EQUATIONS) - seen):
        yield f"{document}: equation {equation} has no row"


if __name__ == "__main__":
    breaches = list(check(pathlib.Path(sys.argv[1])))
    print("\n".join(breaches) or "every line number leads to its mark")
    sys.exit(1 if breaches else 0)
