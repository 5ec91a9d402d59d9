import { type AnswerCollector, meanOfBest, normalised } from './answers.ts'
import type { Evaluator } from './types.ts'

/** The share of questions with one of the right answers, normalised (Rajpurkar et al. 2016). */
export function exact(answers: AnswerCollector): Evaluator {
  return meanOfBest('exact', 'exact answers', isExact, answers)
}

/** 1 for an answer that is the right one, normalised, and else 0. */
export function isExact(said: string, right: string): number {
  return Number(normalised(said) === normalised(right))
}
