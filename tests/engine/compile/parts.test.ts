import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../engine/backends/simd/backend.ts'
import { recordTwice } from '../../../engine/compile/compile.ts'
import type { Graph } from '../../../engine/compile/graph.ts'
import { recordableCode } from '../../../engine/compile/model.ts'
import { partOf, WHOLE } from '../../../engine/compile/parts.ts'
import { PARAMETER } from '../../../engine/compile/training.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { maskedCrossEntropy, softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import type { Model } from '../../../engine/nn/model.ts'
import type { ModelOptions } from '../../../engine/nn/size.ts'
import { gradientCode, type LossOf } from '../../../engine/train/differentiate.ts'
import { sample } from '../../long.ts'
import { architectures, smallBatch, smallModel } from './models.ts'
import { leaveSimd, taken, useThreads } from './setup.ts'

const EXAMPLES = 4
const STEP = 3

beforeAll(async () => {
  await useThreads(1)
})
leaveSimd()

async function graphOf(model: Model, batch: tf.NamedTensorMap, lossOf: LossOf): Promise<Graph> {
  const parameters = model.parameters.map(({ name, variable }) => [PARAMETER + name, variable] as const)
  const code = recordableCode(model, true, gradientCode(model, lossOf))
  const graph = await recordTwice({ ...batch, ...Object.fromEntries(parameters) }, code)
  return graph instanceof Error ? expect.fail(graph.message) : graph
}

/** The outputs of a graph, or the sums of those of its parts. */
function sumsOf(graph: Graph, inputs: tf.NamedTensorMap, parts: number): Record<string, number[]> {
  const totals: Record<string, number[]> = {}
  for (let part = 0; part < parts; part++) {
    const draws = graph.draws.map((draw) => {
      const size = draw.use.shape.reduce((product, length) => product * length, 1)
      const values = (step: number) => draw.values(step).slice(part * size, (part + 1) * size)
      return draw.ofPart ? { use: draw.use, values } : draw
    })
    const program = (tf.backend() as SimdBackend).createProgram({ ...graph, draws }, EXAMPLES / parts)
    const given = Object.entries(graph.inputs).map(([name, { shape }]) => {
      const whole = inputs[name.replace(WHOLE, '')] as tf.Tensor
      const isPart = shape[0] !== whole.shape[0]
      return [name, isPart ? tf.slice(whole, part * (shape[0] as number), shape[0]) : tf.clone(whole)] as const
    })
    const outputs = program.run(Object.fromEntries(given), STEP)
    tf.dispose(given.map(([, tensor]) => tensor))
    for (const [name, { values }] of Object.entries(taken(outputs))) {
      const total = totals[name]
      totals[name] = Array.from(values, (value, i) => value + (total?.[i] ?? 0))
    }
    program.dispose()
  }
  return totals
}

function expectSums(graph: Graph, batch: tf.NamedTensorMap, inputs: tf.NamedTensorMap): void {
  const part = partOf({ graph, examples: EXAMPLES, all: EXAMPLES }, new Set(Object.keys(batch)), EXAMPLES / 2)
  if (part instanceof Error) expect.fail(part.message)
  expectAlike(sumsOf(part, { ...batch, ...inputs }, 2), sumsOf(graph, { ...batch, ...inputs }, 1))
}

function expectAlike(found: Record<string, number[]>, wanted: Record<string, number[]>): void {
  expect(Object.keys(found)).toEqual(Object.keys(wanted))
  for (const [name, values] of Object.entries(wanted)) {
    const most = Math.max(...values.map(Math.abs))
    const worst = Math.max(...values.map((value, i) => Math.abs(value - (found[name]?.[i] ?? Number.NaN))))
    expect(worst, name).toBeLessThan(2e-5 * Math.max(1, most))
  }
}

const DROPPING: ModelOptions = { dropPath: 0.3, dropout: { hidden: 0.2, embedding: 0.2, head: 0.2 } }
/** They have a batch norm, but for the last, whose attention is the same for each example. */
const whole = [
  'resnet',
  'convMixer',
  'repmlp',
  'repmlpNet',
  'pointCloud',
  'externalUnit',
  'eamlp',
  'bert, relative only',
]

function lossOf(model: Model): LossOf {
  return ({ input, target }, mode) => softmaxCrossEntropy(model.apply(input as tf.Tensor, mode), target as tf.Tensor)
}

const inputsOf = (model: Model) =>
  Object.fromEntries(model.parameters.map(({ name, variable }) => [PARAMETER + name, variable]))

describe('the sums over parts of a batch are the numbers of the batch', () => {
  it.each(sample(architectures, 1, 3))('of %s', async (name, block, modality) => {
    const model = smallModel(block, modality, DROPPING)
    const batch = smallBatch(modality, EXAMPLES)
    try {
      const graph = await graphOf(model, batch, lossOf(model))
      const isWhole = whole.some((each) => each === name || (name.startsWith(`${each},`) && name !== 'eamlp, features'))
      if (isWhole || name.endsWith(', local')) {
        expect(
          partOf({ graph, examples: EXAMPLES, all: EXAMPLES }, new Set(Object.keys(batch)), EXAMPLES / 2),
        ).toBeInstanceOf(Error)
      } else expectSums(graph, batch, inputsOf(model))
    } finally {
      model.dispose()
      tf.dispose(batch)
    }
  })

  it('of a loss that divides by a sum over the batch, which is then an input of each part', async () => {
    const model = smallModel(gmlp(), 'features')
    const batch = { ...smallBatch('features', EXAMPLES), weights: tf.tensor([1, 0, 0.5, 1]) }
    const weighed: LossOf = ({ input, target, weights }, mode) =>
      maskedCrossEntropy(model.apply(input as tf.Tensor, mode), target as tf.Tensor, weights as tf.Tensor, 1e-5)
    try {
      const graph = await graphOf(model, batch, weighed)
      expectSums(graph, batch, inputsOf(model))
    } finally {
      model.dispose()
      tf.dispose(batch)
    }
  })

  it('of more examples than it was recorded with', async () => {
    const model = smallModel(gmlp(), 'features')
    const [batch, fewer] = [smallBatch('features', EXAMPLES), smallBatch('features', EXAMPLES / 2)]
    const one = smallBatch('features', 1)
    try {
      const whole = await graphOf(model, batch, lossOf(model))
      const graph = await graphOf(model, fewer, lossOf(model))
      const half = await graphOf(model, one, lossOf(model))
      const recorded = { graph, half, examples: EXAMPLES / 2, all: EXAMPLES }
      const part = partOf(recorded, new Set(Object.keys(batch)), EXAMPLES / 2)
      if (part instanceof Error) expect.fail(part.message)
      expectAlike(sumsOf(part, { ...batch, ...inputsOf(model) }, 2), sumsOf(whole, { ...batch, ...inputsOf(model) }, 1))
    } finally {
      model.dispose()
      tf.dispose([...Object.values(batch), ...Object.values(fewer), ...Object.values(one)])
    }
  })
})
