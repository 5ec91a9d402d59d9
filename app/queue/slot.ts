import type { BackendName } from '../../engine/backends/types.ts'
import { callsOf, checkArguments } from '../../engine/call.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import { kernelCalls } from '../../engine/host.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import type { JobsCalls } from '../../engine/study/jobs/calls.ts'
import { createJobs, type JobThread, type SpawnJob } from '../../engine/study/jobs/jobs.ts'
import { boundedChannel } from '../bounded.ts'
import { type AskedCalls, aroundCalls } from '../cells/calls.ts'
import { spawnCells } from '../cells/spawn.ts'
import { hasCard } from '../machine.ts'
import type { Job } from './job.ts'

/** What processes of cells of a worker may ask for beside `allowed`: nothing. */
export function askedOf(allowed: Partial<AskedCalls>): AskedCalls {
  const all = { ...kernelCalls, ...aroundCalls }
  const refused = callsOf(all, (name): never => {
    throw new MixlabError('permission', name, 'a worker has no store')
  })
  const checked = callsOf(all, (name, given) => {
    checkArguments(all, name, given)
    const call = allowed[name] as ((...given: unknown[]) => unknown) | undefined
    return call?.(...given)
  })
  return {
    ...refused,
    ...Object.fromEntries(Object.entries(checked).filter(([name]) => name in allowed)),
  } as AskedCalls
}

/** What a run in training is called by its process: no run of a store has that id. */
export const OWN = 0

/** What a run is trained from: its data, its state, and what it starts from. */
export type Inputs = JobsCalls

/** A process without rights that trains the runs of one notebook, one after the other. */
export interface Slot {
  /** The names of notebook and data that it was opened for. */
  of: string
  /** Throws LostPlace where the process ends, and MixlabError `notebook` where the notebook has no such run here. */
  train(job: Job, inputs: Inputs, signal: AbortSignal): AsyncGenerator<TrainEvent>
  /** Ends it at once. */
  close(): void
}

export const slotName = ({ notebook, files }: Job): string => `${notebook.sha256} ${files.sha256}`

/** Opens a slot for jobs with the notebook of `job`; the process starts with the first run. */
export function openSlot(job: Job, notebook: string, threads: number, say: (line: string) => void): Slot {
  let inputs: Inputs | null = null
  const source = callsOf(kernelCalls, (name, given) => {
    checkArguments(kernelCalls, name, given)
    const call = inputs?.[name as keyof Inputs] as ((...given: unknown[]) => unknown) | undefined
    return call?.(...given)
  })
  let closed = false
  const spawn: SpawnJob = (broken) => {
    if (closed) throw new MixlabError('backend', 'slot', 'is closed') // else who waits for its answer starts another one
    return spawnJob(notebook, job.backend as BackendName, threads, say, broken)
  }
  const jobs = createJobs(1, spawn, source)
  return {
    of: slotName(job),
    async *train({ run, study, options }, given, signal) {
      inputs = given
      const places = await jobs.runnerOf(study, options).places([run.key], signal)
      const attempt = await places?.[0]?.attempt(run)
      if (attempt) yield* attempt.events(OWN, 0)
    },
    close() {
      closed = true
      void jobs.close()
    },
  }
}

function spawnJob(
  notebook: string,
  backend: BackendName,
  threads: number,
  say: (line: string) => void,
  broken: (why: string) => void,
): JobThread {
  let heard: (message: Uint8Array) => void = () => {}
  const asked = askedOf({ print: async (line) => say(line), fromJob: async (message) => heard(message) })
  const { remote, kill } = spawnCells(false, asked, say, broken)
  const start = { notebook, backend, card: hasCard(), threads, places: 1, trusted: false }
  const open = remote.open(start)
  const ended = (error: unknown) => broken(messageOf(error))
  open.catch(ended)
  return {
    channel: boundedChannel({
      post: (message) => void open.then(() => remote.toJob(message)).catch(ended),
      listen(receive) {
        heard = receive
      },
    }),
    end: kill,
  }
}
