import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import type { Answer } from '../../engine/predict/answer.ts'
import { type Question, readsOf } from '../../engine/predict/ask.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { Preparation } from '../../engine/tasks/types.ts'
import type { OpenedModel } from '../cells/calls.ts'
import type { Arguments, CliCommand, Terminal } from './command.ts'
import { bytesOf, MODEL_OPTIONS, withModel } from './model/open.ts'
import { wholeNumber } from './numbers.ts'
import { table } from './table.ts'

/** More than any command line has. */
const MOST = 1000

export const predict: CliCommand = {
  name: 'predict',
  synopsis: '<file or run> <picture or text> ...',
  summary: 'what a model says of pictures or texts: a run, an exported file, or one of timm, deit or big_vision',
  words: [1, MOST],
  options: {
    top: { type: 'string', value: 'N', help: 'likeliest classes, or tokens, that are named (default: 5)' },
    mean: { type: 'string', value: 'M,...', help: 'of pixels from 0 to 1, of all channels or each; as described' },
    std: { type: 'string', value: 'S,...', help: 'what they are divided by, likewise' },
    ...MODEL_OPTIONS,
  },
  run: async (given, output) => {
    return withModel(given, output, [], async (model, cells, chosen) => {
      const top = wholeNumber(given, 'top', 1) ?? 5
      const preparation = normalised(model, given)
      const asked = await questions(model, given, output)
      if (chosen) output.err(`${model.source}: weights ${weightsText(chosen)}`)
      for (const { input, question } of asked) {
        const answers = await cells.ask(question, top, preparation)
        for (const each of answers) for (const line of lines(input, each, given)) output.out(line)
      }
      return 0
    })
  },
}

function lines(input: string, { place, likely }: Answer, { options }: Arguments): string[] {
  if (options.json) return [JSON.stringify({ input, ...(place && { place }), top: likely })]
  const head = place ? `${input} (${place})` : input
  return table(
    [head, 'probability'],
    likely.map(({ name, probability }) => [name, probability.toFixed(4)]),
  )
}

interface Asked {
  /** As the user wrote it. */
  input: string
  question: Question
}

/** What the user asks: words, or else the lines that are piped in; where texts come in twos, these with a tab between. */
async function questions(model: OpenedModel, { words }: Arguments, output: Terminal): Promise<Asked[]> {
  const given = words.slice(1)
  const reads = readsOf(model.task)
  if (reads === 'picture' || reads === 'points') {
    if (given.length === 0) throw missing(model, `${reads === 'picture' ? 'a picture' : 'a file of points'} or more`)
    return Promise.all(
      given.map(async (path) => ({ input: path, question: { file: await bytesOf(path), name: basename(path) } })),
    )
  }
  const file = given.find((word) => existsSync(word))
  if (file !== undefined) {
    throw new MixlabError('option', file, `is a file, ${model.source} reads texts; pipe in those of a file, < ${file}`)
  }
  if (given.length % reads !== 0) throw missing(model, 'two texts at a time')
  const spoken = Array.from({ length: given.length / reads }, (_, i) => given.slice(i * reads, (i + 1) * reads))
  const piped = given.length === 0 ? ((await output.input?.()) ?? '').split(/\r?\n/).filter(Boolean) : []
  const texts = given.length > 0 ? spoken : piped.map((line) => (reads === 2 ? line.split('\t') : [line]))
  if (texts.length === 0) throw missing(model, 'a text or more, as words or piped in')
  return texts.map((each) => ({ input: each.join(' | '), question: { texts: each } }))
}

function missing({ source }: OpenedModel, what: string): MixlabError {
  return new MixlabError('option', source, `reads ${what}: mixlab predict ${predict.synopsis}`)
}

/** How pictures become what the model reads, with the mean and deviation that the user gives. */
function normalised({ preparation, source }: OpenedModel, given: Arguments): Preparation {
  const { mean, std } = given.options
  if (mean === undefined && std === undefined) return preparation
  if (preparation.kind !== 'image') {
    throw new MixlabError('option', mean === undefined ? '--std' : '--mean', `${source} reads no pictures`)
  }
  const { channels } = preparation
  return {
    ...preparation,
    mean: byChannel(given, 'mean', channels) ?? preparation.mean,
    deviation: byChannel(given, 'std', channels) ?? preparation.deviation,
  }
}

/** Numbers of an option, one for all channels or one for each. Throws MixlabError `option`. */
function byChannel({ options }: Arguments, name: 'mean' | 'std', channels: number): number[] | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  const values = String(text).split(',').map(Number)
  const count = values.length === 1 || values.length === channels
  if (count && values.every((value) => Number.isFinite(value) && (name === 'mean' || value > 0))) {
    return Array.from({ length: channels }, (_, i) => values[i] ?? (values[0] as number))
  }
  const above = name === 'std' ? ' above 0' : ''
  throw new MixlabError('option', `--${name}`, `'${text}', expected 1 or ${channels} numbers${above}, apart by commas`)
}
