"""PyTorch twins of the models that `mixlab bench` times; see peerProcess.ts for the questions that they answer.

Layers and numbers of parameters are those of engine/models, written as timm writes them. `python3 twins.py THREADS
[tuned | cuda [compile]]`; BLAS has its own number of threads, from the environment. `tuned` takes one batched product over the tokens
where timm has nn.Linear between two transpositions, which is faster on the processor. `cuda` trains on the graphics card,
with `compile` through torch.compile.
"""

import json
import resource
import sys
import time
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

GATE_EPS = 1e-5


class TokenDense(nn.Module):
    """W x + b over the token axis: [batch, inputs, dim] to [batch, outputs, dim]."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs).normal_(std=1e-3))
        self.bias = nn.Parameter(torch.ones(outputs))

    def forward(self, x):
        return left_product(self.weight, self.bias, x)


class ToeplitzDense(nn.Module):
    """The same with W[i][j] = w[n - 1 + j - i]."""

    def __init__(self, tokens):
        super().__init__()
        self.tokens = tokens
        self.toeplitz = nn.Parameter(torch.empty(2 * tokens - 1).normal_(std=1e-3))
        self.bias = nn.Parameter(torch.ones(tokens))

    def forward(self, x):
        return left_product(self.toeplitz.unfold(0, self.tokens, 1).flip(0), self.bias, x)


TUNED = "tuned" in sys.argv
DEVICE = "cuda" if "cuda" in sys.argv else "cpu"


def left_product(matrix, bias, x):
    if not TUNED:
        return F.linear(x.transpose(1, 2), matrix, bias).transpose(1, 2)
    batch, _, dim = x.shape
    return torch.baddbmm(bias[:, None].expand(batch, -1, dim), matrix.expand(batch, -1, -1), x)


class Mlp(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, dim)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))


class Gate(nn.Module):
    def __init__(self, width, tokens, toeplitz):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=GATE_EPS)
        self.proj = ToeplitzDense(tokens) if toeplitz else TokenDense(tokens, tokens)

    def forward(self, x):
        u, v = x.chunk(2, dim=-1)
        return u * self.proj(self.norm(v))


class GmlpBlock(nn.Module):
    def __init__(self, size, tokens, toeplitz):
        super().__init__()
        self.norm = nn.LayerNorm(size.dim, eps=size.eps)
        self.fc1 = nn.Linear(size.dim, size.ffn)
        self.gate = Gate(size.ffn // 2, tokens, toeplitz)
        self.fc2 = nn.Linear(size.ffn // 2, size.dim)

    def forward(self, x):
        return x + self.fc2(self.gate(F.gelu(self.fc1(self.norm(x)))))


class MixerBlock(nn.Module):
    def __init__(self, size, tokens):
        super().__init__()
        hidden = int(size.tokenRatio * size.dim)
        self.norm1 = nn.LayerNorm(size.dim, eps=size.eps)
        self.fc1 = TokenDense(tokens, hidden)
        self.fc2 = TokenDense(hidden, tokens)
        self.norm2 = nn.LayerNorm(size.dim, eps=size.eps)
        self.mlp_channels = Mlp(size.dim, size.ffn)

    def forward(self, x):
        x = x + self.fc2(F.gelu(self.fc1(self.norm1(x))))
        return x + self.mlp_channels(self.norm2(x))


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        batch, tokens, dim = x.shape
        qkv = self.qkv(x).reshape(batch, tokens, 3, self.heads, dim // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each [batch, heads, tokens, width]
        y = attend(q, k, v).transpose(1, 2).reshape(batch, tokens, dim)
        return self.proj(y)


def attend(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v)
    return (q * q.shape[-1] ** -0.5 @ k.transpose(-2, -1)).softmax(-1) @ v


class VitBlock(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm1 = nn.LayerNorm(size.dim, eps=size.eps)
        self.attn = Attention(size.dim, size.heads)
        self.norm2 = nn.LayerNorm(size.dim, eps=size.eps)
        self.mlp = Mlp(size.dim, size.ffn)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ImageModel(nn.Module):
    """Patches, blocks, norm, and one dense layer on the mean of the tokens; with `cls` on a token of its own."""

    def __init__(self, size, input_shape, outputs, block, cls=False):
        super().__init__()
        height, width, channels = input_shape
        tokens = (height // size.patch) * (width // size.patch)
        self.stem = nn.Conv2d(channels, size.dim, size.patch, size.patch)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, size.dim)) if cls else None
        self.pos_embed = nn.Parameter(torch.zeros(1, tokens + 1, size.dim)) if cls else None
        self.blocks = nn.Sequential(*(block(tokens) for _ in range(size.depth)))
        self.norm = nn.LayerNorm(size.dim, eps=size.eps)
        self.head = nn.Linear(size.dim, outputs)

    def forward(self, images):
        x = self.stem(images).flatten(2).transpose(1, 2)  # [batch, tokens, dim]
        if self.cls_token is not None:
            x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], 1) + self.pos_embed
        x = self.norm(self.blocks(x))
        return self.head(x.mean(1) if self.cls_token is None else x[:, 0])


class TextModel(nn.Module):
    """Embedding, blocks, norm, and the product with the embedding."""

    def __init__(self, size, tokens, vocabulary, block):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, size.dim)
        nn.init.normal_(self.embed.weight, std=0.02)
        self.blocks = nn.Sequential(*(block(tokens) for _ in range(size.depth)))
        self.norm = nn.LayerNorm(size.dim, eps=size.eps)

    def forward(self, ids):
        return F.linear(self.norm(self.blocks(self.embed(ids))), self.embed.weight)


def model_of(architecture, modality, size, input_shape, outputs):
    text = modality == "text"
    blocks = {
        "gmlp": lambda tokens: GmlpBlock(size, tokens, toeplitz=text),
        "mixer": lambda tokens: MixerBlock(size, tokens),
        "vit": lambda tokens: VitBlock(size),
    }
    block = blocks[architecture]
    if text:
        return TextModel(size, input_shape[0], outputs, block)
    return ImageModel(size, input_shape, outputs, block, cls=architecture == "vit")


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
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x).flatten(0, -2), labels)
        loss.backward()
        optimizer.step()
        return loss.item()

    @torch.no_grad()
    def forward():
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
