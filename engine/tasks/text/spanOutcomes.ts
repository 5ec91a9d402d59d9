import { bestScore } from '../../evaluate/answers.ts'
import { isExact } from '../../evaluate/exact.ts'
import { wordOverlap } from '../../evaluate/f1.ts'
import type { OutcomeCollector } from '../../evaluate/outcomes/types.ts'
import { negativeLogLikelihood } from '../../evaluate/perplexity.ts'
import { type AnswerOptions, answeredBy, type Best, bestOf } from './spanAnswers.ts'
import { type PassageWindow, targetOf } from './spanWindows.ts'

/** A question over those of its windows that were seen. */
interface Question {
  best: Best
  /** -log of the probability of that answer in its window, and of no answer where that is likeliest. */
  surprise: number
  surpriseOfNone: number
  /** Sum over the windows. */
  loss: number
  windows: number
}

/**
 * Outcomes of questions, whose windows and answers are those of `collectAnswers`; the loss of one is the mean over its windows
 * of the cross entropies of start and end. The probability of an answer is that of its start times that of its end.
 */
export function spanOutcomes(windows: readonly PassageWindow[], options: AnswerOptions): OutcomeCollector {
  const { tokens, nullThreshold } = options
  const found = new Map<number, Question>()

  function add(window: PassageWindow, logits: Float32Array): void {
    const ends = [0, 1].map((end) => Float32Array.from({ length: tokens }, (_, at) => logits[2 * at + end] as number))
    const surpriseAt = (places: readonly number[]) =>
      places.reduce((sum, at, end) => sum + negativeLogLikelihood(ends[end] as Float32Array, at), 0)
    const best = bestOf(window, logits, options)
    // the score of the span is the sum of its two logits, whose places need not be found again
    const totals = surpriseAt([0, 0]) + best.none
    const own: Question = {
      best,
      surprise: totals - best.score,
      surpriseOfNone: totals - best.none,
      loss: surpriseAt(targetOf(window)) / 2,
      windows: 1,
    }
    const { example } = window
    const other = found.get(example)
    if (!other) {
      found.set(example, own)
      return
    }
    const better = own.best.score > other.best.score ? own : other
    const none = own.best.none < other.best.none ? own : other
    found.set(example, {
      best: { ...better.best, none: none.best.none },
      surprise: better.surprise,
      surpriseOfNone: none.surpriseOfNone,
      loss: own.loss + other.loss,
      windows: own.windows + other.windows,
    })
  }

  return {
    add: (prediction, { window: places = new Int32Array() }) => {
      for (const [row, place] of places.entries()) {
        add(windows[place] as PassageWindow, prediction.subarray(row * tokens * 2, (row + 1) * tokens * 2))
      }
    },
    value: () => {
      const questions = [...found.values()]
      const isNone = ({ best }: Question) => best.none - best.score > nullThreshold
      const answers = questions.map((question) => answeredBy(question.best, isNone(question)))
      return {
        kind: 'spans',
        tested: questions.length,
        index: [...found.keys()],
        lossName: 'cross entropy',
        loss: questions.map(({ loss, windows }) => loss / windows),
        right: answers.map((answer) => bestScore(answer, isExact)),
        f1: answers.map((answer) => bestScore(answer, wordOverlap)),
        probability: questions.map((each) => Math.exp(-(isNone(each) ? each.surpriseOfNone : each.surprise))),
        start: questions.map((each) => (isNone(each) ? -1 : each.best.start)),
        end: questions.map((each) => (isNone(each) ? -1 : each.best.end)),
      }
    },
  }
}
