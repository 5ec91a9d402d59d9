import { resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const root = resolve(import.meta.dirname, '../..')
const entry = 'engine/backends/simd/assembly/index.ts'

const FLAGS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--enable', 'threads']
const MEMORY = ['--importMemory', '--sharedMemory', '--initialMemory', '16', '--maximumMemory', '65536']

/** `relaxed` has fused multiply-add, where the machine and the browser have it; `strict` multiplies, then adds. */
export type Build = 'relaxed' | 'strict'

/** Compiles the kernels of the `simd` backend to WebAssembly. Throws with the compiler's messages. */
export async function compileKernels(build: Build): Promise<Uint8Array> {
  const relaxed = build === 'relaxed' ? ['--enable', 'relaxed-simd'] : []
  let binary: Uint8Array | null = null
  const { error, stderr } = await asc.main([entry, '--outFile', 'kernels.wasm', ...FLAGS, ...MEMORY, ...relaxed], {
    baseDir: root,
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = contents
    },
  } as Parameters<typeof asc.main>[1])
  if (error || !binary) throw new Error(`the kernels do not compile: ${error?.message ?? ''}\n${stderr.toString()}`)
  return binary
}
