"""A step of a layer of PyTorch: output, and the gradients by its input and its parameters. Asked as app/bench/peerProcess.ts says."""

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


def scan_loop(a, b):
    """The recurrence h_t = a_t h_{t-1} + b_t, token by token."""
    h, all = torch.zeros_like(b[:, 0]), []
    for t in range(b.shape[1]):
        h = a[:, t] * h + b[:, t]
        all.append(h)
    return torch.stack(all, 1)


def scan_doubling(a, b):
    """The same in log2(tokens) steps, each over all tokens (Hillis and Steele 1986)."""
    by = 1
    while by < b.shape[1]:
        b = torch.cat([b[:, :by], b[:, by:] + a[:, by:] * b[:, :-by]], 1)
        a = torch.cat([a[:, :by], a[:, by:] * a[:, :-by]], 1)
        by *= 2
    return b


class Grouped(nn.Module):
    """A block-diagonal matrix over the channels, as one batched product."""

    def __init__(self, dim, groups):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(groups, dim // groups, dim // groups))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        parts = x.unflatten(-1, (self.weight.shape[0], -1))
        return torch.einsum("bngi,gio->bngo", parts, self.weight).flatten(-2) + self.bias


def prepare(asked):
    torch.manual_seed(1)
    layer = eval(asked["torch"], globals())
    x = torch.randn(asked["input"]).requires_grad_()
    parameters = list(layer.parameters()) if isinstance(layer, nn.Module) else []
    slope = torch.randn(layer(x).shape)

    def train():
        torch.autograd.grad(layer(x), [x, *parameters], slope)

    return train, sum(p.numel() for p in parameters)


def main():
    torch.set_num_threads(int(sys.argv[1]))
    train = None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "prepare":
            train, parameters = prepare(asked)
            print(json.dumps({"parameters": parameters}), flush=True)
            continue
        begun = time.perf_counter()
        train()
        print(json.dumps({"ms": (time.perf_counter() - begun) * 1000}), flush=True)


if __name__ == "__main__":
    main()
