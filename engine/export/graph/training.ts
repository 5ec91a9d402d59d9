import type { Spec } from '../../compile/record.ts'
import { MixlabError } from '../../errors.ts'
import { watchSurrogates } from '../../gradients/custom.ts'
import { type Distribution, distributionOf } from '../../nn/distribution.ts'
import { toFile } from '../../nn/layout.ts'
import type { Model } from '../../nn/model.ts'
import type { Parameter } from '../../nn/scope.ts'
import type { NamedTensor } from '../../weights/safetensors.ts'
import { withBatchNorms } from './batchNorm.ts'
import { needed } from './build.ts'
import { linear } from './linear.ts'
import { type Merged, merge } from './merge.ts'
import type { TrainingName } from './names.ts'
import { nodesFor } from './nodes.ts'
import { recordModel } from './record.ts'
import type { ConstantTensor, Node, Value } from './types.ts'

/** A tensor of a file as a model that is trained has it. */
export interface TrainedTensor {
  name: string
  shape: number[]
  /** False for a buffer. */
  trained: boolean
  initial: Distribution
}

/** A model for evaluation and training, as plain data. */
export interface TrainingGraph {
  inputs: Value[]
  tensors: TrainedTensor[]
  constants: ConstantTensor[]
  nodes: Node<TrainingName>[]
  output: Value
  /** What goes into each block, and what the last one gives. */
  blocks: Value[]
  /** Why it is for evaluation alone; null where it can be trained. */
  untrainable: string | null
}

/**
 * The graph of a model that can be trained, from what its code does in evaluation and in training. Where training cannot be
 * written, it is for evaluation, and says why. Throws what `exportGraph` throws.
 */
export async function trainingGraph(
  model: Model,
  inputs: Record<string, Spec>,
  weights: NamedTensor[],
  source: string,
): Promise<TrainingGraph> {
  const recorded = await recordModel(model, inputs, source)
  const all = nodesFor(model, weights, source)
  const evaluation = all.add(recorded)
  const whole: Merged = { nodes: all.build.nodes, ...evaluation, assigned: {} }
  let graph = whole
  let untrainable: string | null = null
  let surrogates = 0
  const note = () => surrogates++
  const watched: Model = { ...model, apply: (...given) => watchSurrogates(note, () => model.apply(...given)) }
  try {
    if (Object.keys(recorded.assigned).length > 0) throw cannot('it gives values to parameters while it is evaluated')
    const training = all.add(await recordModel(watched, inputs, source, true), true)
    if (surrogates > 0) throw cannot('passes a surrogate gradient, which the module would not have')
    graph = withBatchNorms(merge(all, evaluation, training, cannot), all)
    const trained = model.parameters.find(({ name, trained }) => trained && name in graph.assigned)
    if (trained) throw cannot(`it gives values to '${trained.name}', which gradients change, too`)
    graph = withAssigned(graph)
    const used = new Set(graph.nodes.flatMap((node) => node.inputs.map(({ name }) => name)))
    if ([...all.counted.keys()].some((name) => used.has(name))) throw cannot('a number of it depends on the examples')
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    untrainable = error.message
    graph = whole
  }
  const roots = graph.nodes.filter(({ operation }) => operation === 'Assign').map(({ output }) => output)
  const ends = [graph.output, ...graph.blocks, ...roots]
  const { nodes, outputs } = linear(needed(graph.nodes, ...ends), ...ends)
  const used = new Set(nodes.flatMap((node) => node.inputs.map(({ name }) => name)))
  return {
    inputs: Object.entries(recorded.inputs)
      .filter(([name]) => name === 'input' || used.has(name))
      .map(([name, use]) => ({ ...use, name }) as Value),
    tensors: weights.map(({ name, shape }) => ({ name, shape, ...startOf(model.parameters, name) })),
    constants: all.constants.filter(({ name }) => used.has(name)),
    nodes,
    output: outputs[0] as Value,
    blocks: outputs.slice(1, 1 + graph.blocks.length),
    untrainable,
  }
}

const cannot = (what: string) => new MixlabError('weights', '', what)

/** The graph with assignments to buffers as nodes, without nodes that only merged nodes used. */
function withAssigned(graph: Merged): Merged {
  const given = Object.entries(graph.assigned).map(([name, value], i): Node<TrainingName> => {
    const buffer: Value = { ...value, name }
    return { operation: 'Assign', inputs: [buffer, value], output: { ...value, name: `assigned${i}` }, attributes: {} }
  })
  const nodes = [...graph.nodes, ...given]
  return { ...graph, nodes: needed(nodes, graph.output, ...given.map(({ output }) => output)) }
}

/** Whether a tensor is trained and what it starts from: a matrix that was written out, as its diagonals. */
function startOf(parameters: Parameter[], name: string): Pick<TrainedTensor, 'trained' | 'initial'> {
  const own = parameters.find((parameter) => parameter.name === name)
  const parameter = own ?? parameters.find((other) => other.name === name.replace(/weight$/, 'toeplitz'))
  if (!parameter?.initial) throw cannot(`has no initial values for '${name}'`)
  const { trained, shape, layout } = parameter
  const initial = distributionOf(parameter.initial)
  if (initial.kind !== 'fixed') return { trained, initial }
  return { trained, initial: { kind: 'fixed', values: toFile(initial.values, shape, layout) } }
}

/** What the user should know of a model that leaves to be trained. */
export function trainingWarnings({ untrainable, tensors }: TrainingGraph): string[] {
  const others = tensors.filter(({ initial }) => initial.kind === 'other').map(({ name }) => name)
  return [
    ...(untrainable === null ? [] : [`the module is for evaluation alone, as training ${untrainable}`]),
    ...(others.length > 0
      ? [`a cell draws the initial values of ${others.join(', ')}: those of Model() are normal`]
      : []),
  ]
}
