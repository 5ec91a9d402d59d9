import type { StoredRunDetails } from '../../engine/records/run.ts'
import { recreateNotebook } from '../../engine/study/recreate/recreate.ts'
import { addNotebook } from '../session/files/files.ts'

/** Writes a notebook of one run into the workspace and shows it; nothing is run. */
export async function recreateRun(run: StoredRunDetails): Promise<void> {
  await addNotebook(recreatedName(run), () => recreateNotebook(run))
}

/** `gating-gmlp-seed-2`, as far as a file can be called that. */
export function recreatedName({ study, variant, seed }: Pick<StoredRunDetails, 'study' | 'variant' | 'seed'>): string {
  return `${study}-${variant}-seed-${seed}`
    .replace(/[^\p{L}\p{N}-]+/gu, '-')
    .replace(/^-+/, '')
    .slice(0, 120)
}
