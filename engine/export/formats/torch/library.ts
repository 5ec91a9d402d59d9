/** Python that stands at the head of a module, where its code uses it. */
const PARTS: [used: RegExp, lines: string][] = [
  [
    /\bBatchNorm\(/,
    `class BatchNorm(nn.Module):
    """nn.BatchNorm over all axes but the last, without num_batches_tracked."""

    def __init__(self, dim, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        self.register_buffer('running_mean', torch.zeros(dim))
        self.register_buffer('running_var', torch.ones(dim))

    def forward(self, x):
        x = x.movedim(-1, 1)
        x = F.batch_norm(x, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps)
        return x.movedim(1, -1)
`,
  ],
  [
    /\bbatch_norm\(/,
    `def batch_norm(x, mean, var, weight, bias, training, momentum, eps):
    """F.batch_norm over all axes but the last."""
    x = x.movedim(-1, 1)
    x = F.batch_norm(x, mean, var, weight, bias, training, momentum, eps)
    return x.movedim(1, -1)
`,
  ],
  [
    /(?<!F\.)\bavg_pool\(/,
    `def avg_pool(x, size, stride, pad):
    """F.avg_pool2d of images with channels last, of what windows have inside of them."""
    x = x.permute(0, 3, 1, 2)
    inside = F.avg_pool2d(F.pad(torch.ones_like(x), pad), size, stride)
    return (F.avg_pool2d(F.pad(x, pad), size, stride) / inside).permute(0, 2, 3, 1)
`,
  ],
  [
    /\bdrop_path\(/,
    `def drop_path(x, rate, training):
    """Stochastic depth: while training, whole examples are 0 with probability \`rate\`, the others divided by 1 - rate."""
    if not training or rate == 0.0:
        return x
    kept = torch.ones([x.shape[0]] + [1] * (x.ndim - 1), dtype=x.dtype, device=x.device)
    return x * F.dropout(kept, rate, training)
`,
  ],
  [
    /\bsinusoid_\(/,
    `def sinusoid_(positions):
    """Fixed sine and cosine positions (Vaswani et al. 2017), in place."""
    count, dim = positions.shape[-2], positions.shape[-1]
    channels = torch.arange(dim, dtype=torch.float64)
    pairs = (channels / 2).floor()
    angles = torch.arange(count, dtype=torch.float64)[:, None] / 10000.0 ** (2 * pairs / dim)
    even = (2 * pairs == channels).double()
    with torch.no_grad():
        positions.copy_(even * angles.sin() + (1 - even) * angles.cos())
`,
  ],
  [
    /\bfill_\(/,
    `def fill_(tensor, values):
    with torch.no_grad():
        tensor.copy_(torch.tensor(values).reshape(tensor.shape))
`,
  ],
  [
    /\btable\(/,
    `def table(packed, dtype):
    """Values from their bytes, compressed, in base64."""
    return torch.frombuffer(bytearray(zlib.decompress(base64.b64decode(packed))), dtype=dtype)
`,
  ],
]

/** What code needs that torch has not, each followed by two empty lines. */
export function libraryOf(code: string): string[] {
  return PARTS.flatMap(([used, lines]) => (used.test(code) ? [...lines.split('\n'), ''] : []))
}

/** The modules that it imports, by what the code is. */
export function importsOf(code: string): string[] {
  const packed = /\btable\(/.test(code)
  const standard = [...(packed ? ['base64'] : []), 'json', 'struct', ...(packed ? ['zlib'] : [])]
  return [
    ...standard.map((name) => `import ${name}`),
    'from pathlib import Path',
    '',
    'import torch',
    'import torch.nn.functional as F',
    'from torch import nn',
  ]
}

export const LOAD = `def load(path=__file__ + '.safetensors'):
    """The model with the tensors of a safetensors file, and what that says of itself."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack('<Q', data[:8])
    header = json.loads(data[8 : 8 + length])
    about = json.loads(header.pop('__metadata__', {}).get('mixlab', '{}'))
    model = Model()
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry['data_offsets'])
        dtype = {'F32': torch.float32, 'I32': torch.int32}[entry['dtype']]
        tensors[name] = torch.frombuffer(bytearray(data[begin:end]), dtype=dtype).reshape(entry['shape'])
    model.load_state_dict(tensors)
    return model.eval(), about
`.split('\n')
