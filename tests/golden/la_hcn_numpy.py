"""LA-HCN's forward pass in plain NumPy (float64), to be read beside section 3 of the paper.

Not a program: make_golden.py and rebuild_forward.py import it; `python3 test_golden.py` tests it.

It works document by document without any padding, which makes it an independent check of masking.
Legend, the shape stands at the end of a line:
  N words of the document, w width of a word vector, e of an embedding, a attention width,
  C components, L labels of the level, d document and label width, g global width, M all labels.
Profiles: `paper` is the paper as printed, `reference` what the authors' code does otherwise.
"""

import numpy as np

LEVEL_OUTPUTS = ("S", "R_tilde", "A", "D", "m", "D_tilde", "v_tilde", "v", "local_logits")


# ---- Activations -------------------------------------------------------------------------------


def sigmoid(x):
    # exp of a negative number only, so that no logit overflows.
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def relu(x):
    return np.maximum(x, 0.0)


def leaky_relu(x, slope):
    return np.where(x >= 0, x, slope * x)


def softmax_rows(x):
    if x.shape[1] == 0:  # a document without words has nothing to attend to
        return x
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def linear(weights, name, x):
    """y = x weight^T + bias; the profile decides which layers have a bias (parameter_shapes)."""
    return x @ weights[name + ".weight"].T + weights.get(name + ".bias", 0.0)


# ---- Parameters --------------------------------------------------------------------------------


def parameter_shapes(config, sizes):
    """{name: shape} of every parameter; `sizes` has vocabulary, e, lstm, a, C, d, g, levels."""
    reference = config["model"]["profile"] == "reference"
    e, a, d, g = sizes["e"], sizes["a"], sizes["d"], sizes["g"]
    word_width = e
    shapes = {"encoder.embedding.weight": (sizes["vocabulary"], e)}

    def add_linear(name, rows, columns, bias=True):
        shapes[name + ".weight"] = (rows, columns)
        if bias:
            shapes[name + ".bias"] = (rows,)

    if config["encoder"]["kind"] == "bilstm":
        hidden = sizes["lstm"]
        word_width = 2 * hidden
        for direction in ("", "_reverse"):
            shapes["encoder.lstm.weight_ih_l0" + direction] = (4 * hidden, e)
            shapes["encoder.lstm.weight_hh_l0" + direction] = (4 * hidden, hidden)
            shapes["encoder.lstm.bias_ih_l0" + direction] = (4 * hidden,)
            shapes["encoder.lstm.bias_hh_l0" + direction] = (4 * hidden,)

    for h, num_labels in enumerate(sizes["levels"], start=1):
        level = f"level_{h}."
        shapes[level + "components"] = (sizes["C"], a)
        shapes[level + "labels"] = (num_labels, d)
        add_linear(level + "f_w", a, word_width if h == 1 else d + word_width, bias=not reference)
        add_linear(level + "f_l", a, d, bias=not reference)
        add_linear(level + "W", d, word_width)
        if h > 1:
            add_linear(level + "f_m", d, d, bias=not reference)
        if reference:
            add_linear(level + "W_loc", d, d, bias=False)
            shapes[level + "b_loc"] = (num_labels,)

    add_linear("global.hidden", g, len(sizes["levels"]) * d)
    if reference:
        add_linear("global.highway.transform", g, g)
        add_linear("global.highway.gate", g, g)
    add_linear("global.output", sum(sizes["levels"]), g)
    return shapes


def below(weights, prefix):
    """The parameters under a prefix, without it: level_2.f_w.weight becomes f_w.weight."""
    return {k[len(prefix) :]: v for k, v in weights.items() if k.startswith(prefix)}


def levels_of(weights):
    levels = []
    while f"level_{len(levels) + 1}.labels" in weights:
        levels.append(below(weights, f"level_{len(levels) + 1}."))
    return levels


# ---- Encoder -----------------------------------------------------------------------------------


def lstm_direction(lstm, direction, X):
    """Word vectors of one direction, in the order in which the words are given."""
    h = c = np.zeros(lstm["weight_hh_l0" + direction].shape[1])
    outputs = []
    for x in X:
        gates = lstm["weight_ih_l0" + direction] @ x + lstm["bias_ih_l0" + direction]
        gates = gates + lstm["weight_hh_l0" + direction] @ h + lstm["bias_hh_l0" + direction]
        i, f, g, o = np.split(gates, 4)  # PyTorch's order
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.array(outputs).reshape(len(X), len(h))  # (N, H)


def encode(weights, kind, word_ids):
    X = weights["encoder.embedding.weight"][np.array(word_ids, dtype=np.int64)]  # (N, e)
    if kind == "embedding":
        return X
    lstm = below(weights, "encoder.lstm.")
    forward_words = lstm_direction(lstm, "", X)
    backward_words = lstm_direction(lstm, "_reverse", X[::-1])[::-1]
    return np.hstack([forward_words, backward_words])  # (N, w = 2H)


# ---- Label-based attention module and classifiers ------------------------------------------------


def association(level):
    """R~ of one level; it does not depend on the document."""
    R = np.tanh(linear(level, "f_l", level["labels"])) @ level["components"].T  # Eq. 3  (L, C)
    return softmax_rows(R)  # Eq. 2  (L, C)


def confidence(level, profile, v_tilde_before):
    """m: how much the level above speaks for each label of this level."""
    v_l = level["labels"]  # (L, d)
    if v_tilde_before is None:
        return np.ones(len(v_l))  # nothing lies above level 1
    if profile == "paper":
        return sigmoid(v_l @ leaky_relu(linear(level, "f_m", v_tilde_before), 0.01))  # Eq. 6  (L)
    return sigmoid(leaky_relu(v_l @ np.tanh(linear(level, "f_m", v_tilde_before)), 0.2))  # (L)


def attention_module(level, profile, R_tilde, I, v_tilde_before):
    v_w = I  # (N, w)
    if v_tilde_before is not None:
        v_w = np.hstack([np.tile(v_tilde_before, (len(I), 1)), I])  # Eq. 10  (N, d + w)
    S = np.tanh(linear(level, "f_w", v_w)) @ level["components"].T  # Eq. 1  (N, C)
    A = softmax_rows(R_tilde @ S.T)  # Eq. 4  (L, N)
    D = relu(linear(level, "W", A @ I))  # Eq. 5  (L, d)
    m = confidence(level, profile, v_tilde_before)  # Eq. 6  (L)
    D_tilde = m[:, None] * D  # Eq. 7  (L, d)
    v_tilde = D_tilde.mean(axis=0)  # Eq. 8  (d)
    v = D.mean(axis=0)  # Eq. 9  (d)
    logits = local_logits(level, profile, D_tilde)  # Eq. 11 before the sigmoid  (L)
    return dict(zip(LEVEL_OUTPUTS, (S, R_tilde, A, D, m, D_tilde, v_tilde, v, logits)))


def local_logits(level, profile, D_tilde):
    if profile == "paper":
        return (D_tilde * level["labels"]).sum(axis=1)  # (L)
    return (linear(level, "W_loc", D_tilde) * level["labels"]).sum(axis=1) + level["b_loc"]  # (L)


def global_logits(weights, profile, v_g):
    hidden = relu(linear(weights, "global.hidden", v_g))  # (g)
    if profile == "reference":
        t = sigmoid(linear(weights, "global.highway.gate", hidden))
        transformed = relu(linear(weights, "global.highway.transform", hidden))
        hidden = t * transformed + (1.0 - t) * hidden
    return linear(weights, "global.output", hidden)  # Eq. 15 before the sigmoid  (M)


# ---- The whole model -----------------------------------------------------------------------------


def forward_document(weights, config, levels, associations, word_ids):
    profile = config["model"]["profile"]
    alpha = config["model"]["local_weight"]
    I = encode(weights, config["encoder"]["kind"], word_ids)  # (N, w)
    outputs = []
    v_tilde = None
    for level, R_tilde in zip(levels, associations):
        outputs.append(attention_module(level, profile, R_tilde, I, v_tilde))
        v_tilde = outputs[-1]["v_tilde"]
    v_g = np.concatenate([output["v"] for output in outputs])  # Eq. 13  (H d)
    local = np.concatenate([output["local_logits"] for output in outputs])  # Eq. 18  (M)
    over_all = global_logits(weights, profile, v_g)  # (M)
    scores = alpha * sigmoid(local) + (1.0 - alpha) * sigmoid(over_all)  # Eq. 17  (M)
    return {"levels": outputs, "local_logits": local, "global_logits": over_all, "scores": scores}


def forward(weights, config, documents):
    """`documents` holds lists of word ids; yields one dictionary per document, so that with
    thousands of labels only one document's D is in memory."""
    if config["model"]["profile"] not in ("paper", "reference"):
        raise ValueError(f"expected profile paper or reference, found {config['model']['profile']}")
    weights = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    levels = levels_of(weights)
    associations = [association(level) for level in levels]
    for ids in documents:
        yield forward_document(weights, config, levels, associations, ids)


def cross_entropy(logits, targets):
    """Binary cross-entropy summed over the labels, from logits so that no log(0) arises."""
    return (relu(logits) - logits * targets + np.log1p(np.exp(-np.abs(logits)))).sum()


def loss(outputs, targets):
    """Eq. 12, 14 and 16: both classifiers summed over labels, averaged over documents."""
    losses = [
        cross_entropy(output["local_logits"], z) + cross_entropy(output["global_logits"], z)
        for output, z in zip(outputs, targets)
    ]
    return sum(losses) / len(losses)
