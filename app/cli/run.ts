import { availableParallelism } from 'node:os'
import { basename, isAbsolute, relative, resolve } from 'node:path'
import { MixlabError, suggest } from '../../engine/errors.ts'
import type { StudyEvent } from '../../engine/records/run.ts'
import { chosenText } from '../../engine/study/backends/times.ts'
import { failedText, failuresOf } from '../../engine/study/failures.ts'
import { namedRuns } from '../../engine/study/named.ts'
import { startName } from '../../engine/study/start/run.ts'
import { summarize } from '../../engine/study/summary.ts'
import { takenText } from '../../engine/study/taken.ts'
import { type Cells, openCells } from '../cells/cells.ts'
import { type LocalHost, openHost } from '../host.ts'
import { machineWith } from '../machine.ts'
import { type Arguments, type CliCommand, EXIT, type Terminal, TRUST, workspaceOf } from './command.ts'
import { comparisonLines, type PlanEvent, prospectLines, verdictsOf } from './comparison.ts'
import { wholeNumber } from './numbers.ts'
import { notebookAt } from './readNotebook.ts'
import { againLine, againWords, archiveAgain, elsewhereLines } from './training/again.ts'
import { moveLine } from './training/move.ts'
import { progressLine } from './training/progress.ts'

export const run: CliCommand = {
  name: 'run',
  synopsis: '<notebook>',
  summary: 'train the studies of a notebook and compare their variants',
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
    data: { type: 'string', value: 'DIR', help: 'let the notebook read data files below this folder' },
    trust: TRUST,
  },
  run: async (given, output) => {
    const path = resolve(given.words[0] ?? '')
    const text = await notebookAt(path)
    const { options } = given
    const places = wholeNumber(given, 'jobs', 1) ?? 1
    const threads = wholeNumber(given, 'threads', 1) ?? availableParallelism()
    const seeds = wholeNumber(given, 'seeds', 1)
    const backend = options.backend === undefined ? null : String(options.backend)
    if (places > 1 && backend === 'webgpu') {
      throw new MixlabError('option', '--jobs', 'a graphics card trains one run at a time')
    }
    const trusted = options.trust === true
    const data = options.data === undefined ? [] : [String(options.data)]
    const host = openHost({ workspace: workspaceOf(given), data, unrestricted: trusted })
    const end = output.end()
    let cells: Cells | null = null
    let again: string[] = []
    try {
      const notebook = inWorkspace(path, (await host.describe()).workspace)
      cells = await openCells(
        { notebook: text, backend, threads, places, trusted },
        {
          ...{ host, name: notebook, print: output.err, stop: output.signal, end },
          planned: async (study, runs, attempts) => {
            if (again.length > 0) output.err(againLine(study, await archiveAgain(runs, attempts, again, host)))
          },
          starting: async (study, attempts, on, move) => {
            const moved = await moveLine(study, attempts, on, move, host)
            if (moved) output.err(moved)
          },
        },
      )
      const studies = await findStudies(cells, path, given)
      again = againWords(options.again, studies)
      const choice = {
        only: options.only ? String(options.only).split(',') : undefined,
        seeds,
        quick: options.quick === true,
        move: options.move === true,
        machine: machineWith(cells.backend === 'simd' ? threads : places),
      }
      let code = 0
      for (const { name, number } of studies) {
        const { backend, findDone } = cells
        const around = { backend, findDone, notebook, quick: choice.quick, host }
        code = Math.max(code, await showStudy(name, cells.train(number, choice), around, given, output))
      }
      return code
    } catch (error) {
      if (!end.aborted) throw error
      output.err('interrupted at once; the same command goes on from the last checkpoint')
      return EXIT.interrupted
    } finally {
      cells?.close()
      host.close()
    }
  },
}

/** The path of a notebook, below the workspace where it is there. */
function inWorkspace(path: string, workspace: string): string {
  const below = relative(workspace, path)
  return below.startsWith('..') || isAbsolute(below) ? path : below
}

/** Evaluates the notebook and returns its studies with their numbers, or the one asked for. */
async function findStudies(cells: Cells, path: string, { options }: Arguments) {
  const studies = (await cells.studies()).map((study, number) => ({ ...study, number }))
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

/** What is known before a study is trained. */
interface ShownAround extends Pick<Cells, 'backend' | 'findDone'> {
  notebook: string
  quick: boolean
  host: LocalHost
}

/** Shows what happens while a study is trained, and what came of it; returns the exit code. */
async function showStudy(
  study: string,
  events: AsyncIterable<StudyEvent>,
  { backend: first, findDone, notebook, quick, host }: ShownAround,
  given: Arguments,
  output: Terminal,
): Promise<number> {
  const progress = progressLine()
  let plan: PlanEvent | null = null
  let end: Extract<StudyEvent, { type: 'end' }> | null = null
  const errors = new Map<string, string>()
  let backend = first
  let others = false
  for await (const event of events) {
    if (event.type === 'backend') {
      backend = event.backend.name
      if (event.times.length > 0) output.err(chosenText(event.study, backend, event.times))
    }
    if (event.type === 'plan') {
      plan = event
      if (event.study !== study) output.err(firstOf(study, event))
      else if (!quick) for (const line of prospectLines(event)) output.err(line)
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

  const known = await findDone([...new Set(plan.design.runs.map(({ key }) => key))])
  const done = namedRuns(plan.runs, known)
  const rows = summarize(plan.metric, plan.variants, done)
  const { trained, cached, failed, interrupted } = end
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
  const result = { study, metric: plan.metric, rows, verdicts: found, ...counts, failures }
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
function firstOf(name: string, { study, runs }: PlanEvent): string {
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
