"""PyTorch twins of the models that `mixlab bench` times; see peerProcess.ts for the questions that they answer.

`python3 twins.py THREADS [tuned] [cuda] [compile]`; OpenBLAS has its own number of threads, from the environment. `tuned`
takes one batched product over the tokens where timm has nn.Linear between two transpositions, which is faster on the
processor. `cuda` trains on the graphics card; `compile` goes through torch.compile.
"""

import json
import resource
import sys
import time
from types import SimpleNamespace

import torch
from torch.nn import functional as F

sys.dont_write_bytecode = True
from twinModels import model_of  # noqa: E402

DEVICE = "cuda" if "cuda" in sys.argv else "cpu"


def prepare(asked):
    """The functions that are timed, and the number of parameters."""
    torch.manual_seed(1)
    batch, shape, outputs = asked["batch"], asked["input"], asked["outputs"]
    text = asked["modality"] == "text"
    model = model_of(asked["architecture"], asked["modality"], SimpleNamespace(**asked["size"]), shape, outputs).to(DEVICE)
    parameters = sum(p.numel() for p in model.parameters())
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    if text:
        x = torch.randint(outputs, (batch, *shape), device=DEVICE)
    else:
        x = torch.randn(batch, shape[2], shape[0], shape[1], device=DEVICE)
    labels = torch.randint(outputs, (batch, *shape) if text else (batch,), device=DEVICE).flatten()
    if "compile" in sys.argv:
        model = torch.compile(model)

    def train():
        model.train()
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).flatten(0, -2), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    @torch.no_grad()
    def forward():
        model.eval()
        model(x)
        if DEVICE == "cuda":
            torch.cuda.synchronize()

    return {"train": train, "forward": forward}, parameters


def reply(asked, timed):
    if asked["do"] == "prepare":
        functions, parameters = prepare(asked)
        timed.update(functions)
        return {"parameters": parameters}
    if asked["do"] == "memory":
        unit = 1 if sys.platform == "darwin" else 1024
        return {"bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit}
    begun = time.perf_counter()
    timed[asked["do"]]()
    return {"ms": (time.perf_counter() - begun) * 1000}


def main():
    torch.set_num_threads(int(sys.argv[1]))
    timed = {}
    for line in sys.stdin:
        print(json.dumps(reply(json.loads(line), timed)), flush=True)


if __name__ == "__main__":
    main()
