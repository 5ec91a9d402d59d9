import type { Calls } from '../../engine/call.ts'
import type { fileCalls } from '../../engine/data/files.ts'
import type { ExportedRun, ExportOptions } from '../../engine/export/export.ts'
import type { ExportProgress } from '../../engine/export/progress.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'

/** An export whose files the worker holds, as the page sees it. */
export type WrittenModel = Pick<ExportedRun, 'description' | 'proof' | 'training' | 'record' | 'snippets' | 'warnings'>

/** What is given to the user. */
export interface TakenFile {
  name: string
  bytes: Uint8Array
}

/** What the worker that exports offers to the page. */
export interface ExporterCalls {
  /** Writes and proves the model of a run, and holds its files; throws as `exportRun`. */
  write(run: StoredRunDetails, weights: Uint8Array, options: Omit<ExportOptions, 'onProgress'>): Promise<WrittenModel>
  /**
   * All that it holds. Of one run that has a single file beside its model card, this file, unless `cards`; else an archive,
   * which is called `several` where it has several runs. Throws MixlabError `weights` where it holds nothing.
   */
  take(several: string, cards: boolean): Promise<TakenFile>
}

/** What the page offers to that worker: the data of the runs, and a listener. */
export interface ExporterPage extends Calls<typeof fileCalls> {
  progress(progress: ExportProgress): void
}
