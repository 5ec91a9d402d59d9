import type { JobsCalls } from '../../engine/study/jobs/calls.ts'
import { createJobs, type Jobs, type SpawnJob } from '../../engine/study/jobs/jobs.ts'
import type { Place } from '../../engine/study/runners/runner.ts'
import type { EvaluateRequest, KernelMemory, TrainerStart } from '../protocol/kernel.ts'
import { workerChannel } from '../protocol/workerChannel.ts'
import { spawnAugmenter } from './augmenter.ts'
import { shareCores } from './shareCores.ts'

const { Worker } = globalThis // cells have none, see forbiddenGlobals.ts
const cores = navigator.hardwareConcurrency

/** Workers on the `simd` backend that train runs of a cell's studies side by side. They end with the kernel at the latest. */
export interface Trainers {
  /** Places for such runs of a study; null to train them in the kernel, one after the other with all threads. */
  placesFor(study: string, keys: string[], signal: AbortSignal): Promise<Place[] | null>
  /** What they hold together. */
  memory(): KernelMemory
  close(): void
}

/** No trainer yet; the first run of each place starts one. */
export function createTrainers({ cells, facts, id, ...wanted }: EvaluateRequest, source: JobsCalls): Trainers {
  const held = new Map<Worker, KernelMemory>()
  let jobs: Jobs | null = null

  function spawnWith(threads: number): SpawnJob {
    return (broken) => {
      const worker = new Worker(new URL('./kernel-trainer.ts', import.meta.url), { type: 'module' })
      const end = () => {
        worker.terminate()
        held.delete(worker)
      }
      worker.addEventListener('message', ({ data }) => !(data instanceof Uint8Array) && held.set(worker, data))
      worker.addEventListener('error', ({ message }) => {
        end()
        broken(message || 'it could not be loaded')
      })
      worker.postMessage({ cells, facts, id, threads } satisfies TrainerStart)
      return { channel: workerChannel(worker), end }
    }
  }
  const close = () => void jobs?.close()

  return {
    async placesFor(study, keys, signal) {
      const { runs, threads } = shareCores(wanted.atOnce, keys.length, cores)
      if (runs === 1) return null
      close()
      jobs = createJobs(runs, spawnWith(threads), source, spawnAugmenter)
      return jobs.runnerOf(study, {}).places(keys, signal)
    },
    memory: () => [...held.values()].reduce(plus, { tensors: 0, bytes: 0 }),
    close,
  }
}

/** What two hold together. */
export function plus(one: KernelMemory, other: KernelMemory): KernelMemory {
  return { tensors: one.tensors + other.tensors, bytes: one.bytes + other.bytes }
}
