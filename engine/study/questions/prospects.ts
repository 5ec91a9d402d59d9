import type { StudyDesign } from '../../records/design.ts'
import { studiesWith } from '../statistics/family.ts'
import {
  looksForPower,
  looksPower,
  power,
  prospect,
  seedsForPower,
  smallestEffect,
  smallestLooked,
} from '../statistics/power.ts'
import { fewestLooks } from '../statistics/sequentialTest.ts'
import { ALPHA, ENOUGH } from '../statistics/signFlip.ts'
import { askedVariants, trainedNames } from '../tuning/kept.ts'
import { askedOf } from './asked.ts'
import { ask, kindOf } from './index.ts'
import { isDifference } from './numbers.ts'
import { weightsOf } from './sides.ts'
import type { Contrast } from './types.ts'

/** What a question can show, whose numbers are normal. Effects are in standard deviations of what is asked, between seeds. */
export interface QuestionProspect {
  title: string
  /** Its numbers, which are tested together. */
  comparisons: number
  /** Those by whose number 0.05 is divided. */
  family: number
  /** The fewest seeds that can reach 0.05 at all. */
  needed: number
  /** Whether those of the study can. */
  enough: boolean
  /** The smallest effect that is shown with a power of 0.8; null where nothing can be. */
  smallest: number | null
  /**
   * The standard deviation of the number of a seed where that of a run is 1, and runs differ by chance alone: the larger, the
   * more runs are subtracted; null where the number is no weighted sum of runs.
   */
  spread: number | null
  /** Whether its numbers are differences in the unit of the metric, which a margin is about. */
  differs: boolean
  /** Whether it is looked at after every seed, so that another test decides. */
  looked: boolean
  /** Why nothing can be shown, in words; null where it can. */
  problem: string | null
  /** What its power supposes, in words; null where nothing beyond normal numbers. */
  supposes: string | null
}

/**
 * What each question of a study can show: at the level that its correction leaves to a number that is the first to be shown
 * (docs/statistics.md). Of a study that asks nothing else it is how each variant compares to the first.
 */
export function prospects(
  design: Pick<
    StudyDesign,
    'study' | 'variants' | 'runs' | 'questions' | 'correction' | 'together' | 'anytime' | 'tuned'
  >,
) {
  const tuned = trainedNames(design.tuned).size > 0 ? 'where one value of each variant is clearly the best' : null
  const asked = askedOf(design.study, askedVariants(design.variants, design.tuned))
  const seeds = new Set(design.runs.map(({ seed }) => seed)).size
  const all = (design.questions ?? [ask.pairs()]).flatMap((question) => {
    const kind = kindOf(question)
    const supposes = kind.supposes?.(question) ?? tuned
    return [{ title: kind.title(question), supposes, contrasts: kind.contrasts(question, asked) }]
  })
  const studies = studiesWith(design)
  const total = all.reduce((sum, { contrasts }) => sum + contrasts.length, 0)
  return all
    .filter(({ contrasts }) => contrasts.length > 0)
    .map(({ title, supposes, contrasts }): QuestionProspect => {
      const comparisons = design.correction === 'holm' ? total : contrasts.length
      const family = comparisons * studies
      const own = {
        title,
        supposes,
        comparisons: contrasts.length,
        family,
        spread: spreadOf(contrasts),
        differs: contrasts.every(isDifference),
      }
      if (design.anytime) return { ...own, ...lookedProspect(design.anytime.upTo, family) }
      const { needed, enough, sentence } = prospect(seeds, comparisons, studies)
      const smallest = smallestEffect(seeds, ALPHA / family)
      return { ...own, looked: false, needed, enough, smallest, problem: enough ? null : sentence }
    })
}

/** What looks up to a last seed can show of the first of a family to be shown. */
function lookedProspect(upTo: number, family: number) {
  const needed = fewestLooks(ENOUGH * family)
  const smallest = smallestLooked(upTo, family)
  const problem =
    upTo < needed ? `one of ${family} comparisons alone is decided with seed ${needed} at the earliest` : null
  return { looked: true, needed, enough: upTo >= needed, smallest, problem }
}

/** The power of a question for an effect, in standard deviations of what is asked, and the fewest seeds for one of 0.8. */
export function powerFor({ family, looked }: QuestionProspect, effect: number, seeds: number) {
  if (looked) return { power: looksPower(effect, seeds, family), seeds: looksForPower(effect, family) }
  const level = ALPHA / family
  return { power: power(effect, seeds, level), seeds: seedsForPower(effect, level) }
}

/** Why the plan of a study shows nothing, whatever comes out, in one sentence; null where it can show something. */
export function futile(questions: readonly QuestionProspect[], correction?: 'holm' | undefined): string | null {
  const [first] = questions
  if (!first?.problem || first.looked) return null
  const others = correction === 'holm' ? questions.slice(1) : [] // what comes after an open question decides nothing
  if (others.some(({ enough }) => enough)) return null
  return `the plan cannot show anything: ${first.problem}`
}

/** The largest spread of numbers of a question. */
function spreadOf(contrasts: readonly Contrast[]): number | null {
  const all = contrasts.map((contrast) => {
    const weights = weightsOf(contrast)
    return weights && Math.sqrt(weights.reduce((total, weight) => total + weight ** 2, 0))
  })
  return all.some((each) => each === null) ? null : Math.max(...(all as number[]))
}
