"""Tests of the Python implementations of the baselines."""

import unittest

import numpy as np
import torch

import baselines_numpy
import la_hcn_numpy
import make_baseline_golden
from golden_support import golden_file, result_of


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


if __name__ == "__main__":
    unittest.main()
