import type { BackendName } from '../../../engine/backends/types.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { Host, StartedCell } from '../../../engine/host.ts'
import type { Cell, NotebookFacts } from '../../../engine/notebook/types.ts'
import type { EvaluateRequest, EvaluateResult, KernelListener } from '../../protocol/kernel.ts'
import type { KernelSessionCalls, KernelSessionEvents } from '../../protocol/kernelSession.ts'
import { type CellOutputView, EMPTY_OUTPUT } from '../../protocol/output.ts'
import { withRuns } from '../runFigures.ts'
import { schedule } from '../schedule.ts'
import { adapterCheckStore } from './adapterCheckStore.ts'
import { cardWanted } from './cardWanted.ts'
import { startKernel } from './client.ts'
import { keepPoints, noPoints, pointsToSend } from './points.ts'
import { displayed, endedWith, failure, printed, shownAfter, withChosen } from './shown.ts'
import { usersOf, valuesAfter } from './values.ts'

export interface KernelSessionOptions {
  host: Host
  /** Null where its cells are of no notebook. */
  notebook: string | null
  wanted: BackendName | null
  /** Called once the kernel has ended; `stored` resolves when the host has the output of its last cell. */
  ended?(stored: Promise<unknown>): void
}

/** A kernel session: a kernel that works whether a page is attached or not. */
export interface KernelSession extends Omit<KernelSessionCalls, 'join'> {
  started: ReturnType<KernelSessionCalls['join']>
  idle(): boolean
  /** What the cell in progress shows, if it trains; else null. */
  training(): CellOutputView | null
  /** Attaches a page, in place of the one before; the returned function detaches it. */
  attach(page: KernelSessionEvents): () => void
  /** Resumes a cell that was started before, after the cells that it depends on. */
  goOn(started: StartedCell, cells: Cell[], facts: NotebookFacts): Promise<void>
  /** Stops the cell in progress at a checkpoint: for good, or for another kernel to continue. */
  stop(end: 'leave' | 'stop'): Promise<void>
}

/** The cell in progress, or the last one. */
interface Work {
  request: EvaluateRequest
  since: number
  output: CellOutputView
  result: Promise<EvaluateResult>
  started: StartedCell | null
  /** The cell is left for another kernel to continue. */
  left: boolean
}

/** Starts a kernel, and stores the outputs of its cells. */
export function openKernelSession({ host, wanted, ended = () => {}, ...options }: KernelSessionOptions): KernelSession {
  let { notebook } = options
  let page: KernelSessionEvents | null = null
  let evaluated: Record<string, string> = {}
  let work: Work | null = null
  let running = false
  let points = noPoints()
  let turn: Promise<unknown> = Promise.resolve()
  let stored: Promise<unknown> = turn
  let closed: string | null = null
  const kernel = startKernel(
    ear(),
    wanted,
    (reason) => {
      tell((to) => to.died(reason))
      close(reason)
    },
    { host: () => host, notebook: () => notebook },
  )
  let report = kernel.started
  report.catch((error) => close(messageOf(error)))

  /** Events are lost on a page that is being closed; the next page asks for the state. */
  function tell(say: (page: KernelSessionEvents) => unknown): void {
    const said = page && say(page)
    if (said instanceof Promise) said.catch(() => {})
  }

  function ear(): KernelListener {
    return {
      print(id, lines) {
        show(id, (output) => printed(output, lines))
        tell((to) => to.print(id, lines))
      },
      show(id, values) {
        show(id, (output) => displayed(output, values))
        tell((to) => to.show(id, values))
      },
      study(id, study, events) {
        keepPoints(events, points)
        for (const event of events) {
          if (event.type === 'backend') report = report.then((known) => withChosen(known, event.backend.name))
        }
        show(id, (output) => shownAfter(output, study, events))
        if (!page && work && events.some(({ type }) => type === 'plan' || type === 'begin')) store(work)
        tell((to) => to.study(id, study, events))
      },
      memory: (memory) => tell((to) => to.memory(memory)),
      lost: (why) => (page ? tell((to) => to.lost(why)) : close(why)),
      cardWanted: async () => cardWanted(),
      ...adapterCheckStore(() => notebook),
    }
  }

  function show(id: string, to: (output: CellOutputView) => CellOutputView): void {
    if (running && work?.request.id === id) work.output = to(work.output)
  }

  /** Cells are evaluated one after the other; with `started`, those first that it depends on. */
  function inTurn(request: EvaluateRequest, started: StartedCell | null): Promise<EvaluateResult> {
    const done = turn.then(() => perform(request, started))
    turn = done.catch(() => {})
    return done
  }

  async function perform(request: EvaluateRequest, started: StartedCell | null): Promise<EvaluateResult> {
    if (closed !== null) throw new MixlabError('backend', '', closed)
    const { id, cells, facts, train } = request
    const source = cells.find((cell) => cell.id === id)?.source ?? null
    const result = evaluate(request, started !== null)
    const own: Work = {
      ...{ request, since: performance.now(), output: { ...EMPTY_OUTPUT, source }, result, started, left: false },
    }
    work = own
    running = true
    points = noPoints()
    const came = await result.catch((error) => failure(error, id, closed !== null))
    running = false
    const outdated = train ? usersOf(facts, id) : []
    evaluated = valuesAfter(evaluated, facts, id, came.error ? null : fingerprintOf(request), outdated)
    if (work === own) conclude(own, came)
    return result
  }

  async function evaluate(request: EvaluateRequest, after: boolean): Promise<EvaluateResult> {
    await report
    for (const { id, wanted } of after ? schedule(request.facts, evaluated, [request.id]) : []) {
      if (wanted) continue
      const before = { ...request, id, train: false }
      const { error } = await kernel.evaluate(before)
      if (error) throw new MixlabError('notebook', '', `depends on '${id}', which failed: ${error.message}`)
      evaluated = valuesAfter(evaluated, request.facts, id, fingerprintOf(before), [])
    }
    return kernel.evaluate(request)
  }

  /** Stores the output of a cell with the host; the page, if one is attached, does the same. */
  function conclude(own: Work, result: EvaluateResult): void {
    const { id, train } = own.request
    own.output = endedWith(own.output, result, performance.now() - own.since)
    if (train || result.studies.length === 0) store(own)
    if (!train || notebook === null) return
    const end = own.left ? host.freeStarted(notebook, id) : host.endStarted(notebook, id)
    stored = Promise.allSettled([stored, end])
  }

  function store({ request, output }: Work): void {
    if (notebook === null) return
    const name = notebook
    const kept = { cell: request.id, fingerprint: fingerprintOf(request) }
    const written = withRuns(output, host).then((shown) => host.writeOutput(name, { ...kept, output: shown }))
    stored = Promise.allSettled([stored, written])
  }

  function close(reason: string): void {
    if (closed !== null) return
    closed = reason
    kernel.kill(reason)
    ended(turn.then(() => stored))
  }

  return {
    started: kernel.started,
    idle: () => !running,
    training: () => (running && work?.request.train && work.output.studies.length > 0 ? work.output : null),
    attach(to) {
      page = to
      return () => {
        if (page === to) page = null
      }
    },
    evaluate: (request) => inTurn(request, null),
    async goOn(started, cells, facts) {
      const { cell: id, atOnce, plans } = started
      await inTurn({ cells, facts, id, train: true, atOnce, plans }, started).catch(() => {}) // it is stored
      await stored
    },
    interrupt: kernel.interrupt,
    answer: kernel.answer,
    explain: kernel.explain,
    ablate: kernel.ablate,
    measure: kernel.measure,
    lookAtData: kernel.lookAtData,
    examples: kernel.examples,
    conformance: kernel.conformance,
    ping: kernel.ping,
    async state() {
      const known = await report
      if (!running || !work) return { report: known, wanted, evaluated, running: null }
      const { request, since, output, started } = work
      const { id, train } = request
      const facts = { id, fingerprint: fingerprintOf(request), train, ms: performance.now() - since }
      return { report: known, wanted, evaluated, running: { ...facts, output, points: pointsToSend(points), started } }
    },
    async result(id) {
      if (work?.request.id !== id) throw new MixlabError('backend', id, 'does not run in this kernel')
      return work.result
    },
    async keepStarted(started) {
      if (work?.request.id === started.cell) work.started = started
      await host.keepStarted(started)
    },
    takeStarted: (of, cell) => host.takeStarted(of, cell),
    async rename(to) {
      notebook = to
    },
    async stop(end) {
      if (running && work) {
        work.left = end === 'leave'
        await kernel.interrupt().catch(() => {}) // it has ended meanwhile
      }
      await turn
      await stored
    },
    async end(reason) {
      work = null // the caller that ends it knows what becomes of its cell
      close(reason)
    },
  }
}

function fingerprintOf({ facts, id }: EvaluateRequest): string {
  return facts.cells.find((cell) => cell.id === id)?.fingerprint ?? ''
}
