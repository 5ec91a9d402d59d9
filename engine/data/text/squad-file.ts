import { z } from 'zod'
import { MixlabError } from '../../errors.ts'
import { parseOptions } from '../../options.ts'
import type { AnswerSpan } from '../types.ts'
import { offsetIn, parseJson } from './json.ts'

/** A question on the passage with that number. */
export interface SquadQuestion {
  question: string
  passage: number
  answers: AnswerSpan[]
}

/** The contents of a SQuAD file. */
export interface SquadFile {
  version: string
  passages: string[]
  questions: SquadQuestion[]
  /** Of each question that was left out, why. */
  malformed: string[]
}

const fileSchema = z.object({
  version: z.string().default('unknown'),
  data: z.array(
    z.object({
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(
            z.object({
              question: z.string(),
              is_impossible: z.boolean().default(false),
              answers: z.array(z.object({ text: z.string(), answer_start: z.int() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
})
type Entry = z.output<typeof fileSchema>['data'][number]['paragraphs'][number]['qas'][number]

/**
 * Reads SQuAD JSON of version 1.1 or 2.0. `answer_start` counts code points; spans come in characters of the string.
 * Throws MixlabError `data` with `path`, the name of the file, the offset and the place in the JSON of what is wrong; with
 * `skipMalformed` a question that is wrong is left out.
 */
export function parseSquad(bytes: Uint8Array, path: string, skipMalformed: boolean): SquadFile {
  const { version, data } = checked(bytes, path)
  const passages: string[] = []
  const questions: SquadQuestion[] = []
  const malformed: string[] = []
  for (const [i, { paragraphs }] of data.entries()) {
    for (const [j, { context, qas }] of paragraphs.entries()) {
      const at = codePoints(context)
      for (const [k, entry] of qas.entries()) {
        const answers = answersOf(entry, context, at)
        if (typeof answers !== 'string') {
          questions.push({ question: entry.question, passage: passages.length, answers })
          continue
        }
        const place = `data.${i}.paragraphs.${j}.qas.${k}`
        const hint = 'skipMalformed: true leaves such questions out'
        if (!skipMalformed) throw failure(bytes, path, place, `${place}: ${answers} (${hint})`)
        malformed.push(`${path}: ${place}: ${answers}`)
      }
      passages.push(context)
    }
  }
  if (questions.length === 0) throw new MixlabError('data', path, 'no questions')
  return { version, passages, questions, malformed }
}

function checked(bytes: Uint8Array, path: string): z.output<typeof fileSchema> {
  try {
    return parseOptions(fileSchema, parseJson(bytes, path), '')
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'option') throw error
    throw failure(bytes, path, error.path, error.message)
  }
}

function failure(bytes: Uint8Array, path: string, place: string, message: string): MixlabError {
  const offset = offsetIn(bytes, place === '' ? [] : place.split('.'), path)
  return new MixlabError('data', path, `offset ${offset}: ${message}`)
}

/** The answers of a question, or why it cannot be used. */
function answersOf(entry: Entry, passage: string, at: (point: number) => number): AnswerSpan[] | string {
  if (entry.question.trim() === '') return 'an empty question'
  if (entry.is_impossible) return entry.answers.length === 0 ? [] : 'is_impossible, and has answers'
  if (entry.answers.length === 0) return 'no answers, expected 1 or more, or is_impossible'
  const spans: AnswerSpan[] = []
  for (const { text, answer_start } of entry.answers) {
    const start = at(answer_start)
    const end = start + text.length
    if (text === '') return 'an empty answer'
    const found = answer_start < 0 ? '' : passage.slice(start, end)
    if (found !== text) return `answer_start ${answer_start} is at '${found}', expected '${text}'`
    spans.push({ start, end })
  }
  return spans
}

/** Gives the place in `text` of its code points by their number. */
function codePoints(text: string): (point: number) => number {
  if (!/[\ud800-\udfff]/.test(text)) return (point) => point
  const places: number[] = []
  let place = 0
  for (const character of text) {
    places.push(place)
    place += character.length
  }
  return (point) => places[point] ?? text.length
}
