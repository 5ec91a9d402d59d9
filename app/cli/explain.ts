import { MixlabError } from '../../engine/errors.ts'
import type { AblatedMetric } from '../../engine/explain/ablation.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { PrintedExplanation } from '../cells/calls.ts'
import type { CliCommand } from './command.ts'
import { grouped, wholeNumber } from './given/numbers.ts'
import { questionOf } from './model/files.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { questions } from './predict.ts'
import { table } from './terminal/table.ts'

const { csv: _, raw: __, ...options } = MODEL_OPTIONS

/** Validation examples on which a run is measured without its parts. */
const EXAMPLES = 512

export const explain: CliCommand = {
  name: 'explain',
  synopsis: '<file or run> [picture, points or texts]',
  summary:
    'why a model answers so, with a class, a span or masked words: what is lost without each part of the input, and of the model',
  words: [1, 3],
  options: {
    class: { value: 'NAME', help: 'asks about this class (default: the likeliest)' },
    parts: { help: 'without an input: the metric of a run on validation without each part of its model' },
    examples: { value: 'N', help: `--parts: on the first N validation examples (default: ${EXAMPLES})` },
    ...options,
  },
  run: async (given, output) => {
    const { parts, json, class: asked } = given.options
    const examples = wholeNumber(given, 'examples', 1)
    const hasInput = given.words.length > 1
    if (parts && (hasInput || asked !== undefined))
      throw new MixlabError('option', '--parts', 'is of validation examples, not of an input or a class')
    if (!parts && examples !== undefined)
      throw new MixlabError('option', '--examples', 'says on how many examples --parts measures; it is missing')
    return withModel(given, output, [], async (model, cells, chosen) => {
      if (chosen) output.err(`${model.source}: weights ${weightsText(chosen)}`)
      for (const note of model.notes) output.err(note)
      const whole = { model: model.source, ...(chosen && { weights: chosen }), notes: model.notes }
      if (parts) {
        const found = await cells.ablate(examples ?? EXAMPLES)
        for (const line of json ? [JSON.stringify({ ...whole, ...found })] : metricLines(found)) output.out(line)
        return 0
      }
      const inputs = await questions(model, given, output, explain)
      const [{ input, question = await questionOf(input) } = { input: '' }] = inputs
      if (inputs.length !== 1) throw new MixlabError('option', model.source, 'explains one input at a time')
      if ('error' in question) throw new MixlabError('data', '', question.error)
      const found = await cells.explain(question, asked === undefined ? null : String(asked))
      for (const line of json ? [JSON.stringify({ ...whole, input, ...found })] : explainedLines(input, found))
        output.out(line)
      return 0
    })
  },
}

function explainedLines(input: string, found: PrintedExplanation): string[] {
  const { name, probability, grid, units, drops, parts } = found
  const [replaced, lines] = grid
    ? ['a patch gets the mean colour', gridLines(grid, drops)]
    : ['a word is masked, or a point is moved', largestFirst(units, drops)]
  return [
    `${clipped(input)}: ${name}, probability ${probability.toFixed(4)}`,
    ...(units.length > 0 ? ['', `hundredths of it that are lost where ${replaced}`, ...lines] : []),
    ...(parts.length > 0 ? ['', ...partLines('probability', probability, parts)] : []),
  ]
}

function metricLines({ metric, examples, whole, parts }: AblatedMetric): string[] {
  const rows = parts.map(({ name, value }) => ({ name, probability: value }))
  return [
    `${metric} on ${grouped(examples)} examples; a part that is left out does nothing, nothing is trained anew`,
    ...partLines(metric, whole, rows),
  ]
}

const partLines = (what: string, whole: number, parts: PrintedExplanation['parts']) =>
  table(
    ['without', what, 'difference'],
    [
      ['nothing', whole.toFixed(4), ''],
      ...parts.map(({ name, probability }) => [name, probability.toFixed(4), signed(probability - whole, 4)]),
    ],
    [false, true, true],
  )

/** What is printed of a long input. */
const clipped = (input: string) => (input.length > 40 ? `${input.slice(0, 39)}…` : input)

/** Columns of a picture up to which its drops are numbers; beyond, each is a sign. */
const MOST_NUMBERS = 16

/** Drops as they lie: in hundredths, or as digits of the largest, `-` for what speaks against the class. */
function gridLines([rows, columns]: [number, number], drops: number[]): string[] {
  const most = Math.max(...drops.map(Math.abs), 1e-12)
  const sign = (drop: number) => {
    const tenths = Math.floor(9.99 * (Math.abs(drop) / most))
    return tenths === 0 ? '·' : drop < 0 ? '-' : String(tenths)
  }
  const isNarrow = columns <= MOST_NUMBERS
  const cell = (drop: number | undefined) => {
    if (drop === undefined) return isNarrow ? '     ' : ' '
    return isNarrow ? hundredths(drop).padStart(5) : sign(drop)
  }
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cell(drops[row * columns + column]))
      .join('')
      .trimEnd(),
  )
  const key = `1 to 9: tenths of the most, ${hundredths(most)}; ·: less; -: speaks against it`
  return isNarrow ? lines : [...lines, key]
}

/** Units in a row that are printed at most. */
const MOST_UNITS = 64

/** Units in their order; of many those without which most changes. */
function largestFirst(units: string[], drops: number[]): string[] {
  const all = units.map((unit, i) => ({ unit, drop: drops[i] ?? 0 }))
  const sorted = all.toSorted((a, b) => Math.abs(b.drop) - Math.abs(a.drop))
  const shown = all.length > MOST_UNITS ? sorted.slice(0, MOST_UNITS) : all
  const width = Math.max(...shown.map(({ unit }) => unit.length))
  const lines = shown.map(({ unit, drop }) => `${unit.padEnd(width)}  ${hundredths(drop).padStart(5)}`)
  return shown.length < all.length ? [...lines, `and ${all.length - shown.length} that change less`] : lines
}

const hundredths = (share: number) => signed(100 * share, Math.abs(share) >= 0.0995 ? 0 : 1)

/** A difference with its sign; 0 as it is rounded has none. */
function signed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (Number(text) === 0) return (0).toFixed(digits)
  return value > 0 ? `+${text}` : text
}
