import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import { ENOUGH, ratio } from './anytime/evidence.ts'
import { digitsFor, plural, signedText, significant } from './seeds.ts'
import type { Claim, Failures, Interim, Interval, Judgement, Looks, Parts, Saying } from './types.ts'

export { digitsFor, signedText } from './seeds.ts'
export type { Saying } from './types.ts'

const NO_WAY = 'which way is better is not known'
/** Problems, and variants that failed, that a sentence names; the rest is counted. */
const NAMED = 3

/** What numbers of `seeds` seeds show, and what is known of them. */
export interface Judged extends Judgement {
  meaning: MetricMeaning
  problems: readonly string[]
  seeds: number
  say?: Saying | undefined
}

/** What is claimed in words, with what it rests on: the parts of a sentence that are of the judgement alone. */
export type Said = Pick<Parts, 'claim' | 'figures' | 'failures' | 'more'>

/** A whole sentence of its parts. */
export function sentenceOf({ instead, claim, figures, failures, more, plan, notes }: Parts): string {
  const start = instead ? `${instead}: ` : ''
  const behind = figures.length > 0 ? ` (${figures.join(', ')})` : ''
  return `${start}${[claim + behind, ...failures, ...more, ...plan, ...notes].join('; ')}`
}

/** How far a comparison is from its plan. */
export function planText(exploratory: string | null, interim: Interim | null): string[] {
  return [
    ...(exploratory ? [`exploratory: ${exploratory}`] : []),
    ...(interim ? [`interim: ${interim.done} of ${plural(interim.planned, 'planned seed')}`] : []),
  ]
}

/** How many of the planned seeds are done, where some are missing. */
export function interimOf(missing: number, done: number): Interim | null {
  return missing > 0 ? { done, planned: done + missing } : null
}

/** The parts of a sentence that say no more than this. */
export const onlyClaim = (claim: string): Said => ({ claim, figures: [], failures: [], more: [] })

/** What is claimed and by how much, or why nothing is. */
export function judgedParts(judged: Judged): Said {
  const { problems } = judged
  if (problems.length > 0) {
    const more = problems.length > NAMED ? [`${problems.length - NAMED} more`] : []
    const named = [...problems.slice(0, NAMED), ...more].join(', ')
    return onlyClaim(`no verdict: not only the models differ, but also ${named}`)
  }
  const { looks } = judged
  return { ...(looks ? lookedParts({ ...judged, looks }) : claimParts(judged)), failures: failuresText(judged) }
}

/**
 * What looking after every seed has shown, which is about most seeds, and with which evidence:
 * `better on most seeds (9 of 10 seeds, evidence 24 to 1, decided with seed 10)`.
 */
function lookedParts(judged: Judged & { looks: Looks }): Pick<Said, 'claim' | 'figures' | 'more'> {
  const { claim, meaning, wins, ties, losses, seeds, looks, say } = judged
  const of = `of ${plural(seeds, 'seed')}`
  const { evidence, decidedWith, reachable, plan, path } = looks
  const median = medianText(judged)
  if (decidedWith !== null && claim !== 'open') {
    const up = claim === 'different' ? wins >= losses : claim === 'better'
    const { more, less } =
      say ?? (claim === 'different' ? { more: 'higher', less: 'lower' } : { more: 'better', less: 'worse' })
    return {
      claim: `${up ? more : less} on most seeds`,
      figures: [`${up ? wins : losses} ${of}`, `evidence ${ratio(evidence)}`, `decided with seed ${decidedWith}`],
      more: [...median, 'an estimate after stopping is too large', ...(claim === 'different' && !say ? [NO_WAY] : [])],
    }
  }
  const way = meaning.better ? 'better' : say ? 'above 0' : 'higher'
  const when = seeds < plan ? `after seed ${path.at(-1)?.seed} of at most ${plan}` : `after all ${plan} seeds`
  const end = seeds < plan && !reachable ? ['the seeds that are left cannot decide it'] : []
  return {
    claim: `${say?.none ?? 'no difference shown'}: ${way} on ${wins}${ties > 0 ? `, equal on ${ties}` : ''} ${of}`,
    figures: [`evidence ${ratio(evidence)} ${when}`, `${ENOUGH} to 1 decides`],
    more: [...median, ...end],
  }
}

/** `median difference 1.8 points, confidence sequence 0.4 to 3.1`. */
function medianText(judged: Judged): string[] {
  const { difference, interval, say } = judged
  if (difference === null) return []
  const { low, high, digits } = scaled(judged)
  const end = (value: number) =>
    Number.isFinite(value) ? value.toFixed(digits) : value < 0 ? 'minus infinity' : 'infinity'
  const sequence = interval ? `, confidence sequence ${end(low)} to ${end(high)}` : ''
  return [`median ${say?.mean ?? 'difference'} ${amountOf(judged)}${sequence}`]
}

function claimParts(judged: Judged): Pick<Said, 'claim' | 'figures' | 'more'> {
  const { claim, difference, wins, losses, failures, say, meaning } = judged
  const seeds = seedsOf(judged)
  const of = `of ${plural(seeds, 'seed')}`
  const { more, less, by = 'by' } = say ?? { more: 'better', less: 'worse' }
  const isMore = claim === 'better' || (claim === 'different' && say && (difference ?? 0) > 0)
  const isLess = claim === 'worse' || (claim === 'different' && say)
  const [amount, ...tested] = [amountOf(judged), ...intervalText(judged)]
  const shown = (start: string, count: string) => ({
    claim: `${start} ${amount}`,
    figures: [[...tested, `${count} ${of}`].join('; '), ...pText(judged)],
    more: [...insideText(judged)],
  })
  if (isMore) return shown(`${more} ${by}`, String(wins))
  if (isLess) return shown(`${less} ${by}`, String(losses))
  if (claim === 'different') {
    const { more, ...rest } = shown('differs by', `higher on ${wins}`)
    return { ...rest, more: [...more, NO_WAY] }
  }
  if (claim === 'same') {
    const all = `on all ${plural(seeds, 'seed')}`
    return { claim: say?.none ? `${say.none}: 0 ${all}` : `equal ${all}`, figures: [], more: [] }
  }
  if (claim === 'counted') return { claim: countedText(difference ?? 0, meaning), figures: [], more: [] }
  if (claim === 'mixed' || claim === 'fails less' || claim === 'fails more') {
    const often = failures.claim === 'less' ? 'fails less often' : 'fails more often'
    if (seeds === 0) return { claim: often, figures: pOfFailures(failures), more: [] }
    const mean = (difference ?? 0) * (meaning.better === 'lower' ? -1 : 1) > 0 ? 'better' : 'worse'
    const start = claim === 'mixed' ? `${often}, and is ${mean}` : often
    const open = claim === 'mixed' ? [] : ['no other difference shown']
    return { claim: start, figures: pOfFailures(failures), more: [[...open, amount, ...tested].join(', ')] }
  }
  return {
    claim: `${unclaimedStart(judged)}: ${say?.mean ? `${say.mean} ` : ''}${amount}`,
    figures: [[...tested, `${recordText(judged)} ${of}`].join('; '), ...pText(judged)],
    more: unclaimedEnd(judged),
  }
}

/** The seeds that the mean is of. */
const seedsOf = ({ wins, ties, losses }: Judgement) => wins + ties + losses

/** The p of what is claimed; of one side of a margin alone there is none of both. */
function pText({ adjusted, claim, within }: Judgement): string[] {
  const p = claim === 'equal' ? (within?.adjusted ?? null) : adjusted
  return p === null || claim === 'too few' || claim.startsWith('not ') ? [] : [`p = ${significant(p)}`]
}

const pOfFailures = ({ adjusted }: Failures) => (adjusted === null ? [] : [`p = ${significant(adjusted)}`])

/** `8192 fewer multiply-adds`, `0.5 points lower`: of values that do not vary over seeds. */
function countedText(difference: number, meaning: MetricMeaning): string {
  const { unit, words } = meaning
  const [scale, name] = isShare(meaning) ? [100, 'points'] : [1, unit ?? words ?? '']
  const size = Number((Math.abs(difference) * scale).toPrecision(6))
  const [less, more] = Number.isInteger(difference) && !isShare(meaning) && name ? ['fewer', 'more'] : ['less', 'more']
  return `${size} ${difference < 0 ? less : more} ${name}`.trim()
}

/** Which claims are about a mean that is shown. */
const OF_MEAN: ReadonlySet<Claim> = new Set([
  'better',
  'worse',
  'different',
  'mixed',
  'equal',
  'not worse',
  'not better',
])

/** For which seeds a claim holds, what it assumes, and which seeds failed. */
function failuresText(judged: Judged): string[] {
  const { claim, failures, looks } = judged
  const { seeds, learned, upTo, about, threshold } = failures
  if (seeds === 0 || claim === 'counted') return []
  const isOfMean = OF_MEAN.has(claim) && !looks
  const assumed = isOfMean ? ['assumes symmetric differences'] : []
  if (about === 'all') {
    if (claim === 'too few') return []
    const none = `no seed ${threshold === null ? 'learned' : 'reached the threshold'} in all compared runs`
    return [`${none}, so all values are compared`, ...assumed]
  }
  if (learned < seeds) {
    const lost = Object.entries(failures.by)
      .filter(([, { failed }]) => failed > 0)
      .sort(([, a], [, b]) => b.failed - a.failed)
    const named = lost.slice(0, NAMED).map(([variant, { failed, upTo }]) => {
      return `${variant} failed on ${failed} of ${plural(seeds, 'seed')} (up to ${percent(upTo)})`
    })
    const more = lost.length > NAMED ? [`${lost.length - NAMED} more`] : []
    const compared = failures.adjusted === null || failures.claim ? [] : pOfFailures(failures)
    const held = isOfMean ? [`holds for seeds that ${threshold === null ? 'do not diverge' : 'learn'}`] : []
    return [...held, [...named, ...more, ...compared].join(', '), ...assumed]
  }
  if (!isOfMean) return []
  const all =
    threshold === null ? `none of ${plural(seeds, 'seed')} diverged` : `${learned} of ${plural(seeds, 'seed')} learned`
  return [`${all}, up to ${percent(upTo)} may still fail (95%)`, ...assumed]
}

const percent = (share: number) => `${Math.round(100 * share)}%`

/** What is claimed of the margin, or that nothing is. */
function unclaimedStart({ claim, within, meaning, say }: Judged): string {
  const none = say?.none
  const start = claim === 'too few' ? ['too few seeds', ...(none ? [none] : [])].join(', ') : none
  const margin = within && marginText(within.margin, meaning)
  if (claim === 'equal') return `equal within ${margin}`
  if (claim === 'not worse' || claim === 'not better') return `${claim} by more than ${margin}`
  return start ?? 'no difference shown'
}

/** `better on 4, equal on 1`, or on how many the number is within the margin. */
function recordText({ claim, meaning, wins, ties, within, say }: Judged): string {
  if (claim === 'equal') return `within it on ${within?.inside ?? 0}`
  const side = meaning.better ? 'better' : say ? 'above 0' : 'higher'
  return `${side} on ${wins}${ties > 0 ? `, equal on ${ties}` : ''}`
}

/** What stands after the numbers where no difference is claimed: what else is not, and what would help. */
function unclaimedEnd(judged: Judged): string[] {
  const { claim, meaning, within } = judged
  if (claim === 'equal') return []
  const sideless = within && within.above !== within.below && !meaning.better ? [NO_WAY] : []
  return [...notEqualText(judged), ...sideless, moreText(judged)]
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

/** A margin as text: `1 point` of a share, else e.g. `0.02 nats`. */
export function marginText(margin: number, { unit }: Pick<MetricMeaning, 'unit'>): string {
  const amount = Number((isShare({ unit }) ? 100 * margin : margin).toPrecision(6))
  return isShare({ unit }) ? `${amount} ${amount === 1 ? 'point' : 'points'}` : `${amount} ${unit ?? ''}`.trim()
}

/** That a difference is shown and lies within the margin, with the interval that says so. */
function insideText(judged: Judged): string[] {
  const { within, meaning } = judged
  if (!within?.above || !within.below) return []
  const interval = intervalText({ ...judged, interval: within.interval })
  return [`within the margin of ${marginText(within.margin, meaning)} (${interval.join('')})`]
}

/** What is not shown of a margin, where nothing is claimed. */
function notEqualText({ claim, within, meaning }: Judged): string[] {
  if (!within || (claim !== 'open' && claim !== 'too few')) return []
  const least = within.fewest === null ? '' : `, which takes at least ${plural(within.fewest, 'seed')}`
  return [`not shown to be equal within ${marginText(within.margin, meaning)}${least}`]
}

/** `95% CI`, `98.3% CI`. */
export function levelText({ level }: Pick<Interval, 'level'>): string {
  return `${Number((100 * level).toPrecision(3))}% CI`
}

/** How an amount and its interval are written: what is claimed has no sign, unless it keeps it. */
function scaled({ claim, meaning, difference, interval, say }: Judged) {
  const scale = isShare(meaning) ? 100 : 1
  const claimed = claim === 'better' || claim === 'worse' || (claim === 'different' && say !== undefined)
  const flip = claimed && !say?.signed && Math.sign(difference ?? 0) < 0 ? -scale : scale
  const [low, high] = [(interval?.low ?? 0) * flip, (interval?.high ?? 0) * flip].sort((a, b) => a - b) as [
    number,
    number,
  ]
  const mean = (difference ?? 0) * flip
  const width = [interval ? (high - low) / 2 : 0, Math.abs(mean)].find((each) => each > 0 && Number.isFinite(each)) ?? 0
  return { claimed, mean, low, high, digits: Math.max(isShare(meaning) ? 1 : 0, digitsFor(width)) }
}

/** The mean: with a claim how much better or worse, or how much of what is said, else with its sign. */
function amountOf(judged: Judged): string {
  const { meaning, difference, say } = judged
  const { claimed, mean, digits } = scaled(judged)
  const points = isShare(meaning)
  const per = say?.per ?? ''
  const side = say ? '' : ` (${(difference ?? 0) < 0 ? 'lower' : 'higher'})`
  if (!Number.isFinite(mean)) return mean < 0 ? 'minus infinity' : 'infinity'
  if (claimed) return `${mean.toFixed(digits)}${points ? ' points' : side}${per}`
  const unit = points ? ' points' : meaning.better ? ` (${meaning.better} is better)` : ''
  return `${signedText(mean, digits)}${unit}${per}`
}

/** `95% CI 0.9 to 2.6`, if there is one. */
function intervalText(judged: Judged): string[] {
  const { interval } = judged
  if (!interval) return []
  const { low, high, digits } = scaled(judged)
  return [`${levelText(interval)} ${low.toFixed(digits)} to ${high.toFixed(digits)}`]
}
