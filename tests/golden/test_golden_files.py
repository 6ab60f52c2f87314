"""Tests of the golden files, and of reading and writing them."""

import unittest

import numpy as np

import baselines_numpy
import baselines_torch
import golden_files
import la_hcn_numpy
import make_baseline_golden
import make_golden
from safetensors_io import from_safetensors, read_safetensors, to_safetensors
from golden_support import FOLDER, golden_file, modes


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


def checked_tensors(test, name, most_bytes):
    """The tensors of a golden file, after what holds for every one of them."""
    path = FOLDER / f"{name}.safetensors"
    test.assertLess(path.stat().st_size, most_bytes)
    tensors, _ = read_safetensors(path)
    for key, value in tensors.items():
        test.assertTrue(np.isfinite(value).all(), key)
    test.assertTrue((tensors["expected/grad/encoder.embedding.weight"][0] == 0).all())
    return tensors


class LaHcnGoldenFiles(unittest.TestCase):
    def test_all_are_small_finite_and_empty_where_there_is_no_word(self):
        for name in make_golden.GOLDEN_FILES:
            tensors = checked_tensors(self, name, 150_000)
            padding = tensors["input.ids"] == 0
            for h in (1, 2, 3):
                A = tensors[f"expected/level_{h}.A"]
                self.assertTrue((A.transpose(0, 2, 1)[padding] == 0).all())
                words = "F_w" if name == "la_hcn_nc" else "S"
                self.assertTrue((tensors[f"expected/level_{h}.{words}"][padding] == 0).all())


class BaselineGoldenFiles(unittest.TestCase):
    def test_all_are_small_finite_and_zero_where_there_is_no_word(self):
        for name in make_baseline_golden.GOLDEN_FILES:
            tensors = checked_tensors(self, name, 100_000)
            padding = tensors["input.ids"] == 0
            for key in ("word_alpha", "attention", "level_1.omega", "level_3.omega"):
                if "expected/" + key in tensors:
                    self.assertTrue((tensors["expected/" + key][padding] == 0).all(), key)

    def test_weights_are_those_of_the_model_and_all_but_statistics_have_gradients(self):
        for name in make_baseline_golden.GOLDEN_FILES:
            config, weights, _, expected = golden_file(name)
            shapes = {key: value.shape for key, value in weights.items()}
            self.assertEqual(shapes, baselines_numpy.parameter_shapes(config))
            gradients = {k: v.shape for k, v in la_hcn_numpy.below(expected, "grad/").items()}
            learned = {k: shape for k, shape in shapes.items() if ".running_" not in k}
            self.assertEqual(gradients, learned)
            variances = [v for k, v in weights.items() if k.endswith("running_var")]
            self.assertTrue(all((value > 0).all() for value in variances))

    def test_the_twin_agrees_with_what_is_stored(self):
        for name, training in modes():
            config, weights, batch, expected = golden_file(name, training)
            results, gradients = baselines_torch.results_and_gradients(
                config, weights, batch["arrays"], training
            )
            self.assertIn("scores", results)
            results |= {f"grad/{key}": value for key, value in gradients.items()}
            for key, value in results.items():
                np.testing.assert_allclose(value, expected[key], 1e-11, 1e-12, err_msg=key)

    def test_a_few_entries_of_every_gradient_agree_with_differences_of_the_numpy_loss(self):
        random = np.random.RandomState(7)
        for name, training in modes():
            config, weights, batch, expected = golden_file(name, training)
            weights = {key: np.array(value, np.float64) for key, value in weights.items()}
            options = {"training": True} if training else {}
            if name == "capsule":
                options["couplings"] = expected["c"]

            def loss_of():
                results = baselines_numpy.forward(weights, config, batch, **options)
                return baselines_numpy.loss(config, results, batch["targets"])

            self.assertAlmostEqual(loss_of(), float(expected["loss"]), 12)
            for key, gradient in la_hcn_numpy.below(expected, "grad/").items():
                for _ in range(3):
                    index = tuple(random.randint(size) for size in gradient.shape)
                    numeric = golden_files.finite_difference(loss_of, weights[key], index)
                    np.testing.assert_allclose(numeric, gradient[index], 1e-6, 1e-10, err_msg=key)

    def test_every_branch_of_the_losses_is_taken(self):
        for name in ("hmcn_f", "hmcn_r"):
            _, _, batch, expected = golden_file(name)
            child, parent = batch["edges"].T
            violated = expected["scores"][:, child] > expected["scores"][:, parent]
            self.assertTrue(violated.any() and not violated.all())
        _, _, batch, expected = golden_file("capsule")
        present, scores = batch["targets"] == 1, expected["scores"]
        for branch in (present & (scores < 0.9), present & (scores > 0.9),
                       ~present & (scores < 0.1), ~present & (scores > 0.1)):  # fmt: skip
            self.assertTrue(branch.any())

    def test_batch_statistics_change_the_loss_of_hmcn_f(self):
        _, _, _, expected = golden_file("hmcn_f")
        self.assertGreater(abs(expected["loss"] - expected["training/loss"]), 0.1)


if __name__ == "__main__":
    unittest.main()
