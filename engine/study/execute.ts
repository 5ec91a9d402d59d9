import { BACKENDS, type BackendInfo, type BackendName } from '../backends/types.ts'
import type { FileSource, Watch } from '../data/files.ts'
import { MixlabError, messageOf } from '../errors.ts'
import { lastBackend } from '../records/backends.ts'
import { asksNothing } from '../records/design.ts'
import { environmentOn, type Machine } from '../records/environment.ts'
import type { PlannedRun, RunStart, StoredRun, StudyEvent } from '../records/run.ts'
import type { RunStore } from '../records/store.ts'
import { type Candidate, candidatesFor, type Fastest, measureFastest } from './backends/fastest.ts'
import { timesText } from './backends/times.ts'
import { measureTogether, type Together, togetherText } from './backends/together.ts'
import type { Study } from './compare.ts'
import { delay } from './delay.ts'
import { optionNotes } from './design/optionNotes.ts'
import type { StudyOptions } from './design/resolve.ts'
import { armsOf } from './floors/arms.ts'
import { keepLegacyKeys } from './former/legacyKeys.ts'
import { interleave } from './interleave.ts'
import { createLooks } from './looks/looks.ts'
import { openStudy, Stopped, watching } from './open.ts'
import type { OpenStudy } from './opened.ts'
import { besidePlan, planEvent, recordedDesign } from './planned/planned.ts'
import { type LookAtVariant, preflights } from './preflights.ts'
import { readRuns } from './readouts/atEnd.ts'
import { isTakenOver, recordEvents } from './recordEvents.ts'
import { attemptsAt } from './runners/attempts.ts'
import { type Offered, takeBack } from './runners/offered.ts'
import { type Attempt, type Place, placeFrom, type Runner } from './runners/runner.ts'
import { takeSeeds, trainTogether } from './runners/together.ts'
import { type RunEnvironment, trainRun } from './trainRun.ts'
import { executeTuned } from './tuning/execute.ts'

/** The environment of a study: store, data, backends, and hooks. */
export interface StudyEnvironment extends StudyOptions, RunEnvironment, Pick<Watch, 'progress'> {
  runs: RunStore
  files: FileSource
  backend: BackendInfo
  /** What may be trained on instead, if anything is missing; the user has chosen nothing. */
  candidates?: readonly Candidate[] | undefined
  /** What was timed to choose the backend, in words. */
  timed?: string | undefined
  /** So many seeds of a variant may be trained at once, as one program, on a graphics card where that is faster; 1 where it is left out. */
  seedsAtOnce?: number | undefined
  /** Recorded with the runs. */
  machine?: Machine | undefined
  /** The notebook that the runs are recorded for. */
  notebook?: string | undefined
  /** Where runs are trained. Without, and where it throws, they are trained one after the other, here. */
  runner?: Runner | undefined
  /**
   * Why the device that trains cannot be trusted any more; null while it can. `failure` is what a run is about to fail with,
   * if it is. Asked before anything is written to the store.
   */
  lost?: ((failure: string | null) => Promise<string | null>) | undefined
  /** What can be said of a variant before it is trained on a backend; nothing is said without. */
  preflight?: LookAtVariant | undefined
  /** Keys of runs that have failed already, and are not trained again. */
  failed?: readonly string[] | undefined
  /** Only runs with these keys are trained, and what they start from; the others are left to others. */
  keys?: readonly string[] | undefined
  /** Called with all runs of the study and of the studies that it starts from, before they are looked up in the store. */
  admit?: ((runs: PlannedRun[]) => Promise<void>) | undefined
  /** Called with the runs of the study before the finished ones are looked up in the store, e.g. to archive some. */
  planned?: ((runs: PlannedRun[]) => Promise<void>) | undefined
  /** Called with them again once their backend is known, e.g. to let some continue on it. */
  starting?: ((runs: PlannedRun[], backend: BackendName) => Promise<void>) | undefined
}

/** A study's environment while it is executed. */
interface Execution extends StudyEnvironment {
  signal: AbortSignal
  /** Stops the whole study, like the signal of its environment. */
  stop(): void
}

/** Milliseconds between two looks at runs that other processes train. */
const POLL_MS = 500

/**
 * Trains the runs of a study that the store does not have yet and records them; what was interrupted goes on from its
 * last checkpoint. Where values are chosen for its variants first, the runs that choose are trained before it, as a study of
 * their own (tuning/execute.ts). Those runs of another study that they start from are trained first, with a `plan` and an `end` of their
 * own. A study that is looked at after every seed ends where its seeds have decided all. A run that fails does not stop the others, but for those of its variant where its code fails whatever the seed. A run that another process trains is left to it, and waited for at the end;
 * if that process stops, this one continues the run. Throws before training for anything wrong with the study or its data, and LostDevice where the device is lost: its run is interrupted then, and
 * nothing of what came after the loss is in the store. Stopped while its data are read, it ends without a `plan`.
 */
export async function* executeStudy(study: Study, environment: StudyEnvironment): AsyncGenerator<StudyEvent> {
  const { tune } = study.spec
  if (tune?.tried.length === 1) {
    yield { type: 'warning', message: `tune: ${tune.tried[0]?.name} is the only value, so nothing is chosen` }
  }
  try {
    yield* tune ? executeTuned(study, tune, environment, executePlain) : executePlain(study, environment)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    yield { type: 'end', trained: 0, cached: 0, failed: 0, interrupted: true }
  }
}

/** The same of a study in which nothing is chosen first. */
async function* executePlain(study: Study, environment: StudyEnvironment): AsyncGenerator<StudyEvent> {
  const { open, warnings } = await watching(environment, async (files) => {
    const planned = await openStudy(study, environment, files)
    await environment.admit?.(planned.all)
    const found = await keepLegacyKeys(planned, environment)
    if (environment.planOnly) return found
    await environment.planned?.(found.open.planned)
    await checkData(found.open, environment)
    return found
  })
  for (const message of warnings) yield { type: 'warning', message }
  if (environment.planOnly) {
    const done = await doneAmong(keysOf(open.planned), environment.runs)
    const known = [...warningsOf(open, open.planned, environment), ...refusedIn(open)]
    for (const message of known) yield { type: 'warning', message }
    yield planEvent(open, await besidePlan(open, environment), open.planned, done)
    return
  }
  const chosen = await chooseFor(open, environment)
  const { backend, times } = chosen ?? { backend: environment.backend, times: [] }
  if (chosen) yield { type: 'backend', study: open.name, backend, times }
  await environment.starting?.(open.planned, backend.name)
  const together = await togetherFor(open, environment, backend)
  if (together) yield { type: 'warning', message: togetherText(together) }
  const timed = [...(times.length > 0 ? [timesText(times)] : []), ...(together?.timed ? [together.timed] : [])]
  const asked = new AbortController()
  yield* executeRuns(open, {
    ...environment,
    backend,
    timed: timed.length > 0 ? timed.join('; ') : undefined,
    seedsAtOnce: together?.seeds,
    signal: environment.signal ? AbortSignal.any([environment.signal, asked.signal]) : asked.signal,
    stop: () => asked.abort(),
  })
}

/** Has the data of missing runs say what is wrong with them, which is then no fault of a run. */
async function checkData(open: OpenStudy, environment: Pick<StudyEnvironment, 'runs'>): Promise<void> {
  const { planned, variants, before } = open
  const done = await doneAmong(keysOf(planned), environment.runs)
  const missing = new Set(planned.flatMap(({ key, variant }) => (done.has(key) ? [] : [variant])))
  const checks = variants.flatMap(({ name, opened }) => (missing.has(name) && opened.check ? [opened.check] : []))
  for (const check of new Set(checks)) await check()
  if (missing.size > 0) for (const each of before) await checkData(each, environment)
}

/** The backend for the runs that are missing; null where there is nothing to train, or to choose from. */
async function chooseFor(open: OpenStudy, { candidates, runs }: StudyEnvironment): Promise<Fastest | null> {
  if (!candidates) return null
  const keys = keysOf(open.planned)
  const done = await doneAmong(keys, runs)
  if (done.size === keys.length) return null
  const begun = await Promise.all(
    BACKENDS.map(async (name) => ((await runs.findResumable(keys, name)).length > 0 ? [name] : [])),
  )
  const used = [...[...done.values()].map(({ backend }) => lastBackend(backend)), ...begun.flat()]
  return measureFastest(open, candidatesFor(used, candidates))
}

/** How many seeds are trained at once; null where it is one after the other in any case. */
async function togetherFor(
  open: OpenStudy,
  { seedsAtOnce = 1, runner, runs }: StudyEnvironment,
  { name }: BackendInfo,
): Promise<Together | null> {
  if (seedsAtOnce === 1 || runner || name !== 'webgpu') return null
  const done = await doneAmong(keysOf(open.planned), runs)
  const missing = open.planned.filter(({ key }) => !done.has(key)).map(({ variant }) => variant)
  const most = Math.max(0, ...missing.map((variant) => missing.filter((other) => other === variant).length))
  return most > 1 ? measureTogether(open, Math.min(seedsAtOnce, most)) : null
}

/** Those runs of a study that have such keys, or all. */
async function* executeRuns(open: OpenStudy, environment: Execution, wanted?: Set<string>): AsyncGenerator<StudyEvent> {
  const { runs, backend, signal, seedsAtOnce = 1 } = environment
  const planned = open.planned.filter(({ key }) => wanted?.has(key) ?? true)
  const keys = keysOf(planned)
  if (open.readouts.length > 0) await runs.showReadouts(keys, open.design.readouts ?? [])
  const done = await doneAmong(keys, runs)
  const mine = wanted || !environment.keys ? planned : planned.filter(({ key }) => environment.keys?.includes(key))
  for (const before of open.before) yield* executeStarts(before, mine, done, environment)
  const design = wanted ? open.design : await recordedDesign(open, environment)
  for (const message of warningsOf(open, planned, environment)) yield { type: 'warning', message }
  const resumable = new Map((await runs.findResumable(keys, backend.name)).map(({ key, step }) => [key, step]))
  yield planEvent(open, design, planned, done, resumable)

  const missing = new Set(mine.flatMap(({ key, variant }) => (done.has(key) ? [] : [variant])))
  const variants = open.variants.filter(({ name }) => missing.has(name))
  if (!wanted && variants.length > 0) yield* preflights(open.name, variants, environment)
  const failed = new Set(environment.failed?.filter((key) => keys.includes(key)))
  const counts = { trained: 0, cached: done.size, failed: failed.size }
  const warned = new Set<string>()
  const over = (key: string) => done.has(key) || failed.has(key)
  const waiting = keysOf(mine).flatMap((key) => (over(key) ? [] : (mine.find((run) => run.key === key) ?? [])))
  /** The runs that other processes train, by key. */
  const elsewhere = new Map<string, PlannedRun>()
  const offered: Offered = new Map()
  const looks = wanted || !open.design.anytime ? null : createLooks(open, planned, environment)
  async function* work(place: Place): AsyncGenerator<StudyEvent> {
    for (let run = waiting.shift(); run && !signal.aborted; run = waiting.shift()) {
      const others = place === here ? takeSeeds(waiting, run.variant, seedsAtOnce - 1) : []
      yield* others.length > 0 ? trainTogether([run, ...others], open, environment, trainOne) : trainOne(run, place)
      if (looks) yield* looks.after(waiting, elsewhere, offered)
    }
    while (elsewhere.size > 0 && !signal.aborted) {
      const attempts = await lookElsewhere()
      if (signal.aborted) return
      for (const [key, planned] of [...elsewhere]) {
        const run = attempts.get(key)
        if (run?.status === 'running' || !elsewhere.delete(key)) continue
        if (run && run.status !== 'interrupted') {
          counts[run.status === 'done' ? 'cached' : 'failed'] += 1
          yield { type: 'ended', key, run }
          if (looks) yield* looks.after(waiting, elsewhere, offered)
        } else yield* trainOne(planned, place)
      }
    }
  }
  let looking: Promise<Map<string, StoredRun>> | null = null
  /** What the store has, after a while, of the runs that other processes train: one look for all places that wait. */
  function lookElsewhere(): Promise<Map<string, StoredRun>> {
    looking ??= delay(POLL_MS, signal)
      .then(() => runs.lookAt([...elsewhere.keys()]))
      .then((found) => new Map(found.map((run) => [run.key, run])))
      .finally(() => {
        looking = null
      })
    return looking
  }
  async function* trainOne(run: PlannedRun, place: Place): AsyncGenerator<StudyEvent> {
    try {
      for await (const attempt of attemptsAt(place, run, signal, offered)) yield* recordAttempt(run, attempt)
    } catch (error) {
      if (!isTakenOver(error)) throw error
      elsewhere.set(run.key, run)
      yield { type: 'elsewhere', key: run.key }
    }
  }
  /** Throws MixlabError `owner` where another process trains the run. */
  async function* recordAttempt(run: PlannedRun, { number, on, events }: Attempt): AsyncGenerator<StudyEvent> {
    const { key, variant } = run
    const started = withNotices({ ...startedBy(open, environment), ...on }, open, variant)
    const begun = await runs.beginRun({ ...run, ...started, ...(number && { attempt: number }) })
    if (!begun) throw new MixlabError('owner', variant, 'another process trains it')
    const { id, after = 0 } = begun
    yield { type: 'begin', key, id, backend: started.backend }
    for await (const { event, ms } of recordEvents(begun, events(id, after), {
      ...environment,
      numbered: number !== undefined,
    })) {
      if (event.type === 'warning' && event.code) {
        const once = `${variant}, ${event.step > 0 ? 'in training' : 'before it'}`
        if (!warned.has(once)) yield { type: 'warning', message: `${variant}: ${event.message}` }
        warned.add(once)
        continue
      }
      yield { type: 'run', key, id, event, ms }
      if (event.type === 'done') counts.trained += 1
      if (event.type !== 'failed') continue
      counts.failed += 1
      const keys = event.code ? [...without(waiting, variant), ...takeBack(offered, variant)] : []
      if (keys.length > 0) yield { type: 'skipped', keys, error: event.message }
      if (event.code) looks?.endVariant(variant)
    }
  }
  const here = placeFrom((run, id) => trainRun(run, id, open, environment))
  if (looks) yield* looks.after(waiting, elsewhere, offered)
  let places: Place[] | null | undefined
  try {
    if (waiting.length > 0) places = await environment.runner?.places(keysOf(waiting), signal)
  } catch (error) {
    yield { type: 'warning', message: `one run is trained at a time: ${messageOf(error)}` }
  }
  yield* interleave((places ?? [here]).map(work))
  if (!wanted) yield* readRuns(open, planned, environment)
  const isCompared = !wanted && !environment.keys && !environment.quick && !asksNothing(open.design)
  if (isCompared && !signal.aborted) yield* armsOf(open, planned, environment)
  yield { type: 'end', ...counts, interrupted: signal.aborted }
}

/** Removes the waiting runs of a variant and returns their keys. */
function without(waiting: PlannedRun[], variant: string): string[] {
  const [own, others] = [true, false].map((same) => waiting.filter((run) => (run.variant === variant) === same))
  waiting.splice(0, waiting.length, ...(others as PlannedRun[]))
  return (own as PlannedRun[]).map(({ key }) => key)
}

/** Trains those runs of another study that `planned` start from, where any of them is missing. */
async function* executeStarts(
  before: OpenStudy,
  planned: PlannedRun[],
  done: Map<string, StoredRun>,
  environment: Execution,
): AsyncGenerator<StudyEvent> {
  const own = new Set(before.planned.map(({ key }) => key))
  const missing = planned.filter(({ key }) => !done.has(key))
  const wanted = missing.flatMap(({ from, teacher }) => [from, teacher].flatMap((each) => each?.key ?? []))
  const starts = new Set(wanted.filter((key) => own.has(key)))
  const found = await doneAmong([...starts], environment.runs)
  if (found.size < starts.size) yield* executeRuns(before, environment, starts)
}

/**
 * What to know of the data, of files that runs start from, of variants that are one, and of options, of which the few steps
 * of the quick mode try out none.
 */
function warningsOf({ variants }: OpenStudy, planned: PlannedRun[], { quick }: Pick<StudyOptions, 'quick'>): string[] {
  const named = new Map<string, Set<string>>()
  for (const { key, variant } of planned) named.set(key, (named.get(key) ?? new Set()).add(variant))
  const shared = new Set([...named.values()].filter(({ size }) => size > 1).map((names) => [...names].join(' and ')))
  return [
    ...new Set(variants.flatMap(({ opened }) => opened.warnings ?? [])),
    ...new Set(variants.flatMap(({ file }) => (file?.left ?? []).map((line) => `${file?.name.path}: ${line}`))),
    ...[...shared].map((names) => `${names} are the same, and share their runs`),
    ...(quick ? [] : optionNotes(variants)),
  ]
}

/** What cannot be trained, in words. */
function refusedIn({ variants }: OpenStudy): string[] {
  return variants.flatMap(({ name, refused }) =>
    refused ? [`${name} fails before its first step: ${refused.message}`] : [],
  )
}

/** On what runs are trained, and what is recorded of where they come from. */
function startedBy({ origin }: OpenStudy, { backend, machine, notebook, timed }: StudyEnvironment) {
  return {
    backend: backend.name,
    device: backend.device,
    ...(machine ? { environment: environmentOn(machine, timed) } : {}),
    ...(origin ? { origin: { ...origin, notebook: notebook ?? null } } : {}),
  }
}

/** The same with what was said of the data of a variant. */
function withNotices<Started extends Pick<RunStart, 'environment'>>(
  started: Started,
  { variants }: OpenStudy,
  variant: string,
): Started {
  const notices = variants.find(({ name }) => name === variant)?.opened.warnings?.join('; ')
  const { environment } = started
  return environment && notices ? { ...started, environment: { ...environment, notices } } : started
}

function keysOf(planned: readonly PlannedRun[]): string[] {
  return [...new Set(planned.map(({ key }) => key))]
}

/** The finished runs among `keys`, by key. */
async function doneAmong(keys: string[], runs: RunStore): Promise<Map<string, StoredRun>> {
  return new Map((keys.length > 0 ? await runs.findDone(keys) : []).map((run) => [run.key, run]))
}
