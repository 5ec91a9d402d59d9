import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { countMacs, traceModel } from '../../../engine/cost/trace.ts'
import { gmlp } from '../../../engine/models/gmlp.ts'
import { mixer } from '../../../engine/models/mixer.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { dense, ones, parameter, scope } from '../../../engine/nn/index.ts'
import { softmaxCrossEntropy } from '../../../engine/nn/losses.ts'
import { createModel, type Forward } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { rules } from '../../../engine/trace/kernels.ts'
import { optimizerKind } from '../../../engine/train/optimizers/index.ts'

const vision = (block: Block, size: object) => assemble(block, resolveSize(block, size, 'x'), 'image', { outputs: 10 })

/** Operations of a profile that are more than a view; every cast in these models is one. */
async function dispatchesOf(run: () => void): Promise<number> {
  const views = ['Cast', 'ExpandDims', 'Identity', 'Reshape']
  const { kernels } = await tf.profile(() => tf.tidy(run))
  return kernels.filter(({ name }) => name in rules && !views.includes(name)).length
}

const small = { patch: 4, dim: 8, depth: 2, dropPath: 0.1 }

describe('traceModel', () => {
  it.each<[string, Block, object, number, number, number]>([
    ['gmlp-s16', gmlp, { patch: 16, dim: 256, depth: 30 }, 19_422_656, 1000 * 257, 4.392],
    ['mixer-s32', mixer, { patch: 32, dim: 512, depth: 8 }, 19_104_624, 1000 * 513, 1.0],
  ])('counts %s', async (_name, block, size, parameters, head, gigaMacs) => {
    const forward = assemble(block, resolveSize(block, size, 'x'), 'image', { outputs: 1000 })
    const trace = await traceModel(forward, { shape: [8, 224, 224, 3] })
    expect(trace.parameters).toBe(parameters)
    expect(trace.parametersWithoutHead).toBe(parameters - head)
    expect(trace.macs / 1e9).toBeCloseTo(gigaMacs, 1)
    expect(await countMacs(forward, { shape: [8, 224, 224, 3] })).toBe(trace.macs)
    const outer = trace.layers.filter(({ depth }) => depth === 0)
    expect(outer.reduce((sum, layer) => sum + layer.parameters, 0)).toBe(trace.parameters)
    expect(outer.reduce((sum, layer) => sum + layer.macs, 0)).toBe(trace.macs)
  })

  it.each(['adamw', 'lamb', 'sgd'])(
    'counts as many dispatches as the stock backend runs kernels, with %s',
    async (name) => {
      for (const block of [gmlp, mixer]) {
        const forward = vision(block, small)
        const trace = await traceModel(forward, { shape: [1, 8, 8, 3] }, { optimizer: name })
        const model = createModel(forward, { shape: [1, 8, 8, 3] }, 1)
        const kind = optimizerKind(name)
        const optimizer = kind.create(kind.resolve({}), model.trained)
        const [input, target] = [tf.ones([1, 8, 8, 3]), tf.zeros([1], 'int32')]
        expect(trace.dispatches).toBe(await dispatchesOf(() => void model.apply(input)))
        const step = () => {
          const loss = () => softmaxCrossEntropy(model.apply(input, { training: true, step: 0 }), target)
          const { grads } = tf.variableGrads(
            loss,
            model.trained.map(({ variable }) => variable),
          )
          const named = model.trained.map(({ name, variable }) => [name, grads[variable.name] as tf.Tensor])
          optimizer.update(Object.fromEntries(named), 1e-3)
        }
        expect(trace.trainingDispatches).toBe(await dispatchesOf(step))
        optimizer.dispose()
        model.dispose()
        tf.dispose([input, target])
      }
    },
  )

  it('has the bytes that are alive at once', async () => {
    const forward: Forward = (x) => tf.relu(tf.mul(x, parameter('scale', [4], ones)))
    const trace = await traceModel(forward, { shape: [1, 4] }, { loss: (y) => tf.sum(y) })
    expect(trace.activationBytes).toBe(16 + 16 + 16) // input, product, relu
    const before = 16 + 4 + 16 + 16 + 4 // input, label, product, relu, sum
    const backward = 4 + 16 + 16 + 16 + 16 + 16 // ones, ones, dy of relu, dy of the product, x dy, its sum
    expect(trace.trainingBytes).toBe(before + backward)
  })

  it('makes nothing, however large the model', async () => {
    const forward: Forward = (x) => dense(dense(x, 1e6, { name: 'a' }), 1000, { name: 'head' })
    const trace = await traceModel(forward, { shape: [1, 1e5] })
    expect(trace.parameters).toBe(1e11 + 1e6 + 1e9 + 1000)
    expect(trace.parametersWithoutHead).toBe(1e11 + 1e6)
    expect(trace.macs).toBe(1e11 + 1e9)
  })

  it('reads token ids', async () => {
    const forward = assemble(gmlp, resolveSize(gmlp, { dim: 8, depth: 2 }, 'x'), 'text', { inputs: 30, outputs: 30 })
    const trace = await traceModel(forward, { shape: [1, 6], dtype: 'int32' })
    expect(trace.tensors.find(({ name }) => name === 'embed.weight')?.shape).toEqual([30, 8])
    const ends = trace.layers.map(({ depth, macs, name }) => (depth === 0 && macs > 0 ? name : '')).filter(Boolean)
    expect(ends).toEqual(['blocks.0', 'blocks.1'])
    expect(trace.layers.find(({ name }) => name === '')?.macs).toBe(6 * 8 * 30) // the tied product at the end
  })

  it('counts what is trained, and lists everything that is kept', async () => {
    const forward: Forward = (x) => {
      const mean = parameter('mean', [4], ones, { trained: false })
      parameter('unused', [2], ones)
      return tf.mul(tf.sub(x, mean), parameter('scale', [4], ones))
    }
    const trace = await traceModel(forward, { shape: [1, 4] })
    expect(trace.parameters).toBe(6)
    expect(trace.tensors.map(({ name }) => name)).toEqual(['mean', 'unused', 'scale'])
  })

  it('gives the graph, its tensors traced back to input and parameters', async () => {
    const forward: Forward = (x) =>
      scope('layer', 'fc', () => tf.relu(tf.matMul(x as tf.Tensor2D, parameter('w', [4, 2], ones) as tf.Tensor2D)))
    const { graph, sources } = await traceModel(forward, { shape: [1, 4] })
    expect(graph.map(({ kernel, shapes, scopes, macs }) => ({ kernel, shapes, scopes, macs }))).toEqual([
      { kernel: 'BatchMatMul', shapes: [[1, 2]], scopes: ['fc'], macs: 8 },
      { kernel: 'Relu', shapes: [[1, 2]], scopes: ['fc'], macs: 0 },
    ])
    expect(graph[0]?.inputs).toEqual([sources.input, sources['fc.w']])
    expect(graph[1]?.inputs).toEqual(graph[0]?.outputs)
  })

  it('takes another loss and target', async () => {
    const forward: Forward = (x) => dense(x, 3)
    const loss = (y: tf.Tensor, target: tf.Tensor) => tf.losses.meanSquaredError(target, y) as tf.Scalar
    const target = { shape: [1, 3] }
    const trace = await traceModel(forward, { shape: [1, 4] }, { loss, target })
    expect(trace.trainingDispatches).toBeGreaterThan(trace.dispatches)
  })

  it('refuses a block that reads values, and leaves nothing behind', async () => {
    const forward: Forward = (x) => (Number(tf.max(dense(x, 2)).dataSync()[0]) > 0 ? x : tf.neg(x))
    await expect(traceModel(forward, { shape: [1, 4] })).rejects.toThrow('reads values of a tensor')
    expect(tf.getBackend()).toBe('cpu')
  })
  it('refuses an optimizer that does not exist', async () => {
    const trace = traceModel((x) => dense(x, 2), { shape: [1, 4] }, { optimizer: 'adam' })
    await expect(trace).rejects.toThrow("unknown optimizer 'adam'")
  })
})
