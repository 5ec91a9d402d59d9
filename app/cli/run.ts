import { availableParallelism } from 'node:os'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'
import type { PlannedRun, StudyEvent } from '../../engine/records/run.ts'
import { chosenText } from '../../engine/study/backends/times.ts'
import type { Study } from '../../engine/study/compare.ts'
import { executeStudy, type StudyEnvironment } from '../../engine/study/execute.ts'
import { failedText, failuresOf } from '../../engine/study/failures.ts'
import { namedRuns } from '../../engine/study/named.ts'
import { startName } from '../../engine/study/start/run.ts'
import { summarize } from '../../engine/study/summary.ts'
import { takenText } from '../../engine/study/taken.ts'
import { spawnAugmenter } from '../augmenter.ts'
import { candidatesHere, lossOf, useBackend } from '../backends.ts'
import { type LocalHost, openHost } from '../host.ts'
import { startJobs } from '../jobs/jobs.ts'
import { machineWith } from '../machine.ts'
import { studiesIn } from '../studies.ts'
import { type Arguments, type CliCommand, EXIT, type Terminal, workspaceOf } from './command.ts'
import { comparisonLines, type PlanEvent, prospectLines, verdictsOf } from './comparison.ts'
import { wholeNumber } from './numbers.ts'
import { notebookAt } from './readNotebook.ts'
import { againLine, againWords, archiveAgain, elsewhereLines } from './training/again.ts'
import { despiteLosses } from './training/losses.ts'
import { moveLine } from './training/move.ts'
import { progressLine } from './training/progress.ts'

export const run: CliCommand = {
  name: 'run',
  synopsis: '<notebook>',
  summary: 'train the studies of a notebook, whose code runs with your rights, and compare their variants',
  words: [1, 1],
  options: {
    study: { type: 'string', value: 'S', help: 'only this study' },
    only: { type: 'string', value: 'V,...', help: 'only these variants' },
    seeds: { type: 'string', value: 'N', help: 'this many seeds' },
    quick: { type: 'boolean', help: 'few steps and seeds: see that everything works' },
    backend: { type: 'string', value: 'B', help: 'simd, webgpu, or cpu, the slow reference (default: the fastest)' },
    again: {
      type: 'string',
      value: 'W,...',
      help: 'train again: variants, all, failed, or what a backend trained, e.g. webgl',
    },
    move: { type: 'boolean', help: 'let runs that were interrupted on another backend continue on this one, marked' },
    jobs: { type: 'string', value: 'N', help: 'train this many runs at a time, which share the threads (default: 1)' },
    threads: { type: 'string', value: 'N', help: 'threads of simd (default: as many as the machine has)' },
  },
  run: async (given, output) => {
    const path = resolve(given.words[0] ?? '')
    const text = await notebookAt(path)
    const studies = await findStudies(text, path, given, output)
    const again = againWords(given.options.again, studies)
    const count = wholeNumber(given, 'jobs', 1) ?? 1
    const threads = wholeNumber(given, 'threads', 1) ?? availableParallelism()
    if (count > 1 && given.options.backend === 'webgpu') {
      throw new MixlabError('option', '--jobs', 'a graphics card trains one run at a time')
    }
    // With jobs, this thread only plans and records.
    const wanted = given.options.backend as string | undefined
    const candidates = wanted === undefined && count === 1 ? await candidatesHere(threads) : []
    const backend = await useBackend(wanted, count > 1 ? 1 : threads)
    const host = openHost({ workspace: workspaceOf(given), unrestricted: true })
    const start = { notebook: text, backend: backend.name, threads: Math.max(1, Math.floor(threads / count)) }
    const jobs = count > 1 ? startJobs(count, start, host) : null
    try {
      const only = given.options.only ? String(given.options.only).split(',') : undefined
      const seeds = wholeNumber(given, 'seeds', 1)
      const quick = given.options.quick === true
      const { signal } = output
      const recorded = {
        machine: machineWith(backend.name === 'simd' ? threads : count),
        notebook: inWorkspace(path, (await host.describe()).workspace),
      }
      const first = { backend, ...(candidates.length > 1 && { candidates }), move: given.options.move === true }
      const shared = { runs: host, files: host, lost: lossOf, spawnAugmenter, only, seeds, quick, signal, ...recorded }
      let code = 0
      for (const study of studies) {
        const planned = async (runs: PlannedRun[]) => {
          if (again.length > 0) output.err(againLine(study.name, await archiveAgain(runs, again, host)))
        }
        const ended = await despiteLosses(first, useBackend, output.err, ({ move, ...on }, losses) => {
          const environment = { ...shared, ...on, ...(losses === 0 && { planned }) }
          const trainers = jobs
            ? (keys: string[], signal: AbortSignal) => jobs.trainersOf(study.name, { ...environment, signal }, keys)
            : undefined
          const starting = async (runs: PlannedRun[], name: string) => {
            const moved = await moveLine(study.name, runs, name, move, host)
            if (moved) output.err(moved)
          }
          return runStudy(study, { ...environment, trainers, starting }, host, given, output)
        })
        code = Math.max(code, ended)
      }
      return code
    } finally {
      await jobs?.close()
      host.close()
    }
  },
}

/** The path of a notebook, below the workspace where it is there. */
function inWorkspace(path: string, workspace: string): string {
  const below = relative(workspace, path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}

/** Evaluates the notebook and returns its studies, or the one asked for. */
async function findStudies(text: string, path: string, { options }: Arguments, output: Terminal): Promise<Study[]> {
  const studies = await studiesIn(text, (line) => output.err(line))
  const names = studies.map(({ name }) => name)
  if (studies.length === 0)
    throw new MixlabError('notebook', basename(path), 'defines no study; make one with compare()')
  const wanted = options.study
  if (wanted === undefined) return studies
  if (!names.includes(String(wanted))) {
    throw new MixlabError('option', '--study', `unknown study '${wanted}'${suggest(String(wanted), names)}`)
  }
  return studies.filter(({ name }) => name === wanted)
}

async function runStudy(
  study: Study,
  environment: StudyEnvironment,
  host: LocalHost,
  given: Arguments,
  output: Terminal,
): Promise<number> {
  const progress = progressLine()
  let plan: PlanEvent | null = null
  let end: Extract<StudyEvent, { type: 'end' }> | null = null
  const errors = new Map<string, string>()
  let backend = environment.backend.name as string
  let others = false
  for await (const event of executeStudy(study, environment)) {
    if (event.type === 'backend') {
      backend = event.backend.name
      if (event.times.length > 0) output.err(chosenText(event.study, backend, event.times))
    }
    if (event.type === 'plan') {
      plan = event
      if (event.study !== study.name) output.err(firstOf(study, event))
      else if (!environment.quick) for (const line of prospectLines(event)) output.err(line)
      for (const line of elsewhereLines(event, backend)) output.err(line)
    }
    if (event.type === 'end') end = event
    if (event.type === 'run' && event.event.type === 'failed') errors.set(event.key, event.event.message)
    if (event.type === 'ended' && event.run.error !== null) errors.set(event.key, event.run.error)
    others ||= event.type === 'ended'
    report(event, plan, progress(event), output)
  }
  output.redraw?.('')
  if (!plan || !end) throw new Error('the study ended without a result')

  const known = await host.findDone([...new Set(plan.design.runs.map(({ key }) => key))])
  const done = namedRuns(plan.runs, known)
  const rows = summarize(plan.metric, plan.variants, done)
  const { trained, cached, failed, interrupted } = end
  const { notebook } = environment
  const found = verdictsOf(plan, known, await host.baselines(), notebook)
  const taken = rows.map(({ variant }) =>
    takenText(
      done.filter((run) => run.variant === variant),
      notebook,
    ),
  )
  const ended = plan.runs.map(({ key, variant, seed }) => {
    const error = errors.get(key) ?? null
    return { variant, seed, status: error === null ? ('waiting' as const) : ('failed' as const), error }
  })
  const counts = { trained, cached, failed, interrupted }
  const failures = failuresOf(ended)
  const result = { study: study.name, metric: plan.metric, rows, verdicts: found, ...counts, failures }
  if (given.options.json) output.out(JSON.stringify(result))
  else for (const line of comparisonLines({ ...result, taken, lost: failedText(ended) })) output.out(line)
  const total = plan.runs.length
  if (trained + failed === 0 && done.length === total && !others) {
    output.err(`nothing to train: ${total} of ${total} runs are in the store`)
  }
  if (interrupted) {
    const count = done.length
    output.err(`interrupted: ${count} of ${total} runs are done; the same command goes on with what is missing`)
    return EXIT.interrupted
  }
  return failed > 0 || done.length < total ? EXIT.runsFailed : 0
}

/** Says that runs of another study come first. */
function firstOf({ name }: Study, { study, runs }: PlanEvent): string {
  const missing = runs.filter(({ done }) => !done).length
  return `'${name}' starts from '${study}': ${missing} of ${runs.length} runs of that are trained first`
}

/** Tells of one event: a moving line on a terminal, a line per run elsewhere. */
function report(event: StudyEvent, plan: PlanEvent | null, line: string, { err, redraw }: Terminal): void {
  const nameOf = (run: { variant: string; seed: number } | undefined) => `${run?.variant}, seed ${run?.seed}`
  if (event.type === 'plan') {
    for (const run of event.runs) if (run.resumesAt !== null) err(`${nameOf(run)}: resumes at step ${run.resumesAt}`)
  }
  if (event.type === 'warning') err(event.message)
  if (event.type !== 'run' && event.type !== 'elsewhere' && event.type !== 'ended') return
  const run = plan?.runs.find(({ key }) => key === event.key)
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
  else if (inner.type === 'done' && !redraw) err(`${name}: done`)
  else if (inner.type === 'step') redraw?.(line)
}
