"""The same baselines composed from PyTorch modules, for gradients by autograd in float64.

Not a program: make_baseline_golden.py imports it; `test_baselines.py` tests it.

It differs from baselines_numpy.py on purpose: whole padded batches with masks, as they stand in the
golden files, and PyTorch's own LSTM, GRU, convolution and batch norm. Shapes and names of results
as in the other file, with B first. A batch is a dictionary of tensors.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

from la_hcn_torch import Encoder, GlobalHead, cross_entropy, gradients_of, softmax_over_words


def positions(lengths, longest):
    """True where a word is (B, longest)."""
    return torch.arange(longest)[None] < lengths[:, None]


def mean_of_words(I, lengths):
    real = positions(lengths, I.shape[1])
    return (I * real[:, :, None]).sum(dim=1) / lengths.clamp(min=1)[:, None]  # (B, w)


class Baseline(nn.Module):
    """Its parameters and buffers have the names and shapes of the files."""

    def __init__(self, config):
        super().__init__()
        self.sizes = config["sizes"]
        self.settings = config["model"]
        self.encoder = Encoder(config["encoder"]["kind"], self.sizes)
        self.num_labels = sum(self.sizes["levels"])
        self.levels = []

    def words(self, batch):
        return self.encoder(batch["ids"], batch["lengths"])  # (B, N, w)

    def add_level(self, level):
        self.levels.append(level)
        self.add_module(f"level_{len(self.levels)}", level)

    def combined(self, results):
        alpha = self.settings["local_weight"]
        local, over_all = results["local_logits"], results["global_logits"]
        return torch.lerp(torch.sigmoid(over_all), torch.sigmoid(local), alpha)

    def loss(self, results, batch):
        logits = [results[k] for k in ("local_logits", "global_logits") if k in results]
        return cross_entropy(logits, batch["targets"])


class Flat(Baseline):
    def __init__(self, config):
        super().__init__(config)
        self.output = nn.Linear(self.encoder.word_width, self.num_labels)

    def forward(self, batch):
        logits = self.output(mean_of_words(self.words(batch), batch["lengths"]))
        return {"global_logits": logits, "scores": torch.sigmoid(logits)}


# ---- HARNN ---------------------------------------------------------------------------------------


class HarnnLevel(nn.Module):
    def __init__(self, num_labels, w, sizes):
        super().__init__()
        self.W_s1 = nn.Linear(w, sizes["a"], bias=False)
        self.W_s2 = nn.Linear(sizes["a"], num_labels, bias=False)
        self.W = nn.Linear(2 * w, sizes["d"])
        self.local = nn.Linear(sizes["d"], num_labels)

    def forward(self, I, real, x, omega):
        X = torch.einsum("bn,bnw->bnw", omega, I)
        logits = torch.einsum("la,bna->bln", self.W_s2.weight, torch.tanh(self.W_s1(X)))
        Att = softmax_over_words(logits, real[:, None])  # (B, L, N)
        r = torch.einsum("bln,bnw->blw", Att, X).mean(dim=1)
        A = F.relu(self.W(torch.cat([x, r], dim=1)))
        return Att, A, self.local(A)


class Harnn(Baseline):
    def __init__(self, config):
        super().__init__(config)
        for num_labels in self.sizes["levels"]:
            self.add_level(HarnnLevel(num_labels, self.encoder.word_width, self.sizes))
        self.add_module("global", GlobalHead(self.sizes, reference=True))

    def forward(self, batch):
        I = self.words(batch)
        real = positions(batch["lengths"], I.shape[1])
        x = mean_of_words(I, batch["lengths"])
        omega = real.double()
        results, local, activations = {}, [], []
        for h, level in enumerate(self.levels, start=1):
            Att, A, logits = level(I, real, x, omega)
            results |= {f"level_{h}.omega": omega, f"level_{h}.Att": Att, f"level_{h}.A": A}
            weighted = Att * torch.sigmoid(logits)[:, :, None]
            omega = softmax_over_words(weighted, real[:, None]).mean(dim=1)
            local.append(logits)
            activations.append(A)
        results["local_logits"] = torch.cat(local, dim=1)
        results["global_logits"] = self.get_submodule("global")(torch.cat(activations, dim=1))
        return results | {"scores": self.combined(results)}


# ---- HMCN ----------------------------------------------------------------------------------------


class HmcnLevel(nn.Module):
    def __init__(self, num_labels, inputs, u):
        """HMCN-R has no W: `inputs` is None."""
        super().__init__()
        if inputs is not None:
            self.W = nn.Linear(inputs, u)
            self.W_norm = nn.BatchNorm1d(u, eps=1e-5)
        self.W_T = nn.Linear(u, u)
        self.W_T_norm = nn.BatchNorm1d(u, eps=1e-5)
        self.W_L = nn.Linear(u, num_labels)


class Hmcn(Baseline):
    def __init__(self, config):
        super().__init__(config)
        u, w = self.sizes["u"], self.encoder.word_width
        recurrent = self.settings["name"] == "hmcn-r"
        self.cell = nn.Linear(u + w, 4 * u) if recurrent else None
        for num_labels in self.sizes["levels"]:
            inputs = u + w if self.levels else w
            self.add_level(HmcnLevel(num_labels, None if recurrent else inputs, u))
        self.W_G = nn.Linear(u, self.num_labels)

    def forward(self, batch):
        x = mean_of_words(self.words(batch), batch["lengths"])
        A = x.new_zeros(len(x), self.sizes["u"])
        C = torch.zeros_like(A)
        results, local = {}, []
        for h, level in enumerate(self.levels, start=1):
            if self.cell is None:
                inputs = x if h == 1 else torch.cat([A, x], dim=1)
                A = level.W_norm(F.relu(level.W(inputs)))
            else:
                A, C = self.lstm_step(x, A, C)
            T = level.W_T_norm(F.relu(level.W_T(A)))
            local.append(level.W_L(T))
            results |= {f"level_{h}.A": A, f"level_{h}.T": T}
        results |= {"local_logits": torch.cat(local, dim=1), "global_logits": self.W_G(A)}
        results["scores"] = self.combined(results)
        return results | {"violation": self.violation(results["scores"], batch["edges"])}

    def lstm_step(self, x, A, C):
        """PyTorch's cell has one matrix for x and one for the state."""
        of_A, of_x = self.cell.weight.split([A.shape[1], x.shape[1]], dim=1)
        bias = self.cell.bias
        return torch.lstm_cell(x, (A, C), of_x, of_A, bias, torch.zeros_like(bias))

    def violation(self, P, edges):
        return F.relu(P[:, edges[:, 0]] - P[:, edges[:, 1]]).square().sum(dim=1)  # (B)

    def loss(self, results, batch):
        weight = self.settings["violation_weight"]
        return super().loss(results, batch) + weight * results["violation"].mean()


# ---- Capsule network -----------------------------------------------------------------------------


def squash(s):
    length = torch.linalg.vector_norm(s, dim=-1, keepdim=True)
    return s * length / (1 + length.square())


class Capsule(Baseline):
    def __init__(self, config):
        super().__init__(config)
        filters = self.sizes["F"]
        self.conv = nn.Conv1d(self.encoder.word_width, filters * 8, self.sizes["k"])
        self.transform = nn.Parameter(torch.empty(self.num_labels, filters, 16, 8))

    def forward(self, batch):
        primary = self.primary_capsules(batch)  # (B, T, F, 8)
        u_hat = torch.einsum("mfip,btfp->btfmi", self.transform, primary)
        c = self.route(u_hat.detach())
        v = squash((c[..., None] * u_hat).sum(dim=(1, 2)))
        scores = torch.linalg.vector_norm(v, dim=2)
        real = positions(batch["lengths"], c.shape[1])
        return {"primary": primary, "c": c * real[:, :, None, None], "v": v, "scores": scores}

    def primary_capsules(self, batch):
        longest = self.sizes["max_words"]
        I = self.words(batch)
        I = I * positions(batch["lengths"], I.shape[1])[:, :, None]
        I = F.pad(I, (0, 0, 0, longest))[:, :longest]  # (B, max_words, w)
        channels = F.relu(self.conv(I.transpose(1, 2)))  # (B, 8F, T)
        capsules = squash(channels.unflatten(1, (-1, 8)).permute(0, 3, 1, 2))  # (B, T, F, 8)
        return capsules * positions(batch["lengths"], capsules.shape[1])[:, :, None, None]

    def route(self, u_hat):
        b = u_hat.new_zeros(u_hat.shape[:-1])
        for _ in range(3):
            c = b.softmax(dim=-1)
            v = squash(torch.einsum("btfm,btfmi->bmi", c, u_hat))
            b = b + (u_hat * v[:, None, None]).sum(dim=-1)
        return c

    def loss(self, results, batch):
        T, lengths = batch["targets"], results["scores"]
        present = F.relu(0.9 - lengths).square()
        absent = 0.5 * F.relu(lengths - 0.1).square()
        return torch.where(T > 0, present, absent).sum() / len(T)


# ---- Hierarchical attention network --------------------------------------------------------------


class Han(Baseline):
    def __init__(self, config):
        super().__init__(config)
        u, c = self.sizes["u"], self.sizes["c"]
        self.word_gru = nn.GRU(self.sizes["e"], u, batch_first=True, bidirectional=True)
        self.sentence_gru = nn.GRU(2 * u, u, batch_first=True, bidirectional=True)
        self.word_attention = nn.Linear(2 * u, c)
        self.sentence_attention = nn.Linear(2 * u, c)
        self.word_context = nn.Parameter(torch.empty(c))
        self.sentence_context = nn.Parameter(torch.empty(c))
        self.output = nn.Linear(2 * u, self.num_labels)

    def forward(self, batch):
        of_documents = [lengths[lengths > 0].tolist() for lengths in batch["sentence_lengths"]]
        sentences = []
        for words, lengths in zip(self.words(batch), of_documents):
            sentences += words[: sum(lengths)].split(lengths) if lengths else []
        s, word_alpha = read(self.word_gru, self.word_attention, self.word_context, sentences)
        documents = s.split([len(lengths) for lengths in of_documents if lengths])
        of_filled, sentence_alpha = read(
            self.sentence_gru, self.sentence_attention, self.sentence_context, documents
        )
        filled = batch["lengths"] > 0
        v = s.new_zeros(len(filled), s.shape[1]).index_put((filled,), of_filled)
        logits = self.output(v)
        results = {"v": v, "global_logits": logits, "scores": torch.sigmoid(logits)}
        products = [alpha * of_s for alpha, of_s in zip(word_alpha, torch.cat(sentence_alpha))]
        real = batch["ids"] > 0
        return results | {
            "word_alpha": place(word_alpha, real),
            "sentence_alpha": place(sentence_alpha, batch["sentence_lengths"] > 0),
            "attention": place(products, real),
        }


def read(gru, attention, context, sequences):
    """The vector of every sequence (S, 2u), and a list of their alphas."""
    packed = pack_sequence(list(sequences), enforce_sorted=False)
    rows, lengths = pad_packed_sequence(gru(packed)[0], batch_first=True)
    logits = torch.tanh(attention(rows)) @ context
    alpha = softmax_over_words(logits, positions(lengths, rows.shape[1]))
    return torch.einsum("sn,snu->su", alpha, rows), [a[:n] for a, n in zip(alpha, lengths)]


def place(values, real):
    """All values one after the other, where `real` says that there is something."""
    values = torch.cat(values)
    return values.new_zeros(real.shape).masked_scatter(real, values)


# ---- All of them ---------------------------------------------------------------------------------

MODELS = {
    "flat": Flat, "harnn": Harnn, "hmcn-f": Hmcn, "hmcn-r": Hmcn, "capsule": Capsule, "han": Han,
}  # fmt: skip


def make_model(config, weights, training=False):
    model = MODELS[config["model"]["name"]](config).double()
    model.load_state_dict({k: torch.tensor(np.asarray(v, np.float64)) for k, v in weights.items()})
    return model.train(training)


def tensors_of(batch):
    """`batch` as NumPy arrays, with the names of the golden files."""
    tensors = {name: torch.tensor(np.asarray(value)) for name, value in batch.items()}
    return tensors | {"targets": tensors["targets"].double()}


def results_and_gradients(config, weights, batch, training=False):
    """What the model computes, with the loss, and the gradient of every parameter."""
    model = make_model(config, weights, training)
    tensors = tensors_of(batch)
    results = model(tensors)
    results["loss"] = model.loss(results, tensors)
    results["loss"].backward()
    return {name: value.detach().numpy() for name, value in results.items()}, gradients_of(model)
