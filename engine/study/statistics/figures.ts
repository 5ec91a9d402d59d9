import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import { digitsFor, signedText } from './seeds.ts'
import type { Claim, Judgement, Saying, Verdict } from './types.ts'
import { levelText } from './words.ts'

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
