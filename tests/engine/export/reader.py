"""Runs exported models by NumPy or PyTorch, from the files alone, and prints the largest difference of each as JSON.

python reader.py numpy|torch FOLDER: each folder in it has a model and `said.json`, flat values of some inputs and logits.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np


def with_numpy(folder, said):
    """No logits without the code of the model: the tensors are those of the safetensors file, one by one."""
    file = np.load(folder / 'model.npz')
    tensors = {name: file[name] for name in file.files if name != 'mixlab.json'}
    about = json.loads(file['mixlab.json'])
    assert about['run']['key'], 'has no run'
    assert set(tensors) == set(said['tensors']), 'has other tensors'
    return max(float(np.abs(tensors[name].ravel() - np.array(said['tensors'][name])).max()) for name in tensors)


def with_torch(folder, said):
    import inspect

    import torch

    spec = importlib.util.spec_from_file_location('model', folder / 'model.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model, about = module.load()
    sizes = about['input']['shape'][1:]
    inputs = []
    for name in inspect.signature(model.forward).parameters:
        dtype = torch.float32 if name == 'mask' else getattr(torch, about['input']['dtype'])
        inputs.append(torch.tensor(said[name]).reshape([-1, *sizes]).to(dtype))
    with torch.no_grad():
        logits = model(*inputs)
    return float(np.abs(logits.numpy().ravel() - np.array(said['logits'])).max())


read = {'numpy': with_numpy, 'torch': with_torch}[sys.argv[1]]
found = {}
for folder in sorted(Path(sys.argv[2]).iterdir()):
    found[folder.name] = read(folder, json.loads((folder / 'said.json').read_text()))
print(json.dumps(found))
