import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { vi } from 'vitest'
import { digest } from '../../../engine/data/digest.ts'
import { PATIENCE } from '../../patience.ts'

/**
 * Plain data, arrays of bytes among them, that take their time to make: one worker of a run of vitest makes them, and the
 * others read what it has written. Where making fails, the next worker that asks tries again.
 */
export async function madeOnce<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
  const folder = process.env.MIXLAB_SHARED
  if (!folder) return make()
  const file = join(folder, digest(name))
  const claim = `${file}.claim`
  let mine = created(claim)
  const comes = () => {
    mine ||= !existsSync(file) && created(claim)
    return mine || existsSync(file)
  }
  await vi.waitUntil(comes, { timeout: PATIENCE, interval: 100 })
  if (!mine) return deserialize(readFileSync(file))
  try {
    const value = await make()
    writeFileSync(`${file}.part`, serialize(value))
    renameSync(`${file}.part`, file)
    return value
  } finally {
    if (!existsSync(file)) rmdirSync(claim)
  }
}

/** Makes a folder, which only one process can; whether it was this one. */
function created(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}
