import { isShare, type MetricMeaning } from '../../../records/meaning.ts'
import { plural } from '../seeds.ts'
import type { Judgement } from '../types.ts'

/** A margin as text: `1 point` of a share, else e.g. `0.02 nats`. */
export function marginText(margin: number, { unit }: Pick<MetricMeaning, 'unit'>): string {
  const amount = Number((isShare({ unit }) ? 100 * margin : margin).toPrecision(6))
  return isShare({ unit }) ? `${amount} ${amount === 1 ? 'point' : 'points'}` : `${amount} ${unit ?? ''}`.trim()
}

/** What stands after an amount that is a difference and yet within the margin; '' of others. */
export function withinText({ within }: Judgement, meaning: MetricMeaning): string {
  return within?.above && within.below ? `, within the margin of ${marginText(within.margin, meaning)}` : ''
}

/** How a claim of a margin begins, e.g. `equal within 1 point`; null of another. */
export function marginClaim({ claim, within }: Judgement, meaning: MetricMeaning): string | null {
  if (!within) return null
  const margin = marginText(within.margin, meaning)
  if (claim === 'equal') return `equal within ${margin}`
  return claim === 'not worse' || claim === 'not better' ? `${claim} by more than ${margin}` : null
}

/** What is not shown of a margin, where nothing is claimed. */
export function notEqualText({ claim, within }: Judgement, meaning: MetricMeaning): string[] {
  if (!within || (claim !== 'open' && claim !== 'too few')) return []
  const { margin, fewest } = within
  const least = fewest === null ? '' : `, which takes at least ${plural(fewest, 'seed')}`
  return [`not shown to be equal within ${marginText(margin, meaning)}${least}`]
}
