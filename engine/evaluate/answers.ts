import type { Evaluator } from './types.ts'

/** What was answered to a question, and what is right. */
export interface Answered {
  /** Empty for no answer. */
  said: string
  /** Empty where no answer is right. */
  right: string[]
}

/** Gathers answers over an evaluation. */
export type AnswerCollector = Pick<Evaluator, 'add'> & { answers(): Answered[] }

/** The mean over questions of the best `score` over the right answers; where all are empty, no answer is right. */
export function meanOfBest(
  name: string,
  words: string,
  score: (said: string, right: string) => number,
  source: AnswerCollector,
): Evaluator {
  return {
    name,
    meaning: { better: 'higher', unit: 'share', bounds: [0, 1], words },
    add: source.add,
    value: () => {
      const scores = source.answers().map((answered) => bestScore(answered, score))
      return scores.reduce((sum, value) => sum + value, 0) / scores.length
    },
  }
}

/** The best `score` of an answer over the right ones; where all are empty, no answer is right. */
export function bestScore({ said, right }: Answered, score: (said: string, right: string) => number): number {
  const some = right.filter((text) => normalised(text) !== '')
  return Math.max(...(some.length > 0 ? some : ['']).map((text) => score(said, text)))
}

/** An answer without case, ASCII punctuation, articles and superfluous space, as in the official scripts of SQuAD. */
export function normalised(answer: string): string {
  const bare = answer.toLowerCase().replace(/[!-/:-@[-`{-~]/g, '')
  return words(bare.replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')).join(' ')
}

/** What white space separates. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
