import type { AnswerSpan } from '../../data/types.ts'
import type { AnswerCollector, Answered } from '../../evaluate/answers.ts'
import { hasMostContext, type PassagePart, type PassageWindow } from './spanWindows.ts'

export interface AnswerOptions {
  /** Tokens of a window in a prediction. */
  tokens: number
  /** Most tokens of an answer. */
  answer: number
  /**
   * No answer is given where its score exceeds the best span's by more than this; infinite where every question has an
   * answer.
   */
  nullThreshold: number
}

/** The best answer of a question until now. */
export interface Best {
  window: PassageWindow
  /** Sum of the logits of start and end. */
  score: number
  /** Characters `start` to `end` (not included) of the passage. */
  start: number
  end: number
  /** The least that any window gives to no answer. */
  none: number
}

/**
 * Gathers logits `[windows, tokens, 2]` of start and end; `window` of a batch has the places of its windows in the list.
 * Answers as run_squad.py of BERT gives them: of all windows of a question the best span of the passage, each token where it
 * has most context. No answer where [CLS] has more than that, by the threshold, in every window.
 */
export function collectAnswers(windows: readonly PassageWindow[], options: AnswerOptions): AnswerCollector {
  const { tokens, nullThreshold } = options
  const found = new Map<number, Best>()
  return {
    add: (prediction, { window: places = new Int32Array() }) => {
      for (const [row, place] of places.entries()) {
        const window = windows[place] as PassageWindow
        const logits = prediction.subarray(row * tokens * 2, (row + 1) * tokens * 2)
        const own = bestOf(window, logits, options)
        const other = found.get(window.example)
        const better = !other || own.score > other.score ? own : other
        found.set(window.example, { ...better, none: Math.min(own.none, other?.none ?? Number.POSITIVE_INFINITY) })
      }
    },
    answers: () => [...found.values()].map((best) => answeredBy(best, best.none - best.score > nullThreshold)),
  }
}

/** The texts of an answer, '' for none, and of those that are right. */
export function answeredBy({ window: { passage, answers }, start, end }: Best, isNone: boolean): Answered {
  const text = (span: AnswerSpan) => passage.text.slice(span.start, span.end)
  return { said: isNone ? '' : text({ start, end }), right: answers.map(text) }
}

/** The best span of one window. */
export function bestOf(window: PassageWindow, logits: Float32Array, { answer }: Pick<AnswerOptions, 'answer'>): Best {
  const best: Best = {
    window,
    score: Number.NEGATIVE_INFINITY,
    start: 0,
    end: 0,
    none: (logits[0] as number) + (logits[1] as number),
  }
  for (const { score, start, end } of spansOf(window, logits, answer)) {
    if (!(score > best.score)) continue
    best.score = score
    best.start = start
    best.end = end
  }
  return best
}

/** A span that may be the answer: characters `start` to `end` (not included) of the passage. */
export interface ScoredSpan {
  start: number
  end: number
  /** Sum of the logits of start and end. */
  score: number
}

/** The spans of at most `answer` tokens of one window that start where it has most context; `logits` are `[tokens, 2]`. */
export function* spansOf(window: PassageWindow, logits: Float32Array, answer: number): Generator<ScoredSpan> {
  const { question, passage, parts, part } = window
  const { from, count } = parts[part] as PassagePart
  const logit = (token: number, end: 0 | 1) => logits[2 * (question.length + 2 + token - from) + end] as number
  for (let first = from; first < from + count; first++) {
    if (!hasMostContext(parts, part, first)) continue
    for (let last = first; last < Math.min(from + count, first + answer); last++) {
      const [start, end] = [passage.starts[first] as number, passage.ends[last] as number]
      yield { start, end, score: logit(first, 0) + logit(last, 1) }
    }
  }
}
