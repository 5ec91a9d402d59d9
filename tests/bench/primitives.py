"""A step of a layer of PyTorch: output, and the gradients by its input and its parameters. Asked as app/bench/peerProcess.ts says."""

import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


def prepare(asked):
    torch.manual_seed(1)
    layer = eval(asked["torch"], {"torch": torch, "nn": nn, "F": F})
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
