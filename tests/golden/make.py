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


CASES = {
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
