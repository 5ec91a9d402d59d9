import { messageOf } from '../../engine/errors.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { recreateNotebook } from '../../engine/study/recreate/recreate.ts'
import { host } from '../host/state.ts'
import { refreshNotebooks } from '../session/files/files.ts'
import { notify } from '../ui/notices.ts'
import { notebookHash } from '../ui/route.ts'

/** Writes a notebook of one run into the workspace and shows it; nothing is run. */
export async function recreateRun(run: StoredRunDetails): Promise<void> {
  try {
    const text = recreateNotebook(run)
    const name = recreatedName(run, await host().listNotebooks())
    await host().writeNotebook(name, text, null)
    await refreshNotebooks()
    location.hash = notebookHash(name)
  } catch (error) {
    notify({ tone: 'bad', text: `No notebook was made: ${messageOf(error)}` })
  }
}

/** `gating-gmlp-seed-2.ts`, or with the first number that is free. */
export function recreatedName(
  { study, variant, seed }: Pick<StoredRunDetails, 'study' | 'variant' | 'seed'>,
  taken: string[],
) {
  const base = `${study}-${variant}-seed-${seed}`
    .replace(/[^\p{L}\p{N}-]+/gu, '-')
    .replace(/^-+/, '')
    .slice(0, 120)
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${base}.ts` : `${base}-${number}.ts`
    if (!taken.includes(name)) return name
  }
}
