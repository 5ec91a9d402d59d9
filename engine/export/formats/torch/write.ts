import { DESCRIPTION } from '../../../weights/safetensors.ts'
import type { TrainingGraph } from '../../graph/training.ts'
import { type ConstantTensor, shapeText } from '../../graph/types.ts'
import { stackOf } from './blocks.ts'
import { blockClass, modelClass } from './classes.ts'
import { leavesOf } from './leaves.ts'
import { importsOf, LOAD, libraryOf } from './library.ts'
import { everyPlace, isList, placeAt, placesOf } from './places.ts'
import { isSign } from './printers.ts'
import { rewritten } from './rewrite.ts'

export interface TorchModule {
  source: string
  /** What its safetensors file has beside the parameters. */
  tables: ConstantTensor[]
}

/** A model as the source of a PyTorch module, whose tensors are in the safetensors file beside it. */
export function torchModule(graph: TrainingGraph, metadata: Record<string, string>): TorchModule {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.name, tensor]))
  const isTensor = (name: string) => tensors.has(name)
  const roots = graph.nodes.flatMap(({ operation, output }) => (operation === 'Assign' ? [output] : []))
  const nodes = rewritten(graph.nodes, [graph.output, ...graph.blocks, ...roots], isTensor)

  const numbers = graph.constants.filter(({ shape }) => shape.length === 0)
  const scalars = new Map(numbers.map(({ name, values }) => [name, Number(values[0])]))
  const read = new Set(
    nodes.flatMap(({ operation, inputs }) =>
      inputs.flatMap(({ name }) => (isSign(operation) && scalars.has(name) ? [] : [name])),
    ),
  )
  const tables = graph.constants.filter(({ name }) => read.has(name))
  const root = placesOf([...tensors.keys(), ...tables.map(({ name }) => name)])
  const stack = stackOf(graph, nodes, isTensor, scalars, (name) => JSON.stringify({ ...tensors.get(name), name: null }))
  const list = stack && placeAt(root, stack.path)
  const parts = {
    root,
    tensors,
    tables: new Map(tables.map((table) => [table.name, table])),
    leaves: leavesOf(everyPlace(root), tensors, nodes),
    scalars,
    stack: list && isList(list) && list.inside.size === stack.blocks.length ? stack : null,
  }
  const classes = [...(parts.stack ? blockClass(parts, parts.stack) : []), ...modelClass(parts, graph, nodes)]
  const code = classes.join('\n')
  const source = [
    '"""',
    ...title(metadata),
    '',
    ...graph.inputs.map(({ name, shape, dtype }) => `${name}: ${dtype} ${shapeText(shape)}`),
    `Returns logits ${shapeText(graph.output.shape)}.`,
    '"""',
    ...importsOf(code),
    '',
    '',
    ...LOAD,
    '',
    ...libraryOf(code),
    ...classes,
    '',
  ]
  return { source: source.join('\n'), tables }
}

function title(metadata: Record<string, string>): string[] {
  const { run, task } = JSON.parse(metadata[DESCRIPTION] ?? '{}')
  const what = run ? `${run.study}: ${run.variant}, seed ${run.seed} (${task}). ` : ''
  const safe = what.replaceAll(/["\\]/g, "'")
  return [`${safe}Written by Mixlab from what the code of the model does.`]
}
