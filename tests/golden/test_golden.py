"""Tests of the Python files beside it.

    /usr/bin/python3 tests/golden/test_golden.py
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import torch

import golden_files
import la_hcn_numpy
import la_hcn_torch
import make_golden
import rebuild_forward
import training_steps
from safetensors_io import from_safetensors, read_safetensors, to_safetensors, write_safetensors

FOLDER = pathlib.Path(__file__).resolve().parent


class Safetensors(unittest.TestCase):
    def test_what_is_written_is_read_back(self):
        tensors = {
            "b": np.array([[1, 2], [3, 4]], np.float32),
            "a": np.array(0.5),
            "c": np.zeros((0, 3), np.int64),
        }
        found, metadata = from_safetensors(to_safetensors(tensors, {"key": "value"}))
        self.assertEqual(metadata, {"key": "value"})
        self.assertEqual(list(found), ["a", "b", "c"])
        for name, array in tensors.items():
            self.assertEqual(found[name].dtype, array.dtype)
            np.testing.assert_array_equal(found[name], array)

    def test_the_bytes_of_one_number_are_as_the_format_says(self):
        content = to_safetensors({"x": np.array([1.0], np.float32)}, {})
        header = b'{"__metadata__":{},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
        self.assertEqual(content, b"\x48" + bytes(7) + header + b"\x00\x00\x80\x3f")

    def test_a_file_cut_short_is_refused(self):
        content = to_safetensors({"x": np.zeros(3)}, {})
        for size in (0, 7, 20, len(content) - 1):
            with self.assertRaises(ValueError):
                from_safetensors(content[:size])


class Forward(unittest.TestCase):
    def test_a_document_without_words_attends_to_nothing(self):
        config, weights = golden_model("la_hcn_paper")
        (output,) = la_hcn_numpy.forward(weights, config, [[]])
        level = output["levels"][0]
        self.assertEqual(level["A"].shape, (2, 0))
        bias = np.maximum(weights["level_1.W.bias"], 0)
        np.testing.assert_allclose(level["D"], [bias, bias])
        self.assertTrue(np.isfinite(output["scores"]).all())

    def test_rows_of_attention_sum_to_one(self):
        config, weights = golden_model("la_hcn_bilstm")
        (output,) = la_hcn_numpy.forward(weights, config, [[2, 3, 1]])
        for level in output["levels"]:
            np.testing.assert_allclose(level["A"].sum(axis=1), 1.0)

    def test_one_number_per_layer_by_hand(self):
        # One word 0.5, one label: A = 1, D = relu(0.5 * 2 + 0.5) = 1.5, local = 1.5 * 2 = 3,
        # hidden = relu(1.5 * 1 - 1) = 0.5, global = 0.5 * 4 + 1 = 3; both sigmoid(3) = 0.9525741.
        weights = {name: np.array(value) for name, value in {
            "encoder.embedding.weight": [[9.0], [9.0], [0.5]],
            "level_1.components": [[1.0]], "level_1.labels": [[2.0]],
            "level_1.f_w.weight": [[1.0]], "level_1.f_w.bias": [0.0],
            "level_1.f_l.weight": [[1.0]], "level_1.f_l.bias": [0.0],
            "level_1.W.weight": [[2.0]], "level_1.W.bias": [0.5],
            "global.hidden.weight": [[1.0]], "global.hidden.bias": [-1.0],
            "global.output.weight": [[4.0]], "global.output.bias": [1.0],
        }.items()}  # fmt: skip
        config = make_golden.make_config("paper", "embedding")
        (output,) = la_hcn_numpy.forward(weights, config, [[2]])
        self.assertAlmostEqual(output["levels"][0]["S"][0, 0], 0.46211716, 8)  # tanh(0.5)
        self.assertEqual(output["local_logits"], [3.0])
        self.assertEqual(output["global_logits"], [3.0])
        self.assertAlmostEqual(output["scores"][0], 0.9525741268, 9)
        # -log sigmoid(3) = 0.0485873516, twice.
        loss = la_hcn_numpy.loss(config, [output], np.array([[1.0]]))
        self.assertAlmostEqual(loss, 0.0971747032, 9)


class Variants(unittest.TestCase):
    def test_without_components_labels_attend_to_words_directly(self):
        # F_l = tanh(2) = 0.9640276, F_w = tanh(0.5), tanh(0): the logits are 0.4454937 and 0,
        # the first word's weight is 1 / (1 + exp(-0.4454937)) = 0.6095673.
        level = {"labels": [[2.0]], "f_l.weight": [[1.0]], "f_w.weight": [[1.0]],
                 "W.weight": [[1.0]]}  # fmt: skip
        level = {name: np.array(value) for name, value in level.items()}
        labels = la_hcn_numpy.label_side(level, components=False)
        I = np.array([[0.5], [0.0]])
        result = la_hcn_numpy.attention_module(level, "paper", labels, I, None)
        np.testing.assert_allclose(result["A"], [[0.6095673, 0.3904327]], atol=1e-7)

    def test_the_loss_of_la_hcn_is_the_sum_of_both_classifiers_alone(self):
        config, weights = golden_model("la_hcn_reference")
        losses, scores = {}, {}
        for name in ("la-hcn", "la-hcn-l", "la-hcn-g"):
            config["model"]["name"] = name
            outputs = list(la_hcn_numpy.forward(weights, config, make_golden.DOCUMENTS))
            losses[name] = la_hcn_numpy.loss(config, outputs, make_golden.TARGETS)
            scores[name] = outputs[0]["scores"]
        self.assertAlmostEqual(losses["la-hcn"], losses["la-hcn-l"] + losses["la-hcn-g"], 12)
        mean = (scores["la-hcn-l"] + scores["la-hcn-g"]) / 2
        np.testing.assert_allclose(scores["la-hcn"], mean, rtol=1e-14)

    def test_a_configuration_without_a_name_is_la_hcn_and_an_unknown_name_is_refused(self):
        config, weights = golden_model("la_hcn_paper")
        (unnamed,) = la_hcn_numpy.forward(weights, config, [[2, 3]])
        config["model"]["name"] = "la-hcn"
        (named,) = la_hcn_numpy.forward(weights, config, [[2, 3]])
        np.testing.assert_array_equal(named["scores"], unnamed["scores"])
        config["model"]["name"] = "harnn"
        with self.assertRaisesRegex(ValueError, "found model harnn"):
            list(la_hcn_numpy.forward(weights, config, [[2, 3]]))


class Adam(unittest.TestCase):
    def test_the_first_step_moves_used_rows_by_the_learning_rate_and_no_other(self):
        weights = {training_steps.EMBEDDING: np.zeros((3, 1)), "x": np.zeros(1)}
        adam = training_steps.Adam(weights)
        gradients = {training_steps.EMBEDDING: np.full((3, 1), 0.5), "x": np.array([-0.5])}
        adam.step(gradients, np.array([2]))
        table = adam.weights[training_steps.EMBEDDING]
        np.testing.assert_allclose(table, [[0], [0], [-1e-3]], 1e-7)
        np.testing.assert_allclose(adam.weights["x"], [1e-3], 1e-7)

    def test_clipping_scales_all_gradients_together(self):
        # The norm of (3, 4) is 5; 2 / 5 = 0.4.
        clipped, norm = training_steps.clip_gradients({"a": np.array([3.0]), "b": np.array([4.0])})
        self.assertEqual(norm, 5.0)
        np.testing.assert_allclose([clipped["a"][0], clipped["b"][0]], [1.2, 1.6], 1e-6)


class LaHcnGoldenFiles(unittest.TestCase):
    def test_all_are_small_finite_and_empty_where_there_is_no_word(self):
        for name in make_golden.GOLDEN_FILES:
            path = FOLDER / f"{name}.safetensors"
            self.assertLess(path.stat().st_size, 150_000)
            tensors, _ = read_safetensors(path)
            for key, value in tensors.items():
                self.assertTrue(np.isfinite(value).all(), key)
            padding = tensors["input.ids"] == 0
            for h in (1, 2, 3):
                A = tensors[f"expected/level_{h}.A"]
                self.assertTrue((A.transpose(0, 2, 1)[padding] == 0).all())
                words = "F_w" if name == "la_hcn_nc" else "S"
                self.assertTrue((tensors[f"expected/level_{h}.{words}"][padding] == 0).all())
            self.assertTrue((tensors["expected/grad/encoder.embedding.weight"][0] == 0).all())


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


def golden_model(name):
    tensors, metadata = read_safetensors(FOLDER / f"{name}.safetensors")
    return json.loads(metadata["config"]), la_hcn_numpy.below(tensors, "weights/")


def twin_scores(config, weights, documents):
    batch = golden_files.make_batch(documents, None)
    model = la_hcn_torch.make_model(config, make_golden.SIZES, weights)
    logits = model.used_logits(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    # The mean: local_weight is 0.5.
    return torch.stack(logits).sigmoid().mean(dim=0).detach().numpy()


if __name__ == "__main__":
    unittest.main()
