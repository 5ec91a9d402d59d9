"""Makes reference cases of functions of the block language: python3 make.py, with PyTorch 1.13 and NumPy. The tests do not need it.

Each is written here as the code of its paper has it, in float64: output, and the gradients by all inputs and parameters. A new
one is a function that takes its inputs and parameters by name, and a line of CASES.
"""
import json
import os
import struct
import zlib

import numpy as np
import torch
from torch.nn import functional as F

HERE = os.path.dirname(os.path.abspath(__file__))


def patch_merge(x, p, merge, eps):
    """PatchMerging of Swin: every patch of a square in its own slice, those of a column below one another."""
    high, wide = merge
    slices = [x[:, row::high, column::wide, :] for column in range(wide) for row in range(high)]
    together = torch.cat(slices, -1).flatten(1, 2)
    normed = F.layer_norm(together, together.shape[-1:], p['norm.weight'], p['norm.bias'], eps)
    return F.linear(normed, p['reduction.weight'])


def merging(merge, size, channels, dim):
    wide = merge[0] * merge[1] * channels
    config = {'function': 'patchMerge', 'dim': dim, 'merge': merge, 'eps': 1e-5}
    parameters = {'norm.weight': (wide,), 'norm.bias': (wide,), 'reduction.weight': (dim, wide)}
    run = lambda inputs, p: patch_merge(inputs[0], p, merge, 1e-5)
    return 'Merged patches, LayerNorm and a dense layer', config, [(2, *size, channels)], parameters, run


def window_linear(x, p, size, grid):
    """window_partition and window_reverse of Swin, a dense layer over the tokens of each window between them."""
    (rows, columns), (high, wide), (batch, tokens, dim) = grid, size, x.shape
    image = x.view(batch, rows // high, high, columns // wide, wide, dim)
    apart = image.permute(0, 1, 3, 2, 4, 5).reshape(-1, high * wide, dim)
    mixed = F.linear(apart.transpose(1, 2), p['weight'], p['bias']).transpose(1, 2)
    back = mixed.reshape(batch, rows // high, columns // wide, high, wide, dim)
    return back.permute(0, 1, 3, 2, 4, 5).reshape(batch, tokens, dim)


def windowed(size, grid, dim):
    area, config = size[0] * size[1], {'function': 'windows', 'size': size, 'grid': grid}
    parameters = {'weight': (area, area), 'bias': (area,)}
    run = lambda inputs, p: window_linear(inputs[0], p, size, grid)
    return 'A dense layer over the tokens of each window', config, [(2, grid[0] * grid[1], dim)], parameters, run


def waves(inputs, p):
    return torch.cat([F.softplus(inputs[0]), torch.sin(inputs[0]), torch.cos(inputs[0])], -1)


CASES = {
    'op_lerp': ('Linear interpolation', {'function': 'lerp'}, [(2, 5, 4), (2, 5, 4), (4,)], {}, lambda i, p: torch.lerp(*i)),
    'op_waves': ('Softplus, sine and cosine', {'function': 'waves'}, [(3, 7, 5)], {}, waves),
    'op_windows': windowed([2, 3], [4, 6], 3),
    'op_patch_merge': merging([2, 2], (4, 6), 3, 5),
    'op_patch_merge_sides': merging([1, 3], (2, 6), 4, 6),
}


def made(architecture, config, shapes, parameters, run, draw, dtype):
    """Tensors of a case by name, computed in a type."""
    def tensor(shape, around=0.0):
        values = (around + draw.standard_normal(shape)).astype(np.float32)
        return torch.tensor(values, dtype=dtype, requires_grad=True)

    inputs = [tensor(shape) for shape in shapes]
    p = {name: tensor(shape, 1.0 if name.endswith('norm.weight') else 0.0) for name, shape in parameters.items()}
    output = run(inputs, p)
    slope = torch.tensor(draw.standard_normal(output.shape).astype(np.float32), dtype=dtype)
    output.backward(slope)
    named = {**{f'input.{i}': t for i, t in enumerate(inputs)}, **{f'param.{name}': t for name, t in p.items()}}
    results = {'output': output, **{f'grad_{name}': t.grad for name, t in named.items()}}
    return {**named, 'grad_output': slope}, results


def write(path, tensors, metadata):
    header, data = {'__metadata__': metadata}, b''
    for name, t in tensors.items():
        a = np.ascontiguousarray(t.detach().numpy().astype(np.float32))
        header[name] = {'dtype': 'F32', 'shape': list(a.shape), 'data_offsets': [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as f:
        f.write(struct.pack('<Q', len(text)) + text + data)


def make(name, architecture, config, *case):
    seed = zlib.crc32(name.encode())
    given, results = made(architecture, config, *case, np.random.default_rng(seed), torch.float64)
    _, rounded = made(architecture, config, *case, np.random.default_rng(seed), torch.float32)
    errors = {
        result: float(f'{(rounded[result].double() - t).abs().max() / t.abs().max():.1e}') for result, t in results.items()
    }
    write(os.path.join(HERE, f'{name}.safetensors'), {**given, **results}, {
        'format': 'golden-1', 'kind': 'op', 'architecture': architecture,
        'source': f'PyTorch {torch.__version__}', 'source_file': 'make.py, float64',
        'config': json.dumps(config), 'seed': str(seed), 'float32_error': json.dumps(errors),
    })
    print(name, errors)


if __name__ == '__main__':
    for name, case in CASES.items():
        make(name, *case)
