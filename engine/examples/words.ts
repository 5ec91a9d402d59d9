import type { Outcomes } from '../records/outcomes/outcomes.ts'
import type { Cause } from './causes.ts'
import type { Comparison } from './compare.ts'

/** What two runs are called in sentences. */
export type Names = readonly [first: string, second: string]

/** Which is better on how many examples, and whether that is chance, in a sentence. */
export function comparisonText({ outcomes: [first], better, equal, bothRight, p }: Comparison, [a, b]: Names): string {
  const [own, other] = [better[0].length, better[1].length]
  const count = `${own + other} of ${first.index.length} examples`
  const test = `McNemar's exact test: p ${pText(p)}`
  if (own + other === 0) {
    return isRightOrWrong(first)
      ? `They agree on all ${first.index.length} examples. Both are right on ${bothRight} and wrong on ${equal - bothRight}.`
      : `Neither is better on any of ${first.index.length} examples.`
  }
  if (!isRightOrWrong(first)) {
    return `They differ on ${count}: ${a} is better on ${own}, ${b} on ${other}. By a sign test, p ${pText(p)}.`
  }
  const wrong = equal - bothRight
  const rest = `Both are right on ${bothRight} and wrong on ${wrong}.`
  return `They disagree on ${count}: ${a} alone is right on ${own}, ${b} alone on ${other}. ${rest} ${test}.`
}

/** Whether an example is right or wrong, and nothing between. */
export const isRightOrWrong = ({ kind }: Pick<Outcomes, 'kind'>) => kind === 'classes' || kind === 'spans'

const UNKNOWN_CAUSE =
  'What tells them apart is not known: too few examples differ, or nothing is known of them beside what they show.'

/**
 * What tells the disagreements of two runs apart best, in a sentence; `factors` of what is known were tried. `unit` is that of
 * the lead: shares are said in points.
 */
export function causeText(causes: readonly Cause[], first: Outcomes, [a, b]: Names): string {
  const [best] = causes
  if (!best) return UNKNOWN_CAUSE
  const tried = causes.length === 1 ? 'one factor was tried' : `Holm over ${causes.length} factors`
  if (best.adjusted > 0.05) {
    return `Nothing that is known of the examples tells them apart: ${best.factor} comes closest, p ${pText(best.adjusted)} (${tried}).`
  }
  const more = causes.slice(1).filter(({ adjusted }) => adjusted <= 0.05)
  const also = more.length > 0 ? ` Others do so, too: ${more.map((cause) => cause.factor).join(', ')}.` : ''
  const amount = amountOf(first)
  const { factor, level, range, change, interval } = best
  const [low, high] = interval.map((value) => (change < 0 ? -value : value)).sort((x, y) => x - y) as [number, number]
  const size = `${amount(Math.abs(change))} (95% interval ${amount(low, true)} to ${amount(high)}; p ${pText(best.adjusted)}, ${tried})`
  const lead = `the lead of ${a} over ${b}`
  if (range) {
    const where = `from ${factor} ${short(range[0])} to ${short(range[1])}`
    return `What tells them apart best is ${factor}: ${where}, ${lead} ${change < 0 ? 'falls' : 'rises'} by ${size}.${also}`
  }
  return `What tells them apart best is ${factor}: where it is ${level}, ${lead} is ${change < 0 ? 'smaller' : 'larger'} than elsewhere by ${size}.${also}`
}

/** A share in points, by two digits. */
export const pointsText = (share: number) => String(Number((100 * share).toPrecision(2)) + 0)

/** An amount of lead: points of right ones, or of the loss. `bare` leaves the unit to what follows. */
function amountOf({ right, lossName }: Outcomes): (value: number, bare?: boolean) => string {
  return (value, bare = false) => {
    const number = right ? pointsText(value) : short(value)
    return bare ? number : `${number} ${right ? (number === '1' ? 'point' : 'points') : `of ${lossName}`}`
  }
}

/** A number in three digits. */
export const short = (value: number): string => String(Number(value.toPrecision(3)))

/** A share in whole percent; what is not quite none or all is not said to be. */
export function percent(share: number | null): string {
  if (share === null) return ''
  if (share > 0 && share < 0.005) return '<1%'
  return share < 1 && share >= 0.995 ? '>99%' : `${Math.round(100 * share)}%`
}

/** A p-value in two digits, with its sign: `= 0.03`. */
export const pText = (p: number): string => (p < 0.0001 ? '< 0.0001' : `= ${Number(p.toPrecision(2))}`)

/** That not all examples of a test were kept; null where all were. */
export function leftOutText({ tested, index }: Pick<Outcomes, 'tested' | 'index'>): string | null {
  if (index.length === tested) return null
  return `${index.length} of ${tested} examples are kept, drawn evenly; the others would take too much room.`
}

/** How many are right, in a sentence. */
export function rightText({ kind, right, index, loss, lossName, unit }: Outcomes): string {
  const mean = loss.reduce((sum, value) => sum + value, 0) / loss.length
  const lossText = `mean ${lossName} ${short(mean)}`
  if (!right) return `${index.length} examples, ${lossText}`
  const sum = right.reduce((all, value) => all + value, 0)
  if (isRightOrWrong({ kind })) return `${Math.round(sum)} of ${index.length} right, ${lossText}`
  return `${index.length} examples, ${((100 * sum) / index.length).toFixed(1)}% of their ${unit} right, ${lossText}`
}
