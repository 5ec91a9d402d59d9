import * as tf from '@tensorflow/tfjs'
import { readTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { type ExportOptions, exportRun } from '../../../engine/export/export.ts'
import type { FormatName } from '../../../engine/export/formats/index.ts'
import { inputsOf } from '../../../engine/export/graph/record.ts'
import * as mixlab from '../../../engine/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { besideOf } from '../../../engine/predict/demo.ts'
import { evaluateOn } from '../../../engine/predict/evaluateOn.ts'
import { modelOfFile } from '../../../engine/predict/file.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { KeptWeights } from '../../../engine/records/store.ts'
import { type ChosenWeights, chosenWeights, type RequestedWeights } from '../../../engine/records/tested.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { fitFile, openFile, startFromFile } from '../../../engine/study/start/file.ts'
import { studiesIn } from '../../../engine/study/studies.ts'
import { fitted, predictText, textTensors } from '../../../engine/tasks/textInput.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { memoryRuns } from '../study/memory-runs.ts'
import { madeOnce } from './once.ts'

export const files = memoryFiles({})
export const modules = { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> }
const silent = () => {}
const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }

/** A run with the weights of its test, as the store has them. */
export interface Trained {
  run: StoredRunDetails
  weights: Uint8Array
  chosen: ChosenWeights
  /** What was measured of these weights at the end of its training. */
  tests: Record<string, number>
  last: Pick<Trained, 'weights' | 'chosen'>
}

const known = new Map<string, Promise<Trained[]>>()

/** The runs of a notebook, trained; once for the tests of all workers. */
export function trained(notebook: string): Promise<Trained[]> {
  const runs = known.get(notebook) ?? madeOnce(notebook, () => train(notebook))
  known.set(notebook, runs)
  return runs
}

async function train(notebook: string): Promise<Trained[]> {
  const runs = memoryRuns()
  const definitions = await evaluateAll(notebook, modules, { console })
  const backend = { name: 'cpu', device: 'test' } as const
  for (const study of studiesIn([...definitions.values()].map(({ value }) => value))) {
    for await (const event of executeStudy(study, { runs, files, backend })) {
      if (event.type === 'run' && event.event.type === 'failed') throw new Error(event.event.message)
    }
  }
  for (const { value } of definitions.values()) if (value instanceof tf.Tensor) value.dispose()
  return Promise.all(
    runs.started.map(async ({ spec, events, origin, ...start }, i) => {
      const id = i + 1
      const metrics = Object.fromEntries(
        events.flatMap((event) => {
          return event.type === 'metric' ? [[event.name, { last: event.value, lastStep: event.step }]] : []
        }),
      )
      const run = {
        ...{ ...start, id, metrics, spec: JSON.parse(JSON.stringify(spec)) },
        origin: origin && { ...origin, variant: start.variant },
      } as unknown as StoredRunDetails
      const taken = async (asked: RequestedWeights) => {
        const chosen = chosenWeights(run, keptIn(events), asked)
        return { chosen, weights: await runs.readWeights(id, chosen.which) }
      }
      const tests = Object.entries(run.metrics).filter(([name]) => /^(test|mismatched)\/(?!examples_)/.test(name))
      return {
        run,
        ...(await taken('tested')),
        tests: Object.fromEntries(tests.map(([name, { last }]) => [name, last])),
        last: await taken('last'),
      }
    }),
  )
}

/** The weights that a store keeps after these events, the latest first: slow training has more than one checkpoint. */
function keptIn(events: TrainEvent[]): KeptWeights[] {
  return events.toReversed().flatMap((event) => {
    if (event.type !== 'checkpoint') return []
    const { step, bestStep } = event
    return [...(bestStep === undefined ? [] : [{ which: 'best' as const, step: bestStep }]), { which: 'last', step }]
  })
}

/** The files of a run in a format. */
export function exported(
  { run, weights, chosen }: Pick<Trained, 'run' | 'weights' | 'chosen'>,
  format: FormatName,
  more: Partial<ExportOptions> = {},
) {
  return exportRun(run, weights, files, modules, { format, chosen, name: 'model', player: 'run()', besideOf, ...more })
}

/** The model of a run, made anew. */
export const rebuilt = ({ run, weights }: Pick<Trained, 'run' | 'weights'>) => rebuild(run, weights, files, modules)

/** What the model of a run says to some examples, all values flat: a reader has to know their shapes from its file. */
export async function saying({ run, weights }: Pick<Trained, 'run' | 'weights'>): Promise<Record<string, number[]>> {
  const { model, task, dispose } = await rebuild(run, weights, files, modules)
  try {
    for await (const batch of task.evalBatches('validation', 5, 5)) {
      const { input, ...extras } = inputsOf(batch)
      const logits = tf.tidy(() => model.apply(input, {}, extras))
      const all = { input, ...extras, logits }
      const flat = Object.entries(all).map(([name, tensor]) => [name, Array.from(tensor.dataSync())])
      tf.dispose([logits, ...Object.values(batch)])
      return Object.fromEntries(flat)
    }
    throw new Error('no examples')
  } finally {
    dispose()
  }
}

/** A run whose model, made anew from other random values, was given the weights of a file by `from: weights({ path })`. */
export async function startedFrom(
  { run, weights }: Trained,
  path: string,
  bytes: Uint8Array,
): Promise<Pick<Trained, 'run' | 'weights'>> {
  const { block, size, task, dispose } = await rebuild(run, weights, files, modules)
  const model = createModel(task.model(block, size), task.input, run.seed + 1)
  try {
    const file = await openFile(mixlab.weights({ path }), memoryFiles({ [path]: bytes }), 'from')
    startFromFile(await fitFile(file, { block, size, opened: task }), model)
    return { run, weights: await writeWeights(model.parameters, task.files) }
  } finally {
    model.dispose()
    dispose()
  }
}

/** The classes of raw texts by the model of a run and its own tokenizer, for two classes. */
export async function classesOf({ run, weights }: Trained, texts: string[]): Promise<number[]> {
  const { model, task, dispose } = await rebuild(run, weights, files, modules)
  try {
    const tokens = task.input.shape[1] as number
    const tokenizer = readTokenizer(task.files?.['tokenizer.json'] ?? '')
    const batch = textTensors(
      texts.map((text) => fitted(tokens, tokenizer.encode(text).ids)),
      tokens,
    )
    const logits = tf.tidy(() => predictText(model, batch, {}))
    const values = logits.dataSync()
    tf.dispose([logits, ...Object.values(batch)])
    return texts.map((_, i) => Number((values[2 * i + 1] as number) > (values[2 * i] as number)))
  } finally {
    dispose()
  }
}

const few = 'train: 400, validation: 0.2, test: 20'
// so large a rate that validation is best before the last step
const sizes = (learningRate: number) =>
  `model: { patch: 4, dim: 8, depth: 2, ffnRatio: 2 }, train: { steps: 5, batch: 8, optimizer: adamw({ learningRate: ${learningRate} }) }, seeds: 1`
const SIZES = sizes(0.1)

/** Every architecture of the catalogue, blocks of cells, and every task. */
export const CATALOGUE = `// %% cells
import * as tf from '@tensorflow/tfjs'
import { abs, add, attend, avgPool, block, constant, conv1d, conv2d, cumprod, cumsum, dense, depthwiseConv2d, div } from 'mixlab'
import { einsum, exp, fourierMix, gather, greater, hardSwish, head, joinHeads, layerNorm, longConv, max, maximum, maxPool } from 'mixlab'
import { minimum, mul, normal, parameter, relu, residual, rmsNorm, rotary, scan, selfAttention, shift, sigmoid, silu } from 'mixlab'
import { softmax, spatialGating, split, splitHeads, sqrt, square, stack, stages, stem, sub, sum, tokenDense, where, zeros } from 'mixlab'
const half = tf.scalar(0.5)
const gated = block('gated', (x, { dim }) => {
  const [u, v] = split(dense(layerNorm(x), 2 * dim), 2)
  return residual(x, mul(tf.sigmoid(u), tokenDense(tf.maximum(v, tf.neg(v)))))
})
const named = block('named', (x, { dim }) => residual(x, dense(x, dim, { name: "it's \\"one\\"" })))
const needsValues = block('needsValues', (x) => residual(x, add(selfAttention(layerNorm(x), { heads: 2 }), half)))
const recurrent = block('recurrent', (x, { dim }) => {
  const y = rmsNorm(x)
  const kept = add(mul(sigmoid(dense(y, dim)), 0.5), 0.4)
  const moved = add(shift(y, 1, { axis: 'rows' }), shift(y, -1, { axis: 'columns', around: true }))
  const states = add(scan(kept, moved), scan(parameter('decay', [dim], constant(0.7)), y, { reverse: true }))
  return residual(x, mul(silu(dense(states, dim, { groups: 2 })), add(cumsum(mul(y, 0.1)), cumprod(kept))))
})
const attentive = block('attentive', (x, { dim }) => {
  const [q, k, v] = split(dense(rmsNorm(x), 3 * dim), 3)
  const turned = (y) => joinHeads(rotary(splitHeads(y, 2)))
  x = residual(x, attend([turned(q), turned(k)], v, { heads: 2, causal: true }))
  x = residual(x, tokenDense(x, { causal: true, structure: 'toeplitz' }))
  return residual(x, spatialGating(dense(x, 2 * dim), { causal: true }))
})
const chosen = block('chosen', (x, { dim }) => {
  const shares = softmax(einsum('bnd,bmd->bnm', x, gather(x, [0, 5, 5])), 1)
  const y = einsum('bnm,bmd->bnd', shares, gather(x, [1, 2, 3]))
  const z = where(greater(y, 0), hardSwish(y), maximum(mul(x, 0.1), minimum(y, 1)))
  const waves = div(fourierMix(x), sqrt(add(sum(square(x), -1, true), 100)))
  const filter = parameter('filter', [x.shape[1], dim], normal(0.2))
  return residual(x, dense(add(add(z, waves), longConv(exp(mul(abs(x), -1)), filter)), dim))
})
const depthwise = block('depthwise', (x) => residual(x, depthwiseConv2d(layerNorm(x), { bias: zeros })))
const groups = block('groups', (x, { dim }) => residual(x, conv2d(x, dim, { groups: 2, dilation: 2, bias: zeros })))
const along = block('along', (x, { dim }) => {
  const y = conv1d(layerNorm(x), dim, { kernel: 4, groups: dim, padding: 'causal', bias: zeros })
  return residual(x, conv1d(y, dim, { dilation: 2, bias: zeros }))
})
const pooled = block('pooled', (x) => residual(x, sub(avgPool(x), maxPool(x, { kernel: [2, 3] }))))
const raw = block('raw', (x, { dim }) => {
  const y = tf.avgPool(tf.reshape(x, [x.shape[0], 4, 4, dim]), 2, 2, 'same')
  const z = tf.maxPool(tf.depthwiseConv2d(y, tf.ones([3, 3, dim, 2]), 1, 'same'), [3, 2], 1, 'same')
  const fromEnd = tf.gather(tf.stack(tf.unstack(z, -1).reverse(), -1), tf.tensor1d([1, 1], 'int32'), -2)
  return add(x, tf.reshape(tf.mean(fromEnd, [1, 2]), [x.shape[0], 2, dim]).sum(1, true))
})
const conv = stem('conv', (images, { dim }) => relu(conv2d(images, dim, { stride: 4 })))
const largest = head('largest', (x, size, classes) => dense(max(x, 1), classes))

// %% images
import { adamw, amlp, compare, convMixer, eamlp, external, externalUnit, ffOnly, gmlp, headedMixer, image } from 'mixlab'
import { mixer, plainMlp, pointCloud, repmlp, repmlpNet, resmlp, resmlpFolded, resnet, shapes, tokensToToken, vit } from 'mixlab'
export const images = compare('images', {
  task: image({ data: shapes({ size: 16, ${few} }) }),
  variants: {
    ...{ recurrent, named, needsValues, attentive, gated, amlp: amlp({ attention: 4 }), chosen, convMixer, ffOnly, mixer, plainMlp, resmlp, resmlpFolded },
    ...{ depthwise, groups, along, pooled, raw },
    ...{ eamlp: eamlp({ heads: 2, slots: 4, stemDim: 4, stemSlots: 4 }), external: external({ slots: 4 }) },
    ...{ externalUnit: externalUnit({ slots: 4 }), headedMixer: headedMixer({ heads: 2 }) },
    ...{ pointCloud: pointCloud({ slots: 4 }), resnet: resnet({ width: 4, blocksPerStage: 1 }), vit: vit({ heads: 2 }) },
    ...{ repmlp: repmlp({ partition: 2, shareSets: 2 }), repmlpNet: repmlpNet({ channels: [8, 12], blocks: [2, 1] }) },
    ...{ gmlp, toeplitz: gmlp({ spatial: 'toeplitz' }), tanh: gmlp({ activation: 'gelu_tanh' }) },
    resized: ffOnly({ positionGrid: [2, 2] }),
    ...{ local: mixer({ locality: [1, 3] }), localResmlp: resmlp({ locality: [3] }) },
    mixed: stack('mixed', [mixer, gated, mixer])({ depth: 3 }),
    pyramid: stages('pyramid', [{ block: gated, depth: 2, dim: 8 }, { block: stack('both', [mixer, gmlp]), dim: 12, merge: 2 }])({ stem: conv, head: largest }),
  },
  ${SIZES},
})

// %% texts
import { bert, mlm, pair, points, sequence, solids, span, world } from 'mixlab'
const data = world({ train: 500, validation: 0.2, test: 20 })
const tokenizer = { vocabulary: 60 }
const models = { bert: bert({ heads: 2, positions: 40 }), gmlp }
export const sequences = compare('sequences', { task: sequence({ data, tokens: 20, tokenizer }), variants: { ...models, relative: bert({ heads: 2, positions: 40, relativeBuckets: 4 }) }, ${SIZES} })
export const means = compare('means', {
  task: sequence({ data, tokens: 20, tokenizer, pool: 'mean' }),
  model: { dim: 8, depth: 2, ffnRatio: 2 },
  variants: { gmlp },
  train: { steps: 200, batch: 16, optimizer: adamw({ learningRate: 1e-2 }) },
  seeds: 1,
})
export const pairs = compare('pairs', { task: pair({ data, tokens: 40, tokenizer }), variants: models, ${SIZES} })
export const masked = compare('masked', { task: mlm({ data, tokens: 20, tokenizer }), metric: 'accuracy', variants: models, ${SIZES} })
export const spans = compare('spans', { task: span({ data, tokens: 40, question: 12, tokenizer }), variants: models, ${sizes(0.05)} })
export const clouds = compare('clouds', {
  task: points({ data: solids({ points: 16, ${few} }) }),
  variants: { pointCloud: pointCloud({ slots: 4 }), mixer },
  ${SIZES},
})
`

/** What `mixlab evaluate` finds of a file, by name. */
export async function evaluated(file: Uint8Array, name: string, examples?: number): Promise<Record<string, number>> {
  const model = await modelOfFile(file, name, modules)
  try {
    const { metrics } = await evaluateOn(model, { examples }, files, async () => {})
    return Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]))
  } finally {
    model.dispose()
  }
}
const DROPS = 'dropPath: 0.3, dropout: { hidden: 0.2, activation: 0.1, attention: 0.3, head: 0.2, embedding: 0.1 }'

/** The catalogue with dropout and stochastic depth. */
export const DROPPED = CATALOGUE.replaceAll('depth: 2, ffnRatio: 2 }', `depth: 3, ffnRatio: 2, ${DROPS} }`)

/** A few models with dropout, stochastic depth and batch norm, and blocks of cells that do something of their own in training. */
export const TRAINABLE = `// %% cells
import { batchNorm, block, constant, dense, dropout, layerNorm, mul, normal, parameter, residual, uniform } from 'mixlab'
import * as tf from '@tensorflow/tfjs'
const asks = block('asks', (x, { dim }) => {
  const y = dropout(x, 0.5)
  return residual(x, y === x ? dense(x, dim) : mul(dense(x, dim), tf.scalar(0.5)))
})
const starts = block('starts', (x, { dim }) => {
  const eye = (size) => Float32Array.from({ length: size }, (_, i) => Number(i % (dim + 1) === 0))
  const shifted = (size, fans, key) => uniform(1)(size, fans, key).map((value) => value + 2)
  const odd = (size, fans, key) => normal(1)(size, fans, key).map((value) => value ** 3)
  const a = dense(layerNorm(x), dim, { name: 'a', weight: (size, fans, key) => normal(0.3)(size, fans, key) })
  return residual(x, dense(dense(dense(a, dim, { name: 'b', weight: eye }), dim, { name: 'c', weight: shifted }), dim, { name: 'd', weight: odd }))
})
const assigns = block('assigns', (x) => {
  const count = parameter('count', [1], constant(0), { trained: false })
  count.assign(tf.add(count, tf.scalar(1)))
  return residual(x, batchNorm(x))
})
const half = tf.scalar(0.5)
const needsValues = block('needsValues', (x) => residual(x, mul(dropout(x, 0.5), half)))

// %% study
import { compare, gmlp, image, resnet, sequence, shapes, vit, world } from 'mixlab'
export const images = compare('trainable', {
  task: image({ data: shapes({ size: 16, ${few} }) }),
  model: { patch: 4, dim: 8, depth: 3, ffnRatio: 2, ${DROPS} },
  variants: { asks, starts, assigns, needsValues, resnet: resnet({ width: 4, blocksPerStage: 1 }), vit: vit({ heads: 2 }) },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
export const texts = compare('trainable texts', {
  task: sequence({ data: world({ train: 500, validation: 0.2, test: 20 }), tokens: 20, tokenizer: { vocabulary: 60 } }),
  model: { dim: 8, depth: 2, ffnRatio: 2, ${DROPS} },
  variants: { gmlp },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`
