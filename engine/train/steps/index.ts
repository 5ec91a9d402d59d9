import { eagerSteps } from './eager.ts'
import { gpuSteps } from './gpu.ts'
import type { TrainingParts, TrainingSteps } from './types.ts'

/** The steps of a training, in the fastest way that the current backend has, or `program: false` operation by operation. */
export function trainingSteps(trained: TrainingParts, { program = true } = {}): TrainingSteps {
  const others = eagerSteps(trained, program)
  return program ? gpuSteps(trained, others) : others
}

export { NORM, TRAIN_LOSS, type TrainingParts, type TrainingSteps } from './types.ts'
