"""Checkpoints as PyTorch writes them, old and new, with what is in them; needs PyTorch and NumPy. python3 make.py"""
import argparse
import json
import os
import pickle
import struct
from collections import OrderedDict

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
FOREIGN = os.path.join(HERE, '..', 'foreign')
at = lambda name: os.path.join(HERE, name)
torch.manual_seed(1)

base = torch.arange(24.).reshape(4, 6)
kinds = OrderedDict(
    plain=torch.randn(3, 4), turned=base.t(), rows=base[1:3], column=base[:, 2], steps=base[::2, 1::2],
    expanded=torch.tensor([2.]).expand(3, 2), count=torch.tensor(7), scalar=torch.tensor(2.5), empty=torch.zeros(0, 3),
    half=torch.tensor([1.5, -2]).half(), bfloat=torch.tensor([1.5, -2]).bfloat16(), double=torch.tensor([.1, .2]).double(),
    flag=torch.tensor([True, False]), i8=torch.tensor([-3, 4], dtype=torch.int8), u8=torch.tensor([200, 4], dtype=torch.uint8),
    i16=torch.tensor([-300, 4], dtype=torch.int16), i32=torch.tensor([-70000, 4], dtype=torch.int32),
    channels=torch.randn(1, 2, 2, 3).contiguous(memory_format=torch.channels_last), parameter=torch.nn.Parameter(torch.ones(2)))
with open(at('kinds.json'), 'w') as f:
    json.dump({name: {'shape': list(t.shape), 'values': t.double().flatten().tolist()} for name, t in kinds.items()}, f)
torch.save(OrderedDict(kinds, complex=torch.tensor([1 + 2j])), at('kinds.pt'))
torch.save(kinds, at('kinds-legacy.pth'), _use_new_zipfile_serialization=False)

model = torch.nn.Linear(3, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 3)).sum().backward()
optimizer.step()
wrapped = {'model': model.state_dict(), 'optimizer': optimizer.state_dict(), 'epoch': 3, 'best': np.float64(3.5),
           'args': argparse.Namespace(lr=.1, name='x'), 'rng': torch.arange(9, dtype=torch.uint8), 'history': np.ones(3)}
torch.save(wrapped, at('wrapped.pt'))
torch.save(wrapped, at('wrapped-legacy.pt'), _use_new_zipfile_serialization=False)
torch.save(wrapped, at('wrapped-protocol-4.pt'), pickle_protocol=4)
torch.save(model, at('module.pt'))
torch.save([torch.ones(2)], at('list.pt'))
arrays = {'plain': np.arange(6, dtype='f4').reshape(2, 3), 'turned': np.asfortranarray(np.arange(6, dtype='f8').reshape(2, 3)),
          'big': np.arange(3, dtype='>i4'), 'text': np.array(['a'])}
for protocol in (2, 4, 5):
    with open(at(f'arrays-{protocol}.pkl'), 'wb') as f:
        pickle.dump({'model': arrays, 'tensor': {'t': torch.tensor([1.5])}, 'step': 7}, f, protocol=protocol)
odd = torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.qint8)
for legacy in ('', '-legacy'):
    torch.save({'a': torch.ones(2), 'sparse': torch.eye(2).to_sparse(), 'quantised': odd, 'complex': torch.tensor([1j])},
               at(f'odd{legacy}.pt'), _use_new_zipfile_serialization=not legacy)


class Runs:
    def __reduce__(self):
        return os.system, ('touch /tmp/mixlab-was-here',)


torch.save({'a': torch.ones(1), 'b': Runs()}, at('runs-code.pt'))


def load(name):
    with open(os.path.join(FOREIGN, name, 'model.safetensors'), 'rb') as f:
        data = f.read()
    length, = struct.unpack('<Q', data[:8])
    header = json.loads(data[8:8 + length])
    values = lambda e: np.frombuffer(data[8 + length + e['data_offsets'][0]:8 + length + e['data_offsets'][1]], np.float32)
    return {k: torch.tensor(values(e).reshape(e['shape'])) for k, e in header.items() if k != '__metadata__'}


mixer = load('mixer')
torch.save({'state_dict': OrderedDict(('_orig_mod.module.' + k, v) for k, v in mixer.items()), 'epoch': 1}, at('mixer.ckpt'))
blocks = OrderedDict((k.replace('blocks.0.', 'blocks.0._checkpoint_wrapped_module.'), v.double()) for k, v in mixer.items())
torch.save({'model': {'backbone.' + k: v for k, v in blocks.items()}, 'model_ema': {'backbone.' + k: v for k, v in blocks.items()}},
           at('two-mixers.pth'), _use_new_zipfile_serialization=False)
