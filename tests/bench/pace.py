"""PyTorch twin of the first ready notebook: `python3 pace.py THREADS RUNS STEPS [tuned]`.

The runs are those of experiments/first-comparison.ts, with and without the gate in turns: same sizes, batch, optimizer and
number of steps. The pictures are drawn before, and nothing is evaluated, recorded or kept.
"""

import os
import sys
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../app/bench"))
from twinModels import GmlpBlock, ImageModel, Mlp  # noqa: E402

SIZE = SimpleNamespace(patch=8, dim=32, ffn=96, depth=2, eps=1e-6, attention=0)
SHAPE, CLASSES, BATCH, PICTURES = (32, 32, 3), 10, 32, 4096


class Ungated(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(SIZE.dim, eps=SIZE.eps)
        self.mlp = Mlp(SIZE.dim, SIZE.ffn)

    def forward(self, x):
        return x + self.mlp(self.norm(x))


BLOCKS = [lambda tokens: Ungated(), lambda tokens: GmlpBlock(SIZE, tokens, toeplitz=False)]


def main():
    threads, runs, steps = (int(word) for word in sys.argv[1:4])
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    pictures = torch.randn(PICTURES, SHAPE[2], SHAPE[0], SHAPE[1])
    labels = torch.randint(CLASSES, (PICTURES,))
    for run in range(runs):
        model = ImageModel(SIZE, SHAPE, CLASSES, BLOCKS[run % 2])
        optimizer = torch.optim.AdamW(model.parameters(), lr=8e-3, weight_decay=0.05)
        for step in range(steps):
            if step * BATCH % PICTURES == 0:
                order = torch.randperm(PICTURES)
            batch = order[step * BATCH % PICTURES :][:BATCH]
            optimizer.zero_grad(set_to_none=True)
            F.cross_entropy(model(pictures[batch]), labels[batch]).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
