import { type ClaimPart, numberOfPart, planOfPart } from '../../engine/claims/index.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { StudyDesign } from '../../engine/records/design.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import { READOUT, selectionMetric, splitOf } from '../../engine/records/splits.ts'
import type { TunedDesign } from '../../engine/records/tuned.ts'
import type { Study } from '../../engine/study/compare.ts'
import { duration } from '../../engine/study/duration.ts'
import { type Failure, failuresOf } from '../../engine/study/failures.ts'
import { openStudy } from '../../engine/study/open.ts'
import { plural } from '../../engine/study/statistics/index.ts'
import { upperSpread } from '../../engine/study/statistics/power.ts'
import { spread } from '../../engine/study/summary.ts'
import { choose } from '../../engine/study/tuning/choose.ts'
import { edgesText } from '../../engine/study/tuning/edges.ts'
import { studyChosen, tuningStudy } from '../../engine/study/tuning/grid.ts'
import { placesOf } from '../../engine/study/tuning/kept.ts'
import { tunedName, tuningName } from '../../engine/study/tuning/names.ts'
import type { Tune } from '../../engine/study/tuning/tune.ts'
import type { LocalHost } from '../host.ts'
import type { PlannedClaim } from './claims.ts'
import { type Planned, whyExploratory } from './exploratory.ts'

/** The finished pilot runs of a study. */
export interface PilotRuns {
  seeds: readonly number[]
  done: StoredRun[]
  /** Those that are not, or whose metric is not a number, and why. */
  failures: Failure[]
  /** What they choose; null where nothing is chosen. */
  tuned: TunedDesign | null
  /** Of a variant, with what was chosen for it, what is compared, as validation has it; NaN where there is no such run. */
  value(variant: string, seed: number): number
}

/** What is trained of a study before its plan is made: what chooses its values, or else the study with other seeds. */
export interface PilotTraining {
  study: string
  seeds?: readonly number[]
}

/** The pilot runs of a study of a claim in the store. */
export async function pilotRunsOf(study: Study, pilot: readonly number[], host: LocalHost): Promise<PilotRuns> {
  const { tune, variants: named } = study.spec
  const { metric: compared, design } = tune
    ? await openStudy(tuningStudy(study, tune), {}, host)
    : await openStudy(study, { seeds: [...pilot] }, host)
  const metric = splitOf(compared) === READOUT ? compared : selectionMetric(compared)
  const { runs } = design
  const done = await host.findDone([...new Set(runs.map(({ key }) => key))])
  const tuned = tune ? choose({ study: study.name, variants: Object.keys(named), metric, runs, done }, tune) : null
  const tried = new Map(tuned?.variants.map(({ variant, chosen }) => [variant, tune?.tried[chosen]]))
  const values = new Map(done.map((run) => [run.key, run.metrics[metric]?.best]))
  const value = (variant: string, seed: number) => {
    const chosen = tried.get(variant)
    const name = chosen ? tunedName(variant, chosen) : variant
    return values.get(runs.find((run) => run.variant === name && run.seed === seed)?.key ?? '') ?? Number.NaN
  }
  const failures = await failuresAmong(runs, done, metric, host)
  return { seeds: tune?.seeds ?? pilot, done, failures, tuned, value }
}

/** Which runs have no value of the metric, and why. */
async function failuresAmong(
  runs: StudyDesign['runs'],
  done: readonly StoredRun[],
  metric: string,
  host: LocalHost,
): Promise<Failure[]> {
  const failed = await host.listRuns({ keys: runs.map(({ key }) => key), status: 'failed' })
  const errors = new Map(failed.map(({ key, error }) => [key, error]))
  for (const { key, metrics } of done)
    errors.set(key, Number.isFinite(metrics[metric]?.last) ? null : `${metric} is not a number`)
  const tried = runs.map(({ key, variant, seed }) => {
    const error = errors.has(key) ? (errors.get(key) ?? null) : 'not trained'
    return { variant, seed, status: error === null ? ('done' as const) : ('failed' as const), error }
  })
  return failuresOf(tried)
}

/** What a pilot of a claim trains, study by study. Throws MixlabError `option` for one seed alone. */
export function pilotTrainings({ opened, pilot }: Pick<PlannedClaim, 'opened' | 'pilot'>): PilotTraining[] {
  if (pilot.length < 2)
    throw new MixlabError('option', 'claim.pilot', 'one seed, expected two or more, which have a spread')
  return [...opened.keys()].map(({ name, spec }) =>
    spec.tune ? { study: tuningName(name) } : { study: name, seeds: pilot },
  )
}

/** What the pilot of a claim tells, and whether all of its runs are done. */
export interface PilotReport {
  lines: string[]
  isWhole: boolean
}

/**
 * What the pilot runs of a claim tell of its plan, in lines, by validation alone: what is chosen for each variant, which
 * runs failed and why, how much the numbers that are tested spread over the seeds of the others, the power that this gives,
 * which study would be exploratory, and what the claim will take. Throws MixlabError `option` for a seed of choosing that
 * the claim does not name.
 */
export async function pilotReport({ parts, pilot, opened }: PlannedClaim, host: LocalHost): Promise<PilotReport> {
  const lines: string[] = []
  const planned: Planned[] = []
  let isWhole = true
  let [before, ahead] = [0, 0]
  for (const [study, open] of opened) {
    const found = await pilotRunsOf(study, pilot, host)
    const other = found.seeds.find((seed) => !pilot.includes(seed))
    if (other !== undefined) throw new MixlabError('option', 'claim.pilot', `lacks seed ${other} of '${study.name}'`)
    isWhole &&= found.failures.length === 0
    const { design } = found.tuned
      ? await openStudy(studyChosen(study, study.spec.tune as Tune, found.tuned), {}, host)
      : open
    const own = { design, asked: study.spec.questions !== undefined }
    const why = whyExploratory(own, planned)
    planned.push(own)
    lines.push(
      ...(found.tuned ? chosenLines(found.tuned) : [`${study.name}: nothing is chosen`]),
      ...found.failures.map(({ runs, reason }) => `  failed: ${runs}: ${reason}`),
      ...parts.filter((part) => part.study === study).map((part) => partLine(part, design, found)),
      ...(why === null ? [] : [`  would be exploratory, and decide nothing: it has runs of a study before it; ${why}`]),
    )
    const seconds = found.done.reduce((sum, { ms }) => sum + ms / 1000, 0)
    before += seconds
    ahead += (seconds / Math.max(1, found.done.length)) * new Set(design.runs.map(({ key }) => key)).size
  }
  lines.push(`pilot runs took ${duration(before)}; those that count would take ${duration(ahead)}`)
  return { lines, isWhole }
}

/** The means of each variant by what was tried, with what is kept in brackets, and what lies at an end of its values. */
function chosenLines({ study, metric, values, variants }: TunedDesign): string[] {
  const all = variants.map((each) => {
    const { variant, means } = each
    const kept = placesOf(each)
    const shown = means.map((mean, i) =>
      kept.includes(i) ? `[${mean?.toFixed(4)}]` : (mean?.toFixed(4) ?? 'diverged'),
    )
    return `  ${variant}: ${shown.join(' ')}`
  })
  const names = Object.keys(values[0] ?? {})
  const tried = names.map((name) => `${name} ${[...new Set(values.map((each) => each[name]))].join(', ')}`)
  const ends = names.map((name) => ({
    name,
    levels: values.flatMap((each) => each[name] ?? []),
    chosen: variants.flatMap(placesOf).map((place) => values[place]?.[name]),
  }))
  return [`${study}: ${metric} at ${tried.join(' and ')}`, ...all, ...edgesText(ends).map((each) => `  ${each}`)]
}

/** How much what decides a part spreads over the pilot seeds, and the power that this gives. */
function partLine({ of }: ClaimPart, design: StudyDesign, { seeds: pilot, value }: PilotRuns): string {
  const numbers = pilot.map((seed) => numberOfPart(of, design, (variant) => value(variant, seed)))
  const held = numbers.filter(Number.isFinite)
  const { sd } = spread(held)
  const some = `${held.length} of ${plural(pilot.length, 'seed')}`
  if (sd === null) return `  ${of}: no spread, since ${some} have a number`
  const upper = upperSpread(sd, held.length - 1)
  const { seeds, margin, power, equalPower } = planOfPart({ of, spread: upper }, design)
  const powers = `power ${power.toFixed(2)}, to be equal ${equalPower.toFixed(2)}`
  const between = held.length < pilot.length ? some : 'seeds'
  return `  ${of}: spread ${sd.toPrecision(2)} between ${between}, planned for ${upper.toPrecision(2)}; margin ${margin}; ${powers}, with ${seeds} seeds`
}
