import type { BackendName } from '../../engine/backends/types.ts'
import type { SpawnAugmenter } from '../../engine/data/augment/thread.ts'
import type { MixlabError } from '../../engine/errors.ts'
import { createJobs, type Jobs } from '../../engine/study/jobs/jobs.ts'
import type { AskedCalls, CellsCalls } from './calls.ts'

/** Events of the training processes, for the process that plans. */
export type PlacesHeard = Pick<CellsCalls, 'fromPlace' | 'placeEnded'>

/**
 * So many processes that train runs, which the parent starts and whose messages it passes on; generated examples are made
 * here for all of them.
 */
export function openPlaces(
  count: number,
  backend: BackendName,
  asked: AskedCalls,
  spawnAugmenter: SpawnAugmenter,
): { jobs: Jobs; heard: PlacesHeard } {
  const places = new Map<number, { receive(message: Uint8Array): void; broken(why: string): void }>()
  let last = 0
  const jobs = createJobs(
    count,
    (broken) => {
      last += 1
      const place = last
      const ended = (error: MixlabError) => {
        broken(error.message)
        void asked.endPlace(place).catch(() => {})
      }
      asked.startPlace(place, backend).catch(ended)
      return {
        channel: {
          post: (message) => void asked.toPlace(place, message).catch(ended),
          listen: (receive) => void places.set(place, { receive, broken }),
        },
        end: () => asked.endPlace(place),
      }
    },
    asked,
    spawnAugmenter,
  )
  const heard: PlacesHeard = {
    fromPlace: async (place, message) => places.get(place)?.receive(message),
    async placeEnded(place, why) {
      places.get(place)?.broken(why)
      places.delete(place)
    },
  }
  return { jobs, heard }
}
