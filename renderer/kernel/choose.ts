import type { BackendName } from '../../engine/backends/types.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { BackendOption } from '../protocol/kernel.ts'

/**
 * The wanted backend, or the one to begin with: the processor, until a study is measured.
 * Throws MixlabError `backend` if the wanted one is not there.
 */
export function pickBackend(options: BackendOption[], wanted: BackendName | null): BackendOption {
  const chosen = options.find(({ name }) => name === (wanted ?? 'simd'))
  if (chosen) return chosen
  const present = options.map(({ name }) => name).join(', ') || 'none'
  throw new MixlabError('backend', '', `${wanted ?? 'simd'} is not available here (available: ${present})`)
}

/** What a study may be trained on where the user has chosen nothing: no emulated card, and not the slow reference. */
export function worthTiming(options: readonly BackendOption[]): BackendOption[] {
  return options.filter(({ name, software }) => !software && name !== 'cpu')
}
