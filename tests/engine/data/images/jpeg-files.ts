import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bytesOfBase64 } from '../../../../engine/data/base64.ts'

interface GoldenJpeg {
  size: [width: number, height: number]
  /** Of the RGB pixels that Pillow decodes. */
  sha256: string
  /** In base64. */
  file: string
}

const golden = resolve(import.meta.dirname, '../../../golden/jpeg/files.json')

/** The files that tests/golden/jpeg/make.py writes, by name. */
export const JPEGS: Record<string, GoldenJpeg> = JSON.parse(readFileSync(golden, 'utf8')).files

/** One of these files. */
export function jpegFile(name: string): Uint8Array {
  const found = JPEGS[name]
  if (!found) throw new Error(`no file '${name}' in tests/golden/jpeg`)
  return bytesOfBase64(found.file)
}
