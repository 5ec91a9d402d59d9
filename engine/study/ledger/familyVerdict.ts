import type { Standing } from '../../records/ledger.ts'
import type { Claim, Interim, Judgement } from '../statistics/judgement.ts'
import { seedsFor } from '../statistics/power.ts'
import { fewestLooks } from '../statistics/sequentialTest.ts'
import { ALPHA, fewestSeeds } from '../statistics/signFlip.ts'
import { levelAt } from './comparisons.ts'

/** What a comparison shows among all comparisons of its family, whatever study they are of. */
export interface FamilyVerdict {
  claim: Claim
  comparisons: number
  place: number
  /** The level of all that was entered with it. */
  level: number
  /** The fewest seeds of a next comparison that would probably show the same effect; null where it is shown, or beyond 100. */
  seeds: number | null
  closedAt: number | null
  before: Standing['before']
}

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
