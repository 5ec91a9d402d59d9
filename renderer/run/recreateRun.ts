import type { StoredRunDetails } from '../../engine/records/run.ts'
import { chosenFor } from '../../engine/study/recreate/chosen.ts'
import { recreateNotebook } from '../../engine/study/recreate/recreate.ts'
import { host } from '../host/state.ts'
import { addNotebook } from '../session/files/files.ts'

/** Writes a notebook of one run into the workspace and shows it; nothing is run. */
export async function recreateRun(run: StoredRunDetails): Promise<void> {
  const values = chosenFor(run.key, await host().designsOf([run.key]))
  await addNotebook(recreatedName(run), () => recreateNotebook(run, values))
}

/** `gating-gmlp-seed-2`, as far as a file can be called that. */
export function recreatedName({ study, variant, seed }: Pick<StoredRunDetails, 'study' | 'variant' | 'seed'>): string {
  return `${study}-${variant}-seed-${seed}`
    .replace(/[^\p{L}\p{N}-]+/gu, '-')
    .replace(/^-+/, '')
    .slice(0, 120)
}
