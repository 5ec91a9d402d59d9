import { keyOf, uniform } from '../../random.ts'

// The models whose results are floors. They read plain arrays, compute in float64, and draw nothing that is not named, so that
// the same data give the same floors.

/** Examples as numbers: `inputs` is `[rows, width]`. */
export interface Rows {
  rows: number
  width: number
  inputs: Float32Array
}

/** What is fitted: the outputs of a row of inputs are written behind each other, `[outputs]`. */
export type Fitted = (inputs: Float32Array, row: number, into: Float32Array, at: number) => void

/**
 * Logits of how often each class is there, by place: `[places, classes]` of `labels`, `[rows, places]`. Equal classes differ
 * by less than any loss shows, for metrics count ties against a model.
 */
export function frequencies(labels: Int32Array, places: number, classes: number): Float32Array {
  const logits = new Float32Array(places * classes).fill(1) // nothing is impossible
  for (let i = 0; i < labels.length; i++) {
    const at = (i % places) * classes + (labels[i] as number)
    logits[at] = (logits[at] as number) + 1
  }
  const total = labels.length / places + classes
  return logits.map((each, i) => Math.log(each / total) - 1e-5 * (i % classes))
}

/** The logits of a row are minus half the squared distances to the means of the classes, less what all classes have in common. */
export function nearestMean({ rows, width, inputs }: Rows, labels: Int32Array, classes: number): Fitted {
  const [means, counts] = [new Float64Array(classes * width), new Float64Array(classes)]
  for (let row = 0; row < rows; row++) {
    const label = labels[row] as number
    counts[label] = (counts[label] as number) + 1
    for (let i = 0; i < width; i++) {
      means[label * width + i] = (means[label * width + i] as number) + (inputs[row * width + i] as number)
    }
  }
  for (let i = 0; i < means.length; i++)
    means[i] = (means[i] as number) / Math.max(1, counts[Math.floor(i / width)] as number)
  const squares = Float64Array.from(counts, (_, label) => product(means, label * width, means, label * width, width))
  const own = new Float64Array(width)
  return (given, row, into, at) => {
    own.set(given.subarray(row * width, (row + 1) * width))
    for (let label = 0; label < classes; label++) {
      const near = product(means, label * width, own, 0, width) - (squares[label] as number) / 2
      into[at + label] = counts[label] === 0 ? -1e9 : near
    }
  }
}

/** The inner product of two rows, in four sums: each waits for its own last addition alone. */
function product(a: Float64Array, from: number, b: Float64Array, at: number, width: number): number {
  let [one, two, three, four] = [0, 0, 0, 0]
  const whole = width - (width % 4)
  for (let i = 0; i < whole; i += 4) {
    one += (a[from + i] as number) * (b[at + i] as number)
    two += (a[from + i + 1] as number) * (b[at + i + 1] as number)
    three += (a[from + i + 2] as number) * (b[at + i + 2] as number)
    four += (a[from + i + 3] as number) * (b[at + i + 3] as number)
  }
  for (let i = whole; i < width; i++) one += (a[from + i] as number) * (b[at + i] as number)
  return one + two + (three + four)
}

/** Multiply-adds that fitting a linear model may take, forward and backward: about half a second. */
const MOST_WORK = 3e8
const MOST_EPOCHS = 60
/** Epochs without an improvement after which it ends. */
const PATIENCE = 3
const BATCH = 32
/** Of Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015). */
const [BETA1, BETA2, EPS] = [0.9, 0.999, 1e-8]

/** What a linear model is asked for: a class of each row, or numbers `[rows, outputs]`. */
export type Wanted = { labels: Int32Array } | { numbers: Float32Array }

/**
 * A linear model of standardised inputs, by softmax cross entropy or squared errors, with Adam in a fixed order. Of its
 * epochs the one counts that is best on `held`. `pause` is awaited after each.
 */
export async function linear(
  train: Rows & Wanted,
  held: Rows & Wanted,
  outputs: number,
  pause: () => Promise<void>,
): Promise<Fitted> {
  const { rows, width } = train
  const scale = standardised(train)
  const [fit, check] = [train, held].map((each) => scaled(each, scale)) as [Float64Array, Float64Array]
  const size = outputs * (width + 1)
  const [weights, first, second, gradient] = [0, 0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const said = new Float64Array(outputs)
  let [best, lowest] = [weights.slice(), Number.POSITIVE_INFINITY]
  const epochs = Math.max(1, Math.min(MOST_EPOCHS, Math.floor(MOST_WORK / (2 * rows * size))))
  const steps = epochs * Math.ceil(rows / BATCH)
  const largest = Math.min(0.02, 0.1 / Math.sqrt(width)) // many inputs move an output together
  let [step, since] = [0, 0]
  for (let epoch = 0; epoch < epochs && since < PATIENCE; epoch++) {
    const order = shuffled(rows, epoch)
    for (let from = 0; from < rows; from += BATCH) {
      const batch = order.subarray(from, from + BATCH)
      gradient.fill(0)
      for (const row of batch) {
        outputsOf(weights, fit, row, width, said)
        errorsOf(said, train, row, outputs)
        for (let o = 0; o < outputs; o++) {
          const error = (said[o] as number) / batch.length
          const at = o * (width + 1)
          const start = row * width
          for (let i = 0; i < width; i++)
            gradient[at + i] = (gradient[at + i] as number) + error * (fit[start + i] as number)
          gradient[at + width] = (gradient[at + width] as number) + error
        }
      }
      step += 1
      const rate = (largest * (1 - (step - 1) / steps) * Math.sqrt(1 - BETA2 ** step)) / (1 - BETA1 ** step)
      for (let i = 0; i < size; i++) {
        const slope = gradient[i] as number
        first[i] = BETA1 * (first[i] as number) + (1 - BETA1) * slope
        second[i] = BETA2 * (second[i] as number) + (1 - BETA2) * slope * slope
        weights[i] = (weights[i] as number) - (rate * (first[i] as number)) / (Math.sqrt(second[i] as number) + EPS)
      }
    }
    const loss = lossOf(weights, check, held, outputs, said)
    since += 1
    if (loss < lowest) [best, lowest, since] = [weights.slice(), loss, 0]
    await pause()
  }
  const own = new Float64Array(width)
  return (inputs, row, into, at) => {
    for (let i = 0; i < width; i++)
      own[i] = ((inputs[row * width + i] as number) - (scale.means[i] as number)) * scale.by
    outputsOf(best, own, 0, width, said)
    into.set(said, at)
  }
}

/** The mean of each input, and one deviation for all: pixels that hardly vary stay small. */
function standardised({ rows, width, inputs }: Rows): { means: Float64Array; by: number } {
  const means = new Float64Array(width)
  let sum = 0
  for (let at = 0; at < inputs.length; at += width)
    for (let i = 0; i < width; i++) means[i] = (means[i] as number) + (inputs[at + i] as number) / rows
  for (let at = 0; at < inputs.length; at += width)
    for (let i = 0; i < width; i++) sum += ((inputs[at + i] as number) - (means[i] as number)) ** 2
  return { means, by: 1 / Math.max(1e-12, Math.sqrt(sum / Math.max(1, inputs.length))) }
}

function scaled({ width, inputs }: Rows, { means, by }: ReturnType<typeof standardised>): Float64Array {
  const result = new Float64Array(inputs.length)
  for (let at = 0; at < inputs.length; at += width)
    for (let i = 0; i < width; i++) result[at + i] = ((inputs[at + i] as number) - (means[i] as number)) * by
  return result
}

function outputsOf(weights: Float64Array, inputs: Float64Array, row: number, width: number, into: Float64Array): void {
  for (let o = 0; o < into.length; o++) {
    const at = o * (width + 1)
    into[o] = (weights[at + width] as number) + product(weights, at, inputs, row * width, width)
  }
}

/** Puts the derivative of the loss of a row in the place of the outputs, and returns the loss. */
function errorsOf(said: Float64Array, wanted: Wanted, row: number, outputs: number): number {
  if ('numbers' in wanted) {
    let sum = 0
    for (let o = 0; o < outputs; o++) {
      const error = (said[o] as number) - (wanted.numbers[row * outputs + o] as number)
      said[o] = error
      sum += error * error
    }
    return sum
  }
  let [largest, sum] = [Number.NEGATIVE_INFINITY, 0]
  for (let o = 0; o < outputs; o++) largest = Math.max(largest, said[o] as number)
  for (let o = 0; o < outputs; o++) {
    said[o] = Math.exp((said[o] as number) - largest)
    sum += said[o] as number
  }
  for (let o = 0; o < outputs; o++) said[o] = (said[o] as number) / sum
  const label = wanted.labels[row] as number
  const loss = -Math.log(Math.max(1e-300, said[label] as number))
  said[label] = (said[label] as number) - 1
  return loss
}

function lossOf(
  weights: Float64Array,
  inputs: Float64Array,
  held: Rows & Wanted,
  outputs: number,
  said: Float64Array,
): number {
  let sum = 0
  for (let row = 0; row < held.rows; row++) {
    outputsOf(weights, inputs, row, held.width, said)
    sum += errorsOf(said, held, row, outputs)
  }
  return sum
}

/** The order of an epoch (Fisher and Yates). */
function shuffled(rows: number, epoch: number): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, i) => i)
  const key = keyOf(0, `floors/order/${epoch}`)
  for (let i = rows - 1; i > 0; i--) {
    const other = Math.floor(uniform(key, i) * (i + 1))
    const kept = order[i] as number
    order[i] = order[other] as number
    order[other] = kept
  }
  return order
}

/** How much the unigram counts beside what was seen after a token. */
const PRIOR = 10

/** Logits of the next token by how often each was seen, and by how often after the token before it. */
export interface Bigrams {
  unigram: Float32Array
  /** Writes the logits after a token; those of the unigram where nothing was seen after it. */
  after(token: number, into: Float32Array, at: number): void
}

/** Counts pairs of a token and what follows it. */
export function bigrams(pairs: Iterable<readonly [before: number, token: number]>, vocabulary: number): Bigrams {
  const counts = new Float64Array(vocabulary).fill(1)
  const following = new Map<number, Map<number, number>>()
  const seen = new Map<number, number>()
  for (const [before, token] of pairs) {
    counts[token] = (counts[token] as number) + 1
    const own = following.get(before) ?? new Map<number, number>()
    own.set(token, (own.get(token) ?? 0) + 1)
    following.set(before, own)
    seen.set(before, (seen.get(before) ?? 0) + 1)
  }
  const total = counts.reduce((sum, each) => sum + each, 0)
  const shares = counts.map((each) => each / total)
  const unigram = Float32Array.from(shares, (share, token) => Math.log(share) - 1e-6 * token)
  return {
    unigram,
    after(token, into, at) {
      into.set(unigram, at)
      const own = following.get(token)
      if (!own) return
      const all = PRIOR + (seen.get(token) ?? 0)
      const rest = Math.log(PRIOR / all)
      for (let i = 0; i < vocabulary; i++) into[at + i] = (unigram[i] as number) + rest
      for (const [next, times] of own) {
        into[at + next] = Math.log((times + PRIOR * (shares[next] as number)) / all) - 1e-6 * next
      }
    },
  }
}
