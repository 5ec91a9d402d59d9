import { LostDevice, MixlabError } from '../errors.ts'
import { inColumns, type TrainEvent } from '../records/events.ts'
import type { BegunRun } from '../records/run.ts'
import type { RunStore } from '../records/store.ts'

/** Milliseconds for which events are gathered before they are written to the store. */
const GATHER_MS = 250

/** What the recording of a run needs from around it; each as `StudyEnvironment` has it. */
interface Recording {
  runs: RunStore
  lost?: ((failure: string | null) => Promise<string | null>) | undefined
  /** The attempt has a number from elsewhere, where its events are counted, too. */
  numbered?: boolean
  /** Stops the whole study. */
  stop(): void
}

/** What is gathered: training does not need to know it written before it goes on. */
const GATHERED = new Set<TrainEvent['type']>(['step', 'metric', 'histograms', 'report', 'outcomes'])

/**
 * Events in the batches in which they are written: a message for each would take a place to train longer than a short step.
 * What was gathered before an error comes before it.
 */
export async function* inBatches(events: AsyncGenerator<TrainEvent>): AsyncGenerator<TrainEvent[]> {
  let batch: TrainEvent[] = []
  let since = performance.now()
  try {
    for await (const event of events) {
      batch.push(event)
      if (GATHERED.has(event.type) && performance.now() - since < GATHER_MS) continue
      yield batch
      batch = []
      since = performance.now()
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

/**
 * Passes events on and writes them to the store: what training measures several at a time, while it goes on; all else at
 * once, and training waits for that. Weights and histograms, which only the store needs, are passed on empty. A run whose events are no longer consumed is
 * recorded as interrupted. `ms` is the training time of the run that the store has, and, until the next batch of events, what has passed
 * since. Where the store says so, the study is stopped. Throws MixlabError `owner` once another process has taken over the run.
 */
export async function* recordEvents(
  { id, epoch, after = 0 }: BegunRun,
  source: AsyncGenerator<TrainEvent>,
  { runs, lost, stop, numbered = false }: Recording,
): AsyncGenerator<{ event: TrainEvent; ms: number }> {
  let gathered: TrainEvent[] = []
  let since = performance.now()
  let last: TrainEvent | null = null
  let kept: TrainEvent | null = null // the last one in the store
  let told = { ms: 0, at: since }
  let loss: string | null = null
  let recorded = after // events of this attempt
  let taken = false
  /** Forgets what may come from a device that is lost. */
  const check = async (failure: string | null) => {
    loss ??= (await lost?.(failure)) ?? null
    if (!loss) return
    gathered = []
    last = kept
  }
  /** The batch that is being written; the next call throws its error. */
  let writing: Promise<void> | null = null
  const written = async () => {
    await writing
    writing = null
  }
  const send = async (batch: TrainEvent[], own: boolean) => {
    try {
      recorded += batch.length
      const answer = await runs.record(id, inColumns(batch), { epoch, ...(!own && { batch: recorded }) })
      if (answer.stop) stop()
      told = { ms: answer.ms, at: performance.now() }
    } catch (error) {
      taken = isTakenOver(error)
      throw error
    }
  }
  /** Begins to write what is gathered, once all before is written. */
  const write = async (own = false) => {
    await written()
    const batch = gathered
    gathered = []
    kept = last
    since = performance.now()
    if (batch.length === 0) return
    writing = send(batch, own)
    writing.catch(() => {})
  }
  try {
    for await (const event of source) {
      last = event
      gathered.push(event)
      const canWait = GATHERED.has(event.type)
      if (!canWait || performance.now() - since > GATHER_MS) {
        await check(event.type === 'failed' ? event.message : null)
        if (loss) throw new LostDevice(loss)
        await write()
        if (!canWait) await written()
      }
      const passed = gathered.length > 0 || writing ? performance.now() - told.at : 0
      yield { event: withoutValues(event), ms: told.ms + passed }
    }
  } finally {
    await written().catch(() => {}) // the error was thrown before, or the events are no longer consumed
    writing = null
    if (taken) gathered = []
    else await check(null)
    const ended = last !== null && ENDINGS.has(last.type)
    const step = last && 'step' in last ? last.step : 0
    const cut = !taken && (last || loss) && !ended
    if (cut && numbered) await write() // what follows is none of the events that are counted elsewhere
    if (cut) gathered.push({ type: 'interrupted', step })
    await write(Boolean(cut) && numbered)
    await written()
  }
}

/** Whether an error says that another process trains the run now. */
export function isTakenOver(error: unknown): boolean {
  return error instanceof MixlabError && error.code === 'owner'
}

/** An event without weights, histograms and outcomes. */
function withoutValues(event: TrainEvent): TrainEvent {
  const { type } = event
  if (type === 'checkpoint' || type === 'snapshot') return { type, step: event.step, weights: new Uint8Array() }
  if (type === 'outcomes') return { type, step: event.step, outcomes: new Uint8Array() }
  return type === 'histograms' ? { type, step: event.step, weights: {}, gradients: {} } : event
}

const ENDINGS = new Set<TrainEvent['type']>(['done', 'failed', 'interrupted'])
