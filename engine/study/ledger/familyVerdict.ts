import type { Standing, StudyDesign } from '../../records/design.ts'
import type { Claim, FamilyVerdict, Interim, Judgement } from '../statistics/judgement.ts'
import { looksForPower, seedsFor, seedsForPower } from '../statistics/power.ts'
import { plural } from '../statistics/sentences.ts'
import { fewestLooks } from '../statistics/sequentialTest.ts'
import { ALPHA, fewestSeeds } from '../statistics/signFlip.ts'
import { levelAt } from './comparisons.ts'

/** Comparisons that were entered in a family at once, and are tested by one correction at their level. */
export interface EnteredTogether {
  /** By how much less the level of all of them is than 0.05: a correction for so many studies. */
  share: number
  /** Comparisons that were entered with them and are not there now. */
  missing: number
  variants: string[]
}

/** Groups the variants that are tested by what was entered at once. */
export function enteredTogether(tested: readonly string[], ledger: readonly Standing[]): EnteredTogether[] {
  const own = ledger.filter(({ variant }) => tested.includes(variant))
  const groups = Map.groupBy(own, ({ family, level, entered }) => `${family} ${level} ${entered}`)
  return [...groups.values()].map((all) => {
    const [{ level, entered }] = all as [Standing]
    return {
      share: ALPHA / level,
      missing: Math.max(0, entered - all.length),
      variants: all.map(({ variant }) => variant),
    }
  })
}

/** What a comparison that stands there shows, of which a test at the level of its family claims so much. */
export function familyVerdict(
  { comparisons, place, level, closedAt, before }: Standing,
  claim: Claim,
  { effect, looks }: Pick<Judgement, 'effect' | 'looks'>,
): FamilyVerdict {
  const next = levelAt(comparisons + 1)
  const isOpen = claim === 'open' || claim === 'too few'
  const needed = looks ? fewestLooks(1 / next) : effect ? seedsFor(Math.abs(effect), next) : fewestSeeds(next)
  return { claim, comparisons, place, level, seeds: isOpen && closedAt === null ? needed : null, closedAt, before }
}

/** What it takes to show the comparisons of a study in their family. */
export interface FamilyOutlook {
  /** Comparisons in the family, with those of the study. */
  comparisons: number
  /** The level of the first to be shown. */
  level: number
  /** The fewest seeds that can reach it. */
  needed: number
  /** The fewest seeds that show an effect, in standard deviations, with a power of 0.8; null where it takes more than 200. */
  effect: number
  seedsForPower: number | null
}

/** The same for a study whose family has more comparisons than it enters; null for any other. */
export function familyOutlook({ ledger, anytime }: StudyDesign, effect = 1): FamilyOutlook | null {
  const standing = strictest(ledger)
  if (!standing || standing.comparisons <= standing.entered) return null
  const { comparisons, entered } = standing
  const level = standing.level / entered
  const found = anytime
    ? { needed: fewestLooks(1 / level), seedsForPower: looksForPower(effect, ALPHA / level) }
    : { needed: fewestSeeds(level), seedsForPower: seedsForPower(effect, level) }
  return { comparisons, level, effect, ...found }
}

/** `in its family of 20 comparisons 14 seeds can show one, and 17 show an effect of 1 sd with a power of 0.8`. */
export function familyOutlookText({ comparisons, needed, effect, seedsForPower }: FamilyOutlook): string {
  const size = `${Number(effect.toPrecision(2))} standard deviations between seeds`
  const powered = `${seedsForPower ?? 'more than 200'} show an effect of ${size} with a power of 0.8`
  return `in its family of ${plural(comparisons, 'comparison')} ${plural(needed, 'seed')} can show one, and ${powered}`
}

/** Where the comparisons of a study stand that have the least level: what it asks may be of all of them. */
export function strictest(ledger: readonly Standing[] = []): Standing | undefined {
  return ledger.toSorted((a, b) => a.level / a.entered - b.level / b.entered)[0]
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)

/**
 * The second sentence, where the family has more comparisons than the study has entered: `within the 19 comparisons of its
 * family: open, 14 seeds would decide`. Nothing of a comparison that is exploratory; while planned seeds are missing it is open.
 */
export function familyText(
  { claim, comparisons, seeds, closedAt, before }: FamilyVerdict,
  { entered }: Pick<Standing, 'entered'>,
  exploratory: string | null,
  interim: Interim | null,
): string[] {
  if (exploratory || (comparisons <= entered && closedAt === null && before === null)) return []
  if (claim === 'same' || claim === 'counted') return []
  const open = claim === 'open' || claim === 'too few'
  const decide = seeds === null ? 'more than 100 seeds would be needed' : `${seeds} seeds would decide`
  const said = interim
    ? 'open until all planned seeds are done'
    : open
      ? ['open', ...(closedAt === null ? [decide] : [])].join(', ')
      : claim
  const within = comparisons === 1 ? 'as the one comparison' : `within the ${comparisons} comparisons`
  return [
    `${within} of its family: ${said}`,
    ...(closedAt === null ? [] : [`its family was closed on ${day(closedAt)}`]),
    ...(before === null ? [] : [`a family of ${before.comparisons} before it was closed on ${day(before.closedAt)}`]),
  ]
}
