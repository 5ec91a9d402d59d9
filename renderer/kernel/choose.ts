import type { BackendName } from '../../engine/backends/types.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { BackendOption } from '../protocol/kernel.ts'

/** In order of preference. */
export const BACKENDS: readonly BackendName[] = ['webgpu', 'webgl', 'simd', 'cpu']

/**
 * The wanted backend, or the most preferred that is not emulated.
 * Throws MixlabError `backend` if the wanted one is not there.
 */
export function pickBackend(options: BackendOption[], wanted: BackendName | null): BackendOption {
  const ranked = [...options].sort((a, b) => BACKENDS.indexOf(a.name) - BACKENDS.indexOf(b.name))
  const chosen = ranked.find((option) => (wanted ? option.name === wanted : !option.software))
  if (chosen) return chosen
  const present = ranked.map((option) => option.name).join(', ') || 'none'
  throw new MixlabError('backend', '', `${wanted ?? 'a backend'} is not available here (available: ${present})`)
}
