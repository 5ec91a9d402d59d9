import type { BackendName } from '../../../engine/backends/types.ts'
import { connect } from '../../../engine/channel.ts'
import type { CapabilityRequest, Host } from '../../../engine/host.ts'
import { dependenciesOf } from '../../../engine/notebook/graph.ts'
import type { BackendReport, EvaluateRequest, KernelCalls, KernelListener, PageCalls } from '../../protocol/kernel.ts'
import { workerChannel } from '../../protocol/workerChannel.ts'
import { grantedCalls } from './granted.ts'

/** What a kernel may do where no cell runs. */
const DATA_ALONE: CapabilityRequest = { notebook: null, cells: [] }

/** A kernel, seen from the page. */
export interface Kernel extends Omit<KernelCalls, 'start'> {
  /** Rejects with MixlabError `backend` if the kernel cannot start or the wanted backend is not there. */
  started: Promise<BackendReport>
  /** Ends the worker at once, whatever it does; calls in progress reject with `reason`. */
  kill(reason: string): void
}

/** For what a kernel asks: the host, and the name of the notebook whose cells it evaluates. */
export interface KernelPlace {
  host(): Host
  notebook(): string | null
}

/**
 * Starts a kernel worker, which asks the host with a capability for the cell that it evaluates. `died` is called where it
 * ends by itself, after calls in progress have been rejected.
 */
export function startKernel(
  ear: KernelListener,
  wanted: BackendName | null,
  died: (reason: string) => void,
  place: KernelPlace,
): Kernel {
  const worker = new Worker(new URL('../../kernel/kernel.ts', import.meta.url), {
    type: 'module',
    name: 'mixlab kernel',
  })
  const { askHost, mayTell, during } = grantedCalls(place.host)
  const study: KernelListener['study'] = (id, name, events) => ear.study(id, name, events.filter(mayTell))
  const { remote, close } = connect<KernelCalls, PageCalls>({ ...ear, askHost, study }, workerChannel(worker))
  const kill = (reason: string) => {
    worker.terminate()
    close(reason)
  }
  worker.addEventListener('error', (event) => {
    const reason = `the kernel stopped: ${event.message || 'it could not be loaded'}`
    kill(reason)
    died(reason)
  })
  return {
    started: remote.start(wanted),
    evaluate(request) {
      const work = () => remote.evaluate(request)
      if (!request.train) return work()
      const { writtenAt } = request
      const asked = { notebook: place.notebook(), cells: closureOf(request), ...(writtenAt && { writtenAt }) }
      return during(asked, work)
    },
    interrupt: () => remote.interrupt(),
    answer: (request) => during(DATA_ALONE, () => remote.answer(request)),
    explain: (request) => during(DATA_ALONE, () => remote.explain(request)),
    ablate: (request) => during(DATA_ALONE, () => remote.ablate(request)),
    measure: (request) => during(DATA_ALONE, () => remote.measure(request)),
    lookAtData: (...asked) => during(DATA_ALONE, () => remote.lookAtData(...asked)),
    examples: (request) => during(DATA_ALONE, () => remote.examples(request)),
    conformance: (name, file) => remote.conformance(name, file),
    ping: () => remote.ping(),
    kill,
  }
}

/** The text that a request runs: its cell, last, after all that it depends on. */
function closureOf({ cells, facts, id }: EvaluateRequest): CapabilityRequest['cells'] {
  const needed = dependenciesOf(facts, id)
  const of = (wanted: (other: string) => boolean) =>
    cells.flatMap(({ kind, ...cell }) => (kind === 'code' && wanted(cell.id) ? [{ ...cell, kind }] : []))
  return [...of((other) => other !== id && needed.has(other)), ...of((other) => other === id)]
}
