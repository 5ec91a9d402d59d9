import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { useBackend as startBackend } from '../../app/backends.ts'
import { checkConformance } from '../../engine/conformance/index.ts'

const FOLDER = join(import.meta.dirname, '../golden')

/** Every reference case as programs: output, loss and all gradients, at the tolerances of the cases. */
export async function goldenCases(): Promise<string[]> {
  await startBackend('webgpu')
  const lines: string[] = []
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.safetensors'))) {
    const { passed, worst, checks } = await checkConformance(readFileSync(join(FOLDER, file)), file)
    const { tensor, error, tolerance } = worst
    const state = passed ? 'holds' : 'FAILED'
    lines.push(`${state} ${file}, ${checks.length} tensors, ${tensor} ${error.toExponential(1)} of ${tolerance}`)
  }
  return lines
}
