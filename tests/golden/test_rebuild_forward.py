"""Tests of rebuild_forward.py."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import make_golden
import rebuild_forward
from safetensors_io import write_safetensors
from golden_support import FOLDER, golden_model, twin_scores


class RebuildForward(unittest.TestCase):
    """Against the PyTorch twin, because the program itself is built on the NumPy model."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def write_model(self, name, max_words=100):
        config, weights = golden_model(name)
        config["train"] = {"max_words": max_words}
        words = ["<pad>", "<unk>", "tab\\t", "back\\\\t"] + [f"word{i}" for i in range(4, 13)]
        tree = "a\t\tTop\nb\t\nc\ta\nd\ta\ne\tb\nf\tb\ng\tc\tDeep\nh\td\ni\tf\ni\te\n"
        (self.folder / "config.json").write_text(json.dumps(config))
        (self.folder / "vocabulary.txt").write_text("".join(f"{w}\t1\n" for w in words))
        (self.folder / "hierarchy.tsv").write_text(tree)
        write_safetensors(self.folder / "model.safetensors", weights, {})
        return config, weights

    def write_documents(self):
        tokens = [["tab\t", "word5", "never seen", "<pad>"], ["back\\t"], []]
        lines = [json.dumps({"id": str(i), "tokens": row}) for i, row in enumerate(tokens)]
        (self.folder / "input.jsonl").write_text("\n".join(lines) + "\n")
        return [[2, 5, 1, 1], [3], []]

    def write_scores(self, scores):
        lines = [
            json.dumps({"id": str(i), "scores": dict(zip("abcdefghi", row.tolist()))})
            for i, row in enumerate(scores)
        ]
        (self.folder / "scores.jsonl").write_text("\n".join(lines) + "\n")

    def run_program(self, *options):
        program = [sys.executable, FOLDER / "rebuild_forward.py", self.folder]
        program += [self.folder / "input.jsonl", *options]
        return subprocess.run(program, capture_output=True, text=True, check=False)

    def compare(self, *options):
        return self.run_program("--scores", self.folder / "scores.jsonl", *options)

    def test_raw_scores_agree_with_the_twin_for_every_profile_and_encoder(self):
        for name in make_golden.GOLDEN_FILES:
            config, weights = self.write_model(name)
            self.write_scores(twin_scores(config, weights, self.write_documents()))
            result = self.compare("--raw")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_ingredients_at_their_neutral_values_change_nothing(self):
        config, weights = self.write_model("la_hcn_paper")
        self.write_scores(twin_scores(config, weights, self.write_documents()))
        config["model"] |= {"rarity": True, "parent_prior": True, "label_sharing": True}
        weights |= {"rarity.words": np.arange(13.0), "rarity.gamma": np.zeros(3)}
        weights["parent_prior.beta"] = np.zeros(2)
        # c and d lie under a, e and f under b; g under c, h under d, i under e and f.
        top, middle = weights["level_1.labels"], weights["level_2.labels"]
        weights["level_2.labels"] = middle - top[[0, 0, 1, 1]]
        above = np.stack([middle[0], middle[1], (middle[2] + middle[3]) / 2])
        weights["level_3.labels"] = weights["level_3.labels"] - above
        weights = {name: np.float32(values) for name, values in weights.items()}
        (self.folder / "config.json").write_text(json.dumps(config))
        write_safetensors(self.folder / "model.safetensors", weights, {})
        result = self.compare("--raw")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_difference_above_the_tolerance_fails(self):
        config, weights = self.write_model("la_hcn_paper")
        scores = twin_scores(config, weights, self.write_documents())
        scores[1, 4] += 2e-5
        self.write_scores(scores)
        result = self.compare("--raw")
        self.assertEqual(result.returncode, 1)
        self.assertIn("2.000e-05", result.stdout)

    def test_a_score_that_is_not_a_number_fails(self):
        config, weights = self.write_model("la_hcn_paper")
        scores = twin_scores(config, weights, self.write_documents())
        scores[0, 0] = np.nan
        self.write_scores(scores)
        self.assertEqual(self.compare("--raw").returncode, 1)

    def test_documents_are_cut_to_max_words(self):
        config, weights = self.write_model("la_hcn_bilstm", max_words=2)
        self.write_documents()
        self.write_scores(twin_scores(config, weights, [[2, 5], [3], []]))
        self.assertEqual(self.compare("--raw").returncode, 0)

    def test_the_max_constraint_raises_both_parents_and_theirs(self):
        self.write_model("la_hcn_paper")
        hierarchy = rebuild_forward.Hierarchy(self.folder / "hierarchy.tsv")
        self.assertEqual(hierarchy.level_sizes, [2, 4, 3])
        # i (the last) lies under e and f, both under b; h under d under a.
        scores = np.array([0.5, 0.1, 0.2, 0.3, 0.4, 0.95, 0.1, 0.6, 0.9])
        hierarchy.make_coherent(scores)
        np.testing.assert_array_equal(scores, [0.6, 0.95, 0.2, 0.6, 0.9, 0.95, 0.1, 0.6, 0.9])

    def test_a_document_with_text_only_is_refused(self):
        self.write_model("la_hcn_paper")
        (self.folder / "input.jsonl").write_text('{"id": "1", "text": "some words"}\n')
        result = self.run_program()
        self.assertEqual(result.returncode, 3)
        self.assertIn("does not split text", result.stderr)

    def test_a_model_of_another_profile_is_refused(self):
        config, _ = self.write_model("la_hcn_paper")
        self.write_documents()
        config["model"]["profile"] = "reference"
        (self.folder / "config.json").write_text(json.dumps(config))
        result = self.run_program()
        self.assertEqual(result.returncode, 3)
        self.assertIn("expected shape", result.stderr)


if __name__ == "__main__":
    unittest.main()
