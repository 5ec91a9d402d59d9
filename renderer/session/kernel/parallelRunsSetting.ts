import { create } from 'zustand'
import { remember, remembered } from '../../ui/remembered.ts'

const STORED = 'mixlab.atOnce'

interface ParallelRunsSetting {
  /** Runs at a time; null leaves it to the kernel. */
  wanted: number | null
}

/** How many runs of a study the user wants trained at a time, on backends that can. */
export const useParallelRuns = create<ParallelRunsSetting>(() => ({ wanted: stored() }))

/** Takes effect with the next study, and is remembered. */
export function setParallelRuns(wanted: number | null): void {
  remember(STORED, wanted)
  useParallelRuns.setState({ wanted })
}

function stored(): number | null {
  const value = remembered(STORED)
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : null
}
