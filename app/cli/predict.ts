import { existsSync } from 'node:fs'
import { csvLine } from '../../engine/display/csv.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { Answer } from '../../engine/predict/answer.ts'
import { checkAsked, readsOf } from '../../engine/predict/ask.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { OpenedModel } from '../cells/calls.ts'
import type { Arguments, CliCommand, Terminal } from './command.ts'
import { wholeNumber } from './given/numbers.ts'
import { type Answered, type Asked, answered, exitFor, faultOf, filesNamed, PIPE, pipedLines } from './model/files.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { table } from './terminal/table.ts'

export const predict: CliCommand = {
  name: 'predict',
  synopsis: '<file or run> <picture, folder or text> ...',
  summary:
    'what a model says of pictures or texts: a run, an exported file, or one from elsewhere; - reads from a pipe',
  words: [1, Number.POSITIVE_INFINITY],
  options: {
    top: { value: 'N', help: 'likeliest classes, or tokens, that are named (default: 5)' },
    ...MODEL_OPTIONS,
  },
  run: async (given, output) => {
    const top = wholeNumber(given, 'top', 1) ?? 5
    return withModel(given, output, [], async (model, cells, chosen) => {
      const asked = await questions(model, given, output, predict)
      const { notes } = model
      const { json, csv } = given.options
      const raw = given.options.raw === true
      const print = json ? asJson(notes) : csv ? asCsv(model, top, raw) : asTable
      if (chosen) output.err(`${model.source}: weights ${weightsText(chosen)}`)
      if (!json) for (const note of notes) (csv ? output.err : output.out)(note)
      if (csv) output.out(csvLine(csvHead(model, top), raw))
      let failed = 0
      for await (const each of answered(asked, cells, top)) {
        if ('error' in each.reply) {
          failed++
          output.err(faultOf(each.input, each.reply.error))
        } else if (!json) for (const { note } of each.reply.answers) if (note) output.err(`${each.input}: ${note}`)
        for (const line of print(each)) output.out(line)
      }
      return exitFor(failed, asked.length)
    })
  },
}

/** Prints an answer as lines. A question without an answer has its line among the errors; JSON and CSV have it, too. */
type Print = (answered: Answered) => string[]

const asTable: Print = ({ input, reply }) => {
  const answers = 'answers' in reply ? reply.answers : []
  return answers.flatMap(({ place, likely, mask, forecast }) => {
    if (forecast) return table([input, ...channelsOf(forecast)], stepsOf(forecast))
    return table(
      [place ? `${input} (${place})` : input, mask ? 'share of the pixels' : 'probability'],
      likely.map(({ name, probability }) => [name, probability.toFixed(4)]),
    )
  })
}

const channelsOf = ([first = []]: number[][]) => first.map((_, c) => `channel ${c + 1}`)

/** The steps to come, each with its values. */
const stepsOf = (forecast: number[][]) =>
  forecast.map((values, i) => [`step +${i + 1}`, ...values.map((value) => value.toPrecision(6))])

const asJson =
  (notes: string[]): Print =>
  ({ input, reply }) => {
    if ('error' in reply) return [JSON.stringify({ input, error: reply.error })]
    const more = notes.length > 0 && { notes }
    return reply.answers.map(({ place, likely, mask, forecast, note }) => {
      if (forecast) return JSON.stringify({ input, forecast, ...(note && { note }), ...more })
      const rows = mask && { mask: { ...mask, pixels: Array.from(mask.pixels) } }
      return JSON.stringify({ input, ...(place && { place }), top: likely, ...rows, ...more })
    })
  }

/** Whether one text can have several answers, as with several [MASK]. */
const hasPlaces = ({ task }: OpenedModel) => task.task === 'mlm'

function csvHead(model: OpenedModel, top: number): string[] {
  const { preparation } = model
  if (preparation.kind === 'series') {
    const channels = Array.from({ length: preparation.channels }, (_, c) => `channel_${c + 1}`)
    return ['input', 'step', ...channels, 'error']
  }
  const ranks = Array.from({ length: top }, (_, i) => [`prediction_${i + 1}`, `probability_${i + 1}`])
  return ['input', ...(hasPlaces(model) ? ['place'] : []), ...ranks.flat(), 'error']
}

const asCsv =
  (model: OpenedModel, top: number, raw: boolean): Print =>
  ({ input, reply }) => {
    const row = ({ place = 1, likely }: Answer, error: string | null) => {
      const ranks = Array.from({ length: top }, (_, i) => [likely[i]?.name ?? null, likely[i]?.probability ?? null])
      return csvLine([input, ...(hasPlaces(model) ? [place] : []), ...ranks.flat(), error], raw)
    }
    const { preparation } = model
    if ('error' in reply && preparation.kind === 'series') {
      return [csvLine([input, null, ...Array(preparation.channels).fill(null), reply.error], raw)]
    }
    if ('error' in reply) return [row({ likely: [] }, reply.error)]
    return reply.answers.flatMap((answer) => {
      if (!answer.forecast) return [row(answer, null)]
      return answer.forecast.map((values, i) => csvLine([input, i + 1, ...values, null], raw))
    })
  }

const A_FILE = { picture: 'a picture', points: 'a file of points', series: 'a file of a series' }

/**
 * The questions of the user: the words, or else the piped lines; where the model reads pairs of texts, a line is two
 * texts with a tab between them.
 */
export async function questions(
  model: OpenedModel,
  { words }: Arguments,
  output: Terminal,
  command: Pick<CliCommand, 'name' | 'synopsis'>,
): Promise<Asked[]> {
  const given = words.length > 1 ? words.slice(1) : [PIPE]
  checkAsked(model)
  const reads = readsOf(model.task) ?? 1
  if (typeof reads === 'string') {
    const files = await filesNamed(given, reads, output)
    if (files.length === 0) throw missing(model, command, `${A_FILE[reads]} or more`)
    return files
  }
  const file = given.find((word) => word !== PIPE && existsSync(word))
  if (file !== undefined) {
    throw new MixlabError('option', file, `is a file, ${model.source} reads texts; pipe in those of a file, < ${file}`)
  }
  const piped = given[0] === PIPE ? await pipedLines(output) : null
  if (!piped && given.length % reads !== 0) throw missing(model, command, 'two texts at a time')
  const spoken = Array.from({ length: given.length / reads }, (_, i) => given.slice(i * reads, (i + 1) * reads))
  const texts = piped ? piped.map((line) => (reads === 2 ? line.split('\t') : [line])) : spoken
  if (texts.length === 0) throw missing(model, command, 'a text or more, as words or piped in')
  return texts.map((each) => ({ input: each.join(' | '), question: { texts: each } }))
}

function missing(
  { source }: OpenedModel,
  { name, synopsis }: Pick<CliCommand, 'name' | 'synopsis'>,
  what: string,
): MixlabError {
  return new MixlabError('option', source, `reads ${what}: mixlab ${name} ${synopsis}`)
}
