import { create } from 'zustand'
import type { BackendName } from '../../../engine/backends/types.ts'
import { worthTiming } from '../../kernel/choose.ts'
import type { BackendReport, KernelMemory } from '../../protocol/kernel.ts'
import type { DetachableKernel } from './hiddenKernel.ts'

export interface KernelState {
  phase: 'off' | 'starting' | 'ready' | 'busy' | 'interrupting' | 'failed'
  /** What the user asks for; null leaves the choice to the kernel. */
  wanted: BackendName | null
  report: BackendReport | null
  /** How often the graphics device was lost since the user chose. */
  losses: number
  memory: KernelMemory
  /** The cell in progress, and since when: a value of `performance.now()`. */
  running: { id: string; since: number } | null
  /** For how many ms the kernel has not answered; 0 while it does. */
  silent: number
  /** Why the kernel did not start or was lost. */
  error: string | null
  /** Fingerprints of the cells whose values this kernel holds, by cell id. */
  evaluated: Record<string, string>
  /** The kernel where it outlives the page; null where there is none, or it is a worker of this page. */
  kept: DetachableKernel | null
}

export const NO_MEMORY: KernelMemory = { tensors: 0, bytes: 0 }

export const useKernel = create<KernelState>(() => ({
  phase: 'off',
  wanted: null,
  report: null,
  losses: 0,
  memory: NO_MEMORY,
  running: null,
  silent: 0,
  error: null,
  evaluated: {},
  kept: null,
}))

/** What any study would be trained on now; null where nothing is known, or where each is trained on what it takes. */
export function trainsOn({ wanted, report }: Pick<KernelState, 'wanted' | 'report'>): BackendName | null {
  if (wanted || !report) return wanted
  return worthTiming(report.options).length > 1 ? null : report.chosen.name
}
