import { callByName, callsOf, checkArguments } from '../engine/call.ts'
import { MixlabError } from '../engine/errors.ts'
import { type Host, hostCalls } from '../engine/host.ts'
import type { Recorder } from '../engine/records/run.ts'
import { capabilitiesOf } from './capability/index.ts'
import type { LocalHost } from './host.ts'
import { isQuestion } from './store/index.ts'

/** A run that a connection has in training. */
interface InTraining {
  connection: Host
  key: string
  epoch: number
  /** The last step recorded. */
  step: number
}

/** What each connection of a host owns: runs by id, and started cells by notebook and cell. */
interface InHand {
  runs: Map<number, InTraining>
  cells: Map<string, Host>
}

const inHand = new WeakMap<Host, InHand>()

const placeOf = (notebook: string, cell: string) => JSON.stringify([notebook, cell])

/**
 * A host as one connection sees it: what comes from outside is checked against the table of calls. A run can be recorded
 * by the connection that has it in training, or by any once that one has gone, if the number of its owner is right where
 * it is given. What another thread has answered stays `Packed`, for this host is the end of a channel. `release` ends the
 * runs that the connection has in training as interrupted, and leaves the cells that it runs to others; afterwards it can
 * begin and record nothing more.
 */
export function hostForConnection(host: Host & Pick<LocalHost, 'question'>): { host: Host; release(): void } {
  const { runs, cells } = inHand.get(host) ?? { runs: new Map(), cells: new Map() }
  inHand.set(host, { runs, cells })
  const capabilities = capabilitiesOf(host)
  /** What kernels do with runs, until it is done. */
  const underWay = new Set<Promise<unknown>>()
  let released = false

  function checkOpen(): void {
    if (released) throw new MixlabError('store', 'connection', 'is closed')
  }

  const mine = () => [...runs].filter(([, { connection }]) => connection === own)
  const interrupted = ({ step }: InTraining) => [{ type: 'interrupted', step } as const]

  const guarded: Host = {
    ...host,
    issueCapability: async (asked) => capabilities.issue(asked),
    async callWith(id, name, given) {
      const call = (async () => capabilities.call(guarded, id, name, given))()
      if (name === 'record' || name === 'beginRun') underWay.add(call)
      return call.finally(() => underWay.delete(call))
    },
    endCapability: async (id) => capabilities.end(id),
    async beginRun(run) {
      checkOpen()
      // A page has one kernel: what it begins again, it has stopped, e.g. by a restart before the page knew the id.
      for (const [id, known] of mine()) if (known.key === run.key) await guarded.record(id, interrupted(known))
      const begun = await host.beginRun(run)
      if (begun === null) return null
      const { id, epoch } = begun
      const known = { connection: own, key: run.key, epoch, step: 0 }
      if (released) {
        await host.record(id, interrupted(known), { epoch })
        checkOpen()
      }
      runs.set(id, known)
      return begun
    },
    async record(id, events, by) {
      checkOpen()
      const known = runs.get(id)
      if (known && known.connection !== own) throw new MixlabError('owner', `run ${id}`, 'is in training elsewhere')
      const recorder: Recorder | undefined = by ?? (known && { epoch: known.epoch })
      const answer = await host.record(id, events, recorder)
      const last = events.at(-1)
      if (!last || !recorder) return answer
      if (events.some(({ type }) => type === 'done' || type === 'failed' || type === 'interrupted')) runs.delete(id)
      else {
        const step = last.type === 'start' ? (known?.step ?? 0) : last.step
        const key = known?.key ?? (await host.showRuns([id]))[0]?.key ?? ''
        runs.set(id, { connection: own, key, epoch: recorder.epoch, step })
      }
      if (released) release()
      return answer
    },
    async listLive() {
      const { started, running } = await host.listLive()
      const byMe = (notebook: string, cell: string) => cells.get(placeOf(notebook, cell)) === own
      return {
        started: started.map((each) => (byMe(each.notebook, each.cell) ? { ...each, by: 'me' } : each)),
        running,
      }
    },
    async keepStarted(started) {
      checkOpen()
      cells.set(placeOf(started.notebook, started.cell), own)
      await host.keepStarted(started)
    },
    async takeStarted(notebook, cell) {
      checkOpen()
      const place = placeOf(notebook, cell)
      if (cells.get(place) === own) return true
      if (!(await host.takeStarted(notebook, cell))) return false
      cells.set(place, own)
      if (released) free(notebook, cell)
      return !released
    },
    async freeStarted(notebook, cell) {
      if (cells.get(placeOf(notebook, cell)) !== own) return
      cells.delete(placeOf(notebook, cell))
      await host.freeStarted(notebook, cell)
    },
    async endStarted(notebook, cell) {
      cells.delete(placeOf(notebook, cell))
      await host.endStarted(notebook, cell)
    },
    async renameNotebook(from, to) {
      await host.renameNotebook(from, to)
      capabilities.rename(from, to)
      for (const [place, connection] of [...cells]) {
        const [notebook, cell] = JSON.parse(place) as [string, string]
        if (notebook !== from) continue
        cells.delete(place)
        cells.set(placeOf(to, cell), connection)
      }
    },
  }

  const own = callsOf(hostCalls, (name, given) => {
    checkArguments(hostCalls, name, given)
    const call = () =>
      host.question && isQuestion(name) ? host.question(name, given) : callByName(guarded, name, given)
    // a call of the page about a run, e.g. its end, is made after all calls of its kernel about it
    return name === 'record' && underWay.size > 0 ? Promise.allSettled(underWay).then(call) : call()
  })

  // A host that is closed has ended its runs already.
  const ignore = () => undefined
  const free = (notebook: string, cell: string) => {
    cells.delete(placeOf(notebook, cell))
    host.freeStarted(notebook, cell).catch(ignore)
  }

  function release(): void {
    released = true
    for (const [id, known] of mine()) {
      runs.delete(id)
      host.record(id, interrupted(known), { epoch: known.epoch }).catch(ignore)
    }
    for (const [place, connection] of cells) {
      if (connection === own) free(...(JSON.parse(place) as [string, string]))
    }
  }

  return { host: own, release }
}
