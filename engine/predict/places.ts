import { MixlabError } from '../errors.ts'
import type { Preparation } from '../tasks/types.ts'
import type { Answer } from './answer.ts'

/** The likeliest class of each pixel for logits `[height, width, classes]`, flat, and of how many pixels each class is. */
export function maskIn(logits: Float32Array, [height, width]: readonly [number, number], names: string[]): Answer {
  const counts = new Uint32Array(names.length)
  const pixels = Uint8Array.from({ length: height * width }, (_, at) => {
    const own = logits.subarray(at * names.length, (at + 1) * names.length)
    const likeliest = own.reduce((best, value, i) => (value > (own[best] as number) ? i : best), 0)
    counts[likeliest] = (counts[likeliest] as number) + 1
    return likeliest
  })
  const shares = names.map((name, i) => ({ name, probability: (counts[i] as number) / pixels.length }))
  const likely = shares.filter(({ probability }) => probability > 0).sort((a, b) => b.probability - a.probability)
  return { likely, mask: { height, width, pixels, classes: names } }
}

type SeriesPreparation = Extract<Preparation, { kind: 'series' }>

/** What a model says of the steps to come, `[horizon, channels]` flat, in the units of the series. */
export function forecastIn(values: Float32Array, { horizon, channels, mean, deviation }: SeriesPreparation): Answer {
  const at = (step: number, c: number) =>
    (values[step * channels + c] as number) * (deviation[c] as number) + (mean[c] as number)
  const forecast = Array.from({ length: horizon }, (_, step) => Array.from({ length: channels }, (_, c) => at(step, c)))
  return { likely: [], forecast }
}

/**
 * The last steps that a model reads, in the units of the series, of a text: a step a line, the values of its channels apart
 * by commas, semicolons, tabs or spaces; a first line of names is left out. Throws MixlabError `data`.
 */
export function stepsIn(text: string, name: string, { window, channels }: SeriesPreparation): number[][] {
  const lines = text.split(/\r?\n/).map((line, i) => ({ number: i + 1, values: valuesIn(line) }))
  const steps = lines.filter(({ values }) => values.length > 0)
  if (steps[0]?.values.some(Number.isNaN)) steps.shift() // names
  const wrong = steps.find(({ values }) => values.length !== channels || !values.every(Number.isFinite))
  if (wrong) {
    const { values, number } = wrong
    const what = values.length === channels ? 'what is no number' : counted(values.length, 'number')
    throw new MixlabError(
      'data',
      name,
      `line ${number} has ${what}, expected ${counted(channels, 'number')}, one a channel`,
    )
  }
  if (steps.length < window)
    throw new MixlabError('data', name, `has ${counted(steps.length, 'step')}, the model reads ${window}`)
  return steps.slice(-window).map(({ values }) => values)
}

/** Steps of a series as a model reads them, `[window, channels]` flat. */
export function scaledSteps(steps: number[][], { channels, mean, deviation }: SeriesPreparation): Float32Array {
  return Float32Array.from(steps.flat(), (value, i) => {
    return (value - (mean[i % channels] as number)) / (deviation[i % channels] as number)
  })
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const valuesIn = (line: string): number[] =>
  line
    .trim()
    .split(/\s*[,;\t]\s*|\s+/)
    .filter((part) => part !== '')
    .map(Number)
