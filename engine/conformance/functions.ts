import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../errors.ts'
import * as nn from '../nn/index.ts'
import { flattened } from '../nn/layers/tokenGrid.ts'
import { toFile } from '../nn/layout.ts'
import { createModel } from '../nn/model.ts'
import { loadTensors } from '../weights/model.ts'
import type { Case, Config } from './case.ts'
import { type Pending, relativeError, tolerances } from './check.ts'
import { computing } from './computing.ts'

type Tensors = [tf.Tensor, tf.Tensor, tf.Tensor]

const wholes = <Key extends string>(config: Config, ...keys: Key[]): Record<Key, number> =>
  Object.fromEntries(keys.map((key) => [key, config.number(key)])) as Record<Key, number>

const windows = (x: tf.Tensor, config: Config) => {
  const grid = x.rank === 3 ? config.numbers('grid', [1, x.shape[1] as number]) : undefined
  return { stride: config.sides('stride'), ...(grid ? { grid: grid as [number, number] } : {}) }
}

const pooling = (x: tf.Tensor, config: Config) => ({
  ...windows(x, config),
  kernel: config.sides('kernel'),
  padding: config.text('padding') as 'same' | 'valid',
})

/** Functions of the block language by the entry `function` of a case; their parameters are below `op`. */
const functions: Record<string, (inputs: Tensors, config: Config) => tf.Tensor> = {
  activations: ([x]) => nn.concat([nn.silu(x), nn.hardSwish(x), nn.sigmoid(x)], -1),
  rmsNorm: ([x], config) => nn.rmsNorm(x, { name: 'op', eps: config.number('eps') }),
  softmax: ([x], config) => nn.softmax(x, config.number('axis')),
  lerp: ([a, b, weight]) => nn.lerp(a, b, weight),
  waves: ([x]) => nn.concat([nn.softplus(x), nn.sin(x), nn.cos(x)], -1),
  windows: ([x], config) => {
    const [size, grid] = [config.sides('size'), config.sides('grid')]
    return nn.windows(x, size, (y) => nn.tokenDense(y, { name: 'op' }), { grid })
  },
  extremes: ([a, b, c]) => nn.sub(nn.maximum(a, b), nn.mul(2, nn.minimum(a, c))),
  where: ([a, b, c]) => nn.where(nn.greater(a, b), nn.square(a), nn.where(nn.lessEqual(a, 0), b, c)),
  rotary: ([x], config) => nn.rotary(x, { base: config.number('base') }),
  attend: ([q, k, v], config) => nn.attend([q, k], v, { heads: config.number('heads'), causal: config.flag('causal') }),
  tokenDense: ([x], config) => {
    const structure = config.text('structure') as 'dense' | 'toeplitz'
    return nn.tokenDense(x, { name: 'op', structure, causal: config.flag('causal') })
  },
  spatialGating: ([x], config) => {
    return nn.spatialGating(x, { name: 'op', eps: config.number('eps'), causal: config.flag('causal') })
  },
  shift: ([x], config) => {
    const [around, grid] = [config.flag('around'), config.sides('grid')]
    return nn.concat(
      (['tokens', 'rows', 'columns'] as const).flatMap((axis) => {
        return config.numbers('by').map((by) => nn.shift(x, by, { axis, around, grid }))
      }),
      -1,
    )
  },
  gather: ([x], config) => nn.gather(x, config.numbers('indices'), config.number('axis')),
  scan: ([a, b], config) => nn.scan(a, b, { axis: config.number('axis'), reverse: config.flag('reverse') }),
  cumsum: ([x], config) => nn.cumsum(x, config.number('axis')),
  cumprod: ([x], config) => nn.cumprod(x, config.number('axis')),
  einsum: (inputs, config) => nn.einsum(config.text('equation'), ...inputs),
  dense: ([x], config) => nn.dense(x, config.number('units'), { name: 'op', groups: config.number('groups') }),
  patchMerge: ([x], config) => {
    const how = { name: 'op', merge: config.sides('merge'), eps: config.number('eps') }
    return nn.patchMerge(flattened(x), config.number('dim'), how)
  },
  fourierMix: ([x]) => nn.fourierMix(x),
  longConv: ([x, filter]) => nn.longConv(x, filter),
  conv1d: ([x], config) => {
    const { stride, dilation, kernel, groups } = wholes(config, 'stride', 'dilation', 'kernel', 'groups')
    const padding = config.text('padding') as 'same' | 'causal' | 'valid'
    const how = { name: 'op', kernel, stride, dilation, groups, padding, bias: nn.zeros }
    return nn.conv1d(x, config.number('units'), how)
  },
  conv2d: ([x], config) => {
    const { kernel, groups, units } = wholes(config, 'kernel', 'groups', 'units')
    const how = { stride: config.sides('stride'), dilation: config.sides('dilation') }
    return nn.conv2d(x, units, { name: 'op', ...how, kernel, groups, bias: nn.zeros })
  },
  depthwiseConv2d: ([x], config) => {
    const how = { kernel: config.sides('kernel'), dilation: config.sides('dilation'), bias: nn.zeros }
    return nn.depthwiseConv2d(x, { name: 'op', ...how, ...windows(x, config) })
  },
  avgPool: ([x], config) => nn.avgPool(x, pooling(x, config)),
  maxPool: ([x], config) => nn.maxPool(x, pooling(x, config)),
}

/** Output and all gradients of one function of the block language, of tensors `input.0`, `input.1` and so on. */
export async function checkFunction(golden: Case): Promise<Pending[]> {
  const name = golden.config.text('function')
  const run = functions[name]
  if (!run)
    throw new MixlabError('weights', golden.name, `unknown function '${name}'${suggest(name, Object.keys(functions))}`)
  const stored = (tensor: string) => {
    const { shape, values } = golden.tensor(tensor)
    return tf.tensor(Float32Array.from(values), shape)
  }
  const names = [...golden.below('input.').keys()].map((i) => `input.${i}`)
  const batch: tf.NamedTensorMap = Object.fromEntries([...names, 'grad_output'].map((each) => [each, stored(each)]))
  let given = names.map((each) => batch[each]) as Tensors
  const model = createModel(() => run(given, golden.config), { shape: given[0].shape }, 0)
  const parameters = model.trained.map(({ name, shape, layout }) => ({ name, inFile: name.slice(3), shape, layout }))
  const code = computing(model, true, (inputs, { mode, parameters: variables }) => {
    given = names.map((each) => inputs[each]) as Tensors
    const wanted = [...given, ...parameters.map(({ name }) => variables[name] as tf.Tensor)]
    let output: tf.Tensor | null = null
    const { grads } = tf.engine().gradients(() => {
      output = tf.keep(model.apply(given[0], mode)) // outlives the tape
      return tf.sum(tf.mul(output, inputs.grad_output as tf.Tensor)) as tf.Scalar
    }, wanted)
    const named = [...names, ...parameters.map(({ inFile }) => `param.${inFile}`)]
    return {
      output: output as unknown as tf.Tensor,
      ...Object.fromEntries(named.map((each, i) => [`grad_${each}`, grads[i]])),
    }
  })
  try {
    const tensors = parameters.map(({ name, inFile }) => ({ ...golden.tensor(`param.${inFile}`), name }))
    loadTensors(model.parameters, tensors, golden.name)
    const results = await code.run(batch, 0)
    return Object.entries(results).map(([tensor, own]) => {
      const { values } = golden.tensor(tensor)
      const parameter = parameters.find(({ inFile }) => tensor === `grad_param.${inFile}`)
      const inFile = (own: ArrayLike<number>) =>
        parameter ? toFile(Float32Array.from(own), parameter.shape, parameter.layout) : own
      const tolerance = tensor === 'output' ? tolerances.output : tolerances.gradient
      return { tensor, own, error: (own) => relativeError(inFile(own), values), tolerance }
    })
  } finally {
    tf.dispose(batch)
    code.dispose()
    model.dispose()
  }
}
