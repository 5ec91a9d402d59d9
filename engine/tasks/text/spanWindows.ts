import { sequentialBatches } from '../../data/dataLoader.ts'
import type { Encoded, Tokenizer } from '../../data/tokenizers/types.ts'
import type { AnswerSpan, SpanBatch, Split } from '../../data/types.ts'
import { joined, type TextInput } from '../textInput.ts'

/** How questions and passages are cut. */
export interface WindowOptions {
  /** Most tokens of a window, special ones included. */
  tokens: number
  /** Most tokens of a question; the rest is left out. */
  question: number
  /** Tokens of the passage from the start of one window to the start of the next. */
  stride: number
}

/** A passage, whole. */
export interface Passage extends Encoded {
  text: string
}

/** A part of a passage: `count` tokens from `from` on. */
export interface PassagePart {
  from: number
  count: number
}

/** A question with a part of its passage. */
export interface PassageWindow {
  /** The number of the question in its split. */
  example: number
  question: Int32Array
  passage: Passage
  /** All parts of the passage, and which is the one of this window. */
  parts: PassagePart[]
  part: number
  /** The answers that count as right. */
  answers: AnswerSpan[]
}

/** The windows of all questions of a split, cut as in run_squad.py of BERT: the last one ends where the passage does. */
export async function windowsOf(
  split: Split<SpanBatch>,
  tokenizer: Tokenizer,
  { tokens, question: mostOfQuestion, stride }: WindowOptions,
): Promise<PassageWindow[]> {
  const passages = new Map<string, Passage>()
  const encode = (text: string) => {
    const known = passages.get(text) ?? { text, ...tokenizer.encode(text) }
    passages.set(text, known)
    return known
  }
  const windows: PassageWindow[] = []
  let example = 0
  for await (const { questions, passages: texts, answers } of sequentialBatches(split, 256)) {
    for (const [i, text] of questions.entries()) {
      const question = tokenizer.encode(text).ids.slice(0, mostOfQuestion)
      const passage = encode(texts[i] as string)
      const parts = partsOf(passage.ids.length, tokens - question.length - 3, stride)
      const common = { example: example++, question, passage, parts, answers: answers[i] as AnswerSpan[] }
      for (const part of parts.keys()) windows.push({ ...common, part })
    }
  }
  return windows
}

/** Parts of a passage of `length` tokens, each of `room` tokens but for the last, which may have fewer. */
export function partsOf(length: number, room: number, stride: number): PassagePart[] {
  const parts: PassagePart[] = []
  for (let from = 0; ; from += stride) {
    const count = Math.min(room, length - from)
    parts.push({ from, count })
    if (from + count === length) return parts
  }
}

/** Whether, of all parts that have the token, part `part` has the most tokens around it; of equals the first. */
export function hasMostContext(parts: PassagePart[], part: number, token: number): boolean {
  const context = ({ from, count }: PassagePart) => Math.min(token - from, from + count - 1 - token) + 0.01 * count
  const own = context(parts[part] as PassagePart)
  return parts.every((other, i) => i === part || context(other) < own || (context(other) === own && part < i))
}

/** What the model reads: [CLS] question [SEP] part of the passage [SEP]. */
export function inputOf({ question, passage, parts, part }: PassageWindow): TextInput {
  const { from, count } = parts[part] as PassagePart
  return joined(question, passage.ids.subarray(from, from + count))
}

/**
 * The positions in the input where the first answer starts and ends; both 0, the position of [CLS], where this window
 * lacks any of it.
 */
export function targetOf({ question, passage, parts, part, answers }: PassageWindow): [number, number] {
  const { from, count } = parts[part] as PassagePart
  const [answer] = answers
  if (!answer) return [0, 0]
  const first = passage.ends.findIndex((end) => end > answer.start)
  const last = passage.starts.findLastIndex((start) => start < answer.end)
  if (first < from || last < first || last >= from + count) return [0, 0]
  const offset = question.length + 2 - from
  return [first + offset, last + offset]
}
