"""LA-HCN's forward pass in plain NumPy (float64), to be read beside section 3 of the paper.

Not a program: make_golden.py, baselines_numpy.py and rebuild_forward.py import it;
`test_la_hcn.py` tests it.

It works document by document without any padding, which makes it an independent check of masking.
Legend, the shape stands at the end of a line:
  N words of the document, w width of a word vector, e of an embedding, a attention width,
  C components, L labels of the level, d document and label width, g global width, M all labels.
Profiles: `paper` is the paper as printed, `reference` what the authors' code does otherwise.
Variants: `la-hcn-nc` has no components, `la-hcn-l` no global classifier, `la-hcn-g` has both
classifiers but learns and scores with the global one alone.
Ingredients of LA-HCN+ (docs/models.md) count when the configuration names them.
"""

import numpy as np

CLASSIFIERS = {  # model: the logits that its loss and its scores are made of
    "la-hcn": ("local_logits", "global_logits"),
    "la-hcn-nc": ("local_logits", "global_logits"),
    "la-hcn-l": ("local_logits",),
    "la-hcn-g": ("global_logits",),
}


def model_name(config):
    return config["model"].get("name", "la-hcn")


def has_ingredient(config, name):
    return config["model"].get(name, False)


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


def linear_shapes(name, rows, columns, bias=True):
    shapes = {name + ".weight": (rows, columns)}
    return shapes | {name + ".bias": (rows,)} if bias else shapes


def recurrent_shapes(name, num_gates, inputs, hidden):
    """Both directions of an LSTM (4 gates) or a GRU (3), with PyTorch's names."""
    shapes = {}
    for direction in ("", "_reverse"):
        shapes[f"{name}.weight_ih_l0{direction}"] = (num_gates * hidden, inputs)
        shapes[f"{name}.weight_hh_l0{direction}"] = (num_gates * hidden, hidden)
        shapes[f"{name}.bias_ih_l0{direction}"] = (num_gates * hidden,)
        shapes[f"{name}.bias_hh_l0{direction}"] = (num_gates * hidden,)
    return shapes


def encoder_shapes(config, sizes):
    """The encoder's parameters, and w."""
    shapes = {"encoder.embedding.weight": (sizes["vocabulary"], sizes["e"])}
    if config["encoder"]["kind"] == "embedding":
        return shapes, sizes["e"]
    lstm = recurrent_shapes("encoder.lstm", 4, sizes["e"], sizes["lstm"])
    residual = sizes["e"] if config["encoder"].get("residual", False) else 0
    return shapes | lstm, 2 * sizes["lstm"] + residual


def global_shapes(sizes, reference):
    g = sizes["g"]
    shapes = linear_shapes("global.hidden", g, len(sizes["levels"]) * sizes["d"])
    if reference:
        shapes |= linear_shapes("global.highway.transform", g, g)
        shapes |= linear_shapes("global.highway.gate", g, g)
    return shapes | linear_shapes("global.output", sum(sizes["levels"]), g)


def parameter_shapes(config, sizes):
    """{name: shape} of every parameter; `sizes` has vocabulary, e, lstm, a, C, d, g, levels."""
    reference = config["model"]["profile"] == "reference"
    a, d = sizes["a"], sizes["d"]
    shapes, w = encoder_shapes(config, sizes)
    for h, num_labels in enumerate(sizes["levels"], start=1):
        level = f"level_{h}."
        if has_components(config):
            shapes[level + "components"] = (sizes["C"], a)
        shapes[level + "labels"] = (num_labels, d)
        shapes |= linear_shapes(level + "f_w", a, w if h == 1 else d + w, bias=not reference)
        shapes |= linear_shapes(level + "f_l", a, d, bias=not reference)
        shapes |= linear_shapes(level + "W", d, w)
        if h > 1:
            shapes |= linear_shapes(level + "f_m", d, d, bias=not reference)
        if reference:
            shapes |= linear_shapes(level + "W_loc", d, d, bias=False)
            shapes[level + "b_loc"] = (num_labels,)
    if has_global_classifier(config):
        shapes |= global_shapes(sizes, reference)
    if has_ingredient(config, "rarity"):
        shapes |= {"rarity.words": (sizes["vocabulary"],), "rarity.gamma": (len(sizes["levels"]),)}
    if has_ingredient(config, "parent_prior") and len(sizes["levels"]) > 1:
        shapes["parent_prior.beta"] = (len(sizes["levels"]) - 1,)
    return shapes


def has_components(config):
    return model_name(config) != "la-hcn-nc"


def has_global_classifier(config):
    return model_name(config) != "la-hcn-l"


def below(weights, prefix):
    """The parameters under a prefix, without it: level_2.f_w.weight becomes f_w.weight."""
    return {k[len(prefix) :]: v for k, v in weights.items() if k.startswith(prefix)}


def levels_of(weights):
    levels = []
    while level := below(weights, f"level_{len(levels) + 1}."):
        levels.append(level)
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


def bidirectional(run_direction, network, X):
    """Both directions of an LSTM or a GRU over the rows of X."""
    forward_rows = run_direction(network, "", X)
    backward_rows = run_direction(network, "_reverse", X[::-1])[::-1]
    return np.hstack([forward_rows, backward_rows])  # (N, 2H)


def encode(weights, kind, word_ids, residual=False):
    X = weights["encoder.embedding.weight"][np.array(word_ids, dtype=np.int64)]  # (N, e)
    if kind == "embedding":
        return X
    rows = bidirectional(lstm_direction, below(weights, "encoder.lstm."), X)  # (N, w = 2H)
    return np.hstack([rows, X]) if residual else rows  # (N, w = 2H + e)


# ---- Label-based attention module and classifiers ------------------------------------------------


def label_side(level, components):
    """What labels bring to Eq. 4, the same for every document: R~, or F_l without components."""
    F_l = np.tanh(linear(level, "f_l", level["labels"]))  # (L, a)
    if not components:
        return {"F_l": F_l}
    return {"R_tilde": softmax_rows(F_l @ level["components"].T)}  # Eq. 2 and 3  (L, C)


def confidence(level, profile, v_tilde_before):
    """m: how much the level above speaks for each label of this level."""
    v_l = level["labels"]  # (L, d)
    if v_tilde_before is None:
        return np.ones(len(v_l))  # nothing lies above level 1
    if profile == "paper":
        return sigmoid(v_l @ leaky_relu(linear(level, "f_m", v_tilde_before), 0.01))  # Eq. 6  (L)
    return sigmoid(leaky_relu(v_l @ np.tanh(linear(level, "f_m", v_tilde_before)), 0.2))  # (L)


def attention_module(level, profile, labels, I, v_tilde_before, word_bias=0.0):
    """`labels` is the level's label_side(); `word_bias` (N) is added to all rows before Eq. 4."""
    v_w = I  # (N, w)
    if v_tilde_before is not None:
        v_w = np.hstack([np.tile(v_tilde_before, (len(I), 1)), I])  # Eq. 10  (N, d + w)
    F_w = np.tanh(linear(level, "f_w", v_w))  # (N, a)
    if "F_l" in labels:
        words = {"F_w": F_w}
        A = softmax_rows(labels["F_l"] @ F_w.T + word_bias)  # instead of Eq. 4  (L, N)
    else:
        words = {"S": F_w @ level["components"].T}  # Eq. 1  (N, C)
        A = softmax_rows(labels["R_tilde"] @ words["S"].T + word_bias)  # Eq. 4  (L, N)
    D = relu(linear(level, "W", A @ I))  # Eq. 5  (L, d)
    m = confidence(level, profile, v_tilde_before)  # Eq. 6  (L)
    D_tilde = m[:, None] * D  # Eq. 7  (L, d)
    v_tilde = D_tilde.mean(axis=0)  # Eq. 8  (d)
    v = D.mean(axis=0)  # Eq. 9  (d)
    logits = local_logits(level, profile, D_tilde)  # Eq. 11 before the sigmoid  (L)
    results = {"A": A, "D": D, "m": m, "D_tilde": D_tilde, "v_tilde": v_tilde, "v": v}
    return labels | words | results | {"local_logits": logits}


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


# ---- LA-HCN+: `parents` has for each label the ids of its parents --------------------------------


def share_labels(levels, parents):
    """Each label's vector becomes the sum of its own and the mean of its parents'."""
    shared = []
    for level in levels:
        above = np.array(shared)
        for row, own in zip(level["labels"], parents[len(above) :]):
            shared.append(row + above[own].mean(axis=0) if own else row)
        level["labels"] = np.array(shared[len(above) :])


def with_parent_prior(logits, above, beta, parents):
    """`above` holds the local logits of all levels above, `parents` those of the level's labels."""
    return np.array([
        logit - beta * np.logaddexp(0.0, -min(above[p] for p in own))  # ln sigmoid(x) = -ln(1 + e^-x)
        for logit, own in zip(logits, parents)
    ])


def best_of_subtree(logits, parents):
    best = np.array(logits)
    for label in reversed(range(len(best))):
        for parent in parents[label]:
            best[parent] = max(best[parent], best[label])
    return best


# ---- The whole model -----------------------------------------------------------------------------


def forward_document(weights, config, levels, label_sides, word_ids, parents=None):
    profile = config["model"]["profile"]
    encoder = config["encoder"]
    I = encode(weights, encoder["kind"], word_ids, encoder.get("residual", False))  # (N, w)
    outputs = []
    v_tilde = None
    local = np.zeros(0)
    for h, (level, labels) in enumerate(zip(levels, label_sides)):
        word_bias = 0.0
        if has_ingredient(config, "rarity"):
            word_bias = weights["rarity.gamma"][h] * weights["rarity.words"][list(word_ids)]  # (N)
        output = attention_module(level, profile, labels, I, v_tilde, word_bias)
        if has_ingredient(config, "parent_prior") and h > 0:
            own = parents[len(local) : len(local) + len(level["labels"])]
            beta = weights["parent_prior.beta"][h - 1]
            output["local_logits"] = with_parent_prior(output["local_logits"], local, beta, own)
        outputs.append(output)
        v_tilde = output["v_tilde"]
        local = np.concatenate([local, output["local_logits"]])  # Eq. 18  (M)
    result = {"levels": outputs, "local_logits": local}
    if has_global_classifier(config):
        v_g = np.concatenate([output["v"] for output in outputs])  # Eq. 13  (H d)
        result["global_logits"] = global_logits(weights, profile, v_g)  # (M)
    classifiers = CLASSIFIERS[model_name(config)]
    used = {name: result[name] for name in classifiers}
    if has_ingredient(config, "max_constraint"):
        used = {name: best_of_subtree(logits, parents) for name, logits in used.items()}
    result["probabilities"] = [sigmoid(used[name]) for name in classifiers]  # one or two of (M)
    return result | {"scores": scores(classifiers, config["model"]["local_weight"], used)}


def scores(classifiers, alpha, output):
    """Eq. 17, or the scores of the only classifier."""
    probabilities = [sigmoid(output[logits]) for logits in classifiers]
    if len(probabilities) == 1:
        return probabilities[0]  # (M)
    local, over_all = probabilities
    return alpha * local + (1.0 - alpha) * over_all  # (M)


def forward(weights, config, documents, parents=None):
    """`documents` holds lists of word ids; yields one dictionary per document, so that with
    thousands of labels only one document's D is in memory. What goes along the hierarchy needs
    `parents`: for each label the ids of its parents."""
    if model_name(config) not in CLASSIFIERS:
        raise ValueError(f"expected one of {list(CLASSIFIERS)}, found model {model_name(config)}")
    if config["model"]["profile"] not in ("paper", "reference"):
        raise ValueError(f"expected profile paper or reference, found {config['model']['profile']}")
    weights = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    levels = levels_of(weights)
    if has_ingredient(config, "label_sharing"):
        share_labels(levels, parents)
    label_sides = [label_side(level, has_components(config)) for level in levels]
    for ids in documents:
        yield forward_document(weights, config, levels, label_sides, ids, parents)


def cross_entropy(logits, targets):
    """Binary cross-entropy summed over the labels, from logits so that no log(0) arises."""
    return (relu(logits) - logits * targets + np.log1p(np.exp(-np.abs(logits)))).sum()


def loss(config, outputs, targets):
    """Eq. 12, 14 and 16: the classifiers summed over labels, averaged over documents."""
    classifiers = CLASSIFIERS[model_name(config)]
    losses = [
        sum(cross_entropy(output[logits], z) for logits in classifiers)
        for output, z in zip(outputs, targets)
    ]
    return sum(losses) / len(losses)
