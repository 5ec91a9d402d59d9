import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { zlibSync } from 'fflate'

/** The module that carries libjpeg-turbo. */
export const jpegCarrierFile = resolve(import.meta.dirname, '../../engine/data/images/file/libjpeg.ts')

/** `call longjmp` and the `unreachable` behind it. */
const JUMP = [0x10, 0x01, 0x00]
const NOP = 0x01

/** The text of that module, from the package. Throws an Error where the package is not the one that is known. */
export function jpegCarrierText(): string {
  const module = readFileSync(createRequire(import.meta.url).resolve('@cwasm/jpeg-turbo/jpeg-turbo.wasm'))
  const [error, warning, ...others] = placesOf(module, Buffer.from(JUMP))
  if (error === undefined || warning === undefined || others.length > 0) throw new Error('another libjpeg-turbo')
  module[warning + 2] = NOP
  return `// Made by \`npm run kernels\` from @cwasm/jpeg-turbo: libjpeg-turbo 2.0.4 as WebAssembly, compressed and in base64, for a
// kernel worker may not fetch anything. After a warning it goes on where the import \`longjmp\` returns.
// This software is based in part on the work of the Independent JPEG Group. Copyright 1991-2019 The libjpeg-turbo Project
// and many others; its licenses: https://github.com/libjpeg-turbo/libjpeg-turbo/blob/2.0.4/LICENSE.md

/** The module. */
export const libjpeg =
  '${Buffer.from(zlibSync(module, { level: 9 })).toString('base64')}'
`
}

/** The places of a part in bytes. */
function placesOf(bytes: Buffer, part: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + 1)) places.push(at)
  return places
}
