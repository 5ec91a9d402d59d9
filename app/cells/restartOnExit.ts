import { MixlabError } from '../../engine/errors.ts'
import type { Host } from '../../engine/host.ts'
import type { StudyEvent } from '../../engine/records/run.ts'
import { lostTooOften, MAX_PROCESS_LOSSES } from '../../engine/study/runners/attempts.ts'

/** What trains a study in a process that can be started again. */
export interface Restartable {
  /** Trains all but the runs with such keys, which have failed. */
  train(failed: string[]): AsyncGenerator<StudyEvent>
  /** Why the process ended by itself; null while it lives, and where it was ended. */
  ended(): string | null
  restart(): Promise<void>
}

/** A run that was begun, and how often its process ended since its last checkpoint. */
interface Begun {
  id: number
  step: number
  ms: number
  losses: number
}

/**
 * Trains a study in a process that may end: another process continues from the last checkpoints. A run whose process ends too
 * often fails, and the others go on. Throws what `train` throws, and MixlabError `backend` where processes end too often
 * before they train anything.
 */
export async function* restartOnExit(
  { train, ended, restart }: Restartable,
  host: Pick<Host, 'record'>,
): AsyncGenerator<StudyEvent> {
  const begun = new Map<string, Begun>()
  const failed: string[] = []
  /** The runs that the process has in training, by key. */
  let training = new Set<string>()
  let plan: Extract<StudyEvent, { type: 'plan' }> | null = null
  let starts = 0 // processes in a row that ended before they trained anything

  function note(event: StudyEvent): void {
    if (event.type === 'plan') plan = event
    if (event.type === 'begin') {
      starts = 0
      training.add(event.key)
      begun.set(event.key, { step: 0, ms: 0, losses: 0, ...begun.get(event.key), id: event.id })
    }
    if (event.type === 'skipped') failed.push(...event.keys)
    if (event.type !== 'run') return
    const run = begun.get(event.key)
    const { type, step = 0 } = { step: run?.step, ...event.event }
    if (run) Object.assign(run, { step, ms: event.ms, ...(type === 'checkpoint' && { losses: 0 }) })
    if (type === 'done' || type === 'failed' || type === 'interrupted') training.delete(event.key)
    if (type === 'failed') failed.push(event.key)
  }

  /** Runs that an earlier process has trained are in the store for the next one. */
  function counted(event: StudyEvent): StudyEvent {
    if (event.type !== 'end') return event
    const keys = new Set(plan?.runs.flatMap(({ key, done }) => (done && begun.has(key) ? [key] : [])))
    return { ...event, trained: event.trained + keys.size, cached: event.cached - keys.size }
  }

  for (let first = true; ; first = false) {
    try {
      if (!first) await restart()
      for await (const event of train(failed)) {
        note(event)
        yield first ? event : counted(event)
      }
      return
    } catch (error) {
      const why = ended()
      if (why === null) throw error
      if (training.size === 0) starts += 1
      if (starts === MAX_PROCESS_LOSSES) throw new MixlabError('backend', '', lostTooOften(why))
      yield {
        type: 'warning',
        message: `the process that trains ended: ${why}; another one continues from the last checkpoint`,
      }
      for (const key of training) {
        const run = begun.get(key)
        if (!run || ++run.losses < MAX_PROCESS_LOSSES) continue
        const event = { type: 'failed', step: run.step, message: lostTooOften(why) } as const
        await host.record(run.id, [event])
        const told: StudyEvent = { type: 'run', key, id: run.id, event, ms: run.ms }
        note(told)
        yield told
      }
      training = new Set()
    }
  }
}
