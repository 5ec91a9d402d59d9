import * as tf from '@tensorflow/tfjs'
import { heldMemory } from '../../engine/backends/memory.ts'
import type { BackendInfo } from '../../engine/backends/types.ts'
import { callsOf } from '../../engine/call.ts'
import { connect, packArguments } from '../../engine/channel.ts'
import { compact } from '../../engine/compile/program.ts'
import { LostDevice, MixlabError } from '../../engine/errors.ts'
import { preflight } from '../../engine/export/preflight.ts'
import { kernelCalls } from '../../engine/host.ts'
import * as mixlab from '../../engine/index.ts'
import { createScope, type EvaluateOptions } from '../../engine/notebook/evaluate.ts'
import { createLateErrors } from '../../engine/notebook/location.ts'
import type { Machine } from '../../engine/records/environment.ts'
import type { PlannedRun, StoredRunDetails, StudyEvent } from '../../engine/records/run.ts'
import type { Candidate } from '../../engine/study/backends/fastest.ts'
import type { Study } from '../../engine/study/compare.ts'
import { executeStudy } from '../../engine/study/execute.ts'
import type { Runner } from '../../engine/study/runners/runner.ts'
import { studiesIn } from '../../engine/study/studies.ts'
import { cellError } from '../protocol/error.ts'
import type { EvaluateRequest, EvaluateResult, KernelCalls, KernelMemory, PageCalls } from '../protocol/kernel.ts'
import type { ConsoleLine, ValueView } from '../protocol/output.ts'
import { sentEvents } from '../protocol/runPoints.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { checkAdapter, checkLater } from './adapterCheck.ts'
import { spawnAugmenter } from './augmenter.ts'
import { batch } from './batch.ts'
import { captureConsole, captureDisplay } from './capture.ts'
import { chooseCard, takeRefused } from './card.ts'
import { worthTiming } from './choose.ts'
import { makeCurrent, startBackend } from './device.ts'
import { removeForbiddenGlobals } from './forbiddenGlobals.ts'
import { lossOf, watchDevice } from './loss.ts'
import { machineOf } from './machine.ts'
import { dataView, lookLater } from './stored/data.ts'
import { createTrainers, plus, type Trainers } from './trainers.ts'
import { viewOf } from './view.ts'
import { yieldToEvents } from './yieldToEvents.ts'

const EVENTS_EVERY = 500 // ms; a number can be read in that time, and the page draws on a core that training wants
const OUTPUT_EVERY = 120 // ms
/** Milliseconds between two lines that say how far data are read. */
const PROGRESS_EVERY = 3000
const YIELD_EVERY = 40 // ms

// V8 keeps 10 frames, too few to reach the line of a cell from deep inside tfjs.
Error.stackTraceLimit = 50

const modules = { mixlab, '@tensorflow/tfjs': tf }
const scope = createScope(modules)
let backend: BackendInfo | null = null
/** What may be timed for a study; none where the user has chosen. */
let candidates: Candidate[] = []
let machine: Machine | undefined
let abort = new AbortController()
/** The cell that was run last, and how it prints. */
let latest = ''
let late = createLateErrors()
let print: (text: string) => void = () => {}
/** Those of the study that is trained. */
let trainers: Trainers | null = null

const kernel: KernelCalls = {
  async start(wanted) {
    chooseCard(await page.cardWanted())
    const report = await startBackend(wanted)
    backend = report.chosen
    machine = await machineOf(navigator, report)
    const timed = wanted === null ? worthTiming(report.options) : []
    candidates = timed.map((option) => ({ ...option, start: () => startWatched(option) }))
    watchDevice((message) => page.lost(message))
    return report
  },
  async evaluate(request) {
    abort = new AbortController()
    latest = request.id
    late = createLateErrors()
    const lines = batch<ConsoleLine>(OUTPUT_EVERY, (sent) => page.print(request.id, sent))
    const displays = batch<ValueView>(OUTPUT_EVERY, (sent) => page.show(request.id, sent))
    const console = captureConsole(lines.add, lines.flush)
    print = console.error
    try {
      const shown = captureDisplay(displays.add, (value) => dataView(value, host))
      return await inTurn(() => evaluate(request, { console, display: shown.display }, shown.settle))
    } catch (error) {
      if (error instanceof LostDevice) page.lost(error.message)
      return { value: null, error: cellError(error, request.id), studies: [], interrupted: abort.signal.aborted }
    } finally {
      lines.flush()
      displays.flush()
      page.memory(memory())
    }
  },
  async interrupt() {
    abort.abort()
  },
  answer: (request) => ofRun(request, async ({ answerOf }) => answerOf(request, host, modules)),
  explain: (request) => ofRun(request, async ({ explanationOf }) => explanationOf(request, host, modules)),
  ablate: (request) => ofRun(request, async ({ ablationOf }) => ablationOf(request, host, modules)),
  measure: (request) => ofRun(request, async ({ measureOn }) => measureOn(request, host, modules)),
  examples: (request) => ofRun(request, async ({ examplesOf }) => examplesOf(request, host, modules)),
  lookAtData: (...asked) => look(...asked),
  async conformance(name, file) {
    const { checks, ...found } = await inTurn(() => checkLater(file, name))
    return { case: name, passed: found.passed, worst: found.worst, checks: checks.length }
  },
  async ping() {
    return memory()
  },
}

const { remote: page } = connect<PageCalls, KernelCalls>(kernel, workerChannel(self))
/** The host, through the page. */
const host = callsOf(kernelCalls, (name, given) => page.askHost(name, packArguments(given)))
removeForbiddenGlobals(self)

// Errors that code of a cell throws after the cell has ended, e.g. in a timer, are reported and do not end the kernel.
addEventListener('error', (event) => tellLate(event, event.error ?? event.message))
addEventListener('unhandledrejection', (event) => tellLate(event, event.reason))

function tellLate(event: Event, thrown: unknown): void {
  event.preventDefault()
  late.tell(thrown, latest, print)
}

let turn = Promise.resolve()

/** Does what evaluates cells one after the other: the tensors that a cell leaves are found by watching all that are made. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work)
  const end = () => {}
  turn = done.then(end, end)
  return done
}

const look = lookLater(host, modules, inTurn)

/** Asks a stored run, in turn where it is made by evaluating its cells. What asks is loaded when it is first wanted. */
async function ofRun<T>(
  { run }: { run: StoredRunDetails },
  ask: (stored: typeof import('./stored/asked.ts')) => Promise<T>,
): Promise<T> {
  const stored = await import('./stored/asked.ts')
  return stored.needsCells(run) ? inTurn(() => ask(stored)) : ask(stored)
}

async function evaluate(
  request: EvaluateRequest,
  options: EvaluateOptions,
  settle: () => Promise<void>,
): Promise<EvaluateResult> {
  const { cells, facts, id, train } = request
  const { value, defined } = await scope.evaluate(cells, facts, id, options)
  await settle()
  const studies = studiesIn([value, ...Object.values(defined)])
  const interrupted = train && (await trainAll(request, studies))
  await compact()
  const isShown = value !== undefined && studiesIn([value]).length === 0
  const shown = isShown ? await (dataView(value, host)?.() ?? viewOf(value)) : null
  return { value: shown, error: null, studies: studies.map(({ name }) => name), interrupted }
}

/** Trains studies one after the other; returns whether that was interrupted. Throws the first error once the others are through. */
async function trainAll(request: EvaluateRequest, studies: Study[]): Promise<boolean> {
  const errors: unknown[] = []
  for (const study of studies) {
    try {
      if (await trainStudy(request, study)) return true
    } catch (error) {
      if (error instanceof LostDevice) throw error
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return false
}

/** Starts a backend while another one may be in use; the loss of a card is reported, and a card is checked at its first use. */
async function startWatched(info: BackendInfo): Promise<void> {
  await makeCurrent(info)
  if (info.name === 'simd') return
  watchDevice((message) => page.lost(message))
  await checkAdapter([info.name, info.device, machine?.runtime, machine?.mixlab].join(', '), page)
}

/** What kernel and trainers hold. */
function memory(): KernelMemory {
  return trainers ? plus(heldMemory(), trainers.memory()) : heldMemory()
}

/** Throws MixlabError `notebook` where a study has other runs than when it was started. */
function checkPlan(plan: string[] | undefined, study: string, runs: PlannedRun[]): void {
  const keys = new Set(runs.map(({ key }) => key))
  if (!plan || (plan.every((key) => keys.has(key)) && keys.size === new Set(plan).size)) return
  const why =
    'has other runs than when it was started, because its data or this program changed; run the cell to train them'
  throw new MixlabError('notebook', study, why)
}

/**
 * Trains the missing runs of a study, after the missing runs of the studies that it starts from; returns whether it was
 * interrupted.
 */
async function trainStudy(request: EvaluateRequest, study: Study): Promise<boolean> {
  if (!backend) throw new Error('the kernel has no backend yet')
  let current = study.name
  const events = batch<StudyEvent>(EVENTS_EVERY, (sent) => page.study(request.id, current, sentEvents(sent)))
  const beside = createTrainers(request, host)
  trainers = beside
  let interrupted = false
  let breath = performance.now()
  let told = breath
  const progress = (line: string) => {
    if (line === '' || performance.now() - told < PROGRESS_EVERY) return
    told = performance.now()
    page.print(request.id, [{ level: 'log', text: line }])
  }
  try {
    const choice = { backend, ...(candidates.length > 1 && { candidates }) }
    const environment = {
      runs: host,
      files: host,
      ...choice,
      machine,
      spawnAugmenter,
      signal: abort.signal,
      progress,
      lost: lossOf,
      preflight,
      admit: host.admitRuns,
      planned: async (runs: PlannedRun[]) => checkPlan(request.plans?.[study.name], study.name, runs),
    }
    const runner: Runner = {
      async places(keys, signal) {
        const alone = tf.getBackend() !== 'simd' // a graphics card does one thing at a time
        return alone ? null : beside.placesFor(study.name, keys, signal)
      },
    }
    for await (const event of executeStudy(study, { ...environment, runner })) {
      if (event.type === 'backend') backend = event.backend as BackendInfo
      if (event.type === 'plan') {
        events.flush()
        current = event.study
      }
      events.add(event)
      const refused = takeRefused()
      if (refused) events.add({ type: 'warning', message: refused })
      if (event.type === 'plan') events.flush()
      if (event.type === 'end') interrupted = event.interrupted
      if (performance.now() - breath > YIELD_EVERY) {
        await yieldToEvents()
        breath = performance.now()
      }
    }
  } finally {
    beside.close()
    trainers = null
    events.flush()
  }
  return interrupted
}
