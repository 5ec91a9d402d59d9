// `npm run kernels`: compiles the kernels of the `simd` backend into the module that carries them.
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileKernels } from './compile.ts'
import { declarationsText, tableText } from './exports.ts'

const simd = resolve(import.meta.dirname, '../../engine/backends/simd')

/** The module that carries the compiled kernels. */
export const carrierFile = resolve(simd, 'binary.ts')
/** The part of their sources that follows from the rest. */
export const tableFile = resolve(simd, 'assembly/table.ts')

/** The text of that module, with the table as it is on disk. */
export async function carrierText(): Promise<string> {
  const [relaxed, strict] = await Promise.all([compileKernels('relaxed'), compileKernels('strict')])
  const quoted = (binary: Uint8Array) => `'${Buffer.from(binary).toString('base64')}'`
  return `// Made by \`npm run kernels\` from assembly/. WebAssembly in base64: a kernel worker may not fetch anything.

${declarationsText()}
/** With fused multiply-add. */
export const relaxed =
  ${quoted(relaxed)}

/** Without. */
export const strict =
  ${quoted(strict)}
`
}

if (import.meta.main) {
  writeFileSync(tableFile, tableText())
  const text = await carrierText()
  writeFileSync(carrierFile, text)
  console.log(`${carrierFile}: ${text.length} characters`)
}
