import { byOperations } from './byOperations.ts'
import { onCard } from './onCard.ts'
import type { Steps, Trained } from './types.ts'

/** The steps of a training, in the fastest way that the current backend has, or `program: false` operation by operation. */
export function trainingSteps(trained: Trained, { program = true } = {}): Steps {
  const others = byOperations(trained, program)
  return program ? onCard(trained, others) : others
}

export { NORM, type Steps, TRAIN_LOSS } from './types.ts'
