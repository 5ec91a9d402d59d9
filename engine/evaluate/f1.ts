import { type AnswerCollector, meanOfBest, normalised, words } from './answers.ts'
import type { Evaluator } from './types.ts'

/** Mean F1 of the words of answers, normalised, with the best of the right answers (Rajpurkar et al. 2016, 2018). */
export function f1(answers: AnswerCollector): Evaluator {
  return meanOfBest('f1', 'F1 of the words', wordOverlap, answers)
}

/** Harmonic mean of precision and recall of words; of no words, whether there are none in both. */
export function wordOverlap(said: string, right: string): number {
  const [own, gold] = [words(normalised(said)), words(normalised(right))]
  if (own.length === 0 || gold.length === 0) return Number(own.length === gold.length)
  const left = new Map<string, number>()
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of own) {
    const count = left.get(word) ?? 0
    if (count > 0) common += 1
    left.set(word, count - 1)
  }
  return (2 * common) / (own.length + gold.length)
}
