import { dispose } from '@tensorflow/tfjs-core'
import { SPECIAL } from '../../data/tokenizers/types.ts'
import { negativeLogLikelihood } from '../../evaluate/perplexity.ts'
import type { BatchValues, Evaluator } from '../../evaluate/types.ts'
import { keyOf, permutation } from '../../random.ts'
import type { TaskFloors } from '../../records/design.ts'
import { TEST, TRAIN, VALIDATION } from '../../records/splits.ts'
import type { Batch, Task } from '../../tasks/types.ts'
import { bigrams, type Fitted, frequencies, linear, nearestMean, type Rows } from './simpleModels.ts'

/** Raised whenever the same data give other floors. */
export const FLOORS_VERSION = 1

/** Examples that are read of a part at most, and numbers of these. */
const EXAMPLES = { [TRAIN]: 2048, [VALIDATION]: 256, [TEST]: 1024 }
const MOST_NUMBERS = 4e6
/** Logits of a language that are measured at most. */
const MOST_LOGITS = 1e7
const BATCH = 128
/** Words that a bag of words has at most. */
const WORDS = 1000

/** What a simple model says to a batch: its predictions as a network gives them. */
type Says = (batch: Examples) => Float32Array

interface Simple {
  name: string
  says: Says
}

/** Examples of one split, with their parts behind each other. */
interface Examples {
  rows: number
  parts: BatchValues
}

/**
 * What simple models reach on the tests of a task; null where it asks for something that they cannot say. Takes two seconds or
 * so, whatever the data: it reads some examples of each part. `pause` is awaited now and then.
 */
export async function measureFloors(task: Task, pause: () => Promise<void>): Promise<TaskFloors | null> {
  const [first] = await read(task, VALIDATION, 1)
  if (!first) return null
  const width = Math.max(...Object.values(first.parts).map(({ length }) => length))
  const most = (split: keyof typeof EXAMPLES) =>
    Math.min(EXAMPLES[split], Math.max(64, Math.floor(MOST_NUMBERS / Math.max(1, width))))
  const train = joined(await read(task, TRAIN, most(TRAIN)))
  await pause()
  const held = joined(await read(task, VALIDATION, most(VALIDATION)))
  const models = await modelsFor(task, train, held, pause)
  if (models === null) return null
  const tests = task.tests ?? [TEST]
  const values = models.map((): Record<string, number> => ({}))
  let measured = 0
  for (const split of tests) {
    const logits = models[0]?.says(first).length ?? 1
    const batches = await read(task, split, Math.min(most(TEST), Math.max(64, Math.floor(MOST_LOGITS / logits))))
    measured = batches.reduce((sum, { rows }) => sum + rows, 0)
    for (const [place, { says }] of models.entries()) {
      Object.assign(values[place] as object, measure(task, split, batches, says))
      await pause()
    }
  }
  return {
    version: FLOORS_VERSION,
    train: task.knownOf?.(TRAIN).size ?? null,
    test: task.knownOf?.(tests[0] as string).size ?? null,
    fitted: train.rows,
    measured,
    models: models.map(({ name }, place) => ({ name, values: values[place] as Record<string, number> })),
  }
}

async function read(task: Task, split: string, examples: number): Promise<Examples[]> {
  const batches: Examples[] = []
  for await (const batch of some(task, split, examples)) {
    const rows = batch.input.shape[0] ?? 0
    const entries = Object.entries(batch).map(async ([name, tensor]) => [name, await tensor.data()] as const)
    batches.push({ rows, parts: Object.fromEntries(await Promise.all(entries)) as BatchValues })
    dispose(batch)
  }
  return batches
}

/** So many examples of a split, drawn once and for all where the task gives single ones: they may lie class by class. */
async function* some(task: Task, split: string, examples: number): AsyncGenerator<Batch> {
  const size = task.knownOf?.(split).size ?? 0
  if (split === TRAIN || size <= examples || !task.examplesAt) {
    yield* task.evalBatches(split, Math.min(BATCH, examples), examples)
    return
  }
  const drawn = permutation(keyOf(0, 'floors/examples'), size).slice(0, examples).sort()
  for (let from = 0; from < examples; from += BATCH) {
    yield* task.examplesAt(split, Array.from(drawn.subarray(from, from + BATCH)))
  }
}

function joined(batches: Examples[]): Examples {
  const names = Object.keys(batches[0]?.parts ?? {})
  const parts = names.map((name) => {
    const all = batches.map(({ parts }) => parts[name] as Float32Array)
    const whole = all[0] instanceof Int32Array ? new Int32Array(total(all)) : new Float32Array(total(all))
    let at = 0
    for (const each of all) {
      whole.set(each, at)
      at += each.length
    }
    return [name, whole] as const
  })
  return { rows: batches.reduce((sum, { rows }) => sum + rows, 0), parts: Object.fromEntries(parts) }
}

const total = (all: { length: number }[]) => all.reduce((sum, { length }) => sum + length, 0)

/** The simple models of a task, by what it asks for. */
async function modelsFor(
  task: Task,
  train: Examples,
  held: Examples,
  pause: () => Promise<void>,
): Promise<Simple[] | null> {
  const { target, window, input } = train.parts
  if (!target || train.rows === 0 || held.rows === 0) return null
  if (window) return spanModels(train)
  if (target instanceof Float32Array) return numberModels(task, train, held, pause)
  const places = target.length / train.rows
  if (!task.classes) return task.preparation?.kind === 'text' ? languageModels(train, held) : null
  const classes = task.classes.length
  if (places > 1) return placeModels(train, places, classes)
  const features = input instanceof Int32Array ? bagOfWords(train, task.preparation?.kind === 'text') : plain
  const [fit, other] = [train, held].map((each) => ({
    ...features(each),
    labels: each.parts.target as Int32Array,
  })) as [Rows & { labels: Int32Array }, Rows & { labels: Int32Array }]
  const chance = frequencies(target, 1, classes)
  const said = (model: Fitted) => fitted(model, features, classes)
  return [
    { name: 'chance', says: repeated(chance) },
    { name: 'nearest class mean', says: said(nearestMean(fit, target, classes)) },
    { name: 'logistic regression', says: said(await linear(fit, other, classes, pause)) },
  ]
}

/** The same for each example. */
const repeated =
  (logits: Float32Array): Says =>
  ({ rows }) => {
    const said = new Float32Array(rows * logits.length)
    for (let row = 0; row < rows; row++) said.set(logits, row * logits.length)
    return said
  }

const fitted =
  (model: Fitted, features: (examples: Examples) => Rows, outputs: number): Says =>
  (examples) => {
    const { inputs, rows } = features(examples)
    const said = new Float32Array(rows * outputs)
    for (let row = 0; row < rows; row++) model(inputs, row, said, row * outputs)
    return said
  }

function plain({ rows, parts: { input = new Float32Array() } }: Examples): Rows {
  return { rows, width: input.length / rows, inputs: input as Float32Array }
}

/** How often each of the most frequent tokens is in a text; in each of two texts, where examples are pairs. */
function bagOfWords({ parts: { input = new Int32Array() } }: Examples, padded: boolean): (examples: Examples) => Rows {
  const counts = new Map<number, number>()
  for (const token of input) counts.set(token, (counts.get(token) ?? 0) + 1)
  if (padded) counts.delete(SPECIAL.pad)
  const frequent = [...counts].sort(([a, x], [b, y]) => y - x || a - b).slice(0, WORDS)
  const places = new Map(frequent.map(([token], place) => [token, place]))
  const size = places.size
  return ({ rows, parts: { input = new Int32Array(), types } }) => {
    const width = types ? 2 * size : size
    const tokens = input.length / rows
    const inputs = new Float32Array(rows * width)
    for (let i = 0; i < input.length; i++) {
      const place = places.get(input[i] as number)
      if (place === undefined) continue
      const at = Math.floor(i / tokens) * width + (types?.[i] ? size : 0) + place
      inputs[at] = (inputs[at] as number) + 1
    }
    return { rows, width, inputs }
  }
}

/** A class for each place, e.g. of pixels: the most frequent one of all, and that of the place. */
function placeModels({ parts: { target, weights } }: Examples, places: number, classes: number): Simple[] {
  const labels = target as Int32Array
  const counted = weights ? labels.filter((_, i) => weights[i] !== 0) : labels
  const all = frequencies(counted, 1, classes)
  const everywhere = new Float32Array(places * classes).map((_, i) => all[i % classes] as number)
  return [
    { name: 'chance', says: repeated(everywhere) },
    { name: 'majority per place', says: repeated(frequencies(labels, places, classes)) },
  ]
}

/** The first and last token of an answer: `[rows, 2]`, said as `[rows, tokens, 2]`. */
function spanModels({ rows, parts: { input = new Int32Array(), target } }: Examples): Simple[] {
  const tokens = input.length / rows
  const ends = frequencies(target as Int32Array, 2, tokens)
  const logits = new Float32Array(2 * tokens).map((_, i) => ends[(i % 2) * tokens + Math.floor(i / 2)] as number)
  return [{ name: 'most frequent place', says: repeated(logits) }]
}

async function numberModels(
  { preparation }: Task,
  train: Examples,
  held: Examples,
  pause: () => Promise<void>,
): Promise<Simple[]> {
  const target = train.parts.target as Float32Array
  const outputs = target.length / train.rows
  const mean = new Float32Array(outputs)
  for (const [i, value] of target.entries()) mean[i % outputs] = (mean[i % outputs] as number) + value / train.rows
  const simple: Simple[] = [{ name: 'mean', says: repeated(mean) }]
  if (preparation?.kind === 'series') {
    const { window, horizon, channels } = preparation
    const says: Says = ({ rows, parts: { input = new Float32Array() } }) =>
      new Float32Array(rows * horizon * channels).map((_, i) => {
        const row = Math.floor(i / (horizon * channels))
        return input[(row * window + window - 1) * channels + (i % channels)] as number
      })
    simple.push({ name: 'last value', says })
  }
  const features = train.parts.input instanceof Int32Array ? bagOfWords(train, false) : plain
  const asked = (each: Examples) => ({ ...features(each), numbers: each.parts.target as Float32Array })
  const model = await linear(asked(train), asked(held), outputs, pause)
  return [...simple, { name: 'linear regression', says: fitted(model, features, outputs) }]
}

/** The next token, or the hidden ones: by how often each is there, and after the token before it. */
function languageModels(train: Examples, held: Examples): Simple[] {
  let vocabulary = 0
  for (const { parts } of [train, held])
    for (const ids of [parts.input, parts.target]) for (const id of ids ?? []) vocabulary = Math.max(vocabulary, id + 1)
  const known = bigrams(pairsOf(train), vocabulary)
  const says =
    (after: boolean): Says =>
    (examples) => {
      const before = befores(examples)
      const said = new Float32Array(before.length * vocabulary)
      for (const [i, token] of before.entries()) {
        if (after) known.after(token, said, i * vocabulary)
        else said.set(known.unigram, i * vocabulary)
      }
      return said
    }
  return [
    { name: 'unigram', says: says(false) },
    { name: 'bigram', says: says(true) },
  ]
}

/** The token before each place that is asked: the one that is read there, or, of hidden tokens, on their left. */
function befores({ rows, parts }: Examples): Int32Array {
  const { input = new Int32Array(), target = new Int32Array(), positions } = parts
  if (!positions) return input as Int32Array
  const [tokens, places] = [input.length / rows, target.length / rows]
  return Int32Array.from(
    positions,
    (position, i) => input[Math.floor(i / places) * tokens + position - 1] ?? SPECIAL.pad,
  )
}

/** All tokens of texts, each with the one before it; what was hidden is put back. */
function* pairsOf({ rows, parts }: Examples): Generator<readonly [number, number]> {
  const { input = new Int32Array(), target = new Int32Array(), positions, weights } = parts
  if (!positions) {
    for (let i = 0; i < target.length; i++) if (weights?.[i] !== 0) yield [input[i] as number, target[i] as number]
    return
  }
  const whole = Int32Array.from(input)
  const [tokens, places] = [input.length / rows, target.length / rows]
  for (let i = 0; i < target.length; i++) {
    if (weights?.[i] === 0) continue
    whole[Math.floor(i / places) * tokens + (positions[i] as number)] = target[i] as number
  }
  for (let i = 1; i < whole.length; i++) {
    const token = whole[i] as number
    if (i % tokens > 0 && token !== SPECIAL.pad && token !== SPECIAL.separator) yield [whole[i - 1] as number, token]
  }
}

/** What a simple model comes to on a split, by the names of metrics; a metric of a cell that it cannot serve is left out. */
function measure(task: Task, split: string, batches: Examples[], says: Says): Record<string, number> {
  const evaluators = new Set<Evaluator>(task.evaluators())
  const isCrossEntropy = task.lossMeaning === undefined
  let [loss, counted] = [0, 0]
  for (const examples of batches) {
    const said = says(examples)
    const { target = new Int32Array(), weights, window } = examples.parts
    for (const each of evaluators) {
      try {
        each.add(said, examples.parts)
      } catch {
        evaluators.delete(each)
      }
    }
    if (!isCrossEntropy || window) continue
    const classes = said.length / target.length
    for (let i = 0; i < target.length; i++) {
      if (weights?.[i] === 0) continue
      loss += negativeLogLikelihood(said.subarray(i * classes, (i + 1) * classes), target[i] as number)
      counted += 1
    }
  }
  const values = [...evaluators].map(({ name, value }) => [name, value()] as const)
  const all = [...values, ...(counted > 0 ? [['loss', loss / counted] as const] : [])]
  return Object.fromEntries(
    all.filter(([, value]) => Number.isFinite(value)).map(([name, value]) => [`${split}/${name}`, value]),
  )
}
