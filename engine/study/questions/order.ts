import { corrected, type PValue, type Test } from '../statistics/family.ts'

/** How the claims of a study are kept true together: in their order, or all by Holm's correction. */
export type Correction = 'order' | 'holm'

/** The tests of one question, and why they decide nothing; null where they do. */
export interface TestedQuestion<Tested = Test> {
  tests: Tested[]
  exploratory: string | null
}

/**
 * Decides the tests of questions, each with one or several, so that any false claim is made in at most 5% of studies.
 * `order`: the parts of a question by Holm at 0.05, and the next question only where all parts are shown, for what comes
 * after an open question is exploratory (serial gatekeeping: Westfall and Krishen, "Optimally Weighted, Fixed Sequence and
 * Gatekeeper Multiple Testing Procedures", 2001). `holm`: all of them at once. Of several `studies` that were planned
 * together each has its share of the 5%.
 */
export function inOrder(
  questions: readonly (readonly PValue[])[],
  correction: Correction = 'order',
  studies = 1,
): TestedQuestion[] {
  return decidedInOrder(questions, (parts) => corrected(parts, studies), correction)
}

/** The same for parts of any kind; `decide` keeps the 5% for those that it is given. */
export function decidedInOrder<Part, Tested extends { passed: boolean }>(
  questions: readonly (readonly Part[])[],
  decide: (parts: readonly Part[]) => Tested[],
  correction: Correction = 'order',
): TestedQuestion<Tested>[] {
  if (correction === 'holm') {
    const tests = decide(questions.flat())
    return questions.map((parts) => ({ tests: tests.splice(0, parts.length), exploratory: null }))
  }
  let open: number | null = null
  return questions.map((parts, place) => {
    const tests = decide(parts)
    const exploratory = open === null ? null : `question ${open + 1} of the plan is open`
    if (open === null && !tests.every(({ passed }) => passed)) open = place
    return { tests, exploratory }
  })
}
