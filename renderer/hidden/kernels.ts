import type { BackendName } from '../../engine/backends/types.ts'
import { callByName, callsOf } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { MixlabError } from '../../engine/errors.ts'
import { type Host, hostCalls, type StartedCell } from '../../engine/host.ts'
import type { Link } from '../host/link.ts'
import type { KernelSessionCalls, KernelSessionEvents } from '../protocol/kernelSession.ts'
import { type KernelSession, openKernelSession } from '../session/kernel/kernelSession.ts'
import { whereUnchanged } from '../session/started/backgroundCell.ts'
import { fractionOf } from '../study/progress.ts'

/** Opens a connection to the host, which lives until `signal` ends it. */
export type OpenHost = (signal: AbortSignal) => Promise<Host>

/** The kernels of the hidden window: one for each notebook that a page has shown, or whose training goes on by itself. */
export interface Kernels {
  /** Lets a page use the kernel of a notebook. */
  serve(link: Link): void
  /** Continues a cell that the user started and that no kernel has run for two polls, of a notebook that no page shows. */
  look(): Promise<void>
  /** Progress of training, 0 to 1; null where nothing trains. */
  fraction(): number | null
  /** Stops all training at a checkpoint: for good, or to go on at the next start. */
  stop(end: 'leave' | 'stop'): Promise<void>
}

const placeOf = ({ notebook, cell }: StartedCell) => JSON.stringify([notebook, cell])

/** Each kernel has a connection of its own: when it ends, the host notes that its runs have. */
export function createKernels(openHost: OpenHost): Kernels {
  const kernels = new Map<string | null, KernelSession>()
  /** The notebooks that pages show. */
  const shown = new Map<Link, string | null>()
  const own = later(openHost(new AbortController().signal))
  /** Cells that no kernel ran at the last poll. */
  let free = new Set<string>()
  let leaving = false

  function kernelOf(notebook: string | null, wanted: BackendName | null): KernelSession {
    const known = kernels.get(notebook)
    if (known) return known
    const connection = new AbortController()
    const ended = (stored: Promise<unknown>) => {
      forget(keeper)
      void stored.then(() => connection.abort())
    }
    const keeper = openKernelSession({ host: later(openHost(connection.signal)), notebook, wanted, ended })
    kernels.set(notebook, keeper)
    return keeper
  }

  function forget(keeper: KernelSession): void {
    for (const [notebook, known] of kernels) if (known === keeper) kernels.delete(notebook)
  }

  /** Ends the kernels that do nothing and that no page shows. */
  function endIdle(): void {
    const used = new Set(shown.values())
    for (const [notebook, keeper] of kernels) {
      if (!used.has(notebook) && keeper.idle()) void keeper.end('nobody uses it')
    }
  }

  function serve(link: Link): void {
    let joined: KernelSession | null = null
    let detach = () => {}
    const kernel = (): KernelSession => {
      if (!joined) throw new MixlabError('backend', '', 'no kernel is joined')
      return joined
    }
    const calls: KernelSessionCalls = {
      async join(notebook, wanted, fresh) {
        if (fresh) await kernels.get(notebook)?.end('another is started')
        detach()
        joined = kernelOf(notebook, wanted)
        detach = joined.attach(page)
        shown.set(link, notebook)
        endIdle()
        return joined.started
      },
      state: async () => kernel().state(),
      result: async (id) => kernel().result(id),
      evaluate: async (request) => kernel().evaluate(request),
      interrupt: async () => kernel().interrupt(),
      answer: async (request) => kernel().answer(request),
      explain: async (request) => kernel().explain(request),
      ablate: async (request) => kernel().ablate(request),
      measure: async (request) => kernel().measure(request),
      lookAtData: async (...asked) => kernel().lookAtData(...asked),
      examples: async (request) => kernel().examples(request),
      conformance: async (name, file) => kernel().conformance(name, file),
      ping: async () => kernel().ping(),
      keepStarted: async (started) => kernel().keepStarted(started),
      takeStarted: async (notebook, cell) => kernel().takeStarted(notebook, cell),
      async rename(notebook) {
        const keeper = kernel()
        forget(keeper)
        kernels.set(notebook, keeper)
        shown.set(link, notebook)
        await keeper.rename(notebook)
      },
      end: async (reason) => kernel().end(reason),
    }
    const { remote: page, close } = connect<KernelSessionEvents, KernelSessionCalls>(calls, link.channel)
    void link.closed.then(() => {
      detach()
      shown.delete(link)
      if (shown.size > 0) endIdle() // else it is being loaded again
      close('the page has gone')
    })
  }

  async function look(): Promise<void> {
    if (leaving) return
    const { started } = await own.listLive()
    const pages = new Set(shown.values())
    const left = started.filter(({ by, notebook }) => by === null && !pages.has(notebook))
    const ready = left.filter((each) => free.has(placeOf(each)))
    free = new Set(left.map(placeOf))
    for (const each of ready) {
      void whereUnchanged(each, own, async (cells, facts) => {
        const keeper = kernelOf(each.notebook, each.backend as BackendName | null)
        if (await keeper.takeStarted(each.notebook, each.cell)) await keeper.goOn(each, cells, facts)
        endIdle()
      })
    }
  }

  return {
    serve,
    look,
    fraction() {
      const training = [...kernels.values()].map((keeper) => keeper.training()).find((output) => output !== null)
      return training ? (fractionOf(training.studies)?.fraction ?? 1) : null
    },
    async stop(end) {
      leaving = true
      await Promise.all([...kernels.values()].map((keeper) => keeper.stop(end)))
    },
  }
}

/** A host that is still being connected. */
function later(host: Promise<Host>): Host {
  host.catch(() => {}) // its calls reject with the error
  return callsOf(hostCalls, async (name, given) => callByName(await host, name, given))
}
