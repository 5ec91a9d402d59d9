import { create } from 'zustand'
import type { FormatName } from '../../engine/export/formats/known.ts'
import type { ExportProgress } from '../../engine/export/progress.ts'
import type { RequestedWeights } from '../../engine/records/tested.ts'
import type { WrittenModel } from '../protocol/export.ts'
import { openDialog } from '../ui/dialog.ts'

/** How models are written. */
export interface ExportChoice {
  format: FormatName
  which: RequestedWeights
  fold: boolean
  toeplitz: boolean
  /** Whether a model card goes with a single file, too, which makes an archive of the two. */
  card: boolean
}

/** A run of an export: its progress and its result. */
export interface LeavingRun {
  id: number
  /** What its files are called. */
  name: string
  progress: ExportProgress | null
  written: WrittenModel | null
  error: string | null
}

/** An export, from the moment it is asked for. */
export interface Export {
  id: number
  choice: ExportChoice
  runs: LeavingRun[]
  phase: 'waiting' | 'working' | 'saving' | 'saved' | 'failed' | 'cancelled'
  /** The file that was given to the user. */
  file: string | null
}

interface ExportState {
  /** The runs that the panel is open for. */
  asked: readonly number[]
  /** The exports of this page, the newest first. */
  exports: Export[]
}

export const useExports = create<ExportState>(() => ({ asked: [], exports: [] }))

/** Opens the panel for some runs. */
export function openExport(runs: readonly number[]): void {
  useExports.setState({ asked: runs })
  openDialog('export')
}

/** Whether nothing more will come of an export. */
export const hasEnded = ({ phase }: Export) => phase === 'saved' || phase === 'failed' || phase === 'cancelled'
