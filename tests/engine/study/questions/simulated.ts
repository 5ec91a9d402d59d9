import { type Key, keyOf, normal, uniform } from '../../../../engine/random.ts'
import type { FactorValues } from '../../../../engine/records/design.ts'
import type { AskedQuestion } from '../../../../engine/records/question.ts'
import { askedOf } from '../../../../engine/study/questions/asked.ts'
import { QUESTIONS } from '../../../../engine/study/questions/index.ts'
import { inOrder } from '../../../../engine/study/questions/order.ts'
import { bestOfSides } from '../../../../engine/study/questions/sides.ts'
import type { QuestionKind, SeedValues } from '../../../../engine/study/questions/types.ts'
import type { BestOf } from '../../../../engine/study/statistics/bestOf.ts'
import { flipped } from '../../../../engine/study/statistics/family.ts'
import { LONG } from '../../../long.ts'
import { ACCURACY } from '../../../meanings.ts'
import { crossed, type Levels } from './crossed.ts'

/** 2,000 studies in full, and a part of them in `npm test`. */
export const STUDIES = LONG ? 2000 : 100
/** 5% and two standard errors of the share of so many studies. */
export const LIMIT = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / STUDIES)

export type Noise = (key: Key, counter: number) => number
export const skewed: Noise = (key, counter) => -Math.log(1 - uniform(key, counter)) - 1
export { normal }

export interface Simulation {
  questions: AskedQuestion[]
  levels: Levels
  seeds?: number
  /** The true value of a variant. */
  mean: (levels: FactorValues) => number
  noise?: Noise
  /** From a value to what is recorded, e.g. a positive one. */
  shape?: (value: number) => number
  /** Whether a claim, by the places of its question and of the part of that, would be true; none by default. */
  isTrue?: (question: number, part: number) => boolean
}

/** The share of simulated studies that claim anything false; with `power`, that claim anything. */
export function shareClaimed(simulation: Simulation, power = false): number {
  const { questions, levels, seeds = 8, mean, noise = normal, shape = (value) => value, isTrue } = simulation
  const variants = crossed(levels)
  const asked = askedOf('study', variants)
  const plan = questions.map((question) => (QUESTIONS[question.ask] as QuestionKind).contrasts(question, asked))
  let claimed = 0
  for (let study = 0; study < STUDIES; study++) {
    const key = keyOf(study, 'questions')
    const rows = Array.from({ length: seeds }, (_, seed): SeedValues => {
      const draw = (place: number) => seed * 1000 + place
      const values = new Map(
        variants.map(({ variant, settings }, place) => [variant, shape(mean(settings) + noise(key, draw(place)))]),
      )
      return { seed, value: (variant) => values.get(variant) as number }
    })
    const tests = inOrder(
      plan.map((contrasts) =>
        contrasts.map((contrast) => {
          if (contrast.test) return contrast.test(rows, ACCURACY)
          if (contrast.options) return bestOfSides(contrast.options, rows, ACCURACY) as BestOf
          const numbers = rows.map(({ value }) => contrast.of(value))
          return flipped(numbers.filter((number) => number !== null))
        }),
      ),
    )
    const isClaimed = tests.some(({ tests: own, exploratory }, question) =>
      own.some(({ shown }, part) => shown && exploratory === null && (power || !isTrue?.(question, part))),
    )
    if (isClaimed) claimed += 1
  }
  return claimed / STUDIES
}
