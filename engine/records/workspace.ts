// Plain data of a workspace: its notebooks, what their cells showed, and answers to SQL.
import type { RunName } from './run.ts'

export interface HostDescription {
  version: string
  /** Absolute path of the workspace. */
  workspace: string
  /** The notebook to show first, if any. */
  notebook: string | null
}

export interface NotebookFile {
  name: string
  text: string
  /** Changes whenever the text on disk changes. */
  revision: string
}

/** A notebook in the bin. */
export interface DeletedNotebook {
  /** Its file there, in `.mixlab/bin`. */
  id: string
  /** The name that it had. */
  name: string
  /** When it was deleted, in ms since 1970. */
  at: number
}

/** A text that a notebook had. */
export interface NotebookVersion {
  /** When it was written, in ms since 1970; there is one version of a time. */
  at: number
}

/** What a cell last showed. `fingerprint` is that of the cell and all it depends on when it ran. */
export interface CellOutput {
  cell: string
  fingerprint: string
  /** JSON; its shape belongs to the page. */
  output: unknown
}

export type SqlValue = string | number | null

export interface SqlResult {
  columns: string[]
  /** One value per column. Of bytes only their number is given, and long texts are cut. */
  rows: SqlValue[][]
  /** Whether there are more rows than these. */
  truncated: boolean
}

/** A machine that trains runs out of the queue, as it says of itself. */
export interface QueueMachine {
  id: string
  mixlab: string
  backend: string
  device: string
  cores: number
  /** Bytes: all, and what is free of them. */
  memory: number
  free: number
  /** Runs at a time, and threads of each. */
  jobs: number
  threads: number
  state: 'works' | 'pauses' | 'leaves'
  /** When it began to work, and when it was last heard of, in ms since 1970. */
  since: number
  seen: number
  runs: (RunName & { step: number; steps: number; stepsPerSecond: number; attempt: number })[]
}

/** What a machine at the queue can be told: to take no more runs, to take some again, to leave after its runs, to leave at once. */
export const MACHINE_ORDERS = ['pause', 'resume', 'stop', 'remove'] as const
export type MachineOrder = (typeof MACHINE_ORDERS)[number]

/** The queue of a workspace. */
export interface QueueView {
  /** As it may be shown: without user and password; null where none is set. */
  address: string | null
  /** It is that of MIXLAB_QUEUE, and not the one that was set for the workspace. */
  fromEnvironment: boolean
  /** The command by which a machine joins; null where the queue does not answer. */
  join: string | null
  /** What is left out of it, in words. */
  leftOut: string | null
  /** Why it does not answer. */
  error: string | null
  jobs: { waiting: number; active: number; done: number }
  machines: QueueMachine[]
}

/** What taking runs out of journals has come to. */
export interface ImportedRuns {
  journals: number
  /** Journals that cannot be read, and why. */
  refused: string[]
  /** Runs that something new was taken of, and how many of these are done now. */
  taken: number
  done: number
  /** Runs that the store has as they are, or further. */
  known: number
  /** Runs that are left for another time, and why. */
  left: (RunName & { why: string })[]
}
