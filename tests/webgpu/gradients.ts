import { useBackend as startBackend } from '../../app/backends.ts'
import { registerGradients } from '../../engine/gradients/register.ts'
import { wrongAmong } from '../engine/gradients/check.ts'
import { table } from '../engine/gradients/table.ts'

/** The table of differentiable operations, each case against central differences. */
export async function gradients(): Promise<string[]> {
  registerGradients()
  await startBackend('webgpu')
  const lines: string[] = []
  for (const [name, cases] of Object.entries(table)) {
    lines.push(...(await wrongAmong(name, cases, 4)).map((line) => `FAILED ${line}`))
  }
  return [...lines, `${Object.keys(table).length} operations, ${Object.values(table).flat().length} cases`]
}
