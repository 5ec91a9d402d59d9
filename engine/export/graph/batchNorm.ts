import type { Merged } from './merge.ts'
import type { TrainingName } from './names.ts'
import type { Nodes } from './nodes.ts'
import { FEW, MORE } from './record.ts'
import { isDynamic, type Node, type Value } from './types.ts'

type TrainingNode = Node<TrainingName>

/**
 * A graph with each batch normalisation as one node, `BatchNorm`. It is recorded as its parts: statistics of the batch or
 * the running ones are taken away and divided by, and while training the running ones are moved.
 */
export function withBatchNorms(graph: Merged, { constants, counted }: Nodes): Merged {
  const makers = new Map(graph.nodes.map((node) => [node.output.name, node]))
  const scalars = new Map(constants.filter(({ shape }) => shape.length === 0).map((it) => [it.name, it.values[0]]))
  const assigned = { ...graph.assigned }

  /** The inputs of the operation that makes a value. */
  const parts = (operation: TrainingName, value: Value | undefined): [Value, Value] | null => {
    const maker = value && makers.get(value.name)
    return maker?.operation === operation ? (maker.inputs as [Value, Value]) : null
  }
  const same = (a: Value | undefined, b: Value | undefined) => a?.name === b?.name
  const scalar = (value: Value | undefined) => scalars.get(value?.name ?? '')

  /** Whether a value is the mean of another over all axes but the last. */
  function isMean(value: Value | undefined, of: (x: Value) => boolean): boolean {
    const maker = value && makers.get(value.name)
    if (maker?.operation !== 'Mean' || maker.attributes.keepDims) return false
    const [x] = maker.inputs as [Value]
    const axes = maker.attributes.axes as number[]
    return axes.length === x.shape.length - 1 && axes.every((axis, i) => axis === i) && of(x)
  }

  /** The share of the batch with which a running statistic is moved; null for anything else. */
  function momentumOf(running: Value, isBatch: (value: Value) => boolean): number | null {
    const [kept, added] = parts('Add', assigned[running.name]) ?? []
    const [old, keep] = parts('Multiply', kept) ?? []
    const [batch, share] = parts('Multiply', added) ?? []
    const momentum = scalar(share)
    if (!same(old, running) || !batch || !isBatch(batch) || momentum === undefined) return null
    return Math.abs(Number(scalar(keep)) + momentum - 1) < 1e-6 ? momentum : null
  }

  /** Whether a value is n / (n - 1) of another, n being how many values of `x` each statistic is made of. */
  function isUnbiased(value: Value, variance: Value, x: Value): boolean {
    const [biased, factor] = parts('Multiply', value) ?? []
    const numbers = counted.get(factor?.name ?? '')
    if (!same(biased, variance) || !numbers) return false
    return [FEW, MORE].every((examples, i) => {
      const lengths = x.shape.slice(0, -1).map((length) => (isDynamic(length) ? length.examples * examples : length))
      const n = lengths.reduce((product, length) => product * length, 1)
      return Math.fround(n / Math.max(1, n - 1)) === numbers[i]
    })
  }

  function normalisation(node: TrainingNode): TrainingNode | null {
    const [scaled, bias] = parts('Add', node.output) ?? []
    const [centred, scale] = parts('Multiply', scaled) ?? []
    const [inverse, weight] = parts('Multiply', scale) ?? []
    const [sum] = parts('Rsqrt', inverse) ?? []
    const [chosenVariance, eps] = parts('Add', sum) ?? []
    const [x, chosenMean] = parts('Sub', centred) ?? []
    const [mean, runningMean] = parts('Choose', chosenMean) ?? []
    const [variance, runningVariance] = parts('Choose', chosenVariance) ?? []
    if (!x || !weight || !bias || !runningMean || !runningVariance || !variance) return null
    if (!isMean(mean, (of) => same(of, x))) return null
    const isSquare = (of: Value) => {
      const [squared] = parts('Square', of) ?? []
      const [minuend, subtrahend] = parts('Sub', squared) ?? []
      return same(squared, centred) || (same(minuend, x) && same(subtrahend, mean))
    }
    if (!isMean(variance, isSquare)) return null
    const momentum = momentumOf(runningMean, (batch) => same(batch, mean))
    const other = momentumOf(runningVariance, (batch) => isUnbiased(batch, variance, x))
    if (momentum === null || other !== momentum || scalar(eps) === undefined) return null
    delete assigned[runningMean.name]
    delete assigned[runningVariance.name]
    const inputs = [x, weight, bias, runningMean, runningVariance]
    return { operation: 'BatchNorm', inputs, output: node.output, attributes: { eps: Number(scalar(eps)), momentum } }
  }

  const nodes = graph.nodes.map((node) => normalisation(node) ?? node)
  return { ...graph, nodes, assigned }
}
