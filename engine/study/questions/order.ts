import { type Test, testFamily } from '../statistics/family.ts'

/** How the claims of a study are kept true together: in their order, or all by Holm's correction. */
export type Correction = 'order' | 'holm'

/** The tests of one question, and why they decide nothing; null where they do. */
export interface TestedQuestion {
  tests: Test[]
  exploratory: string | null
}

/**
 * Tests the numbers of questions, each with one list of numbers or several, so that any false claim is made in at most 5%
 * of studies. `order`: the parts of a question by Holm at 0.05, and the next question only where all parts are shown, for
 * what comes after an open question is exploratory (serial gatekeeping: Westfall and Krishen, "Optimally Weighted, Fixed
 * Sequence and Gatekeeper Multiple Testing Procedures", 2001). `holm`: all of them at once.
 */
export function inOrder(
  questions: readonly (readonly (readonly number[])[])[],
  correction: Correction = 'order',
): TestedQuestion[] {
  if (correction === 'holm') {
    const tests = testFamily(questions.flat())
    return questions.map((parts) => ({ tests: tests.splice(0, parts.length), exploratory: null }))
  }
  let open: number | null = null
  return questions.map((parts, place) => {
    const tests = testFamily(parts)
    const exploratory = open === null ? null : `question ${open + 1} of the plan is open`
    if (open === null && !tests.every(({ shown }) => shown)) open = place
    return { tests, exploratory }
  })
}
