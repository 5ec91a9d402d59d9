import { connect } from '../../engine/channel.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import type { Reading, RemoteAnalysis } from './calls.ts'

/** A worker that reads cells. */
export interface AnalysisWorker {
  calls: RemoteAnalysis
  /** Ends it; what it was asked rejects with `why`. */
  end(why: string): void
}

/** Starts the worker. `failed` is called where it could not be loaded. */
export function startAnalysis(page: Reading, failed: () => void): AnalysisWorker {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), {
    type: 'module',
    name: 'mixlab analysis',
  })
  const { remote, close } = connect<RemoteAnalysis>(page, workerChannel(worker))
  const end = (why: string) => {
    worker.terminate()
    close(why)
  }
  worker.addEventListener('error', () => {
    end('the analysis could not be loaded')
    failed()
  })
  return { calls: remote, end }
}
