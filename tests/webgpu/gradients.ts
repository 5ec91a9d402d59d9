import { useBackend as startBackend } from '../../app/backends.ts'
import { registerGradients } from '../../engine/gradients/register.ts'
import type { Case } from '../engine/gradients/cases.ts'
import { CARD, wrongAmong } from '../engine/gradients/check.ts'
import { table } from '../engine/gradients/table.ts'
import { LONG } from '../long.ts'

/** Over axes that are not the last, tfjs has no shader for truth values on this backend: the run fails, or all is 0. */
const WITHOUT = ['all', 'any']

const tried = (cases: Case[]) => cases.filter((_, i) => LONG || i % 7 === 0)

/** The table of differentiable operations against central differences: a seventh of the cases, or all with MIXLAB_LONG=1. */
export async function gradients(): Promise<string[]> {
  registerGradients()
  await startBackend('webgpu')
  const lines: string[] = []
  for (const [name, cases] of Object.entries(table).filter(([name]) => !WITHOUT.includes(name))) {
    const wrong = await wrongAmong(name, tried(cases), LONG ? 2 : 1, CARD)
    // tfjs lacks some kernels on this backend: a run ends with that
    lines.push(...wrong.map((line) => (line.includes('not registered for backend') ? line : `FAILED ${line}`)))
  }
  return [...lines, `${Object.keys(table).length} operations, ${Object.values(table).flatMap(tried).length} cases`]
}
