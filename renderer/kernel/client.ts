import type { BackendName } from '../../engine/backends/types.ts'
import { connect } from '../../engine/channel.ts'
import type { BackendReport, EvaluateRequest, EvaluateResult, KernelCalls, PageCalls } from './protocol.ts'
import { workerChannel } from './workerChannel.ts'

/** A running kernel, seen from the page. */
export interface Kernel {
  report: BackendReport
  evaluate(request: EvaluateRequest): Promise<EvaluateResult>
  interrupt(): Promise<void>
  /** Ends the worker at once; calls in progress reject with `reason`. */
  kill(reason: string): void
}

/** Starts a kernel worker. Throws MixlabError `backend` if it cannot start or the wanted backend is not there. */
export async function startKernel(page: PageCalls, wanted: BackendName | null): Promise<Kernel> {
  const worker = new Worker(new URL('./kernel.ts', import.meta.url), { type: 'module', name: 'mixlab kernel' })
  const { remote, close } = connect<KernelCalls, PageCalls>(page, workerChannel(worker))
  const kill = (reason: string) => {
    worker.terminate()
    close(reason)
  }
  worker.addEventListener('error', (event) => kill(`the kernel stopped: ${event.message || 'it could not be loaded'}`))
  try {
    const report = await remote.start(wanted)
    return {
      report,
      evaluate: (request) => remote.evaluate(request),
      interrupt: () => remote.interrupt(),
      kill,
    }
  } catch (error) {
    worker.terminate()
    throw error
  }
}
