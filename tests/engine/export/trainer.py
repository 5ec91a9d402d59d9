"""Trains exported modules in PyTorch from the initial values of Mixlab, on its batches and with its masks.

python trainer.py FOLDER: each folder in it has a model, `start.json` (what the module is compared with) and tensors as raw
float32 and int32 in `tensors.bin`. Prints what was found for each as JSON.
"""

import copy
import importlib.util
import inspect
import io
import json
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
dropout = F.dropout


def read(folder):
    start = json.loads((folder / 'start.json').read_text())
    data = (folder / 'tensors.bin').read_bytes()

    def tensor(entry):
        kind = {'float32': np.float32, 'int32': np.int32}[entry['dtype']]
        values = np.frombuffer(data, kind, entry['count'], entry['offset']).copy()
        return torch.from_numpy(values).reshape(entry['shape'])

    return start, tensor


def loss_of(start, logits, batch):
    """As the tasks of Mixlab have it."""
    if 'positions' in batch:
        at = batch['positions'].long()
        logits = logits.gather(1, at[:, :, None].expand(-1, -1, logits.shape[-1]))
        losses = F.cross_entropy(logits.flatten(0, 1), batch['target'].long().flatten(), reduction='none')
        weights = batch['weights'].flatten()
        return (losses * weights).sum() / (weights.sum() + start['eps'])
    if start['task'] == 'span':
        return F.cross_entropy(logits.transpose(1, 2).flatten(0, 1), batch['target'].long().flatten())
    return F.cross_entropy(logits, batch['target'].long())


def far(found, expected, floor=0.0):
    size = max(float(expected.abs().max()), floor)
    return float((found - expected).abs().max()) / size if size > 0 else float(found.abs().max())


def as_double(x):
    return x.double() if x.is_floating_point() else x


def same(a, b):
    """Up to what depends on where PyTorch has its tensors in memory."""
    return torch.allclose(a, b, rtol=1e-5, atol=1e-6)


def compared(folder):
    start, tensor = read(folder)
    spec = importlib.util.spec_from_file_location('model', folder / 'model.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {}

    model, about = module.load()
    assert not model.training
    state = {name: tensor(entry) for name, entry in start['state'].items()}
    tables = {name: value for name, value in module.Model().state_dict().items() if name not in state}
    assert set(model.state_dict()) == set(state) | set(tables), 'other names in state_dict'
    for name, value in tables.items():
        assert torch.equal(value, model.state_dict()[name]), f'{name} is not that of the file'
    found['count'] = abs(sum(p.numel() for p in model.parameters()) - start['size'])
    assert all(p.requires_grad for p in model.parameters())

    # training from the same values, on the same batches, with the same masks
    model.load_state_dict({**state, **tables}, strict=True)
    model.train()
    masks, used = [], []

    def with_masks(x, p=0.5, training=True, inplace=False):
        if not training or p == 0:
            return x
        while masks:  # code of a cell may draw masks that it does not use
            mask = masks.pop(0)
            if mask.shape == x.shape and abs(float(mask.max()) * (1 - p) - 1) < 1e-5:
                used.append(mask)
                return x * mask
        raise AssertionError(f'there is no mask {list(x.shape)} with rate {p}')

    F.dropout = with_masks
    reads = list(inspect.signature(model.forward).parameters)

    def trained(model):
        """The losses of all steps, and the gradients of the first."""
        names = dict(model.named_parameters())
        exact = next(iter(names.values())).dtype == torch.float64
        optimizer = torch.optim.SGD(model.parameters(), lr=start['learningRate'])
        losses, first = [], {}
        for step in start['steps']:
            batch = {name: tensor(entry) for name, entry in step['batch'].items()}
            masks.extend(tensor(entry) for entry in step['masks'])
            optimizer.zero_grad()
            inputs = [as_double(batch[name]) if exact else batch[name] for name in reads]
            loss = loss_of(start, model(*inputs), batch)
            loss.backward()
            masks.clear()
            first = first or {n: torch.zeros_like(p) if p.grad is None else p.grad.clone() for n, p in names.items()}
            optimizer.step()
            losses.append(float(loss))
        return np.array(losses), first, inputs

    # in double precision, too: where a model learns fast, what single precision rounds off grows from step to step
    double, _, _ = trained(copy.deepcopy(model).double())
    used.clear()
    losses, got, inputs = trained(model)
    F.dropout = dropout
    gradients = {name: tensor(entry) for name, entry in start['gradients'].items()}
    assert set(gradients) == set(got), 'other parameters are trained'
    most = max(float(g.abs().max()) for g in gradients.values())
    found['gradient'] = max(float((got[name] - g).abs().max()) / most for name, g in gradients.items())
    found['each'] = max(far(got[name], g, 1e-2 * most) for name, g in gradients.items())
    ours = np.array(start['losses'])
    assert np.isfinite(ours).all(), 'its loss is no number'
    found['loss'] = float(np.abs(double - ours).max())
    found['single'] = float(np.abs(losses - ours).max())
    moved = {name: tensor(entry) for name, entry in start['moved'].items()}
    largest = max([float(value.abs().max()) for value in moved.values()], default=0.0)
    found['moved'] = max([far(model.state_dict()[name], value, 1e-3 * largest) for name, value in moved.items()], default=0.0)

    # its own masks: their rate, none in evaluation
    kept = []

    def watched(x, p=0.5, training=True, inplace=False):
        y = dropout(x, p, training, inplace)
        if training and p > 0:
            ones = dropout(torch.ones(20000), p, training)
            kept.append((float((ones > 0).float().mean()) - (1 - p), float(ones.max()) - 1 / (1 - p)))
        else:
            assert y is x or torch.equal(y, x)
        return y

    F.dropout = watched
    model(*inputs)
    found['rates'] = max([abs(rate) for rate, _ in kept], default=0.0)
    found['scales'] = max([abs(scale) for _, scale in kept], default=0.0)
    assert len(kept) * len(losses) == len(used), 'draws other masks by itself'
    model.eval()
    kept.clear()
    with torch.no_grad():
        logits = model(*inputs)
        assert not kept, 'draws in evaluation'
        assert same(logits, model(*inputs)), 'says something else the second time'
        model.train().eval()
        assert same(logits, model(*inputs)), 'says something else after training'
        assert same(logits, copy.deepcopy(model)(*inputs)), 'a copy says something else'
        traced = torch.jit.trace(model, tuple(inputs))
        found['traced'] = float((traced(*inputs) - logits).abs().max())
        file = io.BytesIO()
        torch.save(model.state_dict(), file)
        file.seek(0)
        again = module.Model().eval()
        again.load_state_dict(torch.load(file), strict=True)
        assert same(logits, again(*inputs)), 'says something else when it is loaded again'
        exact = again.double()(*[as_double(x) for x in inputs])
        found['double'] = float((exact - logits).abs().max())
        low = again.bfloat16()(*[x.bfloat16() if x.is_floating_point() else x for x in inputs])
        assert low.dtype == torch.bfloat16, 'bfloat16 goes in and something else comes out'
        assert all(v.dtype == torch.float16 for v in again.half().state_dict().values() if v.is_floating_point())
        again.to('cpu')
    F.dropout = dropout

    # what Model() starts from, beside a start of ours with another seed: deviations of what is large enough
    torch.manual_seed(1)
    fresh = module.Model().state_dict()
    first = state
    for name, value in first.items():
        own = fresh[name]
        if name in start['fixed']:
            assert torch.allclose(own, value, atol=1e-5), f'{name} starts otherwise'
        elif value.numel() >= 200:
            ratio = float(own.std() / value.std())
            assert 0.75 < ratio < 1.33, f'{name} starts with deviation {own.std()}, expected {value.std()}'
    return found


everything = {}
for folder in sorted(Path(sys.argv[1]).iterdir()):
    try:
        everything[folder.name] = compared(folder)
    except Exception as error:
        everything[folder.name] = {'error': f'{type(error).__name__}: {error}'}
print(json.dumps(everything))
