import { MixlabError } from '../../engine/errors.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { Arguments, CliCommand } from './command.ts'
import { wholeNumber } from './given/numbers.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'

const { csv: _, raw: __, ...options } = MODEL_OPTIONS

export const generate: CliCommand = {
  name: 'generate',
  synopsis: '<file or run>',
  summary: 'a text that a causal language model writes: a run of the task clm, or an exported file of one',
  words: [1, 1],
  options: {
    prompt: { value: 'TEXT', help: 'what it begins with (default: nothing)' },
    temperature: { value: 'T', help: 'below 1 keeps to likely tokens, 0 takes the likeliest each time (default: 1)' },
    'top-k': { value: 'K', help: 'each token is one of the K likeliest (default: of all)' },
    'top-p': { value: 'P', help: 'one of the fewest whose probabilities reach P (default: 1, of all)' },
    tokens: { value: 'N', help: 'most tokens that are added (default: 64)' },
    stop: { value: 'TEXT', help: 'it ends before this text' },
    seed: { value: 'N', help: 'another seed is another draw (default: 0)' },
    ...options,
  },
  run: async (given, output) => {
    const { prompt, stop, json } = given.options
    const asked = {
      ...(prompt !== undefined && { prompt: String(prompt) }),
      temperature: numberOf(given, 'temperature', 'from 0 to 100', (value) => value >= 0 && value <= 100),
      topK: wholeNumber(given, 'top-k', 1),
      topP: numberOf(given, 'top-p', 'above 0, at most 1', (value) => value > 0 && value <= 1),
      tokens: wholeNumber(given, 'tokens', 1),
      ...(stop !== undefined && { stop: [String(stop)] }),
      seed: wholeNumber(given, 'seed', 0),
    }
    return withModel(given, output, [], async (model, cells, chosen) => {
      const found = await cells.generate(asked)
      if (chosen) output.err(`${model.source}: weights ${weightsText(chosen)}`)
      for (const note of model.notes) output.err(note)
      const whole = { model: model.source, ...(chosen && { weights: chosen }), ...found, notes: model.notes }
      output.out(json ? JSON.stringify(whole) : found.prompt + found.text)
      return 0
    })
  },
}

/** The number that an option gives, if it is there. */
function numberOf({ options }: Arguments, name: string, allowed: string, fits: (value: number) => boolean) {
  const text = options[name]
  if (text === undefined) return undefined
  const value = text === '' ? Number.NaN : Number(text)
  if (fits(value)) return value
  throw new MixlabError('option', `--${name}`, `${text}, expected a number ${allowed}`)
}
