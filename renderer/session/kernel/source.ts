import type { BackendName } from '../../../engine/backends/types.ts'
import { desktop } from '../../host/desktop.ts'
import type { KernelListener } from '../../protocol/kernel.ts'
import { type Kernel, type KernelPlace, startKernel } from './client.ts'
import { type DetachableKernel, joinHiddenKernel } from './hiddenKernel.ts'

/** A kernel of this page, and how to share it with pages to come, where it outlives this one. */
export type OpenKernel = Kernel & { kept: DetachableKernel | null }

/** Whether kernels outlive the page: in the desktop application, not in a browser. */
export function outlivesPage(): boolean {
  return desktop() !== null
}

/** Where the kernel of the page comes from: in a browser a worker of its own, on the desktop one of the hidden window. */
export function openKernel(
  ear: KernelListener,
  place: KernelPlace,
  wanted: BackendName | null,
  died: (reason: string) => void,
): OpenKernel {
  if (!outlivesPage()) return { ...startKernel(ear, wanted, died, place), kept: null }
  const { print, show, study, memory, lost } = ear
  return joinHiddenKernel({ print, show, study, memory, lost }, place.notebook(), wanted, died)
}
