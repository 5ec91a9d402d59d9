import { z } from 'zod'
import {
  byteArray,
  type Calls,
  type CallTable,
  count,
  list,
  reads,
  repeatable,
  text,
  texts,
  whole,
  writes,
} from './call.ts'
import { unpack } from './channel.ts'
import { fileCalls } from './data/files.ts'
import type { ComparisonFamily, StudyDesign } from './records/design.ts'
import { type ExportRecord, exportSchema, type StoredExport } from './records/exports.ts'
import type { StoredHistogram } from './records/histogram.ts'
import type { TensorNorms } from './records/norms.ts'
import type { RunReport } from './records/report.ts'
import type { AlikeRun, PlannedRun, StoredRun, StoredRunDetails } from './records/run.ts'
import type { SeriesBand, SeriesGroup, StepRange } from './records/series.ts'
import { buckets, type KeptWeights, plannedRun, range, runCalls } from './records/store.ts'
import {
  type CellOutput,
  type DeletedNotebook,
  type HostDescription,
  type ImportedRuns,
  MACHINE_ORDERS,
  type MachineOrder,
  type NotebookFile,
  type NotebookVersion,
  type QueueView,
  type SqlResult,
  type SqlValue,
} from './records/workspace.ts'
import { type CurvesQuery, curvesQuery, type RunCurves } from './runs/curves.ts'
import type { Page, RunFields, RunGroup, RunLine, RunsQuery } from './runs/types.ts'
import { type KeptWall, type Wall, wall } from './runs/wall.ts'

export type { CellOutput, DeletedNotebook, HostDescription, NotebookFile, NotebookVersion, SqlResult, SqlValue }

const id = whole
const ids = list(id)
const name = text
const notebook = text
const query = z.strictObject({
  filter: text,
  sort: list(z.strictObject({ column: text, descending: z.boolean() })),
  columns: texts,
  offset: count,
  limit: count,
})
const filter = z.strictObject({
  study: text.exactOptional(),
  variant: text.exactOptional(),
  status: z.enum(['running', 'done', 'failed', 'interrupted']).exactOptional(),
  keys: texts.exactOptional(),
  /** Those that a notebook made, or one of its cells. */
  notebook: text.exactOptional(),
  cell: text.exactOptional(),
  limit: count.exactOptional(),
})
export type RunFilter = z.output<typeof filter>

const started = z.strictObject({
  notebook,
  cell: text,
  /** The text of the cell, and the fingerprint of it and of all that it depends on. */
  source: text,
  fingerprint: text,
  /** The keys of the runs that its studies were planned to have, by study; a study that is not here was not reached. */
  plans: z.record(text, texts),
  /** The backend that the user chose, and how many runs at a time; null leaves the choice to the kernel. */
  backend: text.nullable(),
  atOnce: count.nullable(),
  /** When the user started it, in ms since 1970. */
  at: whole,
})

/** A cell that the user started, and what it evaluated to. */
export type StartedCell = z.output<typeof started>

const output = z.strictObject({ cell: text, fingerprint: text, output: z.unknown() })

const capability = z.strictObject({
  notebook: text.nullable(),
  /** The cell that the user runs and all that it depends on, that cell last, or all of them; none to read data alone. */
  cells: list(z.strictObject({ id: text, kind: z.literal('code'), source: text, metadata: text.exactOptional() })),
  /** Since when the user has had these texts run, in ms since 1970; now where it is left out. */
  writtenAt: whole.exactOptional(),
})

/** What the user has started: cells of a notebook, whose code may train the runs that their text defines. */
export type CapabilityRequest = z.output<typeof capability>

/** What the kernel may ask of its environment, under a capability, and with it the code of cells. */
export const kernelCalls = {
  ...fileCalls,
  ...runCalls,
  /**
   * Announces the runs that the kernel will begin, each after the one it starts from. Throws MixlabError `permission` for
   * one whose key is not that of its spec, or whose code is of no cell that the user runs.
   */
  admitRuns: reads<(runs: PlannedRun[]) => void>({ runs: list(plannedRun) }),
}

const calls: CallTable = kernelCalls

/** Everything that kernel and page ask of their environment, each call declared once. */
export const hostCalls = {
  ...kernelCalls,
  /** Lets a kernel make its calls for a cell that the user runs, until `endCapability`; returns what names that. */
  issueCapability: repeatable(writes<(asked: CapabilityRequest) => string>({ asked: capability })),
  /**
   * Makes a call of the kernel, within what a capability allows; its arguments can be as the kernel has packed them. Throws
   * MixlabError `permission`, and as that call.
   */
  callWith: repeatable(
    writes<(capability: string, call: string, given: unknown[] | Uint8Array) => unknown>(
      { capability: text },
      { call: z.enum(Object.keys(kernelCalls)) },
      { given: z.union([byteArray, list(z.unknown())]) },
    ),
    ({ 1: name, 2: given }) => {
      const values = given instanceof Uint8Array ? unpack(given) : given
      return calls[String(name)]?.repeatable(values as unknown[]) ?? false
    },
  ),
  endCapability: repeatable(writes<(capability: string) => void>({ capability: text })),

  describe: reads<() => HostDescription>(),

  listNotebooks: reads<() => string[]>(),
  readNotebook: reads<(name: string) => NotebookFile>({ name }),
  /** Writes atomically. Throws MixlabError `notebook` if the file changed since `revision`. Returns the new revision. */
  writeNotebook: writes<(name: string, text: string, revision: string | null) => string>(
    { name },
    { text },
    { revision: text.nullable() },
  ),
  /** Gives a notebook, its history and its outputs another name. Throws MixlabError `notebook` if that is taken. */
  renameNotebook: writes<(from: string, to: string) => void>({ from: name }, { to: name }),
  /** Moves a notebook, its history and its outputs to the bin; its runs say so. Throws MixlabError `notebook`. */
  deleteNotebook: writes<(name: string) => DeletedNotebook>({ name }),
  /** The notebooks in the bin, the one deleted last first. */
  listDeleted: reads<() => DeletedNotebook[]>(),
  /**
   * Brings a notebook back with all that went with it, under its name or, where that is taken, with the next number that
   * is free, and returns the name. Throws MixlabError `notebook`.
   */
  restoreNotebook: writes<(id: string) => string>({ id: text }),
  /** The earlier texts of a notebook, newest first: all of the last hour, then one an hour, after a week one a day. */
  listVersions: reads<(notebook: string) => NotebookVersion[]>({ notebook }),
  /** The text that a notebook had. Throws MixlabError `notebook` if it is not kept. */
  readVersion: reads<(notebook: string, at: number) => string>({ notebook }, { at: whole }),

  readOutputs: reads<(notebook: string) => CellOutput[]>({ notebook }),
  writeOutput: writes<(notebook: string, output: CellOutput) => void>({ notebook }, { output }),

  /** The runs in training and the cells in progress of the workspace, as this connection sees them. */
  listLive: reads<() => Live>(),
  /** Stores a cell that the user has started, until it ends; this connection runs it. */
  keepStarted: repeatable(writes<(started: StartedCell) => void>({ started })),
  /** Lets this connection run a started cell that no connection runs; returns whether this connection got it. */
  takeStarted: repeatable(writes<(notebook: string, cell: string) => boolean>({ notebook }, { cell: text })),
  /** Releases a started cell that has not ended, so that another connection can take it. */
  freeStarted: repeatable(writes<(notebook: string, cell: string) => void>({ notebook }, { cell: text })),
  /** Forgets a started cell: it has ended, or the user stopped it. The connection that runs it stops. */
  endStarted: repeatable(writes<(notebook: string, cell: string) => void>({ notebook }, { cell: text })),
  /** Asks the processes that train these runs to stop them at a checkpoint. */
  stopRuns: repeatable(writes<(ids: number[]) => void>({ ids })),

  listRuns: reads<(filter?: RunFilter) => StoredRun[]>({ filter: filter.optional() }),
  /** Some of the runs that pass a filter, in an order. Throws MixlabError `option` for what the query may not ask. */
  queryRuns: reads<(query: RunsQuery) => Page<RunLine>>({ query }),
  /** The same with the runs of a configuration as one row; sorted by the mean over its finished runs. */
  groupRuns: reads<(query: RunsQuery) => Page<RunGroup>>({ query }),
  runFields: reads<() => RunFields>(),
  /** The options in which the runs that pass a filter differ, by name: those with two values, or that some lack. */
  differingOptions: reads<(filter: string) => string[]>({ filter: text }),
  /** Throws MixlabError `option` for what cannot be a tag, and `store` for an unknown run, as the next two. */
  tagRuns: writes<(ids: number[], add: string[], remove: string[]) => void>({ ids }, { add: texts }, { remove: texts }),
  noteRun: writes<(id: number, note: string) => void>({ id }, { note: text }),
  /** Archived runs stay as they are; studies do not take them any more. */
  archiveRuns: writes<(ids: number[], archived: boolean) => void>({ ids }, { archived: z.boolean() }),
  /**
   * Archives all attempts at the runs of some ids, so that a study that has them makes new ones, and returns the ids of
   * those that were not archived before. For the user alone: the code of cells cannot call this. Throws MixlabError `store`
   * for an unknown run, or one in training.
   */
  trainAgain: writes<(ids: number[]) => number[]>({ ids }),
  /**
   * Lets interrupted runs continue on another backend; their backend then names both. For the user alone, as above. Throws
   * MixlabError `store` for an unknown run, or one that is not interrupted.
   */
  changeBackend: writes<(ids: number[], backend: string) => void>({ ids }, { backend: text }),
  /** The variant that the others of a study are compared with; null unpins it. Throws MixlabError `option`. */
  pinBaseline: writes<(study: string, variant: string | null) => void>({ study: text }, { variant: text.nullable() }),
  /** The families of comparisons in the ledger, the last one first. */
  listFamilies: reads<() => ComparisonFamily[]>(),
  /** Closes a family: later comparisons of its networks begin a new one, and say so. Throws MixlabError `store`. */
  closeFamily: repeatable(writes<(id: number) => void>({ id })),
  /** The pinned variants, by study. */
  baselines: reads<() => Record<string, string>>(),
  /** The designs of studies that have any of these runs, the one planned last first. */
  designsOf: reads<(keys: string[]) => StudyDesign[]>({ keys: texts }),
  /** The finished runs whose data, task and recipe are those of a spec, whatever learns: archived ones, too. */
  alikeRuns: reads<(spec: Record<string, unknown>) => AlikeRun[]>({ spec: z.record(text, z.unknown()) }),
  /** One run with its spec and code. Throws MixlabError `store` for an unknown reference. */
  showRun: reads<(reference: string) => StoredRunDetails>({ reference: text }),
  /** Several runs in the order of their ids; throws as `showRun`. */
  showRuns: reads<(ids: number[]) => StoredRunDetails[]>({ ids }),
  /**
   * Metrics over the runs of groups, at about `buckets` steps at most (500 if left out): a band per metric and group, by
   * metric, without steps where no run has points.
   */
  readBands: reads<(groups: SeriesGroup[], metrics: string[], buckets?: number, range?: StepRange) => SeriesBand[]>(
    { groups: list(z.strictObject({ name, runs: ids })) },
    { metrics: texts },
    { buckets },
    { range },
  ),
  /**
   * A metric over the runs that pass a filter, by group, at about `buckets` places of an axis at most, with some runs one by
   * one. Runs in training are given one by one alone. Throws MixlabError `option` for what the query may not ask.
   */
  readCurves: reads<(query: CurvesQuery) => RunCurves>({ query: curvesQuery }),
  /** The report of the last evaluation of a run; null without one. Throws `store` for an unknown run. */
  readReport: reads<(id: number) => RunReport | null>({ id }),
  /**
   * What a run came to on each of its test examples, as bytes of `packOutcomes`; null where that is not kept. Throws `store`
   * for an unknown run.
   */
  readOutcomes: reads<(id: number) => Uint8Array | null>({ id }),
  /**
   * Keeps that of a run that is done, where nothing is kept yet. For the user alone. Throws `store` for an unknown
   * run, one that is not done, and bytes that are no outcomes.
   */
  keepOutcomes: repeatable(writes<(id: number, outcomes: Uint8Array) => void>({ id }, { outcomes: byteArray })),
  /** Which weights of a run there are, by step. Throws MixlabError `store` for an unknown run. */
  listWeights: reads<(id: number) => KeptWeights[]>({ id }),
  /** Keeps that a model was written from the weights of a run. For the user alone. Throws MixlabError `store` for an unknown run. */
  recordExport: writes<(id: number, written: ExportRecord) => void>({ id }, { written: exportSchema }),
  /** What was written of a run, the first one first. Throws MixlabError `store` for an unknown run. */
  listExports: reads<(id: number) => StoredExport[]>({ id }),
  /** The names of the tensors that a run has histograms of. Throws MixlabError `store` for an unknown run. */
  listHistograms: reads<(id: number) => string[]>({ id }),
  /** The histograms of a tensor of a run, or of all, by tensor, kind and step; throws as `listHistograms`. */
  readHistograms: reads<(id: number, name?: string) => StoredHistogram[]>({ id }, { name: name.optional() }),
  /** The norms of the tensors of a run at each step with histograms; throws as `listHistograms`. */
  readNorms: reads<(id: number) => TensorNorms[]>({ id }),
  /** The walls of charts of the workspace, by name. */
  listWalls: reads<() => KeptWall[]>(),
  /**
   * Keeps a wall under a name in place of the one of `revision`, or of none, and returns its new revision. Throws MixlabError
   * `option` for a name that cannot be, and where the wall was changed since.
   */
  keepWall: writes<(name: string, wall: Wall, revision: number | null) => number>(
    { name },
    { wall },
    { revision: count.nullable() },
  ),
  /** Throws MixlabError `option` for a wall that there is not, and for a name that is taken or cannot be. */
  renameWall: writes<(from: string, to: string) => void>({ from: name }, { to: name }),
  removeWall: repeatable(writes<(name: string) => void>({ name })),
  /**
   * Takes what is new of the runs in the journals of a folder, which may be one of the workspace. For the user alone. Throws
   * MixlabError `store` where there is none that can be read.
   */
  importJournals: repeatable(writes<(folder: string) => ImportedRuns>({ folder: text })),
  /** The queue of the workspace and the machines at it; why it does not answer stands in it. For the user alone, as the next. */
  watchQueue: reads<() => QueueView>(),
  /**
   * Sets the address of the queue, with its password, in a file that the user alone can read; '' forgets it. Throws
   * MixlabError `option`.
   */
  setQueue: writes<(address: string) => void>({ address: text }),
  /** Tells a machine at the queue, by its id, to pause, resume, stop or leave at once. For the user alone. Throws MixlabError `option`, `backend`. */
  tellMachine: repeatable(
    writes<(machine: string, order: MachineOrder) => void>({ machine: text }, { order: z.enum(MACHINE_ORDERS) }),
  ),
  /**
   * Answers one SQL query on the store (docs/notebook.md), which it cannot change. For the user alone: the code of cells
   * cannot call this. Throws MixlabError `store`, with the path `line <n>` where that is known.
   */
  querySql: reads<(sql: string) => SqlResult>({ sql: text }),
  /** Stops the query with this text, if it has no answer yet. */
  cancelSql: reads<(sql: string) => void>({ sql: text }),

  /** Lets data files under `path` be read, in this workspace, from now on. */
  allowData: writes<(path: string) => void>({ path: text }),
}

/** The environment of kernel and page. Flat and serialisable: the same calls go over a socket or a port. */
export type Host = Calls<typeof hostCalls>

/**
 * The subprotocols of the socket between a page in a browser and the host. The page offers both, and its token; the answer
 * says whether that is the token of the workspace.
 */
export const socketProtocols = { open: 'mixlab', refused: 'mixlab-refused' }

/** What is going on in a workspace. */
export interface Live {
  /** The cells that the user started and that have not ended, the first one first, and the connection that runs each, if there is one. */
  started: (StartedCell & { by: 'me' | 'other' | null })[]
  /** The runs in training. */
  running: StoredRun[]
}
