import { MixlabError } from '../../errors.ts'
import type { AskedQuestion } from '../../records/question.ts'
import type { SeedNumber } from '../statistics/failures.ts'
import type { ComparedRun } from '../statistics/judgement.ts'
import { gapIn, type LookedTest, lookFamily, outcomesOf } from '../statistics/sequentialTest.ts'
import { kindOf } from './index.ts'
import { type Correction, decidedInOrder, type TestedQuestion } from './order.ts'
import type { Asked } from './types.ts'

/** What looks after every seed say of a part of a question. */
export interface LookedPart extends LookedTest {
  /** Of the first seeds of the plan, up to the first of which a run is not over. */
  outcomes: SeedNumber[]
  passed: boolean
  /** That seed, where later ones are over. */
  gap: number[]
}

/** A part of a question, and the numbers of its seeds. */
interface Part {
  variants: readonly string[]
  numbers: readonly SeedNumber[]
  problems: readonly string[]
  /** Minus or plus infinity where a side can be worse, else 0. */
  worst: number
}

/** Bets on the parts of questions, which are decided in their order. A seed that is over without a number makes no bet. */
export function looksInOrder(
  questions: readonly (readonly Part[])[],
  runs: readonly ComparedRun[],
  plan: readonly number[],
  correction: Correction | undefined,
  studies: number,
): TestedQuestion<LookedPart>[] {
  const decide = (parts: readonly Part[]) => {
    const outcomes = parts.map((part) => (part.problems.length > 0 ? [] : outcomesOf(part, runs, plan, part.worst)))
    return lookFamily(outcomes, plan, studies).map((test, i): LookedPart => {
      const own = outcomes[i] ?? []
      return {
        ...test,
        passed: test.shown,
        outcomes: own,
        gap: gapIn(plan, own.length, parts[i]?.numbers ?? []),
      }
    })
  }
  return decidedInOrder(questions, decide, correction)
}

/**
 * Those of some questions that can be looked at after every seed: not one with a test of its own, or whose number of a seed
 * depends on seeds that come later. Throws MixlabError `option` for such a one where the study itself has `given` them.
 */
export function lookedQuestions(questions: readonly AskedQuestion[], asked: Asked, given: boolean): AskedQuestion[] {
  return questions.filter((question) => {
    const kind = kindOf(question)
    const isFixed = kind.contrasts(question, asked).some(({ options, test }) => options || test)
    if (!isFixed || !given) return !isFixed
    const what = `'${kind.title(question)}' needs all seeds at once, and cannot be looked at after each; give a number of seeds`
    throw new MixlabError('option', `${asked.study}.questions`, what)
  })
}
