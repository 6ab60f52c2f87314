#!/usr/bin/env python3
"""LA-HCN (profile paper) in PyTorch, as a careful user would write it, to compare speeds with.

The products are in the cheaper order and the embedding's gradient is sparse. All documents have the same length, so that nothing is
padded: no mask, and no packing for the LSTM, which costs PyTorch's training a factor of 4.
Prints one JSON line: documents per second and memory.
"""

import argparse
import json
import os
import resource
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labels", default="8/110/42")
    parser.add_argument("--words", type=int, default=120)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lstm", type=int, default=256, help="width of a direction; 0: embedding alone")
    parser.add_argument("--vocabulary", type=int, default=30000)
    parser.add_argument("--mode", choices=["train", "predict", "one"], default="train")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch's operations")
    parser.add_argument("--blas-threads", type=int, default=1)
    return parser.parse_args()


options = arguments()
os.environ["OPENBLAS_NUM_THREADS"] = str(options.blas_threads)  # before the import

import torch
from torch import nn
from torch.nn import functional as F

EMBEDDING, ATTENTION, COMPONENTS, DOCUMENT, GLOBAL = 100, 200, 50, 512, 512


class Level(nn.Module):
    def __init__(self, word_width, labels, first):
        super().__init__()
        self.first = first
        self.f_w = nn.Linear(word_width + (0 if first else DOCUMENT), ATTENTION)
        self.f_l = nn.Linear(DOCUMENT, ATTENTION)
        self.W = nn.Linear(word_width, DOCUMENT)
        self.f_m = None if first else nn.Linear(DOCUMENT, DOCUMENT)
        self.components = nn.Parameter(torch.randn(COMPONENTS, ATTENTION) / ATTENTION**0.5)
        self.labels = nn.Parameter(torch.randn(labels, DOCUMENT) / DOCUMENT**0.5)

    def forward(self, I, above):
        if self.first:
            projected = torch.tanh(self.f_w(I))
        else:
            W_1, W_2 = self.f_w.weight[:, :DOCUMENT], self.f_w.weight[:, DOCUMENT:]
            shift = above @ W_1.t() + self.f_w.bias
            projected = torch.tanh(I @ W_2.t() + shift.unsqueeze(1))
        S = projected @ self.components.t()
        R = torch.softmax(torch.tanh(self.f_l(self.labels)) @ self.components.t(), -1)
        A = torch.softmax((S @ R.t()).transpose(1, 2), -1)
        labels, (_, words, width) = self.labels.shape[0], I.shape
        if labels * words * width + labels * width * DOCUMENT <= words * width * DOCUMENT + labels * words * DOCUMENT:
            D = torch.relu(self.W(torch.bmm(A, I)))
        else:
            D = torch.relu(torch.bmm(A, I @ self.W.weight.t()) + self.W.bias)
        D_tilde = D
        if not self.first:
            m = torch.sigmoid(F.leaky_relu(self.f_m(above), 0.01) @ self.labels.t())
            D_tilde = D * m.unsqueeze(-1)
        return (D_tilde * self.labels).sum(-1), D_tilde.mean(1), D.mean(1)


class LaHcn(nn.Module):
    def __init__(self, labels):
        super().__init__()
        self.embedding = nn.Embedding(options.vocabulary, EMBEDDING, padding_idx=0, sparse=True)
        self.lstm = nn.LSTM(EMBEDDING, options.lstm, batch_first=True, bidirectional=True) if options.lstm else None
        width = 2 * options.lstm if options.lstm else EMBEDDING
        self.levels = nn.ModuleList(Level(width, n, h == 0) for h, n in enumerate(labels))
        self.hidden = nn.Linear(len(labels) * DOCUMENT, GLOBAL)
        self.output = nn.Linear(GLOBAL, sum(labels))

    def forward(self, ids):
        I = self.embedding(ids)
        if self.lstm:
            I = self.lstm(I)[0]
        I = F.dropout(I, 0.5, self.training)
        local, v, above = [], [], None
        for level in self.levels:
            logits, above, mean = level(I, above)
            local.append(logits)
            v.append(mean)
        hidden = F.dropout(torch.relu(self.hidden(torch.cat(v, 1))), 0.5, self.training)
        return torch.cat(local, 1), self.output(hidden)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(options.threads)
    labels = [int(n) for n in options.labels.split("/")]
    model = LaHcn(labels)
    size = 1 if options.mode == "one" else options.batch
    ids = torch.randint(2, options.vocabulary, (size, options.words))
    targets = (torch.rand(size, sum(labels)) < 0.05).float()
    dense = [p for n, p in model.named_parameters() if n != "embedding.weight"]
    adam = torch.optim.Adam(dense, lr=1e-3)  # foreach=True is slower on a CPU
    sparse_adam = torch.optim.SparseAdam([model.embedding.weight], lr=1e-3)

    def train_step():
        local, overall = model(ids)
        loss = sum(F.binary_cross_entropy_with_logits(x, targets, reduction="sum") for x in (local, overall)) / size
        adam.zero_grad(set_to_none=True)
        sparse_adam.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(dense, 2.0)
        adam.step()
        sparse_adam.step()

    def predict():
        with torch.inference_mode():
            local, overall = model(ids)
            return 0.5 * torch.sigmoid(local) + 0.5 * torch.sigmoid(overall)

    model.train(options.mode == "train")
    step = train_step if options.mode == "train" else predict
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    step()
    times = []
    end = time.perf_counter() + options.seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"documents_per_second": size / sorted(times)[len(times) // 2],
                      "peak_mb": peak / 1024, "working_mb": (peak - before) / 1024}))


main()
