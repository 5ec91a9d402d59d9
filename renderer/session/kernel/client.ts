import type { BackendName } from '../../../engine/backends/types.ts'
import { connect } from '../../../engine/channel.ts'
import type { BackendReport, KernelCalls, PageCalls } from '../../protocol/kernel.ts'
import { workerChannel } from '../../protocol/workerChannel.ts'

/** A kernel, seen from the page. */
export interface Kernel extends Omit<KernelCalls, 'start'> {
  /** Rejects with MixlabError `backend` if the kernel cannot start or the wanted backend is not there. */
  started: Promise<BackendReport>
  /** Ends the worker at once, whatever it does; calls in progress reject with `reason`. */
  kill(reason: string): void
}

/** Starts a kernel worker. `died` is called where it ends by itself, after calls in progress have been rejected. */
export function startKernel(page: PageCalls, wanted: BackendName | null, died: (reason: string) => void): Kernel {
  const worker = new Worker(new URL('../../kernel/kernel.ts', import.meta.url), {
    type: 'module',
    name: 'mixlab kernel',
  })
  const { remote, close } = connect<KernelCalls, PageCalls>(page, workerChannel(worker))
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
    evaluate: (request) => remote.evaluate(request),
    interrupt: () => remote.interrupt(),
    attention: (request) => remote.attention(request),
    answer: (request) => remote.answer(request),
    measure: (request) => remote.measure(request),
    conformance: (name, file) => remote.conformance(name, file),
    ping: () => remote.ping(),
    kill,
  }
}
