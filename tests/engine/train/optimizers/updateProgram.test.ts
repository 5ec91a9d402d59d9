import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { lowered, planOf } from '../../../../engine/backends/webgpu/plan.ts'
import type { Graph } from '../../../../engine/compile/graph.ts'
import type { Programs } from '../../../../engine/compile/program.ts'
import { gmlp } from '../../../../engine/models/index.ts'
import { parameter, zeros } from '../../../../engine/nn/index.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import {
  lion,
  muon,
  type OptimizerSpec,
  optimizer,
  optimizerOf,
  scheduleFree,
} from '../../../../engine/train/optimizers/index.ts'
import { onSimd } from '../../backends/simd/setup.ts'
import { expectGoodPlan } from '../../backends/webgpu/goodPlan.ts'
import { toyModel } from '../toy.ts'

/** What an optimizer records of its update of a model. */
async function recorded(spec: OptimizerSpec, model = toyModel(gmlp)): Promise<Graph> {
  const backend = tf.backend() as tf.KernelBackend & Programs
  const graphs: Graph[] = []
  const create = backend.createProgram
  backend.createProgram = (graph, batch) => {
    graphs.push(graph)
    return create.call(backend, graph, batch)
  }
  const kind = optimizerOf(spec)
  const optimizer = kind.create(kind.resolve(spec.options), model.trained)
  try {
    await optimizer.prepare?.(true)
  } finally {
    backend.createProgram = create
    optimizer.dispose()
    model.dispose()
  }
  return graphs[0] as Graph
}

/** Two matrices, as Muon takes them. */
const matrices = () => {
  const forward = (x: tf.Tensor) =>
    tf.matMul(
      tf.matMul(x as tf.Tensor2D, parameter('w', [6, 4], zeros) as never),
      parameter('u', [4, 9], zeros) as never,
    )
  return createModel(forward, { shape: [2, 6] }, 1)
}

describe('the program of an update', () => {
  onSimd()
  it.each<[string, OptimizerSpec, () => ReturnType<typeof toyModel>]>([
    ['lion', lion(), () => toyModel(gmlp)],
    ['schedule_free', scheduleFree(), () => toyModel(gmlp)],
    ['muon', muon(), matrices],
  ])('%s: is a plan for graphics cards, too', async (_, spec, model) => {
    await expectGoodPlan(planOf(lowered(await recorded(spec, model()))))
  })
  it('is none, with a reason, where code reads values', async () => {
    const reads = optimizer(
      'reads',
      { learningRate: 0.1 },
      {
        update: ({ weight, gradient }) => ({
          weight: (gradient.dataSync()[0] as number) > 0 ? tf.sub(weight, gradient) : weight,
        }),
      },
    )
    const model = matrices()
    const kind = optimizerOf(reads())
    const own = kind.create(kind.resolve({}), model.trained)
    await own.prepare?.(true)
    expect(own.fallback?.()).toMatchObject({ settled: true, reason: expect.any(Error) })
    const gradients = { w: tf.ones([6, 4]), u: tf.fill([4, 9], -1) }
    own.update(gradients, 0.1)
    expect(model.trained.map(({ variable }) => variable.dataSync()[0])).toEqual([-1, 0])
    tf.dispose(gradients)
    own.dispose()
    model.dispose()
  })
})
