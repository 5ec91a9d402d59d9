import * as tf from '@tensorflow/tfjs-core'
import { GRADIENT } from '../compile/training.ts'
import { MixlabError } from '../errors.ts'
import { assemble } from '../nn/frame.ts'
import { toFile } from '../nn/layout.ts'
import { maskedCrossEntropy, softmaxCrossEntropy } from '../nn/losses.ts'
import { createModel, type Forward, type Model, type TextExtras } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import type { Modality } from '../nn/types.ts'
import { loadTensors } from '../weights/model.ts'
import { ourName } from '../weights/names.ts'
import { type Built, buildModel } from './builders.ts'
import { type Case, channelsLast } from './case.ts'
import { type Check, largest, largestDifference, type Pending, readAll, relativeError, tolerances } from './check.ts'
import { computing } from './computing.ts'

/** Output, first block, loss and all gradients of a model, by default the one that it names, against those of the case. */
export async function checkModel(golden: Case, built: Built = buildModel(golden)): Promise<Check[]> {
  const { block, modality, outputs } = built
  const size = resolveSize(block, {}, golden.name)
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  describe(golden, modality)
  golden.config.done()
  const input = tf.tidy(() => inputOf(golden, modality))
  return compare(golden, built, forward, input).finally(() => tf.dispose(input))
}

async function compare(golden: Case, built: Built, forward: Forward, input: tf.NamedTensorMap): Promise<Check[]> {
  const { modality } = built
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const shape = input.input?.shape as number[]
  const model = createModel(forward, { shape, dtype }, 0)
  const code = computing(model, false, (batch, { mode, parameters }) => {
    const { input: x, ...extras } = batch as unknown as { input: tf.Tensor } & TextExtras
    const seen: tf.NamedTensorMap = {}
    const onBlock = (i: number, before: tf.Tensor, after: tf.Tensor) => {
      if (i > 0) return
      seen['block0.input'] = tf.clone(before)
      seen['block0.output'] = tf.clone(after)
    }
    const output = model.apply(x, { ...mode, onBlock }, extras)
    const names = model.trained.map(({ name }) => name)
    const wanted = [...names.map((name) => parameters[name] as tf.Tensor), ...(modality === 'text' ? [] : [x])]
    const { value, grads } = tf.engine().gradients(() => lossOf(golden, model.apply(x, mode, extras)), wanted)
    const gradients = [...names.map((name) => GRADIENT + name), 'input.grad'].map((name, i) => [name, grads[i]])
    const found = gradients.filter(([, gradient]) => gradient) as [string, tf.Tensor][]
    return { ...seen, output, loss: value, ...Object.fromEntries(found) }
  })
  try {
    const tensors = [...golden.below('param.')].map(([name, tensor]) => ({
      ...tensor,
      name: ourName(name, built.rename),
    }))
    loadTensors(model.parameters, tensors, golden.name)
    const results = await code.run(input, 0)
    return await readAll([...forwardChecks(golden, results), ...gradientChecks(golden, built, model, results)]).finally(
      () => tf.dispose(results),
    )
  } finally {
    code.dispose()
    model.dispose()
  }
}

/** What a case says of its input is so. */
function describe({ config, has, tensor }: Case, modality: Modality): void {
  const { shape } = tensor(modality === 'text' ? 'tokens' : 'input')
  if (modality === 'text') config.agrees('padding', has('attention_mask'))
  if (modality === 'image') config.agrees('in_chans', shape[1])
  if (shape.length === 4) config.agrees(modality === 'image' ? 'image_size' : 'grid', shape.slice(2))
  else config.agrees('seq_len', shape[1])
}

/** The input as our models read it: images with channels last, feature maps as tokens. */
function inputOf(golden: Case, modality: Modality): tf.NamedTensorMap {
  if (modality !== 'text') {
    const { shape, values } = channelsLast(golden.tensor('input'))
    return { input: tf.tensor(values, modality === 'features' ? tokensOf(shape) : shape) }
  }
  const ids = (name: string) => tf.tensor(golden.tensor(name).values, golden.tensor(name).shape, 'int32')
  return {
    input: ids('tokens'),
    ...(golden.has('token_type_ids') ? { types: ids('token_type_ids') } : {}),
    ...(golden.has('attention_mask') ? { mask: tf.cast(ids('attention_mask'), 'float32') } : {}),
  }
}

/** `[batch, h, w, c]` to `[batch, h * w, c]`; other shapes stay. */
const tokensOf = (shape: number[]) =>
  shape.length === 4 ? [shape[0] as number, (shape[1] as number) * (shape[2] as number), shape[3] as number] : shape

function forwardChecks(golden: Case, results: tf.NamedTensorMap): Pending[] {
  const output = results.output as tf.Tensor
  const blocks = ['block0.input', 'block0.output']
    .filter((tensor) => golden.has(tensor) && results[tensor])
    .map((tensor): Pending => {
      const { values } = channelsLast(golden.tensor(tensor))
      const own = results[tensor] as tf.Tensor
      return { tensor, own, error: (own) => relativeError(own, values), tolerance: tolerances.block }
    })
  const { values } = golden.tensor('output')
  const error = (own: ArrayLike<number>) => relativeError(own, values)
  return [{ tensor: 'output', own: output, error, tolerance: tolerances.output }, ...blocks]
}

function gradientChecks(golden: Case, { rename }: Built, model: Model, results: tf.NamedTensorMap): Pending[] {
  const checks: Pending[] = []
  const add = (tensor: string, own: tf.Tensor, tolerance: number, error: Pending['error']) =>
    checks.push({ tensor, own, tolerance, error })
  const loss = golden.tensor('loss').values
  add('loss', results.loss as tf.Tensor, tolerances.loss, (own) => relativeError(own, loss))

  if (golden.has('input.grad')) {
    const { values } = channelsLast(golden.tensor('input.grad'))
    add('input.grad', results['input.grad'] as tf.Tensor, tolerances.gradient, (own) => relativeError(own, values))
  }

  const gradients = golden.below('grad.')
  const scale = Math.max(...[...gradients.values()].map(({ values }) => largest(values)))
  const zero = JSON.parse(golden.metadata.zero_gradient ?? '[]') as string[]
  const byName = new Map(model.trained.map((parameter) => [parameter.name, parameter]))
  for (const [name, { values }] of gradients) {
    const parameter = byName.get(ourName(name, rename))
    if (!parameter) throw new MixlabError('weights', golden.name, `the model does not train '${name}'`)
    const { shape, layout } = parameter
    const isZero = zero.includes(name)
    const tolerance = isZero ? tolerances.zeroGradient : tolerances.gradient
    add(`grad.${name}`, results[GRADIENT + parameter.name] as tf.Tensor, tolerance, (given) => {
      const own = toFile(Float32Array.from(given), shape, layout)
      return isZero ? largestDifference(own, values) / scale : relativeError(own, values)
    })
  }
  if (gradients.size !== model.trained.length) {
    const what = `${gradients.size} gradients, the model trains ${model.trained.length} tensors`
    throw new MixlabError('weights', golden.name, what)
  }
  return checks
}

function lossOf(golden: Case, logits: ReturnType<Forward>): tf.Scalar {
  const { shape, values } = golden.tensor('target')
  const target = tf.tensor(values, shape, 'int32')
  if (!golden.has('loss_mask')) return softmaxCrossEntropy(logits, target)
  const mask = golden.tensor('loss_mask')
  return maskedCrossEntropy(logits, target, tf.tensor(Float32Array.from(mask.values), mask.shape))
}
