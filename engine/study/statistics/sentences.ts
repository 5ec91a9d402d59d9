import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import {
  type Claim,
  type Failures,
  type Interim,
  type Interval,
  type Judgement,
  type Looks,
  PART_KINDS,
  type Parts,
  type Saying,
  type Verdict,
} from './judgement.ts'
import { ENOUGH } from './signFlip.ts'

const NO_WAY = 'which way is better is not known'
/** Problems, and variants that failed, that a sentence names; the rest is counted. */
const NAMED = 3

/** The two that are compared, as a sentence names them. */
export interface NamedSides {
  /** e.g. `gated`, or `block mixer`. */
  own: string
  other: string
}

/** What numbers of `seeds` seeds show, and what is known of them. */
export interface Judged extends Judgement {
  meaning: MetricMeaning
  problems: readonly string[]
  seeds: number
  /** Who is compared; left out where what is asked has words of its own. */
  sides?: NamedSides | undefined
  say?: Saying | undefined
}

const NAMELESS: NamedSides = { own: 'the variant', other: 'the baseline' }

/**
 * A sentence of its parts, in the order of their kinds: `at batch 128 instead of 64: wide is more accurate than narrow by 1.8
 * points (95% CI 0.9 to 2.6; 6 of 6 seeds, p = 0.031); ...`.
 */
export function sentenceOf({ instead = [], asked = [], claim = [], figures = [], ...rest }: Parts): string {
  const main = `${claim.join(', ')}${figures.length > 0 ? ` (${figures.join(', ')})` : ''}`
  const after = PART_KINDS.flatMap((kind) => (rest as Parts)[kind] ?? [])
  return [...instead, ...asked, [main, ...after].join('; ')].join(': ')
}

/** A verdict, or an answer, with more parts, e.g. of what a store knows of its family. */
export function withParts<Said extends { parts: Parts; sentence: string }>(said: Said, more: Parts): Said {
  const parts = { ...said.parts, ...more }
  return { ...said, parts, sentence: sentenceOf(parts) }
}

/** Another metric, or none, is compared by `better` and `worse`. */
const COMPARED: Record<string, readonly [better: string, worse: string]> = {
  accuracy: ['is more accurate than', 'is less accurate than'],
  loss: ['has a lower loss than', 'has a higher loss than'],
  perplexity: ['has a lower perplexity than', 'has a higher perplexity than'],
}

/** `gated is more accurate than ungated`, `rises with depth`; `up` is better, or higher where neither way is. */
function comparedText({ say, sides = NAMELESS, meaning }: Judged, up: boolean): string {
  if (say) return up ? say.more : say.less
  const { words, better } = meaning
  const [more, less] = better ? ['better', 'worse'] : ['higher', 'lower']
  const word = up ? more : less
  const known = better && words ? COMPARED[words] : undefined
  const text = known?.[up ? 0 : 1] ?? (words ? `has a ${word} ${words} than` : `is ${word} than`)
  return `${sides.own} ${text} ${sides.other}`
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
export const onlyClaim = (claim: string): Parts => ({ claim: [claim] })

/** What is claimed and by how much, or why nothing is. */
export function judgedParts(judged: Judged): Parts {
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
 * `gated is more accurate than ungated on most seeds (9 of 10 seeds, evidence 24 to 1, decided with seed 10)`.
 */
function lookedParts(judged: Judged & { looks: Looks }): Parts {
  const { claim, wins, ties, losses, seeds, looks, say } = judged
  const of = `of ${plural(seeds, 'seed')}`
  const { evidence, decidedWith, reachable, plan, path } = looks
  const median = medianText(judged)
  if (decidedWith !== null && claim !== 'open') {
    const up = claim === 'different' ? wins >= losses : claim === 'better'
    return {
      claim: [`${comparedText(judged, up)} on most seeds`],
      figures: [`${up ? wins : losses} ${of}`, `evidence ${ratio(evidence)}`, `decided with seed ${decidedWith}`],
      more: [...median, 'an estimate after stopping is too large', ...(claim === 'different' && !say ? [NO_WAY] : [])],
    }
  }
  const when = seeds < plan ? `after seed ${path.at(-1)?.seed} of at most ${plan}` : `after all ${plan} seeds`
  const end = seeds < plan && !reachable ? ['the seeds that are left cannot decide it'] : []
  return {
    claim: [
      `${openText({ ...judged, claim: 'open' })}: ${sideText(judged)} on ${wins}${ties > 0 ? `, equal on ${ties}` : ''} ${of}`,
    ],
    figures: [`evidence ${ratio(evidence)} ${when}`, `${ENOUGH} to 1 decides`],
    more: [...median, ...end],
  }
}

/** `gated is not shown to differ from ungated`. */
function openText({ say, sides = NAMELESS, claim }: Judged): string {
  const { own, other } = sides
  if (claim === 'too few')
    return `too few seeds${say ? `, ${say.none ?? 'no difference shown'}` : ` to tell ${own} from ${other}`}`
  return say ? (say.none ?? 'no difference shown') : `${own} is not shown to differ from ${other}`
}

const sideText = ({ meaning, say }: Judged) => (meaning.better ? 'better' : say ? 'above 0' : 'higher')

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

function claimParts(judged: Judged): Parts {
  const { claim, difference, wins, losses, failures, say, meaning, sides: { own, other } = NAMELESS } = judged
  const seeds = seedsOf(judged)
  const of = `of ${plural(seeds, 'seed')}`
  const [amount, ...tested] = [amountOf(judged), ...intervalText(judged)]
  if (claim === 'better' || claim === 'worse' || claim === 'different') {
    const up = claim === 'different' ? (difference ?? 0) > 0 : claim === 'better'
    return {
      claim: [`${comparedText(judged, up)} ${say?.by ?? 'by'} ${amount}`],
      figures: [[...tested, `${up ? wins : losses} ${of}`].join('; '), ...pText(judged)],
      more: [...insideText(judged), ...(claim === 'different' && !say ? [NO_WAY] : [])],
    }
  }
  if (claim === 'same') {
    const all = `on all ${plural(seeds, 'seed')}`
    return onlyClaim(say ? `${say.none ?? 'no difference'}: 0 ${all}` : `${own} equals ${other} ${all}`)
  }
  if (claim === 'counted') return onlyClaim(countedText(judged))
  if (claim === 'mixed' || claim === 'fails less' || claim === 'fails more') {
    const often = `${own} fails ${failures.claim === 'less' ? 'less' : 'more'} often than ${other}`
    const figures = pOfFailures(failures)
    if (seeds === 0) return { claim: [often], figures }
    const up = (difference ?? 0) * (meaning.better === 'lower' ? -1 : 1) > 0
    const isMixed = claim === 'mixed'
    const start = isMixed
      ? `${often}, and ${comparedText({ ...judged, sides: { own: '', other: 'it' } }, up).trim()}`
      : often
    return {
      claim: [start],
      figures,
      more: [[...(isMixed ? [] : ['no other difference shown']), amount, ...tested].join(', ')],
    }
  }
  if (seeds === 0) return onlyClaim(`nothing to compare: no seed learned in ${inAll(failures)}`)
  return {
    claim: [`${unclaimedStart(judged)}: ${say?.mean ? `${say.mean} ` : ''}${amount}`],
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

/** `gated has 8192 fewer multiply-adds than ungated`: of values that do not vary over seeds. */
function countedText({ difference, meaning, sides = NAMELESS, say }: Judged): string {
  const { unit, words } = meaning
  const points = isShare(meaning)
  const size = Number((Math.abs(difference ?? 0) * (points ? 100 : 1)).toPrecision(6))
  const name = points ? (words ?? '') : (unit ?? words ?? '')
  const isCount = Number.isInteger(difference) && !points && name !== ''
  const less = (difference ?? 0) < 0
  const amount = `${size} ${points ? 'points ' : ''}${less ? (isCount ? 'fewer' : 'less') : 'more'} ${name}`.trim()
  if (say) return amount
  const { own, other } = sides
  return `${own} ${name ? 'has' : 'is'} ${amount} than ${other}`
}

/** Claims that are not about a mean that is shown. */
const NOT_OF_MEAN: readonly Claim[] = ['fails less', 'fails more', 'same', 'counted', 'open', 'too few']

/** For which seeds a claim holds, what it assumes, and which seeds failed. */
function failuresText(judged: Judged): string[] {
  const { claim, failures, looks } = judged
  const { seeds, learned, upTo, about, threshold } = failures
  if (seeds === 0 || claim === 'counted') return []
  const isOfMean = !NOT_OF_MEAN.includes(claim) && !looks
  const assumed = isOfMean ? ['assumes symmetric differences'] : []
  if (about === 'all') {
    if (claim === 'too few') return []
    const names = Object.keys(failures.by).filter((variant) => failures.by[variant]?.failed === seeds)
    const [named, rest] = [names.slice(0, NAMED), names.length - NAMED]
    const who = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(' and ')
    return [`${who} learned with none of ${plural(seeds, 'seed')}, so all values are compared`, ...assumed]
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
    threshold === null
      ? `no run of ${plural(seeds, 'seed')} diverged`
      : `${learned} of ${plural(seeds, 'seed')} learned in ${inAll(failures)}`
  const fail = threshold === null ? 'diverge' : 'fail'
  return [`${all}, so up to ${percent(upTo)} of seeds may still ${fail} (95%)`, ...assumed]
}

const inAll = ({ by }: Failures) => (Object.keys(by).length === 2 ? 'both' : 'all compared runs')

const percent = (share: number) => `${Math.round(100 * share)}%`

/** What is claimed of the margin, or that nothing is. */
function unclaimedStart(judged: Judged): string {
  const { claim, within, meaning, sides: { own, other } = NAMELESS } = judged
  const margin = within && marginText(within.margin, meaning)
  if (claim === 'equal') return `${own} equals ${other} within ${margin}`
  if (claim === 'not worse' || claim === 'not better') return `${own} is ${claim} than ${other} by more than ${margin}`
  return openText(judged)
}

/** `better on 4, equal on 1`, or on how many the number is within the margin. */
function recordText(judged: Judged): string {
  const { claim, wins, ties, within } = judged
  if (claim === 'equal') return `within it on ${within?.inside ?? 0}`
  return `${sideText(judged)} on ${wins}${ties > 0 ? `, equal on ${ties}` : ''}`
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
  const claimed = claim === 'better' || claim === 'worse' || claim === 'different'
  const flip = claimed && !say?.signed && Math.sign(difference ?? 0) < 0 ? -scale : scale
  const [low, high] = [(interval?.low ?? 0) * flip, (interval?.high ?? 0) * flip].sort((a, b) => a - b) as [
    number,
    number,
  ]
  const mean = (difference ?? 0) * flip
  const width = [interval ? (high - low) / 2 : 0, Math.abs(mean)].find((each) => each > 0 && Number.isFinite(each)) ?? 0
  return { claimed, mean, low, high, digits: Math.max(isShare(meaning) ? 1 : 0, digitsFor(width)) }
}

/** The mean with its unit: with a claim how much better or worse, or how much of what is said, else with its sign. */
function amountOf(judged: Judged): string {
  const { meaning, say } = judged
  const { claimed, mean, digits } = scaled(judged)
  if (!Number.isFinite(mean)) return mean < 0 ? 'minus infinity' : 'infinity'
  const unit = isShare(meaning) ? ' points' : meaning.unit ? ` ${meaning.unit}` : ''
  const way = claimed || isShare(meaning) || !meaning.better ? '' : ` (${meaning.better} is better)`
  return `${claimed ? mean.toFixed(digits) : signedText(mean, digits)}${unit}${way}${say?.per ?? ''}`
}

/** `95% CI 0.9 to 2.6`, if there is one. */
function intervalText(judged: Judged): string[] {
  const { interval } = judged
  if (!interval) return []
  const { low, high, digits } = scaled(judged)
  return [`${levelText(interval)} ${low.toFixed(digits)} to ${high.toFixed(digits)}`]
}

/** A claim in a table, where there is no room for the sentence. */
export const CLAIMS: Record<Claim, string> = {
  better: 'better',
  worse: 'worse',
  different: 'different',
  'fails less': 'fails less often',
  'fails more': 'fails more often',
  mixed: 'mixed: mean and failures differ',
  equal: 'equal within margin',
  'not worse': 'not worse by margin',
  'not better': 'not better by margin',
  same: 'equal on all seeds',
  counted: 'compared, not tested',
  open: 'not shown',
  'too few': 'too few seeds',
}

/** What is claimed of a question, in its own words where it has some: `gains more`, `rises with depth`. */
export function claimText({
  claim,
  difference,
  say,
}: Pick<Judgement, 'claim' | 'difference'> & { say?: Saying | undefined }): string {
  const { more, less } = say ?? {}
  const isMore = claim === 'better' || (claim === 'different' && (difference ?? 0) > 0)
  const isLess = claim === 'worse' || claim === 'different'
  return (isMore ? more : isLess ? less : undefined) ?? CLAIMS[claim]
}

/** Differences of a share are given in percentage points. */
export function differenceUnit(meaning: MetricMeaning): string {
  return isShare(meaning) ? ', points' : ''
}

/** `+1.82` and `0.91 to 2.64`, in the unit of `differenceUnit`; null without pairs, and where there is no interval. */
export function differenceTexts({
  meaning,
  difference,
  interval,
}: Pick<Verdict, 'meaning' | 'difference' | 'interval'>): {
  mean: string | null
  interval: string | null
} {
  if (difference === null) return { mean: null, interval: null }
  const text = differenceFormat(meaning, interval ? (interval.high - interval.low) / 2 : Math.abs(difference))
  const level = interval && interval.level !== 0.95 ? ` (${levelText(interval)})` : ''
  return {
    mean: text(difference, true),
    interval: interval && `${text(interval.low)} to ${text(interval.high)}${level}`,
  }
}

/** Differences as text, with digits for an uncertainty of this size. */
export function differenceFormat(
  meaning: MetricMeaning,
  uncertainty: number,
): (difference: number, signed?: boolean) => string {
  const scale = isShare(meaning) ? 100 : 1
  const digits = Math.max(isShare(meaning) ? 1 : 0, digitsFor(uncertainty * scale))
  return (difference, signed = false) => {
    const value = difference * scale
    return signed ? signedText(value, digits) : value.toFixed(digits)
  }
}

/** A p, or an effect, with two digits; a dash where there is none. */
export function twoDigits(value: number | null): string {
  if (value === null) return '–'
  return Math.abs(value) < 1e-12 ? '0' : String(Number(value.toPrecision(2)))
}

/** `5–0–1`: seeds won, equal and lost. */
export function seedRecord({ wins, ties, losses }: Pick<Verdict, 'wins' | 'ties' | 'losses'>): string {
  return `${wins}–${ties}–${losses}`
}

/** `1 seed`, `2 seeds`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** 0.0625, 0.031, 1: as many digits as tell it from 0.05. */
export function significant(p: number): string {
  return String(Number(p.toPrecision(p > 0.05 && p < 0.1 ? 3 : 2)))
}

/** `+1.8`, `-0.4`, and `0.0` for what is rounded to nothing. */
export function signedText(value: number, digits: number): string {
  const text = value.toFixed(digits)
  if (Number(text) === 0) return text.replace('-', '')
  return value > 0 ? `+${text}` : text
}

/** Decimals to print beside an uncertainty of this size: two of its digits where they are below 30, else one. */
export function digitsFor(uncertainty: number): number {
  return uncertainty > 0 ? Math.min(8, Math.max(0, -Math.floor(Math.log10(uncertainty / 3)))) : 0
}

/** `24 to 1`, `1.3 to 1`: rounded down, so that nothing below 20 is called 20. */
export function ratio(evidence: number): string {
  if (evidence > 1e6) return 'over 1000000 to 1'
  const digits = evidence < 10 ? 10 : 1
  return `${Math.floor(evidence * digits * (1 + 1e-12)) / digits} to 1`
}
