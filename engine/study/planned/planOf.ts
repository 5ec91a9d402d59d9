import type { StoredDesign, StudyDesign, StudyPlan } from '../../records/design.ts'
import { canAsk } from '../questions/questionsOf.ts'
import { askedVariants, trainedNames } from '../tuning/kept.ts'
import { departures, namesIn, seedsOf, trainedKey } from './departures.ts'

/**
 * A design beside its plan (preregistration): that design among `earlier`, the one begun first first, in which a comparison of this one was
 * trained first, or itself where there is none. The plan decides what a study asks by default, so that a study keeps its
 * questions when the defaults change; `asked`: the study says itself what it asks. `now` is in ms since 1970; null
 * where the study is not begun. Studies that were written at the same time, those of one run of a notebook, are each their
 * own plan.
 *
 * A comparison is two runs of one seed that are trained unlike. One run alone, say of a baseline, shows nothing: a study
 * where only that is left is a new one. A design of before the store kept when designs were planned is its own plan.
 */
export function withPlan(
  design: StudyDesign,
  earlier: readonly StoredDesign[],
  asked: boolean,
  now: number | null,
): StudyDesign {
  const own = earlier.find((each) => isSame(design, each.design))
  const writtenAt = own?.at ?? null
  const isOther = (each: StoredDesign) => each !== own && writtenAt !== null && each.at === writtenAt
  const seen = earlier.filter(
    (each) => each.begunAt !== null && !isOther(each) && sharesComparison(design, each.design),
  )
  const before = seen.find(({ at, design: plan }) => at === null && isSame(asPlanned(design, plan, asked), plan))
  const { design: plan, at } = before ?? seen[0] ?? { design, at: writtenAt ?? now }
  const asNow = asPlanned(design, plan, asked)
  const short = inShort(asNow, plan, at)
  return { ...asNow, planned: { ...short, departs: counted(short.departs, orderOf(asNow, earlier)) } }
}

/** Which of the designs that share a comparison a design is, in the order in which they were planned, from 1 on. */
function orderOf(design: StudyDesign, earlier: readonly StoredDesign[]): number {
  const shared = earlier.filter((each) => sharesComparison(design, each.design))
  const planned = shared.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
  const known = [...new Set(planned.map((each) => identityOf(each.design)))]
  const place = known.indexOf(identityOf(design))
  return (place < 0 ? known.length : place) + 1
}

/** What is planned, whatever it is called. */
function identityOf(design: StudyDesign): string {
  const { metric, runs, questions, correction, margin, learned, anytime, together, tuned } = design
  const asked = questions?.map(({ ask }) => ask)
  const others = [correction, margin, anytime, together?.length, !!tuned, learned]
  return JSON.stringify([metric, runs.map(trainedKey), asked, ...others])
}

/** Departures, and how many designs were tried before this one, where these are several. */
function counted(departs: string[], order: number): string[] {
  return departs.length > 0 && order > 2 ? [...departs, `${ordinal(order)} design of these runs`] : departs
}

function ordinal(count: number): string {
  const end = count % 100 > 10 && count % 100 < 14 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[count % 10] ?? 'th')
  return `the ${count}${end}`
}

/** The design, which asks what its plan does where it does not say itself, and can be asked that. */
function asPlanned(design: StudyDesign, plan: StudyDesign, asked: boolean): StudyDesign {
  if (asked || !sameVariants(design, plan)) return design
  if (!plan.questions && trainedNames(design.tuned).size > 0) return design
  if (plan.questions && !canAsk(plan.questions, askedVariants(design.variants, design.tuned))) return design
  const { questions: _, ...rest } = design
  return plan.questions ? { ...rest, questions: plan.questions } : rest
}

/** Whether designs have the same variants, by their runs, and the same factors where the plan asks of these. */
function sameVariants(design: StudyDesign, plan: StudyDesign): boolean {
  const names = namesIn(design, plan)
  const all = names.size === plan.variants.length && new Set(names.values()).size === design.variants.length
  return all && (plan.questions === undefined || factorsIn(design) === factorsIn(plan))
}

function factorsIn({ variants }: StudyDesign): string {
  const names = variants.flatMap(({ settings, crossed }) => (crossed ? Object.keys(settings) : []))
  return JSON.stringify([...new Set(names)].sort())
}

function isSame(design: StudyDesign, plan: StudyDesign): boolean {
  const { metric, variants, departs } = inShort(design, plan, null)
  return metric === design.metric && variants[0] === design.variants[0]?.variant && departs.length === 0
}

function inShort(design: StudyDesign, plan: StudyDesign, at: number | null): StudyPlan {
  const names = namesIn(design, plan)
  return {
    at,
    metric: plan.metric,
    variants: plan.variants.map(({ variant }) => names.get(variant) ?? variant),
    seeds: seedsOf(plan),
    ...(plan.questions && { questions: plan.questions }),
    departs: departures(design, plan),
  }
}

function sharesComparison(design: StudyDesign, other: StudyDesign): boolean {
  const known = new Set(other.runs.map(trainedKey))
  const shared = design.runs.filter((run) => known.has(trainedKey(run)))
  return [...Map.groupBy(shared, ({ seed }) => seed).values()].some((runs) => new Set(runs.map(trainedKey)).size > 1)
}
