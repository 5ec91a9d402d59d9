import type { KeptWeights } from '../../engine/records/store.ts'

/** A run of the store and what it is called here. */
export interface ShownRun {
  id: number
  label: string
  /** Whether it is in training; what it keeps is then read again and again. */
  live: boolean
}

/** Runs beside each other, and of each which weights there are. */
export interface ShownWeights {
  runs: readonly ShownRun[]
  kept: readonly KeptWeights[][]
}

/** The same at a step, that of weights which all views show; infinite for the last. */
export interface SteppedWeights extends ShownWeights {
  step: number
  onStep(step: number): void
}

/** Whether one of some runs is in training. */
export const areLive = (runs: readonly ShownRun[]) => runs.some(({ live }) => live)
