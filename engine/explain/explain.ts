import * as tf from '@tensorflow/tfjs-core'
import { MixlabError, suggest } from '../errors.ts'
import type { Question } from '../predict/ask.ts'
import type { Logits, ModelBatch } from '../predict/batched.ts'
import { checkFinite } from '../predict/finite.ts'
import type { TrainedModel } from '../predict/trained.ts'
import type { Explanation } from '../records/explanation.ts'
import { partsOf, without } from './ablation.ts'
import { type Outcome, type Subject, subjectOf } from './subject.ts'
import { unitsOf } from './units.ts'

/** Inputs that are asked at once. */
const AT_ONCE = 32
/** Devices add in another order in a batch; more than this of the largest logit is the code of the model. */
const MIXED = 1e-4
/** Units that are replaced at most: of more the first ones. */
const MOST_UNITS = 1024
/** Values of `mixing` that are kept of all blocks. */
const MOST_MIXING = 2 ** 22

/** The number of a class by its name. Throws MixlabError `option` for a name of none. */
export function classNamed(name: string, { source, classes }: Pick<TrainedModel, 'source' | 'classes'>): number {
  const at = classes?.indexOf(name) ?? -1
  if (at >= 0) return at
  const what = classes ? `unknown class '${name}'${suggest(name, classes)}` : `has no classes, so none is '${name}'`
  throw new MixlabError('option', source, what)
}

/**
 * Why a model gives its answer, or gives `asked`, the number of another class, its probability. `pause` is awaited between
 * passes and may throw. Throws what `subjectOf` throws.
 */
export async function explain(
  model: TrainedModel,
  question: Question,
  asked: number | null,
  pause: () => Promise<void>,
): Promise<Explanation> {
  const subject = await subjectOf(model, question)
  const { input, ...extras } = subject.batch
  try {
    const apply = (x: tf.Tensor, own = model.model) => own.apply(x, {}, repeated(extras, x.shape[0] as number))
    const { values, choices } = await valuesOf(() => apply(input))
    await checkFinite(values, choices, model)
    const outcome = subject.outcomeOf(values, asked)
    const probability = outcome.probability(values)
    const parts: Explanation['parts'] = []
    for (const { name, ablated } of partsOf((mode) => model.model.apply(input, mode, extras))) {
      const own = without(model.model, ablated)
      parts.push({ name, probability: outcome.probability((await valuesOf(() => apply(input, own))).values) })
      await pause()
    }
    return {
      name: outcome.name,
      probability,
      ...(await replacedOneByOne(model, subject, outcome, probability, pause)),
      gradient: await gradientTimesInput(model, input, (x) => apply(x), outcome),
      parts,
    }
  } finally {
    tf.dispose(Object.values(subject.batch))
  }
}

async function replacedOneByOne(
  model: TrainedModel,
  { batch, texts }: Subject,
  outcome: Outcome,
  probability: number,
  pause: () => Promise<void>,
): Promise<Pick<Explanation, 'grid' | 'cloud' | 'places' | 'units' | 'drops' | 'mixing'>> {
  const { input, ...extras } = batch
  const whole = blockOutputs(model, input, extras)
  try {
    const units = await unitsOf(batch, texts, model, whole.blocks[0]?.shape[1] ?? 1)
    if (!units) return { grid: null, cloud: null, places: null, units: [], drops: new Float32Array(), mixing: [] }
    const count = Math.min(units.names.length, MOST_UNITS)
    const drops = new Float32Array(count)
    const tokenBlocks = whole.blocks.map(({ shape }) => (shape.length === 3 ? (shape[1] as number) : 0))
    const isKept = tokenBlocks.reduce((sum, tokens) => sum + tokens * count, 0) <= MOST_MIXING
    const moved = tokenBlocks.map((tokens) => new Float32Array(isKept ? tokens * count : 0))
    const atOnce = count > 0 && (await mixesExamples(model, batch, whole.logits)) ? 1 : AT_ONCE
    for (let from = 0; from < count; from += atOnce) {
      const own = Math.min(atOnce, count - from)
      const changed = tf.tidy(() => tf.concat(Array.from({ length: own }, (_, i) => units.replaced(from + i))))
      const found = blockOutputs(model, changed, extras)
      const distances = tf.tidy(() =>
        found.blocks.map((y, block) => {
          const before = whole.blocks[block] as tf.Tensor
          return moved[block]?.length ? tf.keep(tf.norm(tf.sub(y, before), 2, -1)) : tf.keep(tf.scalar(0))
        }),
      )
      const [logits, ...far] = await Promise.all([found.logits, ...distances].map((each) => each.data()))
      tf.dispose([changed, found.logits, ...found.blocks, ...distances])
      const length = (logits as Float32Array).length / own
      for (let i = 0; i < own; i++) {
        const row = (logits as Float32Array).subarray(i * length, (i + 1) * length)
        drops[from + i] = probability - outcome.probability(row)
        for (const [block, values] of moved.entries()) {
          const tokens = values.length / count
          for (let token = 0; token < tokens; token++)
            values[token * count + from + i] = far[block]?.[i * tokens + token] as number
        }
      }
      await pause()
    }
    const mixing = moved.flatMap((values, block) =>
      values.length > 0 ? [{ block, tokens: tokenBlocks[block] as number, values }] : [],
    )
    const { grid, cloud, places, names } = units
    const own = { grid, cloud: cloud?.slice(0, 3 * count) ?? null, places: places?.slice(0, count) ?? null }
    return { ...own, units: names.slice(0, count), drops, mixing }
  } finally {
    tf.dispose([whole.logits, ...whole.blocks])
  }
}

/** Whether the code of a model mixes the examples of a batch: beside an empty one the input says something else than `alone`. */
async function mixesExamples(
  { model }: TrainedModel,
  { input, ...extras }: ModelBatch,
  alone: tf.Tensor,
): Promise<boolean> {
  const apart = tf.tidy(() => {
    const beside = model.apply(tf.concat([input, tf.zerosLike(input)]), {}, repeated(extras, 2))
    const scale = tf.maximum(tf.max(tf.abs(alone)), 1)
    const [first] = tf.split(tf.reshape(beside, [2, -1]), 2)
    return tf.div(tf.max(tf.abs(tf.sub(first as tf.Tensor, tf.reshape(alone, [1, -1])))), scale)
  })
  try {
    return ((await apart.data())[0] as number) > MIXED
  } finally {
    apart.dispose()
  }
}

/** Logits and what each block gives, for `input` `[batch, ...]`. The caller disposes them. */
function blockOutputs({ model }: TrainedModel, input: tf.Tensor, extras: Omit<ModelBatch, 'input'>) {
  const blocks: tf.Tensor[] = []
  const logits = tf.tidy(() =>
    model.apply(
      input,
      { onBlock: (_, __, y) => void blocks.push(tf.keep(tf.clone(y))) },
      repeated(extras, input.shape[0] as number),
    ),
  )
  return { logits, blocks }
}

async function gradientTimesInput(
  { preparation }: TrainedModel,
  input: tf.Tensor,
  logits: (input: tf.Tensor) => tf.Tensor,
  { classAt }: Outcome,
): Promise<Explanation['gradient']> {
  if (preparation.kind !== 'image' || classAt === null) return null
  const [rows, columns] = preparation.size
  const { values } = await valuesOf(() => {
    const gradient = tf.grad((x: tf.Tensor) => tf.sum(tf.slice(logits(x), [0, classAt], [1, 1])))(input)
    return tf.sum(tf.mul(gradient, input), -1)
  })
  return { rows, columns, values }
}

/** What goes with an input, once for each example. */
function repeated(extras: Omit<ModelBatch, 'input'>, count: number): Omit<ModelBatch, 'input'> {
  return Object.fromEntries(
    Object.entries(extras).map(([name, each]) => [name, tf.tile(each as tf.Tensor, [count, 1])]),
  )
}

async function valuesOf(make: () => tf.Tensor): Promise<Logits> {
  const made = tf.tidy(make)
  try {
    return { values: (await made.data()) as Float32Array, choices: made.shape.at(-1) as number }
  } finally {
    made.dispose()
  }
}
