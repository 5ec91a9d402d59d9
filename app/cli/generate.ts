import { MixlabError } from '../../engine/errors.ts'
import { weightsText } from '../../engine/records/tested.ts'
import type { CliCommand } from './command.ts'
import { MODEL_OPTIONS, withModel } from './model/open.ts'
import { wholeNumber } from './numbers.ts'

const { csv: _, ...options } = MODEL_OPTIONS

export const generate: CliCommand = {
  name: 'generate',
  synopsis: '<file or run>',
  summary: 'a text that a causal language model writes: a run of the task clm, or an exported file of one',
  words: [1, 1],
  options: {
    prompt: { value: 'TEXT', help: 'what it begins with (default: nothing)' },
    temperature: { value: 'T', help: 'below 1 keeps to likely tokens, 0 takes the likeliest each time (default: 1)' },
    tokens: { value: 'N', help: 'most tokens that are added (default: 64)' },
    stop: { value: 'TEXT', help: 'it ends before this text' },
    seed: { value: 'N', help: 'another seed is another draw (default: 0)' },
    ...options,
  },
  run: async (given, output) => {
    const { prompt, stop, json } = given.options
    const asked = {
      ...(prompt !== undefined && { prompt: String(prompt) }),
      temperature: temperatureOf(given.options.temperature),
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

function temperatureOf(given: string | boolean | undefined): number | undefined {
  if (given === undefined) return undefined
  const value = given === '' ? Number.NaN : Number(given)
  if (value >= 0 && value <= 100) return value
  throw new MixlabError('option', '--temperature', `${given}, expected a number from 0 to 100`)
}
