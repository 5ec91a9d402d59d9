import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that the workers of one run of vitest share (`MIXLAB_SHARED`); it ends with the run. */
export default function shareFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'mixlab-shared-'))
  process.env.MIXLAB_SHARED = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
