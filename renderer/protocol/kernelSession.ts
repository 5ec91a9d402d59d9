import type { BackendName } from '../../engine/backends/types.ts'
import type { Host, StartedCell } from '../../engine/host.ts'
import type { Line } from '../../engine/study/align.ts'
import type { BackendReport, EvaluateResult, KernelCalls, KernelEvents } from './kernel.ts'
import type { CellOutputView } from './output.ts'

/** The points of a run in training, by metric; those up to `resumedAt` are in the store alone. */
export interface SentPoints {
  id: number
  resumedAt: number
  lines: Record<string, Line>
}

/** A cell in progress. */
export interface RunningCell {
  id: string
  fingerprint: string
  /** Whether its studies are trained. */
  train: boolean
  /** For how many ms it runs. */
  ms: number
  /** What it shows so far. */
  output: CellOutputView
  points: SentPoints[]
  /** What the host stores of it, so that another kernel can continue it; null for nothing. */
  started: StartedCell | null
}

/** What a kernel does and holds that may have been there before the page. */
export interface KernelSessionState {
  report: BackendReport
  /** The backend that the user chose; null leaves the choice to the kernel. */
  wanted: BackendName | null
  /** Fingerprints of the cells whose values it holds, by cell id. */
  evaluated: Record<string, string>
  running: RunningCell | null
}

/** What the hidden window of the desktop application offers to the page: the kernel of its notebook, which outlives it. */
export interface KernelSessionCalls
  extends Omit<KernelCalls, 'start'>,
    Pick<Host, 'keepStarted' | 'takeStarted'> /* for the cell in progress: the kernel runs it, not the page */ {
  /**
   * Chooses the kernel of a notebook, or no kernel, for the calls that follow. Starts it where it is not running, or
   * where a `fresh` one is asked for. Throws MixlabError `backend`.
   */
  join(notebook: string | null, wanted: BackendName | null, fresh: boolean): Promise<BackendReport>
  state(): Promise<KernelSessionState>
  /** The result of the cell in progress, or of the last one. Rejects if its kernel has ended before. */
  result(id: string): Promise<EvaluateResult>
  /** The notebook has another name. */
  rename(notebook: string): Promise<void>
  /** Ends the kernel, whatever it does. */
  end(reason: string): Promise<void>
}

/** Events of a kernel in the hidden window, for the page. */
export interface KernelSessionEvents extends KernelEvents {
  /** The kernel has ended by itself. */
  died(reason: string): void
}
