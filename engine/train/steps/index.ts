import { eagerSteps } from './eager.ts'
import { gpuSteps } from './gpu.ts'
import { ALONE, type Lane } from './lockstep.ts'
import type { TrainingParts, TrainingSteps } from './types.ts'

/**
 * The steps of a training, in the fastest way that the current backend has, or `program: false` operation by operation; one that
 * is a lane does them with the others where it can.
 */
export function trainingSteps(
  trained: TrainingParts,
  { program = true, lane = ALONE }: { program?: boolean; lane?: Lane | undefined } = {},
): TrainingSteps {
  const others = eagerSteps(trained, program)
  return program ? gpuSteps(trained, others, lane) : others
}

export { NORM, TRAIN_LOSS, type TrainingParts, type TrainingSteps } from './types.ts'
