import { type ClaimPart, numberOfPart, planOfPart } from '../../engine/claims/index.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { StudyDesign } from '../../engine/records/design.ts'
import type { StoredRun } from '../../engine/records/run.ts'
import type { TunedDesign } from '../../engine/records/tuned.ts'
import type { Study } from '../../engine/study/compare.ts'
import { duration } from '../../engine/study/duration.ts'
import { openStudy } from '../../engine/study/open.ts'
import { spread } from '../../engine/study/summary.ts'
import { choose } from '../../engine/study/tuning/choose.ts'
import { edgesText } from '../../engine/study/tuning/edges.ts'
import { tunedName, tuningName, tuningStudy } from '../../engine/study/tuning/grid.ts'
import type { LocalHost } from '../host.ts'
import { type PlannedClaim, untuned } from './claims.ts'

/** The finished runs that choose the values of a study, and what they choose. */
export interface PilotRuns {
  tuned: TunedDesign
  done: StoredRun[]
  /** Of a variant with what was chosen for it, in the mean of validation that chose; NaN where there is no such run. */
  value(variant: string, seed: number): number
}

/** Those of a study in the store; null where nothing is chosen for it. */
export async function pilotRunsOf(study: Study, host: LocalHost): Promise<PilotRuns | null> {
  const { tune, variants: named } = study.spec
  if (!tune) return null
  const { metric, design } = await openStudy(tuningStudy(study, tune), {}, host)
  const { runs } = design
  const done = await host.findDone([...new Set(runs.map(({ key }) => key))])
  const tuned = choose({ study: study.name, variants: Object.keys(named), metric, runs, done }, tune)
  const places = new Map(tuned.variants.map(({ variant, chosen }) => [variant, tune.tried[chosen]]))
  const values = new Map(done.map((run) => [run.key, run.metrics[metric]?.best]))
  const value = (variant: string, seed: number) => {
    const tried = places.get(variant)
    const name = tried && tunedName(variant, tried)
    return values.get(runs.find((run) => run.variant === name && run.seed === seed)?.key ?? '') ?? Number.NaN
  }
  return { tuned, done, value }
}

/**
 * The names of the studies whose runs choose the values of those of a claim, which are its pilot runs. Throws MixlabError
 * `option` for a study without `tune`.
 */
export function pilotStudies({ parts }: Pick<PlannedClaim, 'parts'>): string[] {
  const studies = [...new Set(parts.map(({ study }) => study))]
  const without = studies.find(({ spec }) => !spec.tune)
  if (without) throw new MixlabError('option', `${without.name}.tune`, 'missing; a pilot trains what it chooses from')
  return studies.map(({ name }) => tuningName(name))
}

/**
 * What the pilot runs of a claim tell of its plan, in lines, by validation alone: what is chosen for each variant, how much
 * the numbers that are tested spread over the seeds, the power that this gives, and what the claim will take. Throws as
 * `pilotStudies`, and for a seed of choosing that the claim does not name.
 */
export async function pilotLines({ parts, pilot }: PlannedClaim, host: LocalHost): Promise<string[]> {
  pilotStudies({ parts })
  const lines: string[] = []
  let [before, ahead] = [0, 0]
  for (const study of new Set(parts.map((part) => part.study))) {
    const found = await pilotRunsOf(study, host)
    if (!found) continue
    const other = found.tuned.seeds.find((seed) => !pilot.includes(seed))
    if (other !== undefined) throw new MixlabError('option', 'claim.pilot', `lacks seed ${other} of '${study.name}'`)
    const { design } = await openStudy(untuned(study), {}, host)
    const own = parts.filter((part) => part.study === study)
    lines.push(...chosenLines(found.tuned), ...own.map((part) => partLine(part, design, found)))
    const seconds = found.done.reduce((sum, { ms }) => sum + ms / 1000, 0)
    before += seconds
    ahead += (seconds / found.done.length) * new Set(design.runs.map(({ key }) => key)).size
  }
  return [...lines, `pilot runs took ${duration(before)}; those that count would take ${duration(ahead)}`]
}

/** The means of each variant by what was tried, with what is chosen in brackets, and what lies at an end of its values. */
function chosenLines({ study, metric, values, variants }: TunedDesign): string[] {
  const all = variants.map(({ variant, chosen, means }) => {
    const shown = means.map((mean, i) => (i === chosen ? `[${mean?.toFixed(4)}]` : (mean?.toFixed(4) ?? 'diverged')))
    return `  ${variant}: ${shown.join(' ')}`
  })
  const names = Object.keys(values[0] ?? {})
  const tried = names.map((name) => `${name} ${[...new Set(values.map((each) => each[name]))].join(', ')}`)
  const ends = names.map((name) => ({
    name,
    levels: values.flatMap((each) => each[name] ?? []),
    chosen: variants.map(({ chosen }) => values[chosen]?.[name]),
  }))
  return [`${study}: ${metric} at ${tried.join(' and ')}`, ...all, ...edgesText(ends).map((each) => `  ${each}`)]
}

/** How much what decides a part spreads over the pilot seeds, and the power that this gives. */
function partLine({ of }: ClaimPart, design: StudyDesign, { tuned, value }: PilotRuns): string {
  const { sd } = spread(tuned.seeds.map((seed) => numberOfPart(of, design, (variant) => value(variant, seed))))
  const { seeds, margin, power, equalPower } = planOfPart({ of, spread: sd ?? Number.NaN }, design)
  const powers = `power ${power.toFixed(2)}, to be equal ${equalPower.toFixed(2)}`
  return `  ${of}: spread ${sd?.toPrecision(2)} between seeds; margin ${margin}; ${powers}, with ${seeds} seeds`
}
