"""The same LA-HCN composed from PyTorch modules, for gradients by autograd in float64.

Not a program: make_golden.py and baselines_torch.py import it; `test_la_hcn.py` tests it.

It differs from la_hcn_numpy.py on purpose: whole padded batches with masks, and PyTorch's own
LSTM, so that the two can only agree if both mean the same model. Shapes as in the other file.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self, kind, sizes):
        super().__init__()
        self.embedding = nn.Embedding(sizes["vocabulary"], sizes["e"], padding_idx=0)
        self.lstm = None
        self.word_width = sizes["e"]
        if kind == "bilstm":
            self.lstm = nn.LSTM(sizes["e"], sizes["lstm"], batch_first=True, bidirectional=True)
            self.word_width = 2 * sizes["lstm"]

    def forward(self, ids, lengths):
        X = self.embedding(ids)  # (B, N, e)
        if self.lstm is None:
            return X
        filled = lengths > 0  # PyTorch packs no empty sequence
        packed = pack_padded_sequence(
            X[filled], lengths[filled], batch_first=True, enforce_sorted=False
        )
        words, _ = pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1]
        )
        return X.new_zeros(*ids.shape, self.word_width).index_put((filled,), words)  # (B, N, w)


def softmax_over_words(logits, real):
    """Over the last dimension, without padding: `real` is true where a word is."""
    # A row without any real word comes out uniform; the product turns it into zeros.
    lowest = torch.finfo(logits.dtype).min
    return F.softmax(logits.masked_fill(~real, lowest), dim=-1) * real


class Level(nn.Module):
    def __init__(self, h, num_labels, word_width, sizes, reference, has_components):
        super().__init__()
        a, d = sizes["a"], sizes["d"]
        self.reference = reference
        self.components = nn.Parameter(torch.empty(sizes["C"], a)) if has_components else None
        self.labels = nn.Parameter(torch.empty(num_labels, d))
        self.f_w = nn.Linear(word_width + (d if h > 1 else 0), a, bias=not reference)
        self.f_l = nn.Linear(d, a, bias=not reference)
        self.W = nn.Linear(word_width, d)
        if h > 1:
            self.f_m = nn.Linear(d, d, bias=not reference)
        if reference:
            self.W_loc = nn.Linear(d, d, bias=False)
            self.b_loc = nn.Parameter(torch.empty(num_labels))

    def forward(self, I, real, v_tilde_before):
        v_w = I
        if v_tilde_before is not None:
            v_w = torch.cat([v_tilde_before[:, None].expand(-1, I.shape[1], -1), I], dim=2)
        A = softmax_over_words(self.word_logits(v_w), real[:, None])
        D = F.relu(self.W(A @ I))
        D_tilde = D
        if v_tilde_before is not None:
            D_tilde = self.confidence(v_tilde_before)[:, :, None] * D
        return D_tilde.mean(dim=1), D.mean(dim=1), self.local_logits(D_tilde)

    def word_logits(self, v_w):
        if self.components is None:
            labels = torch.tanh(self.f_l(self.labels))
            return torch.einsum("la,bna->bln", labels, torch.tanh(self.f_w(v_w)))
        S = torch.einsum("bna,ca->bnc", torch.tanh(self.f_w(v_w)), self.components)
        R_tilde = F.softmax(torch.tanh(self.f_l(self.labels)) @ self.components.T, dim=1)
        return torch.einsum("lc,bnc->bln", R_tilde, S)

    def confidence(self, v_tilde_before):
        if self.reference:
            relevance = torch.tanh(self.f_m(v_tilde_before)) @ self.labels.T
            return torch.sigmoid(F.leaky_relu(relevance, 0.2))
        return torch.sigmoid(F.leaky_relu(self.f_m(v_tilde_before), 0.01) @ self.labels.T)

    def local_logits(self, D_tilde):
        if self.reference:
            return torch.einsum("bld,ld->bl", self.W_loc(D_tilde), self.labels) + self.b_loc
        return torch.einsum("bld,ld->bl", D_tilde, self.labels)


class Highway(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.transform = nn.Linear(width, width)
        self.gate = nn.Linear(width, width)

    def forward(self, x):
        return torch.lerp(x, F.relu(self.transform(x)), torch.sigmoid(self.gate(x)))


class GlobalHead(nn.Module):
    def __init__(self, sizes, reference):
        super().__init__()
        self.hidden = nn.Linear(len(sizes["levels"]) * sizes["d"], sizes["g"])
        self.highway = Highway(sizes["g"]) if reference else nn.Identity()
        self.output = nn.Linear(sizes["g"], sum(sizes["levels"]))

    def forward(self, v_g):
        return self.output(self.highway(F.relu(self.hidden(v_g))))


class LaHcn(nn.Module):
    """Its parameters have the names and shapes of the files."""

    def __init__(self, config, sizes):
        super().__init__()
        reference = config["model"]["profile"] == "reference"
        self.name = config["model"].get("name", "la-hcn")
        self.encoder = Encoder(config["encoder"]["kind"], sizes)
        w, has_components = self.encoder.word_width, self.name != "la-hcn-nc"
        self.levels = []
        for h, num_labels in enumerate(sizes["levels"], start=1):
            level = Level(h, num_labels, w, sizes, reference, has_components)
            self.levels.append(level)
            self.add_module(f"level_{h}", level)
        self.head = []  # a list: "global" is its only module name
        if self.name != "la-hcn-l":
            self.head.append(GlobalHead(sizes, reference))
            self.add_module("global", self.head[0])

    def forward(self, ids, lengths):
        """{classifier: logits (B, M)}"""
        I = self.encoder(ids, lengths)
        real = torch.arange(ids.shape[1])[None] < lengths[:, None]  # (B, N)
        v_tilde = None
        locals_, globals_ = [], []
        for level in self.levels:
            v_tilde, v, logits = level(I, real, v_tilde)
            locals_.append(logits)
            globals_.append(v)
        logits = {"local_logits": torch.cat(locals_, dim=1)}
        if self.head:
            logits["global_logits"] = self.head[0](torch.cat(globals_, dim=1))
        return logits

    def used_logits(self, ids, lengths):
        """The logits that loss and scores are made of."""
        logits = self(ids, lengths)
        return [logits["global_logits"]] if self.name == "la-hcn-g" else list(logits.values())


def make_model(config, sizes, weights):
    model = LaHcn(config, sizes).double()
    model.load_state_dict({k: torch.tensor(np.asarray(v, np.float64)) for k, v in weights.items()})
    return model


def cross_entropy(logits, targets):
    """`logits` has a tensor (B, M) per classifier; summed over these and labels, mean over B."""
    parts = [F.binary_cross_entropy_with_logits(x, targets, reduction="sum") for x in logits]
    return sum(parts) / len(targets)


def batch_loss(model, batch):
    """`batch` has ids (B, N), lengths (B) and targets (B, M) as NumPy arrays."""
    logits = model.used_logits(torch.tensor(batch["ids"]), torch.tensor(batch["lengths"]))
    targets = torch.tensor(np.asarray(batch["targets"], np.float64))
    return cross_entropy(logits, targets)


def loss_and_gradients(config, sizes, weights, batch):
    model = make_model(config, sizes, weights)
    value = batch_loss(model, batch)
    value.backward()
    return value.item(), gradients_of(model)


def gradients_of(model):
    """Zeros for a parameter that has no part in the loss, as W_loc of la-hcn-g."""
    return {
        name: np.zeros(p.shape) if p.grad is None else p.grad.numpy()
        for name, p in model.named_parameters()
    }
