// `npm run kernels`: compiles the kernels of the `simd` backend into the module that carries them.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileKernels } from './compile.ts'

/** The module that carries the compiled kernels. */
export const carrier = resolve(import.meta.dirname, '../../engine/backends/simd/binary.ts')

/** The text of that module. */
export async function carrierText(): Promise<string> {
  const [relaxed, strict] = await Promise.all([compileKernels('relaxed'), compileKernels('strict')])
  const quoted = (binary: Uint8Array) => `'${Buffer.from(binary).toString('base64')}'`
  return `// Made by \`npm run kernels\` from assembly/. WebAssembly in base64: a kernel worker may not fetch anything.

/** With fused multiply-add. */
export const relaxed =
  ${quoted(relaxed)}

/** Without. */
export const strict =
  ${quoted(strict)}
`
}

if (import.meta.main) {
  const text = await carrierText()
  writeFileSync(carrier, text)
  console.log(`${carrier}: ${text.length} characters`)
}
