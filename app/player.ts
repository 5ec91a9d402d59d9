import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildStale } from './build.ts'

/** Where the build puts the script of demos, beside the page. */
export const PLAYER = 'dist/page/player.js'

/** The script of demos, built first where a source is newer. `print` hears of that. Throws as `buildStale`. */
export async function playerScript(print: (line: string) => void): Promise<string> {
  const root = resolve(import.meta.dirname, '..')
  await buildStale(print, root)
  return readFileSync(join(root, PLAYER), 'utf8')
}
