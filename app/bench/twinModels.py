"""The models of twins.py: layers and numbers of parameters are those of engine/models, written as timm writes them."""

import sys

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

    def forward(self, x, plus=0):
        u, v = x.chunk(2, dim=-1)
        return u * (self.proj(self.norm(v)) + plus)


class TinyAttention(nn.Module):
    def __init__(self, dim, size, units):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * size)
        self.out = nn.Linear(size, units)

    def forward(self, x):
        return self.out(attend(*self.qkv(x).chunk(3, dim=-1)))


class GmlpBlock(nn.Module):
    def __init__(self, size, tokens, toeplitz):
        super().__init__()
        self.norm = nn.LayerNorm(size.dim, eps=size.eps)
        self.fc1 = nn.Linear(size.dim, size.ffn)
        self.gate = Gate(size.ffn // 2, tokens, toeplitz)
        self.fc2 = nn.Linear(size.ffn // 2, size.dim)
        self.tiny = TinyAttention(size.dim, size.attention, size.ffn // 2) if size.attention else None

    def forward(self, x):
        y = self.norm(x)
        h = F.gelu(self.fc1(y))
        return x + self.fc2(self.gate(h, self.tiny(y)) if self.tiny else self.gate(h))


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


class BasicBlock(nn.Module):
    """Two convolutions around a shortcut that has every second row and column, and channels of zeros on either side."""

    def __init__(self, inputs, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, channels, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)
        self.stride, self.added = stride, channels - inputs

    def forward(self, x):
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        if self.added:
            before = self.added // 2
            x = F.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, before, self.added - before))
        return F.relu(x + y)


class ResNet(nn.Module):
    def __init__(self, size, channels, outputs):
        super().__init__()
        width = size.width
        self.conv1 = nn.Conv2d(channels, width, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        blocks = []
        for stage in range(3):
            for i in range(size.blocksPerStage):
                first = stage > 0 and i == 0
                inputs = width * 2 ** (stage - 1 if first else stage)
                blocks.append(BasicBlock(inputs, width * 2**stage, 2 if first else 1))
        self.blocks = nn.Sequential(*blocks)
        self.linear = nn.Linear(4 * width, outputs)

    def forward(self, images):
        return self.linear(self.blocks(F.relu(self.bn1(self.conv1(images)))).mean((2, 3)))


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
    if architecture == "resnet":
        return ResNet(size, input_shape[2], outputs)
    blocks = {
        "amlp": lambda tokens: GmlpBlock(size, tokens, toeplitz=text),
        "gmlp": lambda tokens: GmlpBlock(size, tokens, toeplitz=text),
        "mixer": lambda tokens: MixerBlock(size, tokens),
        "vit": lambda tokens: VitBlock(size),
    }
    block = blocks[architecture]
    if text:
        return TextModel(size, input_shape[0], outputs, block)
    return ImageModel(size, input_shape, outputs, block, cls=architecture == "vit")
