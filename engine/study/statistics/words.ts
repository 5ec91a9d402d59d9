import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import { lookedText } from './anytime/words.ts'
import { ofSeeds, onOthers } from './divergedText.ts'
import { marginClaim, notEqualText, withinText } from './margin/marginText.ts'
import { ALPHA, digitsFor, plural, signedText, significant } from './seeds.ts'
import type { Judgement, Saying, Verdict } from './types.ts'

export { digitsFor, signedText } from './seeds.ts'
export type { Saying } from './types.ts'

const NO_WAY = 'which way is better is not known'
/** Problems that a sentence names; the rest is counted. */
const NAMED = 3

/** What numbers of `seeds` seeds show, and what is known of them. */
export interface Judged extends Judgement {
  meaning: MetricMeaning
  problems: readonly string[]
  seeds: number
  say?: Saying | undefined
}

/** A verdict in words, but for its sentence. */
export function sentenceOf(verdict: Omit<Verdict, 'sentence'>): string {
  const { instead, exploratory, notes, variant, baseline, pairs, looks, wins, ties, losses } = verdict
  const at = instead.length > 0 ? `${instead.join(', ')}: ` : ''
  const chosen = exploratory ? [`exploratory: ${exploratory}`] : []
  const seeds = looks ? wins + ties + losses : pairs.length + (verdict.diverged?.seeds ?? 0)
  const main =
    seeds === 0
      ? [`nothing to compare: no seed is done in both ${variant} and ${baseline}`]
      : judgedText({ ...verdict, seeds })
  return `${at}${[...main, ...chosen, ...missingText(verdict.missing.length, seeds), ...notes].join('; ')}`
}

/** What is claimed and by how much, or why nothing is, in parts of a sentence. */
export function judgedText(judged: Judged): string[] {
  const { claim, seeds, problems, difference, wins, losses, say } = judged
  if (problems.length > 0) {
    const more = problems.length > NAMED ? [`${problems.length - NAMED} more`] : []
    return [`no verdict: not only the models differ, but also ${[...problems.slice(0, NAMED), ...more].join(', ')}`]
  }
  if (judged.looks) {
    return [...lookedText({ ...judged, looks: judged.looks }), ...(claim === 'different' && !say ? [NO_WAY] : [])]
  }
  if (judged.diverged) return divergedText(judged)
  const of = `of ${plural(seeds, 'seed')}`
  const amount = amountOf(judged)
  const { more, less, by = 'by' } = say ?? { more: 'better', less: 'worse' }
  const isMore = claim === 'better' || (claim === 'different' && say && (difference ?? 0) > 0)
  if (isMore) return [`${more} ${by} ${amount}, ${wins} ${of}`]
  if (claim === 'worse' || (claim === 'different' && say)) return [`${less} ${by} ${amount}, ${losses} ${of}`]
  if (claim === 'different') return [`differs by ${amount}, higher on ${wins} ${of}`, NO_WAY]
  return [
    `${unclaimedStart(judged)}: ${say?.mean ? `${say.mean} ` : ''}${amount}, ${recordText(judged)} ${of}`,
    ...unclaimedEnd(judged),
  ]
}

/** What is said where runs diverged: who wins on how many seeds, and the mean of the others. */
function divergedText(judged: Judged): string[] {
  const { claim, seeds, wins, losses, say } = judged
  const of = ofSeeds(seeds, judged)
  const others = onOthers(amountOf({ ...judged, claim: 'open' }), seeds, judged)
  const { more, less } = say ?? { more: 'better', less: 'worse' }
  if (claim === 'better') return [`${more} on ${wins} ${of}`, ...others]
  if (claim === 'worse') return [`${less} on ${losses} ${of}`, ...others]
  return [`${unclaimedStart(judged)}: ${recordText(judged)} ${of}`, ...others, ...unclaimedEnd(judged)]
}

/** What is claimed of the margin, or that nothing is. */
function unclaimedStart(judged: Judged): string {
  const { claim, meaning, say } = judged
  const none = say?.none
  const start = claim === 'too few' ? ['too few seeds', ...(none ? [none] : [])].join(', ') : none
  return marginClaim(judged, meaning) ?? start ?? 'no difference shown'
}

/** `better on 4, equal on 1`, or on how many the number is within the margin. */
function recordText({ claim, meaning, wins, ties, within, say }: Judged): string {
  if (claim === 'equal') return `within it on ${within?.inside ?? 0}`
  const side = meaning.better ? 'better' : say ? 'above 0' : 'higher'
  return `${side} on ${wins}${ties > 0 ? `, equal on ${ties}` : ''}`
}

/** What stands after the numbers where no difference is claimed: why, what else is not, and what would help. */
function unclaimedEnd(judged: Judged): string[] {
  const { claim, meaning, within, diverged } = judged
  if (claim === 'equal') return []
  const oneSide = within && within.above !== within.below && !meaning.better
  const sideless = oneSide ? [NO_WAY] : []
  return [...(diverged ? [] : unclaimedReason(judged)), ...notEqualText(judged, meaning), ...sideless, moreText(judged)]
}

/** Why nothing is claimed although 0 lies outside the interval. */
function unclaimedReason({ claim, interval, p, adjusted }: Judgement): string[] {
  if (claim !== 'open' || !interval || p === null || adjusted === null) return []
  if (interval.low <= 0 && interval.high >= 0) return []
  if (p > ALPHA) return [`the interval is narrow for so few seeds, p is ${significant(p)}`]
  return [`the interval is of this comparison alone, p after Holm's correction is ${significant(adjusted)}`]
}

/** What would decide a comparison that is open: `about 12 more seeds would settle a difference of this size`. */
export function moreText({ moreSeeds, effect, within }: Judgement): string {
  const forMargin = within?.moreSeeds
  if (forMargin && (moreSeeds === null || forMargin < moreSeeds)) {
    return `about ${plural(forMargin, 'more seed')} would show it equal`
  }
  if (moreSeeds === null) return 'more than 100 more seeds are needed to settle a difference of this size'
  if (effect === null) return `at least ${plural(moreSeeds, 'more seed')} ${moreSeeds === 1 ? 'is' : 'are'} needed`
  return `about ${plural(moreSeeds, 'more seed')} would settle a difference of this size`
}

/** How many of the planned seeds have no number, if any. */
export function missingText(missing: number, found: number): string[] {
  if (missing === 0) return []
  return [`${missing} of ${plural(missing + found, 'seed')} ${missing === 1 ? 'is' : 'are'} missing`]
}

/**
 * The mean with its interval: `1.8 points, 95% interval 0.9 to 2.6`. With a claim it is how much better or worse, or how
 * much of what is said, else the mean with its sign.
 */
function amountOf(judged: Judged): string {
  const { claim, meaning, difference, interval, say } = judged
  const points = isShare(meaning)
  const scale = points ? 100 : 1
  const claimed = claim === 'better' || claim === 'worse' || (claim === 'different' && say !== undefined)
  const flip = claimed && !say?.signed && Math.sign(difference ?? 0) < 0 ? -1 : 1
  const ends = interval && [interval.low * flip, interval.high * flip].sort((a, b) => a - b).map((end) => end * scale)
  const [low = 0, high = 0] = ends ?? []
  const mean = (difference ?? 0) * flip * scale
  const digits = Math.max(points ? 1 : 0, digitsFor(ends ? (high - low) / 2 : Math.abs(mean)))
  const text = mean.toFixed(digits)
  const per = say?.per ?? ''
  if (claimed) {
    const side = say ? '' : ` (${(difference ?? 0) < 0 ? 'lower' : 'higher'})`
    const unit = points ? ' points' : side
    return `${text}${unit}${per}${withinText(judged, meaning)}${ends ? `, 95% interval ${low.toFixed(digits)} to ${high.toFixed(digits)}` : ''}`
  }
  const unit = points ? ' points' : meaning.better ? ` (${meaning.better} is better)` : ''
  const signed = `${signedText(mean, digits)}${unit}${per}`
  return ends && claim !== 'too few'
    ? `${signed}, 95% interval ${low.toFixed(digits)} to ${high.toFixed(digits)}`
    : signed
}
