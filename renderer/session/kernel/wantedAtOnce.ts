import { create } from 'zustand'
import { remember, remembered } from '../../ui/remembered.ts'

const STORED = 'mixlab.atOnce'

interface WantedAtOnce {
  /** Runs at a time; null leaves it to the kernel. */
  wanted: number | null
}

/** How many runs of a study the user wants trained at a time, on backends that can. */
export const useAtOnce = create<WantedAtOnce>(() => ({ wanted: stored() }))

/** Takes effect with the next study, and is remembered. */
export function setAtOnce(wanted: number | null): void {
  remember(STORED, wanted)
  useAtOnce.setState({ wanted })
}

function stored(): number | null {
  const value = remembered(STORED)
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : null
}
