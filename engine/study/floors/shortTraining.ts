import { highestFloor, type VariantFloors } from '../../records/design.ts'
import { isBetter, isShare, type MetricMeaning, metricText } from '../../records/meaning.ts'
import { newestEnded, valueIn } from '../statistics/failures.ts'
import type { VerdictsInput } from '../statistics/judgement.ts'
import { digitsFor, plural } from '../statistics/sentences.ts'
import { spread } from '../summary.ts'

type Given = Pick<VerdictsInput, 'arms' | 'design' | 'metric' | 'which' | 'runs'>

/** Why a variant was trained too short to say something of its architecture. */
export interface Shortfall {
  variant: string
  /** The floor that its mean does not pass; null where it does. */
  below: VariantFloors['floors'][number] | null
  /** Its mean. */
  mean: number
  /** By how much its validation still improved in the last fifth of training; null where it did not. */
  rises: number | null
}

/** What some variants fall short of; nothing of a metric that the floors are not of. */
export function shortfallsOf(given: Given, variants: readonly string[], meaning: MetricMeaning): Shortfall[] {
  if (!isOfPlan(given) || !meaning.better) return []
  return variants.flatMap((variant) => {
    const arm = given.arms?.find((each) => each.variant === variant)
    const { mean } = spread(valuesOf(given, variant))
    if (!arm || mean === null) return []
    const highest = highestFloor(arm.floors, meaning)
    const below = highest && !isBetter(mean, highest.value, meaning) ? highest : null
    const rises = riseOf(arm, given.design?.margin)
    return below || rises !== null ? [{ variant, below, mean, rises }] : []
  })
}

/** Standard errors by which an improvement has to be above 0, where there is no margin that says what matters. */
const ERRORS = 2

/** The mean improvement in the last fifth of training, where it is more than the margin, or than seeds differ; else null. */
function riseOf({ rises }: VariantFloors, margin: number | undefined): number | null {
  const { mean, sd } = spread(rises)
  if (mean === null) return null
  const enough = margin ?? (sd === null ? Number.POSITIVE_INFINITY : (ERRORS * sd) / Math.sqrt(rises.length))
  return mean > enough ? mean : null
}

/** That a comparison is of short training, and why; or that its task is too easy to tell variants apart. */
export function trainingText(given: Given, variants: readonly string[], meaning: MetricMeaning): string[] {
  const short = shortfallsOf(given, variants, meaning)
  if (short.length === 0) return isSaturated(given, meaning) ? [SATURATED] : []
  return [`compares short training: ${short.map((each) => shortfallText(each, meaning)).join(', ')}`]
}

const SATURATED = 'saturated: all variants are within noise of perfect'

/** `mixer does not pass logistic regression (41.20 %) and still improves by 3.2 points in the last fifth of training`. */
export function shortfallText({ variant, below, rises }: Shortfall, meaning: MetricMeaning): string {
  const why = [
    ...(below ? [`does not pass ${below.name} (${metricText(below.value, meaning)})`] : []),
    ...(rises === null ? [] : [`still improves by ${riseText(rises, meaning)} in the last fifth of training`]),
  ]
  return `${variant} ${why.join(' and ')}`
}

function riseText(rise: number, meaning: MetricMeaning): string {
  if (isShare(meaning)) return `${(100 * rise).toFixed(1)} points`
  return `${rise.toFixed(digitsFor(rise))} ${meaning.unit ?? ''}`.trim()
}

/**
 * Whether all variants are within noise of the best value that there is: within two standard errors over seeds, or as near as
 * no error on as many test examples allows (3 of n, the 95% bound).
 */
export function isSaturated(given: Given, meaning: MetricMeaning): boolean {
  const { arms = [] } = given
  const perfect = meaning.bounds?.[meaning.better === 'higher' ? 1 : 0] ?? null
  if (!isOfPlan(given) || !meaning.better || perfect === null || arms.length === 0) return false
  return arms.every(({ variant, test }) => {
    const values = valuesOf(given, variant)
    const { mean, sd } = spread(values)
    if (mean === null) return false
    const sampling = isShare(meaning) && test ? 3 / test : 0
    return Math.abs(perfect - mean) <= Math.max(sampling, (ERRORS * (sd ?? 0)) / Math.sqrt(values.length))
  })
}

/** The floors are of the metric that the study compares by. */
const isOfPlan = ({ design, metric }: Given) => design?.metric === undefined || design.metric === metric

function valuesOf({ runs, metric, which = 'last' }: Given, variant: string): number[] {
  const values = [...newestEnded(runs, variant).values()].map((run) => valueIn(run, metric, which))
  return values.filter((value) => value !== undefined).filter(Number.isFinite)
}

/** The floors of a study in a line: `floors, fitted to 2,048 of 8,000 training examples and measured on 1,024 of 2,000: ...`. */
export function floorsText(arms: readonly VariantFloors[], meaning: MetricMeaning): string[] {
  const said = ({ floors, fitted, train, measured, test }: VariantFloors) =>
    JSON.stringify([floors, fitted, train, measured, test])
  const lines = Map.groupBy(arms, said).values()
  return [...lines].flatMap((own) => {
    const [first] = own
    if (!first || first.floors.length === 0) return []
    const { floors, fitted, train, measured, test } = first
    const of = own.length < arms.length ? ` of ${own.map(({ variant }) => variant).join(', ')}` : ''
    const some = (count: number, all: number | null, what: string) =>
      all !== null && all > count ? `${count} of ${plural(all, what)}` : plural(count, what)
    const named = floors.map(({ name, value }) => `${name} ${metricText(value, meaning)}`)
    const how = `fitted to ${some(fitted, train, 'training example')}, measured on ${some(measured, test, 'test example')}`
    return [`floors${of}: ${named.join(', ')} (${how})`]
  })
}

/** A variant in a table: its epochs, e.g. `3.8`, the floor that is hardest to pass, and what it falls short of. */
export interface ArmRow {
  variant: string
  epochs: string
  floor: string
  /** `below floor`, `still rising`; '' for neither. */
  short: string
}

/** What tables say of the variants of a study; nothing where no floors were measured. */
export function armRows(given: Given, variants: readonly string[], meaning: MetricMeaning): ArmRow[] {
  const { arms = [] } = given
  if (arms.length === 0) return []
  const short = shortfallsOf(given, variants, meaning)
  return variants.map((variant) => {
    const arm = arms.find((each) => each.variant === variant)
    const own = short.find((each) => each.variant === variant)
    const highest = arm && isOfPlan(given) ? highestFloor(arm.floors, meaning) : null
    const epochs = arm?.epochs ?? null
    const words = [...(own?.below ? ['below floor'] : []), ...(own && own.rises !== null ? ['still rising'] : [])]
    return {
      variant,
      epochs: epochs === null ? '–' : String(Number(epochs.toPrecision(epochs < 100 ? 2 : 3))),
      floor: highest ? `${metricText(highest.value, meaning)} ${highest.name}` : '–',
      short: words.join(', '),
    }
  })
}
