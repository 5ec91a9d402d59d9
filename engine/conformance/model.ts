import * as tf from '@tensorflow/tfjs-core'
import { MixlabError } from '../errors.ts'
import { assemble } from '../nn/frame.ts'
import { toFile } from '../nn/layout.ts'
import { maskedCrossEntropy, softmaxCrossEntropy } from '../nn/losses.ts'
import { createModel, type Forward, type Model, type TextExtras } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import type { Modality } from '../nn/types.ts'
import { loadTensors } from '../weights/model.ts'
import { renamed } from '../weights/names.ts'
import { type Built, buildModel } from './builders.ts'
import type { Case } from './case.ts'
import { type Check, largest, largestDifference, relativeError, tolerances } from './check.ts'

/** Output, first block, loss and all gradients of a model against those of the case. */
export function checkModel(golden: Case): Check[] {
  const built = buildModel(golden)
  const { block, modality, outputs } = built
  const size = resolveSize(block, {}, golden.name)
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  return tf.tidy(() => {
    const { input, extras } = inputOf(golden, modality)
    const dtype = modality === 'text' ? 'int32' : 'float32'
    const model = createModel(forward, { shape: input.shape, dtype }, 0)
    try {
      const tensors = [...golden.below('param.')].map(([name, tensor]) => ({
        ...tensor,
        name: renamed(name, built.rename),
      }))
      loadTensors(model.parameters, tensors, golden.name)
      return [...forwardChecks(golden, model, input, extras), ...gradientChecks(golden, built, model, input, extras)]
    } finally {
      model.dispose()
    }
  })
}

/** The input as our models read it: images with channels last, feature maps as tokens. */
function inputOf(golden: Case, modality: Modality): { input: tf.Tensor; extras: TextExtras } {
  if (modality !== 'text') return { input: channelsLast(golden.tensor('input'), modality), extras: {} }
  const ids = (name: string) => tf.tensor(golden.tensor(name).values, golden.tensor(name).shape, 'int32')
  const extras: TextExtras = {}
  if (golden.has('token_type_ids')) extras.types = ids('token_type_ids')
  if (golden.has('attention_mask')) extras.mask = tf.cast(ids('attention_mask'), 'float32')
  return { input: ids('tokens'), extras }
}

type Stored = { shape: number[]; values: Float32Array | Int32Array }

/** `[batch, c, h, w]` to `[batch, h, w, c]`, or to `[batch, h * w, c]` for features; other shapes stay. */
function channelsLast({ shape, values }: Stored, modality: Modality): tf.Tensor {
  const x = tf.tensor(Float32Array.from(values), shape)
  if (shape.length !== 4) return x
  const [batch, channels, height, width] = shape as [number, number, number, number]
  const last = tf.transpose(x, [0, 2, 3, 1])
  return modality === 'features' ? tf.reshape(last, [batch, height * width, channels]) : last
}

function forwardChecks(golden: Case, model: Model, input: tf.Tensor, extras: TextExtras): Check[] {
  const seen: [string, tf.Tensor][] = []
  const onBlock = (i: number, x: tf.Tensor, y: tf.Tensor) => {
    if (i === 0) seen.push(['block0.input', x], ['block0.output', y])
  }
  const output = model.apply(input, { onBlock }, extras)
  const blocks = seen
    .filter(([tensor]) => golden.has(tensor))
    .map(([tensor, own]) => {
      const reference = channelsLast(golden.tensor(tensor), 'features')
      return { tensor, error: relativeError(own.dataSync(), reference.dataSync()), tolerance: tolerances.block }
    })
  const error = relativeError(output.dataSync(), golden.tensor('output').values)
  return [{ tensor: 'output', error, tolerance: tolerances.output }, ...blocks]
}

function gradientChecks(golden: Case, built: Built, model: Model, input: tf.Tensor, extras: TextExtras): Check[] {
  const { modality, rename } = built
  const x = modality === 'text' ? input : tf.variable(input)
  const wanted = [...model.trained.map(({ variable }) => variable), ...(x instanceof tf.Variable ? [x] : [])]
  const { value, grads } = tf.variableGrads(() => lossOf(golden, model.apply(x, {}, extras)), wanted)
  const checks: Check[] = []
  const add = (tensor: string, error: number, tolerance: number) => checks.push({ tensor, error, tolerance })
  add('loss', relativeError(value.dataSync(), golden.tensor('loss').values), tolerances.loss)

  if (x instanceof tf.Variable && golden.has('input.grad')) {
    const reference = channelsLast(golden.tensor('input.grad'), modality)
    const own = grads[x.name] as tf.Tensor
    add('input.grad', relativeError(own.dataSync(), reference.dataSync()), tolerances.gradient)
  }

  const gradients = golden.below('grad.')
  const scale = Math.max(...[...gradients.values()].map(({ values }) => largest(values)))
  const zero = JSON.parse(golden.metadata.zero_gradient ?? '[]') as string[]
  const byName = new Map(model.trained.map((parameter) => [parameter.name, parameter]))
  for (const [name, { values }] of gradients) {
    const parameter = byName.get(renamed(name, rename))
    if (!parameter) throw new MixlabError('weights', golden.name, `the model does not train '${name}'`)
    const { shape, layout, variable } = parameter
    const own = toFile((grads[variable.name] as tf.Tensor).dataSync() as Float32Array, shape, layout)
    if (zero.includes(name)) add(`grad.${name}`, largestDifference(own, values) / scale, tolerances.zeroGradient)
    else add(`grad.${name}`, relativeError(own, values), tolerances.gradient)
  }
  if (gradients.size !== model.trained.length) {
    const what = `${gradients.size} gradients, the model trains ${model.trained.length} tensors`
    throw new MixlabError('weights', golden.name, what)
  }
  if (x instanceof tf.Variable) x.dispose()
  return checks
}

function lossOf(golden: Case, logits: ReturnType<Forward>): tf.Scalar {
  const { shape, values } = golden.tensor('target')
  const target = tf.tensor(values, shape, 'int32')
  if (!golden.has('loss_mask')) return softmaxCrossEntropy(logits, target)
  const mask = golden.tensor('loss_mask')
  return maskedCrossEntropy(logits, target, tf.tensor(Float32Array.from(mask.values), mask.shape))
}
