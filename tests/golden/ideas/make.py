"""Makes the reference cases of the gallery: python3 make.py, with PyTorch 1.13 and NumPy. The tests do not need it.

Each idea is written here from the equations of its paper, in float64: recurrences as loops, shifts and windows by index,
convolutions and matrices as PyTorch has them. The model around the blocks is the usual one: patches by a convolution, a
last LayerNorm, the mean over the tokens, a dense layer. Parameters are random, under the names that Mixlab gives by place.
"""
import json
import os
import struct
import zlib

import numpy as np
import torch
from torch.nn import functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
DIM, FFN, DEPTH, CLASSES, BATCH = 12, 24, 2, 5, 2


class Place:
    """Parameters below a prefix, made when they are first asked for; layers are numbered as they are called."""

    def __init__(self, known, prefix=''):
        self.known, self.prefix, self.counts = known, prefix, {}

    def at(self, name):
        return Place(self.known, f'{self.prefix}{name}.')

    def get(self, name, shape, around=0.0, spread=0.2):
        path = self.prefix + name
        if path not in self.known:
            draw = np.random.default_rng(zlib.crc32(path.encode()))
            values = (around + spread * draw.standard_normal(shape)).astype(np.float32)
            self.known[path] = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        return self.known[path]

    def numbered(self, kind, name=None):
        if name:
            return self.at(name)
        i = self.counts.get(kind, 0)
        self.counts[kind] = i + 1
        return self.at(kind if i == 0 else f'{kind}_{i}')

    def linear(self, x, units, bias=True, name=None):
        p, inputs = self.numbered('dense', name), x.shape[-1]
        weight = p.get('weight', (units, inputs), 0, inputs ** -0.5)
        return F.linear(x, weight, p.get('bias', (units,)) if bias else None)

    def norm(self, x, name=None):
        p, dim = self.numbered('norm', name), x.shape[-1]
        return F.layer_norm(x, (dim,), p.get('weight', (dim,), 1), p.get('bias', (dim,)), 1e-6)

    def mlp(self, x, hidden=FFN):
        p = self.numbered('mlp')
        return p.linear(F.gelu(p.linear(x, hidden, name='fc1')), x.shape[-1], name='fc2')

    def conv(self, x, kernel, bias=False, **more):
        """Of `[batch, channels, ...]`, each channel by itself."""
        p, channels = self.numbered('conv' if len(kernel) == 1 else 'depthwise'), x.shape[1]
        weight = p.get('weight', (channels, 1, *kernel), 0, np.prod(kernel) ** -0.5)
        run = F.conv1d if len(kernel) == 1 else F.conv2d
        return run(x, weight, p.get('bias', (channels,)) if bias else None, groups=channels, **more)


def gridded(x, grid):
    """Tokens to `[batch, dim, rows, columns]`."""
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], *grid)


def flat(x):
    return x.flatten(2).transpose(1, 2)


def swiglu(p, x, **_):
    rms = lambda y: y / (y.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * p.numbered('norm').get('weight', (DIM,), 1)
    y, q = rms(x), p.numbered('token_dense')
    n = x.shape[1]
    x = x + torch.matmul(q.get('weight', (n, n), 0, n ** -0.5), y) + q.get('bias', (n,))[:, None]
    u, v = p.linear(rms(x), 2 * FFN, bias=False).chunk(2, -1)
    return x + p.linear(F.silu(u) * v, DIM, bias=False)


def hyper_mixer(p, x, **_):
    y = p.norm(x)
    placed = y + p.get('positions', (1, x.shape[1], DIM))
    w1, w2 = p.mlp(placed), p.mlp(placed)  # [batch, tokens, hidden]
    x = x + p.norm(w2 @ F.gelu(w1.transpose(1, 2) @ y))
    return x + p.mlp(p.norm(x))


def fnet(p, x, **_):
    x = p.norm(x + torch.fft.fft(torch.fft.fft(x.to(torch.complex128), dim=-1), dim=-2).real)
    return p.norm(x + p.mlp(x))


def dyna_mixer(p, x, reduced, **_):
    y, n = p.norm(x), x.shape[1]
    shares = p.linear(p.linear(y, reduced).flatten(1), n * n).reshape(-1, n, n).softmax(-1)
    x = x + p.linear(shares @ y, DIM)
    return x + p.mlp(p.norm(x))


def circulant(p, x, heads, **_):
    n, width = x.shape[1], DIM // heads
    w = p.get('filters', (heads, n), 0, n ** -0.5)
    y = p.norm(x)
    parts = []
    for h in range(heads):
        rows = torch.stack([torch.roll(w[h], i) for i in range(n)])  # row i has w_0 at column i
        parts.append(rows @ y[..., h * width:(h + 1) * width])
    x = x + p.linear(torch.cat(parts, -1), DIM)
    return x + p.mlp(p.norm(x))


def monarch_mixer(p, x, groups, **_):
    def block_diagonal(y, count):
        q, width = p.numbered('dense'), y.shape[-1]
        size = width // count
        weight = q.get('weight', (width, size), 0, size ** -0.5)
        return y @ torch.block_diag(*weight.split(size)).T + q.get('bias', (width,))

    def monarch(y):
        width = y.shape[-1]
        size = width // groups
        order = torch.arange(width).reshape(groups, size).T.flatten()  # row by row to column by column
        z = block_diagonal(block_diagonal(y, groups)[..., order], size)
        return z[..., torch.argsort(order)]

    mix = lambda y: monarch(F.gelu(monarch(y)))
    x = x + mix(p.norm(x).transpose(1, 2)).transpose(1, 2)
    return x + mix(p.norm(x))


def kan_mixer(p, x, **_):
    def kan(y, units):
        q, inputs = p.numbered('dense'), y.shape[-1]
        weight = q.get('weight', (units, 6 * inputs), 0, (6 * inputs) ** -0.5)
        base, *bumps = weight.split(inputs, 1)
        out = F.silu(y) @ base.T + q.get('bias', (units,))
        for centre, w in zip((-2, -1, 0, 1, 2), bumps):
            out = out + torch.exp(-(y - centre) ** 2) @ w.T
        return out
    x = x + kan(p.norm(x).transpose(1, 2), x.shape[1]).transpose(1, 2)
    return x + kan(p.norm(x), DIM)


def pool_former(p, x, grid, **_):
    y = p.norm(x)
    x = x + flat(F.avg_pool2d(gridded(y, grid), 3, 1, 1, count_include_pad=False)) - y
    return x + p.mlp(p.norm(x))


def moved(y, offset, dim):
    """y at the place that is `offset` further along a dimension, 0 outside."""
    n, out = y.shape[dim], torch.zeros_like(y)
    for i in range(n):
        if 0 <= i + offset < n:
            index = [slice(None)] * y.dim()
            index[dim] = slice(i, i + 1)
            source = list(index)
            source[dim] = slice(i + offset, i + offset + 1)
            mask = torch.zeros_like(y)
            mask[tuple(index)] = 1
            out = out + mask * y[tuple(source)]
    return out


def as_mlp(p, x, grid, **_):
    y = gridded(F.gelu(p.norm(p.linear(p.norm(x), DIM))), grid)
    def branch(dim):
        parts = [moved(part, 1 - i, dim) for i, part in enumerate(y.chunk(3, 1))]
        return F.gelu(p.linear(flat(torch.cat(parts, 1)), DIM))
    high = branch(2)
    x = x + p.linear(p.norm(high + branch(3)), DIM)
    return x + p.mlp(p.norm(x))


def cycle_mlp(p, x, grid, **_):
    y = p.norm(x)
    image = gridded(y, grid)
    def stairs(dim):
        return p.linear(flat(torch.cat([moved(image[:, c:c + 1], c % 3 - 1, dim) for c in range(DIM)], 1)), DIM)
    high = stairs(2)
    wide = stairs(3)
    x = x + p.linear(high + wide + p.linear(y, DIM), DIM)
    return x + p.mlp(p.norm(x))


def vip(p, x, grid, segments, **_):
    rows, columns = grid
    n = DIM // segments
    y = p.norm(x)
    z = y.reshape(-1, rows, columns, segments, n)
    def permuted(z, name, length):  # [batch, length, other, segments, n]
        w = p.get(name, (length, n, length, n), 0, (length * n) ** -0.5).reshape(length * n, length * n)
        mixed = z.permute(0, 2, 3, 1, 4).flatten(3) @ w
        return mixed.unflatten(3, (length, n)).permute(0, 3, 1, 2, 4)
    high = permuted(z, 'rows', rows)
    wide = permuted(z.transpose(1, 2), 'columns', columns).transpose(1, 2)
    x = x + p.linear((high + wide).reshape(y.shape) + p.linear(y, DIM, bias=False), DIM)
    return x + p.mlp(p.norm(x))


def s_mlp(p, x, grid, **_):
    rows, columns = grid
    y = gridded(p.norm(x), grid)
    high = F.linear(y.transpose(2, 3), p.get('rows', (rows, rows), 0, rows ** -0.5)).transpose(2, 3)
    wide = F.linear(y, p.get('columns', (columns, columns), 0, columns ** -0.5))
    x = x + p.linear(flat(torch.cat([high, wide, y], 1)), DIM)
    return x + p.mlp(p.norm(x))


def wave_mlp(p, x, grid, **_):
    y = p.norm(x)
    def waves(kernel, padding):
        amplitude, phase = p.linear(y, 2 * DIM).chunk(2, -1)
        wave = torch.polar(torch.ones_like(phase), phase) * amplitude
        parts = gridded(torch.cat([wave.real, wave.imag], -1), grid)
        real, imaginary = p.conv(parts, kernel, padding=padding).chunk(2, 1)
        return flat(real + imaginary)
    high = waves((3, 1), (1, 0))
    wide = waves((1, 3), (0, 1))
    x = x + p.linear(high + wide + p.linear(y, DIM), DIM)
    return x + p.mlp(p.norm(x))


def conv_mlp(p, x, grid, **_):
    x = x + p.mlp(p.norm(x))
    x = flat(p.conv(gridded(p.norm(x), grid), (3, 3), padding=1))
    return x + p.mlp(p.norm(x))


def causal_conv(p, x, kernel, bias=False):
    return p.conv(F.pad(x.transpose(1, 2), (kernel - 1, 0)), (kernel,), bias=bias).transpose(1, 2)


def hyena(p, x, **_):
    n = x.shape[1]
    v, a, b = causal_conv(p, p.linear(p.norm(x), 3 * DIM), 3).chunk(3, -1)
    i = torch.arange(DIM)
    angles = torch.arange(n)[:, None] / 10000 ** ((i // 2 * 2) / DIM)
    table = torch.where(i % 2 == 0, angles.sin(), angles.cos())
    places = FIXED.setdefault(p.prefix + 'places', table.to(torch.float32).to(torch.float64))
    def long(h, z):  # by the transform, with room for what does not go around
        return torch.fft.irfft(torch.fft.rfft(h, 2 * n, 0) * torch.fft.rfft(z, 2 * n, 1), 2 * n, 1)[:, :n]
    inner = a * long(p.mlp(places), v)
    x = x + p.linear(b * long(p.mlp(places), inner), DIM)
    return x + p.mlp(p.norm(x))


def mamba(p, x, states, **_):
    u, gate = p.linear(p.norm(x), 2 * DIM, bias=False).chunk(2, -1)
    v = F.silu(causal_conv(p, u, 4, bias=True))
    step = F.softplus(p.linear(v, DIM))
    rates = p.get('rates', (DIM, states)).exp()
    entering = p.linear(v, states, bias=False)
    leaving = p.linear(v, states, bias=False)
    h, out = torch.zeros(x.shape[0], DIM, states, dtype=torch.float64), []
    for t in range(x.shape[1]):
        h = torch.exp(-step[:, t, :, None] * rates) * h + (step[:, t] * v[:, t])[..., None] * entering[:, t, None]
        out.append((h * leaving[:, t, None]).sum(-1))
    y = torch.stack(out, 1) + p.get('skip', (DIM,), 1) * v
    return x + p.linear(y * F.silu(gate), DIM, bias=False)


def min_gru(p, x, **_):
    y = p.norm(x)
    z = torch.sigmoid(p.linear(y, DIM))
    candidate = p.linear(y, DIM)
    h, out = torch.zeros(x.shape[0], DIM, dtype=torch.float64), []
    for t in range(x.shape[1]):
        h = (1 - z[:, t]) * h + z[:, t] * candidate[:, t]
        out.append(h)
    x = x + p.linear(torch.stack(out, 1), DIM)
    return x + p.mlp(p.norm(x))


def rwkv(p, x, **_):
    def read(y, name, units=DIM):
        mu = p.get(f'{name}.mu', (DIM,), 0.5)
        before = torch.cat([torch.zeros_like(y[:, :1]), y[:, :-1]], 1)
        return p.linear(mu * y + (1 - mu) * before, units, bias=False, name=name)
    y = p.norm(x)
    k, v, r = read(y, 'key'), read(y, 'value'), read(y, 'receptance')
    w, u = p.get('decay', (DIM,)).exp(), p.get('bonus', (DIM,))
    out = []
    for t in range(x.shape[1]):
        weights = [torch.exp(-(t - 1 - i) * w + k[:, i]) for i in range(t)] + [torch.exp(u + k[:, t])]
        out.append(sum(a * v[:, i] for i, a in enumerate(weights)) / sum(weights))
    x = x + p.linear(torch.sigmoid(r) * torch.stack(out, 1), DIM, bias=False)
    z = p.norm(x)
    return x + torch.sigmoid(read(z, 'gate')) * p.linear(F.relu(read(z, 'hidden', FFN)) ** 2, DIM, bias=False)


def causal_gmlp(p, x, **_):
    n = x.shape[1]
    u, v = F.gelu(p.linear(p.norm(x), FFN)).chunk(2, -1)
    g = p.at('gate')
    v = F.layer_norm(v, (FFN // 2,), g.get('norm.weight', (FFN // 2,), 1), g.get('norm.bias', (FFN // 2,)), 1e-5)
    gate = g.get('proj.weight', (n, n), 0, n ** -0.5).tril() @ v + g.get('proj.bias', (n,), 1)[:, None]
    return x + p.linear(u * gate, DIM)


def rotary_attention(p, x, heads, **_):
    b, n, _ = x.shape
    width = DIM // heads
    q, k, v = [y.reshape(b, n, heads, width).transpose(1, 2) for y in p.linear(p.norm(x), 3 * DIM).chunk(3, -1)]
    angles = torch.arange(n)[:, None] * 10000.0 ** (-2 * torch.arange(width // 2) / width)
    turn = torch.polar(torch.ones_like(angles, dtype=torch.float64), angles.double())
    def rotated(y):
        pairs = torch.view_as_complex(y.reshape(b, heads, n, width // 2, 2))
        return torch.view_as_real(pairs * turn).flatten(3)
    a = (rotated(q) @ rotated(k).transpose(2, 3) / width ** 0.5).softmax(-1)
    x = x + p.linear((a @ v).transpose(1, 2).reshape(b, n, DIM), DIM)
    return x + p.mlp(p.norm(x))


def swin_mixer(p, x, grid, layer, window=2, heads=3):
    rows, columns = grid
    dim, area, by = x.shape[-1], window * window, window // 2 if layer % 2 else 0
    z = torch.roll(gridded(p.norm(x), grid), (-by, -by), (2, 3))
    weight, bias = p.get('weight', (heads, area, area), 0, 1 / window), p.get('bias', (area, heads, 1))
    out = torch.zeros_like(z)
    for r in range(0, rows, window):
        for s in range(0, columns, window):
            for h in range(heads):
                channels = slice(h * dim // heads, (h + 1) * dim // heads)
                part = z[:, channels, r:r + window, s:s + window].flatten(2)  # [batch, channels, area]
                mixed = F.linear(part, weight[h], bias[:, h, 0]).unflatten(2, (window, window))
                out = out + F.pad(mixed, (s, columns - s - window, r, rows - r - window,
                                          channels.start, dim - channels.stop))
    x = x + flat(torch.roll(out, (by, by), (2, 3)))
    return x + p.mlp(p.norm(x))


def merged(p, x, grid, dim):
    """Patch merging as in Swin."""
    z = gridded(x, grid).permute(0, 2, 3, 1)
    z = torch.cat([z[:, 0::2, 0::2], z[:, 1::2, 0::2], z[:, 0::2, 1::2], z[:, 1::2, 1::2]], -1).flatten(1, 2)
    z = F.layer_norm(z, z.shape[-1:], p.get('norm.weight', z.shape[-1:], 1), p.get('norm.bias', z.shape[-1:]), 1e-6)
    return p.linear(z, dim, bias=False, name='reduction')


# Options stand in the configuration of the case.
def ts_mixer(p, x, **_):
    norm = lambda y: p.norm(y.flatten(1)).reshape(y.shape)  # over steps and features together
    y, q, n = norm(x), p.numbered('token_dense'), x.shape[1]
    x = x + F.relu(torch.einsum('ts,bsd->btd', q.get('weight', (n, n), 0, n ** -0.5), y) + q.get('bias', (n,))[:, None])
    return x + p.linear(F.relu(p.linear(norm(x), FFN)), DIM)


IDEAS = {
    'swiglu': (swiglu, {}),
    'hyperMixer': (hyper_mixer, {}),
    'fnet': (fnet, {}),
    'dynaMixer': (dyna_mixer, {'reduced': 2}),
    'circulant': (circulant, {'heads': 3}),
    'monarchMixer': (monarch_mixer, {'groups': 4}),
    'kanMixer': (kan_mixer, {}),
    'poolFormer': (pool_former, {}),
    'asMlp': (as_mlp, {}),
    'cycleMlp': (cycle_mlp, {}),
    'vip': (vip, {'segments': 3}),
    'sMlp': (s_mlp, {}),
    'waveMlp': (wave_mlp, {}),
    'convMlp': (conv_mlp, {}),
    'hyena': (hyena, {}),
    'mamba': (mamba, {'states': 3}),
    'minGru': (min_gru, {}),
    'rwkv': (rwkv, {}),
    'causalGmlp': (causal_gmlp, {}),
    'rotaryAttention': (rotary_attention, {'heads': 3}),
    'tsMixer': (ts_mixer, {}),
}

FIXED = {}


def model(block, options, known, image, patch, stages):
    p = Place(known)
    stem, dim = p.at('stem').at('proj'), stages[0][1]
    weight = stem.get('weight', (dim, image.shape[1], *patch), 0, (image.shape[1] * np.prod(patch)) ** -0.5)
    x = F.conv2d(image, weight, stem.get('bias', (dim,)), stride=patch)
    grid = tuple(x.shape[2:])
    x, seen = flat(x), []
    for stage, (depth, dim) in enumerate(stages):
        if stage > 0:
            x = merged(p.at(f'merges.{stage - 1}'), x, grid, dim)
            grid = tuple(side // 2 for side in grid)
        for _ in range(depth):
            i = len(seen)
            y = block(p.at(f'blocks.{i}'), x, grid=grid, layer=i, **options)
            seen.append((x, y))
            x = y
    logits = p.linear(p.norm(x, name='norm').mean(1), CLASSES, name='head')
    return logits, seen[0]


def write(path, tensors, metadata):
    header, data = {'__metadata__': metadata}, b''
    for name, t in tensors.items():
        a = t.detach().numpy()
        a = a.astype(np.int32) if a.dtype == np.int64 else a.astype(np.float32)
        header[name] = {
            'dtype': 'I32' if a.dtype == np.int32 else 'F32',
            'shape': list(a.shape),
            'data_offsets': [len(data), len(data) + a.nbytes],
        }
        data += np.ascontiguousarray(a).tobytes()
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text + data)


def make(name, block, options, size=(8, 6), patch=2, stages=((DEPTH, DIM),)):
    FIXED.clear()
    draw = np.random.default_rng(zlib.crc32(name.encode()))
    image = torch.tensor(draw.standard_normal((BATCH, 3, *size)).astype(np.float32), dtype=torch.float64)
    image.requires_grad_()
    target = torch.tensor(draw.integers(0, CLASSES, BATCH))
    known = {}
    logits, (before, after) = model(block, options, known, image, (patch, patch), stages)
    loss = F.cross_entropy(logits, target)
    loss.backward()
    largest = max(t.grad.abs().max().item() for t in known.values())
    zero = [path for path, t in known.items() if t.grad.abs().max().item() < 1e-9 * largest]
    tensors = {f'param.{path}': t for path, t in {**known, **FIXED}.items()}
    tensors.update({f'grad.{path}': t.grad for path, t in known.items()})
    tensors.update({'input': image, 'target': target, 'output': logits, 'loss': loss, 'input.grad': image.grad})
    tensors.update({'block0.input': before, 'block0.output': after})
    config = {'ffn': FFN, 'patch_size': patch, 'image_size': list(size), 'in_chans': 3, 'num_classes': CLASSES, **options}
    if len(stages) == 1:
        config.update({'depth': DEPTH, 'dim': DIM})
    write(os.path.join(HERE, f'{name}.safetensors'), tensors, {
        'format': 'pt', 'kind': 'model', 'architecture': name, 'config': json.dumps(config),
        'untrained': json.dumps(list(FIXED)), 'zero_gradient': json.dumps(zero),
        'source': f'PyTorch {torch.__version__}, float64: make.py',
    })
    print(name, len(known), sum(t.numel() for t in known.values()), 'zero:', zero, f'loss {loss.item():.4f}')


if __name__ == '__main__':
    for name, (block, options) in IDEAS.items():
        make(name, block, options)
    make('swinMixer', swin_mixer, {}, (8, 8), 2, ((2, 24), (2, 48)))
