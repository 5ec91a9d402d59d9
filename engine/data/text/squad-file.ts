import { z } from 'zod'
import { MixlabError, quoted } from '../../errors.ts'
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
  /** How many of these only for a passage or an answer of white space. */
  blank: number
}

/** What is read of a question; `answers` may be missing where there are none. */
const entrySchema = z.object({
  question: z.string(),
  is_impossible: z.boolean().nullish(),
  answers: z.array(z.object({ text: z.string(), answer_start: z.int() })).nullish(),
})
type Entry = z.output<typeof entrySchema>

/** Articles, paragraphs and questions are checked one by one: a wrong one costs only itself. */
const fileSchema = z.object({ version: z.unknown().optional(), data: z.array(z.unknown()) })
const articleSchema = z.object({ paragraphs: z.array(z.unknown()) })
const paragraphSchema = z.object({ context: z.string(), qas: z.array(z.unknown()).nullish() })

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
  let blank = 0
  const refuse = ({ wrong, at: step, blank: isBlank }: Wrong) => {
    const hint = 'skipMalformed: true leaves such questions out'
    if (!skipMalformed) throw failure(bytes, path, step, `${step}: ${wrong} (${hint})`)
    if (isBlank) blank++
    malformed.push(`${path}: ${step}: ${wrong}`)
  }
  for (const [i, given] of data.entries()) {
    const article = read(articleSchema, given, `data.${i}`)
    if ('wrong' in article) refuse(article)
    for (const [j, part] of ('wrong' in article ? [] : article.paragraphs).entries()) {
      const place = `data.${i}.paragraphs.${j}`
      const paragraph = read(paragraphSchema, part, place)
      if ('wrong' in paragraph) {
        refuse(paragraph)
        continue
      }
      const { context, qas } = paragraph
      const at = codePoints(context)
      for (const [k, question] of (qas ?? []).entries()) {
        const found = questionOf(question, `${place}.qas.${k}`, context, at)
        if ('wrong' in found) refuse(found)
        else questions.push({ ...found, passage: passages.length })
      }
      passages.push(context)
    }
  }
  if (questions.length === 0) throw new MixlabError('data', path, 'no questions')
  return { version: isPlain(version) ? String(version) : 'unknown', passages, questions, malformed, blank }
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

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Why a question cannot be used, and where in the JSON that is. */
interface Wrong {
  wrong: string
  at: string
  /** Whether it is for white space that was no fault once. */
  blank: boolean
}

function questionOf(
  given: unknown,
  place: string,
  passage: string,
  at: (point: number) => number,
): Omit<SquadQuestion, 'passage'> | Wrong {
  const entry = read(entrySchema, given, place)
  if ('wrong' in entry) return entry
  const answers = answersOf(entry, passage, at)
  if (typeof answers !== 'string') return { question: entry.question, answers }
  return {
    wrong: answers,
    at: place,
    blank: answers === EMPTY_PASSAGE || (answers === EMPTY_ANSWER && hasBlank(entry)),
  }
}

/** What a schema reads at a place, or why it cannot. */
function read<T extends object>(schema: z.ZodType<T>, given: unknown, place: string): T | Wrong {
  try {
    return parseOptions(schema, given, place)
  } catch (error) {
    if (!(error instanceof MixlabError) || error.code !== 'option') throw error
    return { wrong: error.message.slice(error.path.length + 2), at: error.path, blank: false }
  }
}

const EMPTY_PASSAGE = 'an empty passage'
const EMPTY_ANSWER = 'an empty answer'
const hasBlank = ({ answers }: Entry) => !answers?.some(({ text }) => text === '')

/** The answers of a question, or why it cannot be used. */
function answersOf(
  { question, is_impossible, answers }: Entry,
  passage: string,
  at: (point: number) => number,
): AnswerSpan[] | string {
  const given = answers ?? []
  if (question.trim() === '') return 'an empty question'
  if (passage.trim() === '') return EMPTY_PASSAGE
  if (is_impossible) return given.length === 0 ? [] : 'is_impossible, and has answers'
  if (given.length === 0) return 'no answers, expected 1 or more, or is_impossible'
  const spans: AnswerSpan[] = []
  for (const { text, answer_start } of given) {
    const start = at(answer_start)
    const end = start + text.length
    if (text.trim() === '') return EMPTY_ANSWER
    const found = answer_start < 0 ? '' : passage.slice(start, end)
    if (found !== text) return `answer_start ${answer_start} is at ${quoted(found)}, expected ${quoted(text)}`
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
