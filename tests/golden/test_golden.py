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

import baselines_numpy
import baselines_torch
import golden_files
import la_hcn_numpy
import la_hcn_torch
import make_baseline_golden
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


class BaselineParts(unittest.TestCase):
    """Against PyTorch's own modules, or by hand."""

    def setUp(self):
        torch.manual_seed(1)

    def test_the_gru_is_pytorchs(self):
        gru = torch.nn.GRU(4, 3, batch_first=True, bidirectional=True).double()
        X = torch.randn(5, 4).double()
        parameters = {name: value.detach().numpy() for name, value in gru.named_parameters()}
        found = la_hcn_numpy.bidirectional(baselines_numpy.gru_direction, parameters, X.numpy())
        np.testing.assert_allclose(found, gru(X[None])[0][0].detach().numpy(), rtol=1e-12)

    def test_the_convolution_is_pytorchs(self):
        conv = torch.nn.Conv1d(4, 16, 3).double()
        X = torch.randn(7, 4).double()
        weights = {"conv." + name: p.detach().numpy() for name, p in conv.named_parameters()}
        found = baselines_numpy.convolution(weights, X.numpy())
        expected = conv(X.T[None])[0].T.relu().detach().numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)

    def test_batch_norm_is_pytorchs_in_both_modes(self):
        norm = torch.nn.BatchNorm1d(3).double()
        for value in norm.state_dict().values():
            if value.dim() > 0:
                torch.nn.init.uniform_(value, 0.5, 1.5)
        numbers = {name: value.numpy().copy() for name, value in norm.state_dict().items()}
        Z = torch.randn(5, 3).double()
        for training in (False, True):
            expected = norm.train(training)(Z).detach().numpy()
            found = baselines_numpy.batch_norm(numbers, Z.numpy(), training)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)

    def test_the_levels_of_hmcn_r_are_an_lstm_that_reads_x_again_and_again(self):
        _, weights, _, expected = golden_file("hmcn_r")
        lstm = torch.nn.LSTM(5, 6).double()
        cell = torch.tensor(weights["cell.weight"]).double()
        parameters = {"weight_hh_l0": cell[:, :6], "weight_ih_l0": cell[:, 6:]}
        parameters["bias_ih_l0"] = torch.tensor(weights["cell.bias"]).double()
        parameters["bias_hh_l0"] = torch.zeros(24).double()
        lstm.load_state_dict(parameters)
        x = torch.tensor(expected["x"])
        A, _ = lstm(torch.stack([x, x, x]))
        for h in (1, 2, 3):
            np.testing.assert_allclose(A[h - 1].detach(), expected[f"level_{h}.A"], rtol=1e-12)

    def test_squash_keeps_the_direction_and_gives_zero_for_zero(self):
        # |(3, 4)| = 5: 25 / 26 of (0.6, 0.8).
        found = baselines_numpy.squash(np.array([[3.0, 4.0], [0.0, 0.0]]))
        np.testing.assert_allclose(found, [[15 / 26, 20 / 26], [0, 0]])

    def test_routing_prefers_the_label_that_agrees(self):
        # One capsule, two labels, u_hat = 1 and 0: v = squash(1/2) = 1/4 / (5/4) = 0.2, b = 0.2;
        # c = sigmoid(0.2) = 0.5498340, v = c^2 / (1 + c^2) = 0.2321380, b = 0.4321380.
        found = baselines_numpy.route(np.array([[[[1.0], [0.0]]]]))
        c = 1 / (1 + np.exp(-0.4321380))
        np.testing.assert_allclose(found, [[[c, 1 - c]]], atol=1e-7)

    def test_the_margin_loss_by_hand(self):
        # 0.4^2 + 0 + 0.5 * 0.4^2 + 0
        scores, targets = np.array([0.5, 0.95, 0.5, 0.05]), np.array([1.0, 1.0, 0.0, 0.0])
        self.assertAlmostEqual(baselines_numpy.margin_loss(scores, targets), 0.16 + 0.08, 12)

    def test_only_a_child_above_its_parent_is_a_violation(self):
        # 1 is above 0 by 0.5; 2 is below 0; 2 is above its other parent, 3, by 0.25.
        P, edges = np.array([0.25, 0.75, 0.125, -0.125]), np.array([[1, 0], [2, 0], [2, 3]])
        self.assertEqual(baselines_numpy.violation(P, edges), 0.25 + 0.0625)


class Baselines(unittest.TestCase):
    def test_a_document_depends_on_no_other(self):
        for name in make_baseline_golden.GOLDEN_FILES:
            config, weights, batch, expected = golden_file(name)
            for i, ids in enumerate(batch["documents"]):
                one = batch | {"documents": [ids], "sentences": batch["sentences"][i : i + 1]}
                (result,) = baselines_numpy.forward(weights, config, one)
                np.testing.assert_allclose(result["scores"], expected["scores"][i], rtol=1e-12)

    def test_a_document_without_words_leaves_the_biases(self):
        result, weights = result_of("flat", [])
        np.testing.assert_array_equal(result["global_logits"], weights["output.bias"])
        result, weights = result_of("han", [], [])
        np.testing.assert_array_equal(result["global_logits"], weights["output.bias"])
        result, _ = result_of("capsule", [])
        np.testing.assert_array_equal(result["scores"], np.zeros(9))
        result, _ = result_of("harnn", [])
        self.assertEqual(result["level_3.Att"].shape, (4, 0))
        np.testing.assert_array_equal(result["level_3.r"], np.zeros(6))

    def test_harnn_reads_the_only_word_of_a_document_with_weight_one_at_every_level(self):
        result, _ = result_of("harnn", [8])
        for h in (1, 2, 3):
            np.testing.assert_array_equal(result[f"level_{h}.omega"], [1.0])
            np.testing.assert_allclose(result[f"level_{h}.r"], result["x"], rtol=1e-14)

    def test_harnn_gives_its_words_weights_that_sum_to_one_below_level_1(self):
        result, _ = result_of("harnn", [2, 5, 1, 7])
        np.testing.assert_array_equal(result["level_1.omega"], np.ones(4))
        self.assertAlmostEqual(result["level_2.omega"].sum(), 1.0, 12)
        self.assertGreater(np.ptp(result["level_2.omega"]), 1e-3)

    def test_the_capsule_network_reads_max_words_and_no_more(self):
        result, _ = result_of("capsule", [2, 5, 1, 7, 3, 3, 9])
        same, _ = result_of("capsule", [2, 5, 1, 7, 3, 3])
        other, _ = result_of("capsule", [2, 5, 1, 7, 3])
        np.testing.assert_array_equal(result["scores"], same["scores"])
        self.assertGreater(np.abs(result["scores"] - other["scores"]).max(), 1e-3)

    def test_windows_without_a_word_hold_zero_capsules_though_their_bias_is_not_zero(self):
        result, weights = result_of("capsule", [8, 2])
        self.assertTrue((weights["conv.bias"] > 0).any())
        lengths = np.linalg.norm(result["primary"], axis=2).max(axis=1)
        np.testing.assert_array_equal(lengths > 0, [True, True, False, False])

    def test_attention_of_han_sums_to_one_and_depends_on_where_sentences_end(self):
        one, _ = result_of("han", [2, 5, 1, 7], [4])
        two, _ = result_of("han", [2, 5, 1, 7], [1, 3])
        for result in (one, two):
            self.assertAlmostEqual(result["attention"].sum(), 1.0, 12)
        self.assertEqual(two["word_alpha"][0], 1.0)
        self.assertEqual(two["attention"][0], two["sentence_alpha"][0])
        self.assertGreater(np.abs(one["global_logits"] - two["global_logits"]).max(), 1e-3)


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


class BaselineGoldenFiles(unittest.TestCase):
    def test_all_are_small_finite_and_zero_where_there_is_no_word(self):
        for name in make_baseline_golden.GOLDEN_FILES:
            path = FOLDER / f"{name}.safetensors"
            self.assertLess(path.stat().st_size, 100_000)
            tensors, _ = read_safetensors(path)
            for key, value in tensors.items():
                self.assertTrue(np.isfinite(value).all(), key)
            padding = tensors["input.ids"] == 0
            for key in ("word_alpha", "attention", "level_1.omega", "level_3.omega"):
                if "expected/" + key in tensors:
                    self.assertTrue((tensors["expected/" + key][padding] == 0).all(), key)
            self.assertTrue((tensors["expected/grad/encoder.embedding.weight"][0] == 0).all())

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


def golden_model(name):
    tensors, metadata = read_safetensors(FOLDER / f"{name}.safetensors")
    return json.loads(metadata["config"]), la_hcn_numpy.below(tensors, "weights/")


def golden_file(name, training=False):
    """config, weights, batch (as baselines_numpy has it, `arrays` as the file has it) and what is
    expected; `training` gives what is expected with the statistics of the batch."""
    tensors, metadata = read_safetensors(FOLDER / f"{name}.safetensors")
    arrays = la_hcn_numpy.below(tensors, "input.")
    batch = arrays | {"arrays": arrays}
    batch["documents"] = [row[:n].tolist() for row, n in zip(arrays["ids"], arrays["lengths"])]
    sentences = arrays.get("sentence_lengths", np.zeros((len(arrays["ids"]), 0), np.int64))
    batch["sentences"] = [row[row > 0].tolist() for row in sentences]
    expected = la_hcn_numpy.below(tensors, "expected/training/" if training else "expected/")
    weights = la_hcn_numpy.below(tensors, "weights/")
    return json.loads(metadata["config"]), weights, batch, expected


def modes():
    """(file, with the statistics of the batch)"""
    return [(name, False) for name in make_baseline_golden.GOLDEN_FILES] + [("hmcn_f", True)]


def result_of(name, ids, sentences=()):
    """One document's results with the weights of a golden file, and these."""
    config, weights, _, _ = golden_file(name)
    batch = {"documents": [ids], "sentences": [list(sentences)]}
    (result,) = baselines_numpy.forward(weights, config, batch)
    return result, weights


def twin_scores(config, weights, documents):
    batch = golden_files.make_batch(documents, None)
    model = la_hcn_torch.make_model(config, make_golden.SIZES, weights)
    logits = model.used_logits(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    # The mean: local_weight is 0.5.
    return torch.stack(logits).sigmoid().mean(dim=0).detach().numpy()


if __name__ == "__main__":
    unittest.main()
