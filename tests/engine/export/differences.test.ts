import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it } from 'vitest'
import { type Differentiated, judgeGradients, type Values } from '../../../engine/export/differences.ts'
import { torch } from '../../../engine/export/formats/torch.ts'
import { trainingGraph } from '../../../engine/export/graph/training.ts'
import type { Node, Value } from '../../../engine/export/graph/types.ts'
import { proveTraining } from '../../../engine/export/proveTraining.ts'
import { fault } from '../../../engine/export/trainingProof.ts'
import { readSafetensors } from '../../../engine/weights/safetensors.ts'
import { exported, rebuilt, trained } from './trained.ts'

// as where cells run: 10 frames are too few to reach the line of a cell
Error.stackTraceLimit = 50

const NOTEBOOK = `// %% data
import * as tf from '@tensorflow/tfjs'
import { block, compare, dataset, dense, image, layerNorm, max, mlp, parameter, pointCloud, points, residual, sgd, shapes, solids, zeros } from 'mixlab'
// a bright square on black: most patches are the same
export const dark = dataset('dark', {
  train: 16, validation: 8, test: 8, shape: { image: [16, 16, 3] },
  make: (random, index) => {
    const off = { train: 0, validation: 100, test: 200 }[random.part] ?? 300
    const image = Float32Array.from({ length: 768 }, (_, i) => {
      const [row, column] = [Math.floor(i / 48), Math.floor(i / 3) % 16]
      return row >= 4 && row < 12 && column >= 4 && column < 12 ? 0.5 + 0.5 * Math.sin((index + off) * 0.37 + i * 0.11) : 0
    })
    return { image, label: index % 3 }
  },
})
export const largest = block('largest', (x, { dim, ffn }) => {
  const y = mlp(layerNorm(x), ffn)
  return residual(x, dense(max(y, 1, true), dim))
})
export const bent = block('bent', (x, { dim }) => {
  const y = dense(layerNorm(x), dim)
  const z = tf.tanh(y)
  return residual(x, dense(z, dim))
})
export const kinked = block('kinked', (x, { dim }) => {
  return residual(x, dense(tf.add(x, tf.abs(parameter('p', [dim], zeros))), dim))
})
// %% study
const train = { steps: 4, batch: 5, optimizer: sgd({ learningRate: 0.1 }) }
export const a = compare('a', { task: image({ data: dark }), model: { patch: 4, dim: 12, ffn: 24, depth: 1 }, variants: { largest, bent, kinked }, train, seeds: 1 })
export const b = compare('b', { task: points({ data: solids({ points: 16, train: 40, validation: 0.2, test: 10 }) }), model: { dim: 8, ffn: 16, depth: 2 }, variants: { pointCloud }, train, seeds: 1 })
`

const run = async (variant: string) => {
  const found = (await trained(NOTEBOOK)).find(({ run }) => run.variant === variant)
  if (!found) throw new Error(`no ${variant}`)
  return found
}

const stock = new Map<string, tf.GradConfig>()
afterEach(() => {
  for (const config of stock.values()) tf.registerGradient(config)
  stock.clear()
})

/** Another gradient of a kernel, by the right one, until the test ends. */
function replaceGradient(
  kernelName: string,
  change: (gradient: tf.Tensor, saved: tf.Tensor[], dy: tf.Tensor) => tf.Tensor,
) {
  const config = tf.getGradient(kernelName)
  stock.set(kernelName, config)
  tf.registerGradient({
    ...config,
    gradFunc: (dy, saved, attributes) => {
      const found = config.gradFunc(dy, saved, attributes)
      return { ...found, x: () => change((found.x as () => tf.Tensor)(), saved, dy as tf.Tensor) }
    },
  })
}

/** What the proof of a module has against it; `wrongly` comes before, for a gradient is in the key of a run. */
async function faultOf(variant: string, wrongly: () => void): Promise<string | null> {
  const own = await run(variant)
  const { model, task, dispose } = await rebuilt(own)
  try {
    const { tensors } = readSafetensors(own.weights)
    const graph = await trainingGraph(model, { input: { shape: task.input.shape, dtype: 'float32' } }, tensors, 'run')
    const training = async () => graph
    const never = () => Promise.reject(new Error('is not asked for'))
    const written = await torch.write({ tensors, metadata: {}, graph: never, training, demo: never }, 'model')
    wrongly()
    const reader = torch.readTrained?.(written) as NonNullable<ReturnType<NonNullable<typeof torch.readTrained>>>
    return fault(await proveTraining(model, task, own.run.seed, reader, graph))
  } finally {
    dispose()
  }
}

describe('a gradient that the model and its module share', () => {
  it('is right where central differences say so, at kinks of the weights too', async () => {
    for (const variant of ['bent', 'kinked', 'pointCloud']) {
      const { training } = await exported(await run(variant), 'torch')
      expect(training?.differences, variant).toMatchObject({ wrong: null, unjudged: null })
      expect(training?.differences.difference, variant).toBeLessThan(1e-4)
    }
  })
  it.each([
    ['half as much again', 1.5, 33],
    ['a tenth more', 1.1, 9.1],
    ['of the other sign', -1, 200],
    ['zero', 0, 100],
  ])(
    'that is %s is refused, with the tensor in front of the operation, its line, and how far it is off',
    async (_, factor, off) => {
      const found = await faultOf('bent', () => replaceGradient('Tanh', (gradient) => tf.mul(gradient, factor)))
      expect(found).toMatch(/^the gradient of blocks\.0\.dense\.(weight|bias) \(data:20\) is off by /)
      expect(found).toContain(`by ${off}% of what central differences give: an operation after this tensor`)
    },
  )
  it('that gives each of several equal values the whole is refused', async () => {
    const whole = (_: tf.Tensor, [x, y]: tf.Tensor[], dy: tf.Tensor) => {
      const [input, most] = [x as tf.Tensor, y as tf.Tensor]
      const kept = input.shape.map((length, axis) => (axis === 1 ? 1 : length))
      return tf.mul(tf.reshape(dy, kept), tf.cast(tf.equal(input, tf.reshape(most, kept)), 'float32'))
    }
    expect(await faultOf('largest', () => replaceGradient('Max', whole))).toMatch(
      /^the gradient of blocks\.0\.mlp\.fc2\.(weight|bias) \(data:16\) is off by \d+% of what central/,
    )
  })
})

describe('central differences', () => {
  const value = (name: string, shape: number[]): Value => ({ name, shape, dtype: 'float32' })
  /** The sum of what some operations give of `w`, one after the other. */
  function of(operations: Node['operation'][], w: number[], gradient: (w: number) => number) {
    const nodes = operations.map((operation, i): Node => {
      const inputs = [value(i === 0 ? 'w' : `v${i - 1}`, [w.length])]
      return { operation, inputs, output: value(`v${i}`, [w.length]), attributes: {} }
    })
    const initial = { kind: 'constant', value: 0 } as const
    const output = nodes.at(-1)?.output as Value
    const run = (x: number) =>
      operations.reduce((y, name) => ({ Abs: Math.abs(y), Relu: Math.max(0, y), Log: Math.log(y) })[name as 'Abs'], x)
    const by: Differentiated = {
      graph: {
        inputs: [],
        tensors: [{ name: 'w', shape: [w.length], trained: true, initial }],
        constants: [],
        nodes,
        output,
        blocks: [],
        untrainable: null,
      },
      calls: [
        {
          inputs: new Map([['input', { shape: [1], values: new Float64Array(1) }]]),
          weights: new Float32Array(w.length).fill(1),
          logits: Float32Array.from(w, run),
        },
      ],
      masks: [],
      buffers: new Map(),
    }
    const gradients = (values: Values): Values => new Map([['w', (values.get('w') as Float32Array).map(gradient)]])
    const values = new Map([['w', Float32Array.from(w)]])
    return judgeGradients(by, values, gradients(values), async (there) => gradients(there))
  }
  const step = (w: number) => Number(w > 0)

  it('judge beside a kink where the weights are on one', async () => {
    expect(await of(['Relu'], [0, 1, -1, 2], step)).toMatchObject({ wrong: null, unjudged: null })
    expect(await of(['Relu'], [0, 1, -1, 2], (w) => 1.2 * step(w))).toMatchObject({ wrong: { name: 'w' } })
  })
  it('say why they could judge nothing', async () => {
    expect(await of(['Log'], [-1, 1], (w) => 1 / w)).toMatchObject({
      unjudged: 'in double precision the logits are not finite',
    })
    expect(await of(['Relu'], [-1, -2], step)).toMatchObject({ unjudged: 'the loss of these examples has no gradient' })
  })
})
