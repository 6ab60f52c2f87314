"""Tests of the Python implementations of LA-HCN and of its training."""

import unittest

import numpy as np

import la_hcn_numpy
import make_golden
import training_steps
from golden_support import golden_model


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


if __name__ == "__main__":
    unittest.main()
