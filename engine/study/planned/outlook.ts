import type { StudyDesign } from '../../records/design.ts'
import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import { duration } from '../duration.ts'
import { type FamilyOutlook, familyOutlook, familyOutlookText } from '../ledger/familyVerdict.ts'
import { futile, prospects, type QuestionProspect } from '../questions/prospects.ts'
import { equalPower, POWER, smallestEffect, smallestLooked } from '../statistics/power.ts'
import { marginText, plural } from '../statistics/sentences.ts'
import { ALPHA } from '../statistics/signFlip.ts'
import { keptText } from '../tuning/words.ts'
import type { Alike } from './alike.ts'
import { seedsOf } from './departures.ts'

/** What a study can show, and what it costs, before it is trained. */
export interface Outlook {
  seeds: number
  /** The largest difference that does not count; null where the plan has none. */
  margin: number | null
  /** Why nothing can be shown, whatever comes out; null where something can. */
  futile: string | null
  questions: OutlookOfQuestion[]
  /** What it takes in its family, where that has more comparisons; null where it has not. */
  family: FamilyOutlook | null
  /** The standard deviation of the metric between seeds, of runs like these; null where the store has none. */
  sd: number | null
  /** The largest that these leave open, with 80%, for which the plan is made. */
  upper: number | null
  /** How many runs that is of. */
  of: number
  /** With how many values its variants are trained; null where none are chosen. */
  kept: string | null
  /** The runs that are to be trained, and the milliseconds that they probably take one after the other; null where that is not known. */
  runs: number
  ms: number | null
}

export interface OutlookOfQuestion extends QuestionProspect {
  /** The largest standard deviation of what is asked that is left open, in the unit of the metric; null where it is not known. */
  sd: number | null
  /** The same as `smallest` in the unit of the metric; null where the spread is not known. */
  amount: number | null
  /** The power to show it within the margin where there is no difference; null without a margin, or where the spread is not known. */
  equal: number | null
}

/** Of a study of which so many runs are to be trained; `effect` is that of power in its family, in the unit of the metric. */
export function outlook(design: StudyDesign, missing: number, alike: Alike | null, effect?: number): Outlook {
  const found = prospects(design)
  const runs = alike?.upper ?? null
  const seeds = seedsOf(design).length
  const { margin } = design
  return {
    seeds,
    margin: margin ?? null,
    futile: futile(found, design.correction),
    questions: found.map((question) => {
      const sd = runs === null || question.spread === null ? null : runs * question.spread
      const amount = sd === null || question.smallest === null ? null : sd * question.smallest
      const isOpen = margin === undefined || sd === null || !question.differs
      return { ...question, sd, amount, equal: isOpen ? null : equalPower(margin / sd, seeds, ALPHA / question.family) }
    }),
    family: familyOutlook(design, sizeOf(effect, runs, found[0]?.spread)),
    sd: alike?.sd ?? null,
    upper: runs,
    of: alike?.runs ?? 0,
    kept: keptText(design),
    runs: missing,
    ms: alike?.ms == null ? null : alike.ms * missing,
  }
}

/** An effect in standard deviations of what is asked; one where it, or how far runs spread, is not known. */
function sizeOf(effect: number | undefined, sd: number | null, spread: number | null | undefined): number {
  return effect === undefined || !sd || !spread ? 1 : Math.abs(effect) / (sd * spread)
}

/** What each question can show, in a sentence; first, where the plan shows nothing at all, that. */
export function shownLines({ futile, questions, seeds, margin, family }: Outlook, meaning: MetricMeaning): string[] {
  const several = questions.length > 1
  const shown = questions.flatMap(({ title, smallest, amount, problem, supposes, looked, equal }) => {
    const up = looked ? 'up to ' : ''
    const where = supposes === null ? '' : `, ${supposes}`
    const what = problem ?? (smallest === null ? null : `${up}${effectText(seeds, smallest, amount, meaning)}${where}`)
    const within = equal === null || margin === null ? [] : [equalText(seeds, margin, equal, meaning)]
    const all = [...(what === null ? [] : [what]), ...within]
    return all.map((each) => (several ? `${title}: ${each}` : each))
  })
  const among = family ? [familyOutlookText(family)] : []
  return [...(futile !== null && several ? [futile] : []), ...shown, ...among]
}

/** The same of so many variants beside the first, of which nothing else is known. */
export function outlookOfPairs(seeds: number, others: number, looked = false): string[] {
  if (others === 0) return []
  const smallest = looked ? smallestLooked(seeds, others) : smallestEffect(seeds, ALPHA / others)
  return smallest === null ? [] : [`${looked ? 'up to ' : ''}${effectText(seeds, smallest, null, {})}`]
}

function equalText(seeds: number, margin: number, power: number, meaning: MetricMeaning): string {
  const what = `equal within ${marginText(margin, meaning)} with a power of ${power.toFixed(2)}`
  return `${plural(seeds, 'seed')} show it ${what}, where there is no difference`
}

function effectText(seeds: number, smallest: number, amount: number | null, meaning: MetricMeaning): string {
  const effect =
    amount === null ? `${smallest.toFixed(1)} standard deviations between seeds` : amountText(amount, meaning)
  return `${plural(seeds, 'seed')} show an effect of ${effect} with a power of ${POWER}`
}

/** What is known of runs like those of the study: their spread, and what the missing ones cost. */
export function costLines({ sd, upper, of, kept, runs, ms }: Outlook, meaning: MetricMeaning): string[] {
  return [
    ...(kept === null ? [] : [kept]),
    ...(sd === null || upper === null
      ? []
      : [
          `${plural(of, 'run')} like these spread by ${amountText(sd, meaning)} between seeds, planned for is ${amountText(upper, meaning)}, the upper 80% bound`,
        ]),
    ...(ms === null || runs === 0
      ? []
      : [`about ${duration(ms / 1000)} for ${plural(runs, 'run')}, as long as such runs took`]),
  ]
}

/** An amount of a metric: `1.2 points`, `0.034`. */
export function amountText(amount: number, meaning: MetricMeaning): string {
  const points = isShare(meaning)
  return `${Number((points ? 100 * amount : amount).toPrecision(2))}${points ? ' points' : ''}`
}
