import * as tf from '@tensorflow/tfjs-core'
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
import { type Check, checked, largest, largestDifference, type Pending, relativeError, tolerances } from './check.ts'

/** Output, first block, loss and all gradients of a model against those of the case. */
export async function checkModel(golden: Case): Promise<Check[]> {
  const built = buildModel(golden)
  const { block, modality, outputs } = built
  const size = resolveSize(block, {}, golden.name)
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  describe(golden, modality)
  golden.config.done()
  return checked(() => {
    const { input, extras } = inputOf(golden, modality)
    const dtype = modality === 'text' ? 'int32' : 'float32'
    const model = createModel(forward, { shape: input.shape, dtype }, 0)
    const x = tf.variable(input)
    try {
      const tensors = [...golden.below('param.')].map(([name, tensor]) => ({
        ...tensor,
        name: ourName(name, built.rename),
      }))
      loadTensors(model.parameters, tensors, golden.name)
      return [...forwardChecks(golden, model, input, extras), ...gradientChecks(golden, built, model, x, extras)]
    } finally {
      model.dispose()
      x.dispose()
    }
  })
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
function inputOf(golden: Case, modality: Modality): { input: tf.Tensor; extras: TextExtras } {
  if (modality !== 'text') {
    const { shape, values } = channelsLast(golden.tensor('input'))
    return { input: tf.tensor(values, modality === 'features' ? tokensOf(shape) : shape), extras: {} }
  }
  const ids = (name: string) => tf.tensor(golden.tensor(name).values, golden.tensor(name).shape, 'int32')
  const extras: TextExtras = {}
  if (golden.has('token_type_ids')) extras.types = ids('token_type_ids')
  if (golden.has('attention_mask')) extras.mask = tf.cast(ids('attention_mask'), 'float32')
  return { input: ids('tokens'), extras }
}

/** `[batch, h, w, c]` to `[batch, h * w, c]`; other shapes stay. */
const tokensOf = (shape: number[]) =>
  shape.length === 4 ? [shape[0] as number, (shape[1] as number) * (shape[2] as number), shape[3] as number] : shape

function forwardChecks(golden: Case, model: Model, input: tf.Tensor, extras: TextExtras): Pending[] {
  const seen: [string, tf.Tensor][] = []
  const onBlock = (i: number, x: tf.Tensor, y: tf.Tensor) => {
    if (i === 0) seen.push(['block0.input', x], ['block0.output', y])
  }
  const output = model.apply(input, { onBlock }, extras)
  const blocks = seen
    .filter(([tensor]) => golden.has(tensor))
    .map(([tensor, own]): Pending => {
      const { values } = channelsLast(golden.tensor(tensor))
      return { tensor, own, error: (own) => relativeError(own, values), tolerance: tolerances.block }
    })
  const { values } = golden.tensor('output')
  const error = (own: ArrayLike<number>) => relativeError(own, values)
  return [{ tensor: 'output', own: output, error, tolerance: tolerances.output }, ...blocks]
}

function gradientChecks(golden: Case, built: Built, model: Model, x: tf.Variable, extras: TextExtras): Pending[] {
  const { modality, rename } = built
  const wanted = [...model.trained.map(({ variable }) => variable), ...(modality === 'text' ? [] : [x])]
  const { value, grads } = tf.variableGrads(() => lossOf(golden, model.apply(x, {}, extras)), wanted)
  const checks: Pending[] = []
  const add = (tensor: string, own: tf.Tensor, tolerance: number, error: Pending['error']) =>
    checks.push({ tensor, own, tolerance, error })
  const loss = golden.tensor('loss').values
  add('loss', value, tolerances.loss, (own) => relativeError(own, loss))

  if (golden.has('input.grad')) {
    const { values } = channelsLast(golden.tensor('input.grad'))
    add('input.grad', grads[x.name] as tf.Tensor, tolerances.gradient, (own) => relativeError(own, values))
  }

  const gradients = golden.below('grad.')
  const scale = Math.max(...[...gradients.values()].map(({ values }) => largest(values)))
  const zero = JSON.parse(golden.metadata.zero_gradient ?? '[]') as string[]
  const byName = new Map(model.trained.map((parameter) => [parameter.name, parameter]))
  for (const [name, { values }] of gradients) {
    const parameter = byName.get(ourName(name, rename))
    if (!parameter) throw new MixlabError('weights', golden.name, `the model does not train '${name}'`)
    const { shape, layout, variable } = parameter
    const isZero = zero.includes(name)
    const tolerance = isZero ? tolerances.zeroGradient : tolerances.gradient
    add(`grad.${name}`, grads[variable.name] as tf.Tensor, tolerance, (given) => {
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
