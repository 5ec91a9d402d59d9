import type { StudyDesign } from '../../records/design.ts'
import { studiesWith } from '../statistics/family.ts'
import { seedsText } from './seedsText.ts'

/** A design, or what is asked of one. */
type Planned = Omit<StudyDesign, 'planned' | 'readouts'>

/** What is planned beside variants, seeds, metric and questions, as fields of a design, in words. */
const MORE = {
  correction: "Holm's correction",
  margin: 'a margin',
  learned: 'a value of having learned',
  anytime: 'looks on the way',
  tuned: 'tuning',
}

/**
 * How a design departs from the plan that its runs were first trained for, beside its metric and its baseline; nothing where
 * it does not. Variants are told by their runs, so that other names are no departure.
 */
export function departures(design: Planned, plan: Planned): string[] {
  const names = namesIn(design, plan)
  const own = design.variants.map(({ variant }) => variant)
  const missing = plan.variants.flatMap(({ variant }) => (names.has(variant) ? [] : [variant]))
  const known = new Set(names.values())
  const added = own.filter((variant) => !known.has(variant))
  const changed = missing.filter((variant) => added.includes(variant))
  const [planned, shown] = [seedsOf(plan), seedsOf(design)]
  const other = planned.length !== shown.length || planned.some((seed) => !shown.includes(seed))
  return [
    ...(other ? [`planned with ${seedsText(planned)}, shown with ${seedsText(shown, false)}`] : []),
    ...listed('planned with another', changed),
    ...listed(
      'planned with',
      missing.filter((variant) => !changed.includes(variant)),
    ),
    ...listed(
      'planned without',
      added.filter((variant) => !changed.includes(variant)),
    ),
    ...(same(design.questions, plan.questions) ? [] : ['planned with other questions, or in another order']),
    ...(studiesWith(design) === studiesWith(plan) ? [] : ['planned with other studies beside it']),
    ...Object.entries(MORE).flatMap(([name, what]) => otherwise(partOf(design, name), partOf(plan, name), what)),
  ]
}

/**
 * What a study now calls the variants of its plan, by what they were called; without those that it has not any more. Of
 * several with the same runs it is the one that is called the same, or the first.
 */
export function namesIn(design: Pick<StudyDesign, 'runs'>, plan: Pick<StudyDesign, 'runs'>): Map<string, string> {
  const called = Map.groupBy(design.runs, trainedKey)
  const names = new Map<string, string>()
  for (const run of plan.runs) {
    const now = called.get(trainedKey(run))?.map(({ variant }) => variant) ?? []
    const name = now.includes(run.variant) ? run.variant : now[0]
    if (name !== undefined && !names.has(run.variant)) names.set(run.variant, name)
  }
  return names
}

/** The seeds of a design, each once, in its order. */
export function seedsOf({ runs }: Pick<StudyDesign, 'runs'>): number[] {
  return [...new Set(runs.map(({ seed }) => seed))]
}

/** What tells how a run is trained, whatever is measured. */
export function trainedKey({ key, trained = key }: StudyDesign['runs'][number]): string {
  return trained
}

/** Names of variants that are told; of more their number is. */
const MOST_NAMES = 20

function listed(what: string, variants: readonly string[]): string[] {
  if (variants.length === 0) return []
  const more = variants.length - MOST_NAMES
  return [`${what} ${variants.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

function otherwise(own: unknown, planned: unknown, what: string): string[] {
  if (same(own, planned)) return []
  if (planned === undefined) return [`planned without ${what}`]
  return [own === undefined ? `planned with ${what}` : `${what} was planned otherwise`]
}

const partOf = (design: object, name: string): unknown => (design as Record<string, unknown>)[name]
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
