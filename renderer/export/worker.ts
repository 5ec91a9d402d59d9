import { callByName, callsOf } from '../../engine/call.ts'
import { connect } from '../../engine/channel.ts'
import { fileCalls } from '../../engine/data/files.ts'
import type { ExportProgress } from '../../engine/export/progress.ts'
import { host } from '../host/state.ts'
import type { ExporterCalls, ExporterPage } from '../protocol/export.ts'
import { workerChannel } from '../protocol/workerChannel.ts'

/** A worker that exports, as the page sees it. */
export interface Exporter extends ExporterCalls {
  /** Ends the worker at once, with all it holds; calls in progress reject with `reason`. */
  end(reason: string): void
}

/** Starts a worker that exports. `onProgress` is called with its progress. */
export function startExporter(onProgress: (progress: ExportProgress) => void): Exporter {
  const worker = new Worker(new URL('./kernel-export.ts', import.meta.url), { type: 'module', name: 'mixlab export' })
  const page: ExporterPage = {
    ...callsOf(fileCalls, (name, given) => callByName(host(), name, given)),
    progress: onProgress,
  }
  const { remote, close } = connect<ExporterCalls, ExporterPage>(page, workerChannel(worker))
  const end = (reason: string) => {
    worker.terminate()
    close(reason)
  }
  worker.addEventListener('error', ({ message }) => end(`the export stopped: ${message || 'it could not be loaded'}`))
  return {
    write: (...given) => remote.write(...given),
    take: (...given) => remote.take(...given),
    end,
  }
}
