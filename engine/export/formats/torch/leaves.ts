import type { Distribution } from '../../../nn/distribution.ts'
import type { TrainedTensor } from '../../graph/training.ts'
import { float } from './numbers.ts'
import type { Place } from './places.ts'
import type { TorchNode } from './printers.ts'

/** A module of torch.nn that has the tensors of a place. */
export interface Leaf {
  path: string
  /** As Python makes it, e.g. `nn.Linear(8, 16)`. */
  made: string
  /** What it initialises its tensors from by itself, by the last part of their names. */
  initial: Record<string, Distribution>
  /** The nodes that it does, by what they give. */
  does: Set<string>
}

const isSet = (names: string[], ...expected: string[]) => names.join() === expected.join()

/** U(+-1 / sqrt(fan in)), for weight and bias. */
function ofLinear(weight: number[]): Record<string, Distribution> {
  const bound = 1 / Math.sqrt(weight.slice(1).reduce((product, length) => product * length, 1))
  const uniform: Distribution = { kind: 'uniform', from: -bound, to: bound }
  return { weight: uniform, bias: uniform }
}

const OF_NORM: Record<string, Distribution> = {
  weight: { kind: 'constant', value: 1 },
  bias: { kind: 'constant', value: 0 },
  running_mean: { kind: 'constant', value: 0 },
  running_var: { kind: 'constant', value: 1 },
}

/** The modules of torch.nn that places of a model are, by path: those whose tensors are theirs, in shape and use. */
export function leavesOf(places: Place[], tensors: Map<string, TrainedTensor>, nodes: TorchNode[]): Map<string, Leaf> {
  const users = Map.groupBy(
    nodes.flatMap((node) => node.inputs.map(({ name }) => ({ name, node }))),
    ({ name }) => name,
  )
  /** The nodes that read a value, as it is or in another shape. */
  const usersOf = (name: string): TorchNode[] =>
    (users.get(name) ?? []).flatMap(({ node }) => {
      return node.operation === 'Reshape' ? [node, ...usersOf(node.output.name)] : [node]
    })
  const found = places.flatMap((place) => {
    const own = place.tensors.flatMap((name) => tensors.get(name) ?? [])
    const leaf = place.inside.size === 0 ? leafOf(place, own, usersOf(own[0]?.name ?? '')) : null
    return leaf ? [[place.path, leaf] as const] : []
  })
  return new Map(found)
}

function leafOf({ path }: Place, own: TrainedTensor[], users: TorchNode[] = []): Leaf | null {
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)
  const names = own.map(({ name }) => last(name))
  const [weight, bias] = own
  if (!weight) return null
  const { shape } = weight
  const uses = (operation: TorchNode['operation'], at: number, count: number) =>
    users.filter(
      ({ operation: is, inputs }) =>
        is === operation &&
        inputs.length === at + count &&
        own.slice(0, count).every(({ name }, i) => inputs[at + i]?.name === name),
    )
  const leaf = (made: string, initial: Leaf['initial'], does: TorchNode[]): Leaf => {
    return { path, made, initial, does: new Set(does.map(({ output }) => output.name)) }
  }

  const norm = uses('BatchNorm', 1, 4)[0]
  if (norm && isSet(names, 'weight', 'bias', 'running_mean', 'running_var')) {
    if (own.some(({ trained }, i) => trained !== i < 2)) return null
    const { eps, momentum } = norm.attributes as { eps: number; momentum: number }
    const how = [shape[0], ...options({ eps: [eps, 1e-5], momentum: [momentum, 0.1] })]
    return leaf(`BatchNorm(${how.join(', ')})`, OF_NORM, [norm])
  }
  if (own.some(({ trained }) => !trained)) return null
  if (!isSet(names, 'weight') && !isSet(names, 'weight', 'bias')) return null
  const ends = bias ? [] : ['bias=False']
  if (shape.length === 1 && bias) {
    const norms = uses('LayerNorm', 1, 2)
    const eps = norms[0]?.attributes.eps as number
    const alike = norms.filter(({ attributes }) => attributes.eps === eps)
    if (norms.length === 0) return null
    return leaf(`nn.LayerNorm(${[shape[0], ...options({ eps: [eps, 1e-5] })].join(', ')})`, OF_NORM, alike)
  }
  if (shape.length > 1 && bias && bias.shape.join() !== String(shape[0])) return null
  if (shape.length === 2) {
    const isTable = ({ operation, inputs, attributes }: TorchNode) =>
      operation === 'Gather' && inputs[0]?.name === weight.name && attributes.axis === 0
    if (!bias && (users.some(isTable) || users.every(({ operation }) => operation === 'Slice'))) {
      const initial: Distribution = { kind: 'normal', mean: 0, std: 1 }
      return leaf(`nn.Embedding(${shape.join(', ')})`, { weight: initial }, users.filter(isTable))
    }
    return leaf(
      `nn.Linear(${[shape[1], shape[0], ...ends].join(', ')})`,
      ofLinear(shape),
      uses('Linear', 1, own.length),
    )
  }
  if (shape.length === 3) {
    const [each, units, length] = [shape[1], shape[0], shape[2]] as [number, number, number]
    const groups = (users.find(({ operation }) => operation === 'Conv2D')?.attributes.groups as number | undefined) ?? 1
    const parts = groups === 1 ? [] : [`groups=${groups}`]
    return leaf(`nn.Conv1d(${[groups * each, units, length, ...parts, ...ends].join(', ')})`, ofLinear(shape), [])
  }
  if (shape.length !== 4) return null
  const all = uses('Conv2D', 1, own.length)
  const told = all[0]?.attributes as
    | { strides: number[]; pad: number[]; dilations: number[]; groups: number }
    | undefined
  const isEven = told && told.pad[0] === told.pad[2] && told.pad[1] === told.pad[3]
  const alike = isEven ? all.filter(({ attributes }) => JSON.stringify(attributes) === JSON.stringify(told)) : []
  const sizes = told && isEven ? { stride: told.strides, padding: told.pad.slice(0, 2), dilation: told.dilations } : {}
  const how = Object.entries(sizes).flatMap(([name, size]) => {
    return size.every((length) => length === (name === 'padding' ? 0 : 1)) ? [] : [`${name}=${both(size)}`]
  })
  const groups = told?.groups ?? 1
  const parts = groups === 1 ? [] : [`groups=${groups}`]
  const sides = [groups * (shape[1] as number), shape[0], both(shape.slice(2))]
  const made = `nn.Conv2d(${[...sides, ...how, ...parts, ...ends].join(', ')})`
  return leaf(made, ofLinear(shape), alike)
}

const both = (sizes: number[]) => (sizes[0] === sizes[1] ? String(sizes[0]) : `(${sizes.join(', ')})`)

/** Those that are not as torch has them by default. */
function options(given: Record<string, [value: number, byDefault: number]>): string[] {
  return Object.entries(given).flatMap(([name, [value, byDefault]]) =>
    value === byDefault || Math.fround(byDefault) === value ? [] : [`${name}=${float(value)}`],
  )
}
