import type { TrainedTensor, TrainingGraph } from '../../graph/training.ts'
import { type ConstantTensor, shapeText } from '../../graph/types.ts'
import type { Stack } from './blocks.ts'
import { bodyOf } from './body.ts'
import { initialLine, sameDistribution } from './initial.ts'
import type { Leaf } from './leaves.ts'
import { float, text } from './numbers.ts'
import { isList, moduleIn, type Place, placeAt, tensorIn } from './places.ts'
import type { TorchNode } from './printers.ts'
import { tableInPython } from './tables.ts'

/** What all classes of a module are written from. */
export interface Parts {
  root: Place
  tensors: Map<string, TrainedTensor>
  tables: Map<string, ConstantTensor>
  leaves: Map<string, Leaf>
  scalars: Map<string, number>
  stack: Stack | null
}

const indented = (lines: string[], by = 1) => lines.map((line) => (line === '' ? '' : '    '.repeat(by) + line))
const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** The class of the blocks of a stack, followed by two empty lines. */
export function blockClass(parts: Parts, stack: Stack): string[] {
  const { path, nodes, input, output, others } = stack.whole
  const drops = hasOwnRates(stack)
  const given = new Map([[input.name, 'x'], ...others.map((name, i) => [name, argument(name, i)] as const)])
  const around = { ...surroundings(parts, path), given, dropPath: drops ? 'self.drop_path' : null }
  const place = placeAt(parts.root, path) as Place
  const init = [
    ...(drops ? ['self.drop_path = drop_path'] : []),
    ...moduleLines(parts, place, path),
    ...resetCall(parts, place, path),
  ]
  return [
    'class Block(nn.Module):',
    ...indented([
      `def __init__(self${drops ? ', drop_path' : ''}):`,
      ...indented(['super().__init__()', ...init]),
      '',
      ...resetLines(parts, place, path),
      `def forward(self, ${[...given.values()].join(', ')}):  # ${shapeText(input.shape)}`,
      ...indented(bodyOf(nodes, output, around)),
    ]),
    '',
    '',
  ]
}

/** The class of the model. */
export function modelClass(parts: Parts, graph: TrainingGraph, nodes: TorchNode[]): string[] {
  const { root, stack } = parts
  const given = new Map(graph.inputs.map(({ name }) => [name, name]))
  const init = [...moduleLines(parts, root, ''), ...resetCall(parts, root, '')]
  return [
    'class Model(nn.Module):',
    ...indented([
      'def __init__(self):',
      ...indented(['super().__init__()', ...init]),
      '',
      ...resetLines(parts, root, ''),
      ...(graph.untrainable === null ? [] : trainLines(graph.untrainable)),
      `def forward(self, ${[...given.keys()].join(', ')}):`,
      ...indented(
        stack
          ? aroundStack(parts, stack, graph, nodes, given)
          : bodyOf(nodes, graph.output, { ...surroundings(parts, ''), given, dropPath: null }),
      ),
    ]),
  ]
}

/** `forward` with a loop over the blocks in the middle. */
function aroundStack(
  parts: Parts,
  stack: Stack,
  graph: TrainingGraph,
  nodes: TorchNode[],
  given: Map<string, string>,
): string[] {
  const [first] = stack.blocks as [Stack['whole']]
  const end = stack.blocks.at(-1)?.output.name as string
  const inside = new Set(stack.blocks.flatMap(({ nodes }) => nodes.map(({ output }) => output.name)))
  const loop: TorchNode = {
    operation: 'Loop',
    inputs: [first.input, ...first.others.map((name) => ({ name, shape: [], dtype: 'float32' as const }))],
    output: stack.blocks.at(-1)?.output as TorchNode['output'],
    attributes: { list: moduleIn(parts.root, stack.path, '') },
  }
  const own = nodes.filter(({ output }) => !inside.has(output.name))
  const at = own.findIndex(({ inputs }) => inputs.some(({ name }) => name === end))
  const before = at < 0 ? own : own.slice(0, at)
  const all = [...before, loop, ...own.slice(before.length)]
  return bodyOf(all, graph.output, { ...surroundings(parts, ''), given, dropPath: null })
}

/** Arguments of a block beside x: inputs of the model by their names. */
const argument = (name: string, i: number) =>
  /^(input|types|mask)$/.test(name) ? name : i === 0 ? 'shared' : `shared${i}`

/** Whether stochastic depth differs from block to block. */
const hasOwnRates = ({ blocks }: Stack) => new Set(blocks.map(({ dropPath }) => dropPath)).size > 1

function surroundings({ root, tensors, tables, leaves, scalars }: Parts, base: string) {
  return {
    scalars,
    tensor: (name: string) => {
      const isBuffer = tables.has(name) || tensors.get(name)?.trained === false
      return tensorIn(root, name, base, isBuffer ? '_buffers' : '_parameters')
    },
    module: (node: TorchNode) => {
      const owner = node.inputs
        .map(({ name }) => name.slice(0, name.lastIndexOf('.')))
        .find((path) => leaves.get(path)?.does.has(node.output.name))
      return owner === undefined ? null : moduleIn(root, owner, base)
    },
  }
}

/** The lines that make the modules and tensors of a place, in the class of the place at `base`. */
function moduleLines(parts: Parts, place: Place, base: string): string[] {
  const { root, tensors, tables, leaves, stack } = parts
  const { tensor } = surroundings(parts, base)
  const owner = place.path === base ? 'self' : moduleIn(root, place.path, base)
  const lines = place.tensors.map((name) => {
    const table = tables.get(name)
    const { shape, trained } = (tensors.get(name) ?? { shape: table?.shape, trained: false }) as TrainedTensor
    const made = table ? tableInPython(table) : `torch.empty(${shape.join(', ') || '()'})`
    if (trained) return `${tensor(name)} = nn.Parameter(${made})`
    const isBehindDot = tensor(name).endsWith(`.${last(name)}`)
    return isBehindDot ? `${owner}.register_buffer(${text(last(name))}, ${made})` : `${tensor(name)} = ${made}`
  })
  const inner = [...place.inside.values()].flatMap((child) => {
    if (stack?.path === place.path) return []
    const isElement = isList(place)
    const made = madeBy(parts, child)
    const own = isElement ? [] : [`${moduleIn(root, child.path, base)} = ${made}`]
    return leaves.has(child.path) ? own : [...own, ...moduleLines(parts, child, base)]
  })
  return [...lines, ...inner]
}

/** The expression that makes the module of a place. */
function madeBy(parts: Parts, place: Place): string {
  const { leaves, stack } = parts
  const leaf = leaves.get(place.path)
  if (leaf) return leaf.made
  if (stack?.path === place.path) return `nn.ModuleList([${elementsOf(stack)}])`
  if (!isList(place)) return 'nn.Module()'
  const elements = [...place.inside.values()].map((element) => madeBy(parts, element))
  const alike = elements.length > 2 && elements.every((element) => element === elements[0])
  return `nn.ModuleList([${alike ? `${elements[0]} for _ in range(${elements.length})` : elements.join(', ')}])`
}

function elementsOf(stack: Stack): string {
  const count = stack.blocks.length
  if (!hasOwnRates(stack)) return `Block() for _ in range(${count})`
  return `Block(rate) for rate in [${stack.blocks.map(({ dropPath }) => float(dropPath)).join(', ')}]`
}

/** Lines that draw initial values, in the class of the place at `base`; what torch.nn draws alike by itself is left to it. */
function initialLines(parts: Parts, place: Place, base: string): string[] {
  const { tensors, leaves, stack } = parts
  const leaf = leaves.get(place.path)
  const own = place.tensors.flatMap((name) => {
    const tensor = tensors.get(name)
    if (!tensor || sameDistribution(leaf?.initial[last(name)], tensor.initial)) return []
    return [initialLine(tensor, surroundings(parts, base).tensor(name))]
  })
  const inner = [...place.inside.values()].flatMap((child) =>
    stack?.path === place.path ? [] : initialLines(parts, child, base),
  )
  return [...own, ...inner]
}

const resetCall = (parts: Parts, place: Place, base: string) =>
  initialLines(parts, place, base).length > 0 ? ['self.reset_parameters()'] : []

function resetLines(parts: Parts, place: Place, base: string): string[] {
  const lines = initialLines(parts, place, base)
  return lines.length > 0 ? ['def reset_parameters(self):', ...indented(lines), ''] : []
}

/** `train` of a model that is for evaluation alone. */
function trainLines(why: string): string[] {
  const said = `this module is for evaluation: ${why}`
  return [
    'def train(self, mode=True):',
    ...indented([
      'if mode:',
      ...indented([`raise RuntimeError(${JSON.stringify(said)})`]),
      'return super().train(mode)',
    ]),
    '',
  ]
}
