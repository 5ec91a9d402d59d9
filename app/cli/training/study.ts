import type { VariantFloors } from '../../../engine/records/design.ts'
import { meaningIn } from '../../../engine/records/meaning.ts'
import type { Preflight } from '../../../engine/records/preflight.ts'
import type { StudyEvent } from '../../../engine/records/run.ts'
import { metricTitle, READOUT } from '../../../engine/records/splits.ts'
import { chosenText } from '../../../engine/study/backends/times.ts'
import { failedText, failuresOf } from '../../../engine/study/failures.ts'
import { namedRuns } from '../../../engine/study/named.ts'
import { plannedText } from '../../../engine/study/planned/words.ts'
import { sourceNotebookText } from '../../../engine/study/sourceNotebook.ts'
import { startName } from '../../../engine/study/start/name.ts'
import { outcomes, plural } from '../../../engine/study/statistics/index.ts'
import { summarize } from '../../../engine/study/summary.ts'
import { tuningName } from '../../../engine/study/tuning/names.ts'
import type { Cells } from '../../cells/cells.ts'
import type { LocalHost } from '../../host.ts'
import type { Arguments, Terminal } from '../command.ts'
import { elsewhereLines } from './again.ts'
import {
  answersOf,
  comparisonLines,
  copiedLines,
  floorRowsOf,
  type PlanEvent,
  preflightLines,
  verdictsOf,
} from './comparison.ts'
import { progressLine } from './progress.ts'
import { prospectLines } from './prospect.ts'
import { wrapped } from './wrapped.ts'

/** ms between two progress lines at least: each looks at all runs, and a batch of events has thousands of steps. */
const REDRAW_EVERY = 250

/** What is known before a study is trained. */
export interface ShownAround extends Pick<Cells, 'backend' | 'findDone'> {
  notebook: string
  quick: boolean
  /** Only some of its runs are trained: there is nothing to compare yet. */
  part: boolean
  host: LocalHost
}

/** The outcome of a study. */
export interface Ran {
  /** How many of its runs failed, in words; null where all that were asked for are done. */
  lost: string | null
  interrupted: boolean
}

/** Shows the progress of a study, and its outcome. */
export async function showStudy(
  study: string,
  events: AsyncIterable<StudyEvent>,
  { backend: first, findDone, notebook, quick, part, host }: ShownAround,
  given: Arguments,
  output: Terminal,
): Promise<Ran> {
  const progress = progressLine()
  const draw = output.redraw && drawSeldom(output.redraw)
  let plan: PlanEvent | null = null
  let runs = new Map<string, PlanEvent['runs'][number]>() // of the plan, by key
  let end: Extract<StudyEvent, { type: 'end' }> | null = null
  let known: Preflight[] = []
  const errors = new Map<string, string>()
  const skipped = new Set<string>()
  let backend = first
  let others = false
  let stopped: Extract<StudyEvent, { type: 'stopped' }> | null = null
  let arms: VariantFloors[] = []
  let announced = false // where its process ended, it is planned again
  for await (const event of events) {
    if (event.type === 'backend') {
      backend = event.backend.name
      if (event.times.length > 0) output.err(chosenText(event.study, backend, event.times))
    }
    if (event.type === 'plan') {
      plan = event
      runs = new Map(event.runs.toReversed().map((run) => [run.key, run])) // of equal keys the first
      if (event.study !== study) output.err(firstOf(study, event))
      else if (!quick && !part && !announced)
        for (const line of await prospectLines(event, host))
          for (const part of wrapped(line, output.columns)) output.err(part)
      announced ||= event.study === study
      for (const line of elsewhereLines(event, backend)) output.err(line)
    }
    if (event.type === 'preflight' && event.study === study) {
      if (known.length === 0) for (const line of preflightLines(event, output.columns)) output.err(line)
      known = event.variants
    }
    if (event.type === 'end') end = event
    if (event.type === 'arms' && event.study === study) arms = event.arms
    if (event.type === 'stopped' && event.study === study) stopped = event
    if (event.type === 'run' && event.event.type === 'failed') errors.set(event.key, event.event.message)
    if (event.type === 'ended' && event.run.error !== null) errors.set(event.key, event.run.error)
    if (event.type === 'skipped') {
      for (const key of event.keys) {
        errors.set(key, event.error)
        skipped.add(key)
      }
    }
    others ||= event.type === 'ended'
    report(event, runs, output.err, draw, progress(event))
  }
  output.redraw?.('')
  if (!plan && end?.interrupted) {
    output.err(`interrupted while the data of '${study}' were read; nothing was trained`)
    return { lost: null, interrupted: true }
  }
  if (!plan || !end) throw new Error('the study ended without a result')
  if (part) return showPart(plan.study, end, notebook, given, output)
  if (plan.study !== study) {
    output.err(`interrupted: nothing is chosen for '${study}' yet; the same command goes on with what is missing`)
    return { lost: null, interrupted: true }
  }

  const keys = [...new Set(plan.design.runs.map(({ key }) => key))]
  const stored = await findDone(keys)
  const ended = outcomes(stored, await host.listRuns({ keys, status: 'failed' }))
  const done = namedRuns(plan.runs, stored)
  const rows = summarize(plan.metric, plan.variants, done)
  const readouts = readoutsOf(plan).map((metric) => ({ metric, rows: summarize(metric, plan.variants, done) }))
  const titleOf = (metric: string) => metricTitle(metric, metric, meaningIn(done, metric).exploratory)
  const beside = readouts.map(({ metric, rows }) => ({ title: titleOf(metric), rows }))
  const { trained, cached, failed, interrupted } = end
  const found = verdictsOf(plan, ended, await host.baselines(), notebook, arms)
  const answers = answersOf(plan, ended, notebook, arms)
  const floorRows = floorRowsOf(plan, ended, arms)
  const shortOf = (variant: string) => floorRows.find((row) => row.variant === variant)?.short
  const taken = rows.map(({ variant }) =>
    sourceNotebookText(
      done.filter((run) => run.variant === variant),
      notebook,
    ),
  )
  const attempts = plan.runs.map(({ key, variant, seed }) => {
    const error = errors.get(key) ?? null
    const status = error === null ? ('waiting' as const) : ('failed' as const)
    return { variant, seed, status, error, skipped: skipped.has(key) }
  })
  const counts = { trained, cached, failed, interrupted }
  const failures = failuresOf(attempts)
  const { planned } = plan.design
  const shown = { notebook, study, metric: plan.metric, rows, verdicts: found, ...counts, failures, preflights: known }
  const result = {
    ...shown,
    ...(readouts.length > 0 && { readouts }),
    ...(answers.length > 0 && { answers }),
    ...(arms.length > 0 && { arms: arms.map((arm) => ({ ...arm, short: shortOf(arm.variant) })) }),
    ...(planned && { planned }),
    ...(plan.design.tuned && { tuned: plan.design.tuned }),
    ms: done.reduce((sum, run) => sum + run.ms, 0),
  }
  const { json, format } = given.options
  if (json) output.out(JSON.stringify(result))
  else if (format === 'latex' || format === 'markdown') {
    const baseline = found[0]?.baseline ?? plan.variants[0] ?? ''
    for (const line of copiedLines(format, { metric: plan.metric, baseline, done, rows, verdicts: found, answers }))
      output.out(line)
  } else
    for (const line of comparisonLines({
      ...result,
      floorRows,
      meaning: meaningIn(done, plan.metric),
      title: titleOf(plan.metric),
      taken,
      planned: planned && plannedText(planned),
      beside,
      lost: failedText(attempts),
      width: output.columns,
    }))
      output.out(line)
  const total = plan.runs.length
  const unneeded = stopped?.keys.length ?? 0
  if (trained + failed === 0 && done.length + unneeded === total && !others) {
    output.err(`nothing to train: ${done.length} of ${total} runs are in the store`)
  }
  if (interrupted) {
    const count = done.length
    output.err(`interrupted: ${count} of ${total} runs are done; the same command goes on with what is missing`)
  }
  if (stopped) output.err(`${study}: ${stoppedText(stopped)}`)
  const left = total - done.length - unneeded
  const missing = left > 0 ? `${left} of ${total} runs are missing` : null
  return { lost: failedText(attempts) ?? missing, interrupted }
}

/** Says what was trained of a study, others train the rest. */
function showPart(
  study: string,
  { trained, failed, interrupted }: Extract<StudyEvent, { type: 'end' }>,
  notebook: string,
  given: Arguments,
  { out }: Terminal,
): Ran {
  const lost = failed > 0 ? `${plural(failed, 'run')} failed` : null
  const words = [
    plural(trained, 'run'),
    'trained',
    ...(lost ? [`and ${lost}`] : []),
    ...(interrupted ? ['until the interruption'] : []),
  ]
  out(
    given.options.json
      ? JSON.stringify({ notebook, study, trained, failed, interrupted })
      : `${study}: ${words.join(' ')}`,
  )
  return { lost, interrupted }
}

/** `decided with seed 10 of at most 24; 56 runs were not needed`. */
function stoppedText({ text, keys }: Extract<StudyEvent, { type: 'stopped' }>): string {
  return keys.length > 0
    ? `${text}; ${plural(keys.length, 'run')} ${keys.length === 1 ? 'was' : 'were'} not needed`
    : text
}

/** The metrics of the read-outs of a study that are shown beside the one that is compared. */
function readoutsOf({ metric, design, runs }: PlanEvent): string[] {
  const { readouts: recorded = {} } = (runs[0]?.spec ?? {}) as { readouts?: object }
  const names = [
    ...Object.keys(recorded).map((name) => `${READOUT}/${name}`),
    ...(design.readouts ?? []).map((each) => each.metric),
  ]
  return names.filter((name) => name !== metric)
}

/** Says that runs of another study come first. */
function firstOf(name: string, { study, runs }: PlanEvent): string {
  const missing = runs.filter(({ done }) => !done).length
  if (study === tuningName(name))
    return `'${name}' is tuned first: ${missing} of ${runs.length} runs of '${study}' are missing`
  return `'${name}' starts from '${study}': ${missing} of ${runs.length} runs of that are trained first`
}

/** Prints one event: a progress line on a terminal, a line per run elsewhere. */
function report(
  event: StudyEvent,
  runs: ReadonlyMap<string, PlanEvent['runs'][number]>,
  err: Terminal['err'],
  draw: ReturnType<typeof drawSeldom> | null,
  line: () => string,
): void {
  const nameOf = (run: { variant: string; seed: number } | undefined) => `${run?.variant}, seed ${run?.seed}`
  if (event.type === 'plan') {
    for (const run of event.runs) if (run.resumesAt !== null) err(`${nameOf(run)}: resumes at step ${run.resumesAt}`)
  }
  if (event.type === 'warning') err(event.message)
  if (event.type === 'skipped') {
    const first = runs.get(event.keys[0] ?? '')
    err(`${first?.variant}: ${plural(event.keys.length, 'run')} not tried, since every seed would fail so`)
  }
  if (event.type !== 'run' && event.type !== 'elsewhere' && event.type !== 'ended') return
  const run = runs.get(event.key)
  const name = nameOf(run)
  if (event.type === 'elsewhere') {
    err(`${name}: in training in another process; waiting for it`)
    return
  }
  if (event.type === 'ended') {
    err(event.run.status === 'failed' ? `${name}: failed: ${event.run.error}` : `${name}: done, by another process`)
    return
  }
  const { event: inner } = event
  if (inner.type === 'failed') err(`${name}: failed: ${inner.message}`)
  else if (inner.type === 'warning') err(`${name}: ${inner.message}`)
  else if (inner.type === 'start' && inner.taken !== undefined)
    err(`${name}: ${inner.taken} of ${inner.parameters} parameters come from '${run ? startName(run) : ''}'`)
  else if (inner.type === 'done' && !draw) err(`${name}: done`)
  else if (inner.type === 'step') draw?.(line)
}

/** Draws a line, which is made for that, unless the last one was drawn a moment ago. */
function drawSeldom(redraw: (line: string) => void): (line: () => string) => void {
  let last = Number.NEGATIVE_INFINITY
  return (line) => {
    const now = performance.now()
    if (now - last < REDRAW_EVERY) return
    last = now
    redraw(line())
  }
}
