import type { BackendInfo, BackendName } from '../../engine/backends/types.ts'
import { LostDevice } from '../../engine/errors.ts'
import type { StudyEnvironment } from '../../engine/study/execute.ts'

/** What runs are trained on. */
export interface TrainedOn extends Pick<StudyEnvironment, 'backend' | 'candidates'> {
  /** Whether runs that were interrupted on another backend continue here. */
  move: boolean
}

/** After so many losses the processor takes over. */
const MAX_DEVICE_LOSSES = 2

/**
 * Does `train`, and again after the loss of the graphics card: once more on the card, where it
 * is still there, then on the processor. `losses` are
 * those so far.
 */
export async function retryOnDeviceLoss<Result>(
  first: TrainedOn,
  start: (name: BackendName) => Promise<BackendInfo>,
  say: (line: string) => void,
  train: (on: TrainedOn, losses: number) => Promise<Result>,
): Promise<Result> {
  let on = first
  for (let losses = 0; ; ) {
    try {
      return await train(on, losses)
    } catch (error) {
      if (!(error instanceof LostDevice)) throw error
      losses += 1
      const again = losses < MAX_DEVICE_LOSSES ? await start('webgpu').catch(() => null) : null
      const backend = again ?? (await start('simd'))
      say(`${error.message}; training continues on ${backend.name}, from the last checkpoint`)
      on = { backend, move: on.move || again === null }
    }
  }
}
