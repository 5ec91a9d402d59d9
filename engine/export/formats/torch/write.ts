import { DESCRIPTION, type NamedTensor } from '../../../weights/safetensors.ts'
import { type ConstantTensor, type ExportGraph, shapeText, type Value } from '../../graph/types.ts'
import { type Print, printers } from './printers.ts'

export interface TorchModule {
  source: string
  /** What its safetensors file has beside the parameters. */
  tables: ConstantTensor[]
}

/** A model as the source of a PyTorch module, whose tensors are in the safetensors file beside it. */
export function torchModule(graph: ExportGraph, metadata: Record<string, string>): TorchModule {
  const inputs = graph.inputs.map(({ name }) => name)
  const scalars = new Map(
    graph.constants.filter(({ shape }) => shape.length === 0).map(({ name, values }) => [name, Number(values[0])]),
  )
  const stored = new Set([...graph.weights, ...graph.constants].map(({ name }) => name))
  const read = new Set<string>()
  const lines: string[] = []
  let fresh = 0

  for (const node of graph.nodes) {
    const print: Print = {
      node,
      input: (i) => {
        const name = node.inputs[i]?.name ?? ''
        if (!stored.has(name)) return name
        read.add(name)
        return `w[${text(name)}]`
      },
      scalar: (i) => scalars.get(node.inputs[i]?.name ?? ''),
      line: (expression) => {
        lines.push(`t${fresh} = ${expression}`)
        return `t${fresh++}`
      },
    }
    const result = node.output.name === graph.output.name ? 'logits' : node.output.name
    lines.push(`${result} = ${printers[node.operation](print)}${comment(node.output)}`)
  }
  const tables = graph.constants.filter(({ name }) => read.has(name))
  const source = [
    '"""',
    ...title(metadata),
    '',
    ...graph.inputs.map(({ name, shape, dtype }) => `${name}: ${dtype} ${shapeText(shape)}`),
    `Returns logits ${shapeText(graph.output.shape)}.`,
    '"""',
    ...IMPORTS,
    ...shapes(graph.weights, tables),
    ...MODULE,
    `    def forward(self, ${inputs.join(', ')}):`,
    '        w = {**dict(self.named_parameters()), **dict(self.named_buffers())}',
    ...lines.map((line) => `        ${line}`),
    '        return logits',
    '',
  ]
  return { source: source.join('\n'), tables }
}

/** A name as Python writes it: those of cells may have any sign in them. */
const text = (name: string) => (/^[\w.]*$/.test(name) ? `'${name}'` : JSON.stringify(name))

const comment = ({ shape }: Value) => `  # ${shapeText(shape)}`

function title(metadata: Record<string, string>): string[] {
  const { run, task } = JSON.parse(metadata[DESCRIPTION] ?? '{}')
  const what = run ? `${run.study}: ${run.variant}, seed ${run.seed} (${task}). ` : ''
  const safe = what.replaceAll(/["\\]/g, "'")
  return [`${safe}Written by Mixlab from what the code of the model does.`]
}

const IMPORTS = `import json
import struct
from pathlib import Path

import torch
import torch.nn.functional as F

`.split('\n')

const MODULE = `def load(path=__file__ + '.safetensors'):
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


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, shape in SHAPES.items():
            self._place(name).register_parameter(name.split('.')[-1], torch.nn.Parameter(torch.zeros(shape)))
        for name, (shape, dtype) in TABLES.items():
            self._place(name).register_buffer(name.split('.')[-1], torch.zeros(shape, dtype=dtype))

    def _place(self, name):
        """The module that a tensor belongs to; the names are those of the safetensors file."""
        module = self
        for part in name.split('.')[:-1]:
            if part not in module._modules:
                module.add_module(part, torch.nn.Module())
            module = module._modules[part]
        return module
`.split('\n')

/** The shapes of all tensors. */
function shapes(weights: NamedTensor[], tables: ConstantTensor[]): string[] {
  return [
    'SHAPES = {',
    ...weights.map(({ name, shape }) => `    ${text(name)}: [${shape.join(', ')}],`),
    '}',
    '',
    '# what the code of the model brings along beside its parameters',
    'TABLES = {',
    ...tables.map(({ name, shape, dtype }) => {
      return `    ${text(name)}: ([${shape.join(', ')}], torch.${dtype === 'float32' ? 'float32' : 'int32'}),`
    }),
    '}',
    '',
    '',
  ]
}
