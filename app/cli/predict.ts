import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { MixlabError } from '../../engine/errors.ts'
import type { Answer } from '../../engine/predict/answer.ts'
import { type Question, readsOf } from '../../engine/predict/ask.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { OpenedModel } from '../cells/calls.ts'
import type { Arguments, CliCommand, Terminal } from './command.ts'
import { bytesOf } from './model/bytes.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
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
    ...MODEL_OPTIONS,
  },
  run: async (given, output) => {
    return withModel(given, output, [], async (model, cells, chosen) => {
      const top = wholeNumber(given, 'top', 1) ?? 5
      const asked = await questions(model, given, output)
      const { notes } = model
      if (chosen) output.err(`${model.source}: weights ${weightsText(chosen)}`)
      if (!given.options.json) for (const note of notes) output.out(note)
      for (const { input, question } of asked) {
        const answers = await cells.ask(question, top)
        for (const each of answers) for (const line of lines(input, each, notes, given)) output.out(line)
      }
      return 0
    })
  },
}

function lines(input: string, { place, likely }: Answer, notes: string[], { options }: Arguments): string[] {
  if (options.json)
    return [JSON.stringify({ input, ...(place && { place }), top: likely, ...(notes.length > 0 && { notes }) })]
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
