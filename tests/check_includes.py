#!/usr/bin/env python3
"""Checks that every #include keeps to the table of folders in docs/architecture.md.

    check_includes.py ROOT         check the project at ROOT; a line per breach, exit code 1
    check_includes.py --self-test  check the checker on trees that break each rule
"""

import pathlib
import re
import sys
import tempfile
import unittest

TABLE_HEAD = ["folder", "part", "may include", "what it is"]
PARTS = ["runtime", "trainer"]  # the trainer may include the runtime, never the other way
QUOTED = re.compile(r'\s*#\s*include\s*"([^"]+)"')
TORCH = re.compile(r"\s*#\s*include\s*[<\"](torch|ATen|c10)/")
SOURCES = {".h", ".cc", ".in"}


class Row:
    def __init__(self, line, part, allowed):
        self.line = line
        self.allowed = allowed
        self.is_runtime = part == "runtime"


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_table(document):
    """The rows by folder, and what is wrong with the table."""
    rows, problems, inside = {}, [], False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|"):
            inside = False
        elif cells_of(line) == TABLE_HEAD:
            inside = True
        elif inside and not set(line) <= set("|-: "):
            cells = cells_of(line)
            folder = cells[0].strip("`")
            if len(cells) != len(TABLE_HEAD) or folder in rows or cells[1] not in PARTS:
                problems.append(f"{document}:{number}: expected one row of four cells for {folder}, "
                                f"the second one of {PARTS}")
                continue
            names = [name.strip().strip("`") for name in cells[2].split(",")]
            allowed = set() if names == ["nothing"] else set(names)
            rows[folder] = Row(number, cells[1], allowed)
    if not rows:
        problems.append(f"{document}: expected a table headed | {' | '.join(TABLE_HEAD)} |")
    return rows, problems


def check_table(document, rows, folders):
    for folder in sorted(folders - rows.keys()):
        yield f"{document}: src/{folder} has no row in the table"
    for folder, row in rows.items():
        place = f"{document}:{row.line}"
        if folder not in folders:
            yield f"{place}: there is no folder src/{folder}"
        for name in sorted(row.allowed - rows.keys() - {"hmtc"}):
            yield f"{place}: {folder} may include {name}, which has no row"
        for name in sorted(row.allowed & rows.keys()):
            if row.is_runtime and not rows[name].is_runtime:
                yield f"{place}: {folder} is of the runtime, but may include {name} of the trainer"
        cycle = cycle_through(folder, rows)
        if cycle:
            yield f"{place}: a cycle: {' -> '.join(cycle)}"


def cycle_through(start, rows):
    """A way from `start` along the table back to it, or None."""
    paths, seen = [[start]], set()
    while paths:
        path = paths.pop()
        for name in sorted(rows[path[-1]].allowed if path[-1] in rows else ()):
            if name == start:
                return path + [start]
            if name not in seen:
                seen.add(name)
                paths.append(path + [name])
    return None


def source_files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES)


def includes_of(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield f"{path}:{number}", line


def check_folder(folder, row, files):
    for path in files:
        for place, line in includes_of(path):
            quoted = QUOTED.match(line)
            if row.is_runtime and TORCH.match(line):
                yield f"{place}: {folder} is of the runtime, which knows no LibTorch"
            elif quoted:
                target = quoted[1].split("/")[0]
                if "/" not in quoted[1]:
                    yield f'{place}: write the folder: "{folder}/{quoted[1]}"'
                elif target not in row.allowed | {folder, "hmtc"}:
                    yield f"{place}: {folder} may not include {target}"


def check_public(files):
    for path in files:
        for place, line in includes_of(path):
            quoted = QUOTED.match(line)
            if TORCH.match(line) or (quoted and not quoted[1].startswith("hmtc/")):
                yield f"{place}: a public header may include hmtc/ and the standard library only"


def check_project(root):
    document = root / "docs" / "architecture.md"
    if not document.is_file():
        return [f"{document}: expected the table of folders, found no file"]
    rows, problems = read_table(document)
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    problems += check_table(document, rows, folders)
    for folder in sorted(folders & rows.keys()):
        problems += check_folder(folder, rows[folder], source_files(root / "src" / folder))
    problems += check_public(source_files(root / "include" / "hmtc"))
    return problems


class Checker(unittest.TestCase):
    TABLE = """# Layout
| folder | part | may include | what it is |
| --- | --- | --- | --- |
| `base` | runtime | nothing | files |
| `text` | runtime | base | words |
| `model` | trainer | base, text | the models |

| other | table |
| --- | --- |
| `x` | y |
"""

    def problems(self, table=TABLE, **files):
        """Checks a small project that is right but for the given files."""
        sources = {
            "base/files.h": "#include <string>\n",
            "text/words.cc": '#include "text/words.h"\n#include "base/files.h"\n#include "hmtc/error.h"\n',
            "model/la_hcn.cc": '#include <torch/torch.h>\n\n#include "text/words.h"\n',
            "../include/hmtc/error.h": '#include <string>\n#include "hmtc/kind.h"\n',
        }
        sources.update(files.get("files", {}))
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / "docs").mkdir()
            (root / "docs" / "architecture.md").write_text(table, encoding="utf-8")
            for name, content in sources.items():
                path = root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return [problem.replace(directory, "") for problem in check_project(root)]

    def expect(self, problems, *parts):
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])

    def test_a_right_tree_has_no_problem(self):
        self.assertEqual(self.problems(), [])

    def test_a_missing_document_or_table_is_a_problem(self):
        self.assertEqual(len(check_project(pathlib.Path("/nonexistent"))), 1)
        self.assertIn("expected a table", self.problems(table="# Nothing\n")[0])

    def test_an_include_against_the_table_is_named_with_its_line(self):
        files = {"base/files.cc": '#include "base/files.h"\n  # include "text/words.h"\n'}
        self.expect(self.problems(files=files), "/src/base/files.cc:2", "base may not include text")

    def test_an_include_of_an_unknown_folder_is_a_problem(self):
        self.expect(self.problems(files={"base/a.h": '#include "apps/main.h"\n'}), "apps")

    def test_an_include_without_a_folder_is_a_problem(self):
        self.expect(self.problems(files={"base/a.h": '#include "files.h"\n'}), "base/files.h")

    def test_the_runtime_includes_no_torch(self):
        for header in ("torch/torch.h", "ATen/ATen.h", "c10/util/Exception.h"):
            self.expect(self.problems(files={"text/a.h": f"\n#include <{header}>\n"}),
                        "/src/text/a.h:2", "no LibTorch")

    def test_public_headers_include_public_ones_only(self):
        for line in ('#include "base/files.h"\n', "#include <torch/torch.h>\n"):
            self.expect(self.problems(files={"../include/hmtc/a.h": line}), "/include/hmtc/a.h:1")

    def test_folders_and_rows_must_match(self):
        self.expect(self.problems(files={"web/a.h": ""}), "src/web has no row")
        self.expect(self.problems(table=self.TABLE.replace(
            "| `text`", "| `gone` | runtime | base | words |\n| `text`")), "no folder src/gone")

    def test_a_row_may_name_only_folders_of_the_table(self):
        self.expect(self.problems(table=self.TABLE.replace("base, text", "base, text, web")), "web")

    def test_a_cycle_in_the_table_is_a_problem(self):
        table = self.TABLE.replace("| `base` | runtime | nothing", "| `base` | runtime | text")
        found = self.problems(table=table)
        self.assertEqual(len(found), 2, found)  # seen from both folders
        self.assertIn("base -> text -> base", found[0])

    def test_the_runtime_may_not_include_the_trainer(self):
        table = self.TABLE.replace("| `text` | runtime", "| `text` | trainer").replace(
            "| `model` | trainer", "| `model` | runtime")
        found = self.problems(table=table, files={"model/la_hcn.cc": ""})
        self.expect(found, "model is of the runtime", "text of the trainer")

    def test_a_row_must_name_its_part(self):
        found = self.problems(table=self.TABLE.replace("| `model` | trainer", "| `model` | both"))
        self.assertIn("expected one row", found[0])

    def test_a_second_row_for_a_folder_is_a_problem(self):
        self.expect(self.problems(table=self.TABLE.replace(
            "| `text`", "| `base` | runtime | nothing | files |\n| `text`")), "one row")


def main(arguments):
    if arguments == ["--self-test"]:
        unittest.main(argv=["check_includes.py"])
    if len(arguments) != 1:
        sys.exit(__doc__)
    problems = check_project(pathlib.Path(arguments[0]))
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
