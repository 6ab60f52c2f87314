"""The models that LA-HCN is compared with: forward pass and loss in plain NumPy (float64).

Not a program: make_baseline_golden.py imports it; `test_baselines.py` tests it.

Like la_hcn_numpy.py it works document by document without any padding. A model returns one
dictionary of results per document, under the names that they have in the golden files.
Legend, the shape stands at the end of a line:
  B documents, n words of the document, w width of a word vector, H levels, L labels of the level,
  M all labels; widths: HARNN a, d, g, HMCN u, HAN u, c;
  capsule: k words in a window, T windows, F filters, of 8 numbers each.
A batch has `documents` (lists of word ids, never 0), `targets` (B, M), and what some models need:
`edges` (E, 2), rows (child, parent) of label numbers over all levels, for HMCN;
`sentences`, for every document the lengths of its sentences in words, for HAN.
"""

import numpy as np

import la_hcn_numpy
from la_hcn_numpy import (
    below, bidirectional, cross_entropy, encode, encoder_shapes, global_logits, global_shapes,
    levels_of, linear, linear_shapes, recurrent_shapes, relu, sigmoid, softmax_rows,
)  # fmt: skip

NORM_EPSILON = 1e-5
PRIMARY_WIDTH, LABEL_WIDTH = 8, 16
ROUTING_ITERATIONS = 3
HMCN = ("hmcn-f", "hmcn-r")
CLASSIFIERS = {  # model: the logits that its loss and its scores are made of; capsule has none
    "flat": ("global_logits",),
    "harnn": ("local_logits", "global_logits"),
    "hmcn-f": ("local_logits", "global_logits"),
    "hmcn-r": ("local_logits", "global_logits"),
    "han": ("global_logits",),
}


# ---- Parameters ----------------------------------------------------------------------------------


def parameter_shapes(config):
    """{name: shape} of every parameter and running statistic."""
    sizes = config["sizes"]
    shapes, w = encoder_shapes(config, sizes)
    model = config["model"]["name"]
    if model == "flat":
        return shapes | linear_shapes("output", sum(sizes["levels"]), w)
    if model == "harnn":
        return shapes | harnn_shapes(sizes, w)
    if model == "capsule":
        return shapes | capsule_shapes(sizes, w)
    if model == "han":
        return shapes | han_shapes(sizes, w)
    return shapes | hmcn_shapes(model, sizes, w)


def harnn_shapes(sizes, w):
    a, d = sizes["a"], sizes["d"]
    shapes = global_shapes(sizes, reference=True)
    for h, num_labels in enumerate(sizes["levels"], start=1):
        level = f"level_{h}."
        shapes |= linear_shapes(level + "W_s1", a, w, bias=False)
        shapes |= linear_shapes(level + "W_s2", num_labels, a, bias=False)
        shapes |= linear_shapes(level + "W", d, 2 * w)
        shapes |= linear_shapes(level + "local", num_labels, d)
    return shapes


def hmcn_shapes(model, sizes, w):
    u = sizes["u"]
    shapes = linear_shapes("W_G", sum(sizes["levels"]), u)
    if model == "hmcn-r":
        shapes |= linear_shapes("cell", 4 * u, u + w)
    for h, num_labels in enumerate(sizes["levels"], start=1):
        level = f"level_{h}."
        if model == "hmcn-f":
            shapes |= linear_shapes(level + "W", u, w if h == 1 else u + w)
            shapes |= norm_shapes(level + "W_norm", u)
        shapes |= linear_shapes(level + "W_T", u, u)
        shapes |= norm_shapes(level + "W_T_norm", u)
        shapes |= linear_shapes(level + "W_L", num_labels, u)
    return shapes


def norm_shapes(name, width):
    parts = ("weight", "bias", "running_mean", "running_var")
    return {f"{name}.{part}": (width,) for part in parts}


def capsule_shapes(sizes, w):
    channels = sizes["F"] * PRIMARY_WIDTH
    return {
        "conv.weight": (channels, w, sizes["k"]),
        "conv.bias": (channels,),
        "transform": (sum(sizes["levels"]), sizes["F"], LABEL_WIDTH, PRIMARY_WIDTH),
    }


def han_shapes(sizes, w):
    u, c = sizes["u"], sizes["c"]
    shapes = recurrent_shapes("word_gru", 3, w, u) | recurrent_shapes("sentence_gru", 3, 2 * u, u)
    for part in ("word", "sentence"):
        shapes |= linear_shapes(part + "_attention", c, 2 * u)
        shapes[part + "_context"] = (c,)
    return shapes | linear_shapes("output", sum(sizes["levels"]), 2 * u)


# ---- Flat ----------------------------------------------------------------------------------------


def mean_of_words(I):
    return I.mean(axis=0) if len(I) > 0 else np.zeros(I.shape[1])  # (w)


def flat(weights, config, batch):
    results = []
    for ids in batch["documents"]:
        x = mean_of_words(encode(weights, config["encoder"]["kind"], ids))  # (w)
        results.append({"x": x, "global_logits": linear(weights, "output", x)})
    return results


# ---- HARNN (Huang et al. 2019) -------------------------------------------------------------------


def harnn_level(level, I, x, omega):
    """The level's results, and omega for the level below."""
    X = omega[:, None] * I  # (n, w)
    Att = softmax_rows(linear(level, "W_s2", np.tanh(linear(level, "W_s1", X))).T)  # (L, n)
    r = (Att @ X).mean(axis=0)  # (w)
    A = relu(linear(level, "W", np.concatenate([x, r])))  # (d)
    logits = linear(level, "local", A)  # (L)
    P = sigmoid(logits)  # (L)
    omega_below = softmax_rows(Att * P[:, None]).mean(axis=0)  # (n)
    return {"omega": omega, "Att": Att, "r": r, "A": A, "local_logits": logits}, omega_below


def harnn_document(weights, config, ids):
    I = encode(weights, config["encoder"]["kind"], ids)  # (n, w)
    x = mean_of_words(I)  # (w), of I at every level
    omega = np.ones(len(I))  # (n)
    outputs = []
    for level in levels_of(weights):
        output, omega = harnn_level(level, I, x, omega)
        outputs.append(output)
    results = {"x": x, "local_logits": np.concatenate([o.pop("local_logits") for o in outputs])}
    over_levels = np.concatenate([output["A"] for output in outputs])  # (H d)
    results["global_logits"] = global_logits(weights, "reference", over_levels)  # (M)
    for h, output in enumerate(outputs, start=1):
        results |= {f"level_{h}.{name}": value for name, value in output.items()}
    return results


def harnn(weights, config, batch):
    return [harnn_document(weights, config, ids) for ids in batch["documents"]]


# ---- HMCN (Wehrmann et al. 2018), a row per document ---------------------------------------------


def batch_norm(norm, Z, training):
    """`training`: statistics of the batch instead of the running ones; the variance is biased."""
    mean, variance = norm["running_mean"], norm["running_var"]
    if training:
        mean, variance = Z.mean(axis=0), Z.var(axis=0)
    return (Z - mean) / np.sqrt(variance + NORM_EPSILON) * norm["weight"] + norm["bias"]


def phi(level, name, X, training):
    return batch_norm(below(level, name + "_norm."), relu(linear(level, name, X)), training)


def hmcn_f_levels(weights, x, training):
    """A of every level."""
    A = []
    for level in levels_of(weights):
        A.append(phi(level, "W", np.hstack([A[-1], x]) if A else x, training))  # (B, u)
    return A


def hmcn_r_levels(weights, x):
    """The same with one LSTM cell for all levels."""
    u = weights["cell.weight"].shape[0] // 4
    A = [np.zeros((len(x), u))]
    C = np.zeros((len(x), u))
    for _ in levels_of(weights):
        gates = linear(weights, "cell", np.hstack([A[-1], x]))  # (B, 4u)
        i, f, g, o = np.split(gates, 4, axis=1)
        C = sigmoid(f) * C + sigmoid(i) * np.tanh(g)  # (B, u)
        A.append(sigmoid(o) * np.tanh(C))  # (B, u)
    return A[1:]


def hmcn(weights, config, batch, training=False):
    words = [encode(weights, config["encoder"]["kind"], ids) for ids in batch["documents"]]
    x = np.array([mean_of_words(I) for I in words])  # (B, w)
    if config["model"]["name"] == "hmcn-f":
        A = hmcn_f_levels(weights, x, training)
    else:
        A = hmcn_r_levels(weights, x)
    results = {"x": x}
    local = []
    for h, (level, A_h) in enumerate(zip(levels_of(weights), A), start=1):
        T = phi(level, "W_T", A_h, training)  # (B, u)
        local.append(linear(level, "W_L", T))  # (B, L)
        results |= {f"level_{h}.A": A_h, f"level_{h}.T": T}
    results["local_logits"] = np.hstack(local)  # (B, M)
    results["global_logits"] = linear(weights, "W_G", A[-1])  # (B, M)
    return [{name: value[i] for name, value in results.items()} for i in range(len(x))]


def violation(P, edges):
    """How much children score above their parents."""
    child, parent = edges.T
    return (relu(P[child] - P[parent]) ** 2).sum()


# ---- Capsule network (Aly et al. 2019) -----------------------------------------------------------


def squash(s):
    """Over the last axis: |s|^2 / (1 + |s|^2) s / |s|, and 0 for 0."""
    length = np.sqrt((s**2).sum(axis=-1, keepdims=True))
    return length / (1.0 + length**2) * s


def convolution(weights, X):
    """relu(sum over e, j of weight[c, e, j] X[t + j, e] + bias[c])"""
    kernel = weights["conv.weight"]  # (8F, w, k)
    k = kernel.shape[2]
    windows = np.array([X[t : t + k].T for t in range(len(X) - k + 1)])  # (T, w, k)
    return relu(np.tensordot(windows, kernel, ((1, 2), (1, 2))) + weights["conv.bias"])  # (T, 8F)


def primary_capsules(weights, config, ids):
    max_words = config["sizes"]["max_words"]
    I = encode(weights, "embedding", ids)[:max_words]
    X = np.zeros((max_words, I.shape[1]))  # (max_words, w)
    X[: len(I)] = I
    channels = convolution(weights, X)  # (T, 8F)
    capsules = squash(channels.reshape(len(channels), -1, PRIMARY_WIDTH))  # (T, F, 8)
    capsules[len(I) :] = 0.0  # no word in the window
    return capsules


def route(u_hat):
    """The coupling of every primary capsule to every label."""
    b = np.zeros(u_hat.shape[:3])  # (T, F, M)
    for _ in range(ROUTING_ITERATIONS - 1):
        v = label_capsules(coupling(b), u_hat)
        b = b + np.einsum("tfmi,mi->tfm", u_hat, v)
    return coupling(b)


def coupling(b):
    return softmax_rows(b.reshape(-1, b.shape[2])).reshape(b.shape)  # (T, F, M)


def label_capsules(c, u_hat):
    return squash(np.einsum("tfm,tfmi->mi", c, u_hat))  # (M, 16)


def capsule_document(weights, config, ids, c=None):
    primary = primary_capsules(weights, config, ids)  # (T, F, 8)
    u_hat = np.einsum("mfip,tfp->tfmi", weights["transform"], primary)  # (T, F, M, 16)
    if c is None:
        c = route(u_hat)
        c[len(ids) :] = 0.0  # zero capsules take part in nothing
    v = label_capsules(c, u_hat)  # (M, 16)
    scores = np.sqrt((v**2).sum(axis=1))  # (M)
    return {"primary": primary, "c": c, "v": v, "scores": scores}


def capsule(weights, config, batch, couplings=None):
    """`couplings` are given when c is a constant, as gradients see it."""
    couplings = [None] * len(batch["documents"]) if couplings is None else couplings
    return [
        capsule_document(weights, config, ids, c) for ids, c in zip(batch["documents"], couplings)
    ]


def margin_loss(scores, targets):
    present = targets * relu(0.9 - scores) ** 2
    absent = 0.5 * (1.0 - targets) * relu(scores - 0.1) ** 2
    return (present + absent).sum()


# ---- Hierarchical attention network (Yang et al. 2016) -------------------------------------------


def gru_direction(gru, direction, X):
    """As lstm_direction() of la_hcn_numpy."""
    h = np.zeros(gru["weight_hh_l0" + direction].shape[1])
    outputs = []
    for x in X:
        from_x = gru["weight_ih_l0" + direction] @ x + gru["bias_ih_l0" + direction]
        from_h = gru["weight_hh_l0" + direction] @ h + gru["bias_hh_l0" + direction]
        (r_x, z_x, n_x), (r_h, z_h, n_h) = np.split(from_x, 3), np.split(from_h, 3)
        r = sigmoid(r_x + r_h)
        z = sigmoid(z_x + z_h)
        h = (1.0 - z) * np.tanh(n_x + r * n_h) + z * h
        outputs.append(h)
    return np.array(outputs).reshape(len(X), len(h))  # (n, u)


def read(weights, part, X):
    """Reads a sentence's words or a document's sentences: alpha (n) and the weighted sum (2u)."""
    rows = bidirectional(gru_direction, below(weights, part + "_gru."), X)  # (n, 2u)
    keys = np.tanh(linear(weights, part + "_attention", rows))  # (n, c)
    (alpha,) = softmax_rows((keys @ weights[part + "_context"])[None])  # (n)
    return alpha, alpha @ rows


def han_document(weights, ids, sentences):
    X = encode(weights, "embedding", ids)  # (n, w)
    ends = np.cumsum(sentences, dtype=int)
    of_sentences = [read(weights, "word", X[end - m : end]) for end, m in zip(ends, sentences)]
    word_alpha = np.concatenate([np.zeros(0)] + [alpha for alpha, _ in of_sentences])  # (n)
    two_u = weights["output.weight"].shape[1]
    s = np.array([vector for _, vector in of_sentences]).reshape(-1, two_u)  # (sentences, 2u)
    sentence_alpha, v = read(weights, "sentence", s)  # (sentences), (2u)
    attention = word_alpha * np.repeat(sentence_alpha, np.diff(ends, prepend=0))  # (n)
    alphas = {"word_alpha": word_alpha, "sentence_alpha": sentence_alpha, "attention": attention}
    return alphas | {"s": s, "v": v, "global_logits": linear(weights, "output", v)}


def han(weights, config, batch):
    documents = zip(batch["documents"], batch["sentences"])
    return [han_document(weights, ids, sentences) for ids, sentences in documents]


# ---- All of them ---------------------------------------------------------------------------------

MODELS = {
    "flat": flat, "harnn": harnn, "hmcn-f": hmcn, "hmcn-r": hmcn, "capsule": capsule, "han": han,
}  # fmt: skip


def forward(weights, config, batch, **options):
    """One dictionary of results per document; `training` is an option of HMCN, `couplings` of the
    capsule network."""
    weights = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    model = config["model"]["name"]
    results = MODELS[model](weights, config, batch, **options)
    for result in results:
        if model in CLASSIFIERS:
            alpha = config["model"].get("local_weight")
            result["scores"] = la_hcn_numpy.scores(CLASSIFIERS[model], alpha, result)  # (M)
        if model in HMCN:
            result["violation"] = violation(result["scores"], batch["edges"])
    return results


def document_loss(config, result, targets):
    model = config["model"]["name"]
    if model == "capsule":
        return margin_loss(result["scores"], targets)
    loss = sum(cross_entropy(result[logits], targets) for logits in CLASSIFIERS[model])
    if model in HMCN:
        loss += config["model"]["violation_weight"] * result["violation"]
    return loss


def loss(config, results, targets):
    losses = [document_loss(config, result, z) for result, z in zip(results, targets)]
    return sum(losses) / len(losses)
