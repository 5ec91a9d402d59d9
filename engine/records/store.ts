import { z } from 'zod'
import {
  byteArray,
  type Calls,
  count,
  list,
  name,
  number,
  plain,
  reads,
  repeatable,
  text,
  texts,
  whole,
  writes,
} from '../call.ts'
import {
  designSchema,
  floorsSchema,
  type Standing,
  type StoredDesign,
  type StudyDesign,
  type TaskFloors,
} from './design.ts'
import type { Environment } from './environment.ts'
import type { RecordedEvent } from './events.ts'
import { BINS } from './histogram.ts'
import type { MetricMeaning } from './meaning.ts'
import { type PlannedReadout, plannedReadout, type ReadoutValue, readoutValue } from './readout.ts'
import type { Report } from './report.ts'
import type { BegunRun, MetricSummary, PlannedRun, Recorded, Recorder, RunStart, StoredRun } from './run.ts'
import type { Series, StepRange } from './series.ts'

/** A number means the weights after that many steps. */
export type WhichWeights = 'last' | 'best' | number

/** Weights of a run that can be read, and the number of steps done when they were taken. */
export interface KeptWeights {
  which: WhichWeights
  step: number
}

/** A read-out whose value a run shows. */
export interface ShownReadout extends PlannedReadout {
  run: number
  summary: MetricSummary
}

/** How many points of a series, and of which steps. */
export const buckets = count.optional()
export const range = z.tuple([number, number]).optional()

const runName = { key: text, study: name, variant: name, seed: whole }
const fileName = {
  ...{ key: text, path: text, sha256: text },
  ...{ resize: z.literal(true).exactOptional(), prefix: text.exactOptional() },
}
const startName = {
  ...runName,
  fresh: z.array(text).min(1).exactOptional(),
  tokens: z.enum(['resized', 'copied']).exactOptional(),
}
const planned = {
  ...runName,
  from: z.union([z.strictObject(startName), z.strictObject(fileName)]).optional(),
  teacher: z.strictObject(runName).optional(),
  spec: z.record(text, z.unknown()),
  code: text,
}
/** A run before it is trained. */
export const plannedRun: z.ZodType<PlannedRun> = z.strictObject(planned)
/** Those of journals have who made them in their lower 32 bits; a greater number would let nobody take over. */
const MAX_ATTEMPT = 2 ** 52

/** An attempt at a run, as it begins. */
export const runStart: z.ZodType<RunStart> = z.strictObject({
  ...planned,
  backend: text,
  device: text,
  origin: z
    .strictObject({ notebook: text.nullable(), cell: text, name: text.nullable(), source: text, quick: z.boolean() })
    .exactOptional(),
  environment: plain<Environment>().exactOptional(),
  attempt: count.min(1).max(MAX_ATTEMPT).exactOptional(),
})

const histograms = z.record(
  name,
  z.strictObject({
    ...{ min: number, max: number, mean: number, sd: number, notFinite: count, counts: z.array(count).length(BINS) },
    update: number.exactOptional(),
  }),
)
const at = <Type extends string>(type: Type) => ({ type: z.literal(type), step: count })
const event: z.ZodType<RecordedEvent> = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('start'), steps: count, parameters: count },
    ...{ taken: count.exactOptional(), macs: count.exactOptional(), resumedAt: count.exactOptional() },
  }),
  z.strictObject({ ...at('step'), ms: number, waited: number.exactOptional(), paused: number.exactOptional() }),
  z.strictObject({ ...at('metric'), name, value: number, meaning: plain<MetricMeaning>().optional() }),
  z.strictObject({
    ...at('points'),
    series: list(
      z.strictObject({
        ...{ name, meaning: plain<MetricMeaning>().optional() },
        ...{ steps: list(count), values: list(number) },
      }),
    ),
  }),
  z.strictObject({
    ...at('checkpoint'),
    weights: byteArray,
    best: byteArray.exactOptional(),
    bestStep: count.exactOptional(),
    state: byteArray.exactOptional(),
  }),
  z.strictObject({ ...at('snapshot'), weights: byteArray }),
  z.strictObject({ ...at('histograms'), weights: histograms, gradients: histograms }),
  z.strictObject({ ...at('report'), report: z.record(name, plain<Report>()) }),
  z.strictObject({ ...at('outcomes'), outcomes: byteArray }),
  z.strictObject({ ...at('warning'), message: text, code: z.literal(true).exactOptional() }),
  z.strictObject(at('done')),
  z.strictObject({ ...at('failed'), message: text, code: z.literal(true).exactOptional() }),
  z.strictObject(at('interrupted')),
])

const keys = texts
const id = whole

/** The calls of a store that training needs. */
export const runCalls = {
  /** The finished runs among `keys`, with their metrics; none that is archived. */
  findDone: reads<(keys: string[]) => StoredRun[]>({ keys }),
  /** Of those among `keys` that were interrupted on a backend and are not archived, the steps done at their last checkpoint. */
  findResumable: reads<(keys: string[], backend: string) => { key: string; step: number }[]>(
    { keys },
    { backend: text },
  ),
  /** The attempt that counts at each run among `keys`: what is done, or else the newest; none that is archived. */
  lookAt: reads<(keys: string[]) => StoredRun[]>({ keys }),
  /** Marks the attempts at runs whose results may be of other code than their key says, by the tag `doubtful`. */
  doubtRuns: repeatable(writes<(keys: string[]) => void>({ keys })),
  /**
   * Keeps how a study is designed: what its verdicts are about, and how it names its runs. With a notebook the runs of
   * others keep their names. Its comparisons are entered in the ledger. `writtenAt`: since when it stands in the text that
   * is run, in ms since 1970; now where it is left out.
   */
  recordDesign: repeatable(
    writes<(design: StudyDesign, notebook?: string, writtenAt?: number) => void>(
      { design: designSchema },
      { notebook: text.optional() },
      { writtenAt: whole.optional() },
    ),
  ),
  /** Where the comparisons of a study stand in the ledger; of those that are not entered yet, where they would. */
  standingOf: reads<(design: StudyDesign) => Standing[]>({ design: designSchema }),
  /**
   * The designs that have any of these runs, or train any alike, the one begun first first and those that never began last:
   * what may have been seen already.
   */
  earlierDesigns: reads<(keys: string[]) => StoredDesign[]>({ keys }),
  /**
   * Lets those runs among `keys` that are done and not archived show what these read-outs gave for them, and nothing that
   * other code, or the cells of another notebook, gave under their names. Returns what is shown.
   */
  showReadouts: repeatable(
    writes<(keys: string[], readouts: PlannedReadout[], notebook?: string) => ShownReadout[]>(
      { keys },
      { readouts: list(plannedReadout) },
      { notebook: text.optional() },
    ),
  ),
  /**
   * Keeps and shows what a read-out gave for a run that is done, once. Throws MixlabError `store` for any other run, and for
   * a name under which the run has measured something while it was trained.
   */
  keepReadout: repeatable(
    writes<(id: number, readout: ReadoutValue, notebook?: string) => MetricSummary>(
      { id: whole },
      { readout: readoutValue },
      { notebook: text.optional() },
    ),
  ),
  /** What simple models reach on data and task, by what stands for these (study/key.ts); null where it is not kept. */
  findFloors: reads<(key: string) => TaskFloors | null>({ key: text }),
  keepFloors: repeatable(writes<(key: string, floors: TaskFloors) => void>({ key: text }, { floors: floorsSchema })),
  /**
   * Takes up the interrupted attempt of a run on its backend, or starts a new one, and returns the id. Null where
   * another process trains it or it is done. Repeated after a lost connection, the call resumes the run that was interrupted.
   * Throws MixlabError `owner` for an attempt with a lower number than the latest.
   */
  beginRun: repeatable(writes<(run: RunStart) => BegunRun | null>({ run: runStart })),
  /** The state that a run resumes from, of its last checkpoint, or null. Throws MixlabError `store` where it is lost. */
  readState: reads<(id: number) => Uint8Array | null>({ id }),
  /**
   * Appends events in one transaction. `checkpoint`, `done`, `failed` and `interrupted` change the run itself. With `by`
   * a batch is recorded once, however often it is sent, and a run that a crash of the store has interrupted is in training
   * again. Throws MixlabError `owner` where another process has taken over the run since.
   */
  record: repeatable(
    writes<(id: number, events: RecordedEvent[], by?: Recorder) => Recorded>(
      { id },
      { events: list(event) },
      { by: z.strictObject({ epoch: count, batch: count.optional() }).optional() },
    ),
    ({ 2: by }) => (by as Recorder | undefined)?.batch !== undefined,
  ),
  /**
   * The points of one metric of several runs, at most about `buckets` points each (1,000 if left out): of every stretch
   * the smallest, the largest and the first that is not a number. With `range`, the points of these steps and the one
   * before and after them.
   */
  readSeries: reads<(ids: number[], metric: string, buckets?: number, range?: StepRange) => Series[]>(
    { ids: list(whole) },
    { metric: text },
    { buckets },
    { range },
  ),
  /**
   * The latest weights of a run as a safetensors file, those that were best on validation, or those of a step that
   * were kept on the way. Throws MixlabError `store` if it has none.
   */
  readWeights: reads<(id: number, which?: WhichWeights) => Uint8Array>(
    { id },
    { which: z.enum(['last', 'best']).or(count).optional() },
  ),
}

/** Where runs are kept. */
export type RunStore = Calls<typeof runCalls>
