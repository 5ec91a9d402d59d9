// `npm run kernels`: compiles the kernels of the `simd` backend into the module that carries them, and packs the JPEG decoder.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import asc from 'assemblyscript/asc'
import { zlibSync } from 'fflate'
import { declarationsText, tableText } from './exports.ts'
import { jpegCarrierFile, jpegCarrierText } from './jpeg.ts'

const simd = resolve(import.meta.dirname, '../../engine/backends/simd')

/** The module that carries the compiled kernels. */
export const carrierFile = resolve(simd, 'binary.ts')
/** The part of their sources that follows from the rest. */
export const tableFile = resolve(simd, 'assembly/table.ts')

/** The text of that module, of compiled kernels. */
export function carrierText({ relaxed, strict }: Record<Build, string>): string {
  return `// Made by \`npm run kernels\` from assembly/. WebAssembly, compressed and in base64: a kernel worker may not fetch anything.

${declarationsText()}
/** With fused multiply-add. */
export const relaxed =
  '${relaxed}'

/** Without. */
export const strict =
  '${strict}'
`
}

const root = resolve(import.meta.dirname, '../..')
const entry = 'engine/backends/simd/assembly/index.ts'

const FLAGS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--enable', 'threads']
const MEMORY = ['--importMemory', '--sharedMemory', '--initialMemory', '16', '--maximumMemory', '65536']

/** `relaxed` has fused multiply-add, where the machine and the browser have it; `strict` multiplies, then adds. */
export type Build = 'relaxed' | 'strict'

/**
 * Compiles the kernels of the `simd` backend to WebAssembly, compressed and in base64, with the table as it is on disk. Throws with the
 * compiler's messages.
 */
export async function compileKernels(build: Build): Promise<string> {
  const relaxed = build === 'relaxed' ? ['--enable', 'relaxed-simd'] : []
  let binary: Uint8Array | null = null
  const { error, stderr } = await asc.main([entry, '--outFile', 'kernels.wasm', ...FLAGS, ...MEMORY, ...relaxed], {
    baseDir: root,
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = contents
    },
  } as Parameters<typeof asc.main>[1])
  if (error || !binary) throw new Error(`the kernels do not compile: ${error?.message ?? ''}\n${stderr.toString()}`)
  return Buffer.from(zlibSync(binary, { level: 9 })).toString('base64')
}

if (import.meta.main) {
  writeFileSync(tableFile, tableText())
  const [relaxed, strict] = await Promise.all([compileKernels('relaxed'), compileKernels('strict')])
  const text = carrierText({ relaxed, strict })
  writeFileSync(carrierFile, text)
  console.log(`${carrierFile}: ${text.length} characters`)
  writeFileSync(jpegCarrierFile, jpegCarrierText())
}
