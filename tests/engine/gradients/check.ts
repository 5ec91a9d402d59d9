import { derivatives } from '../../../engine/gradients/differences.ts'
import { worstOf } from '../../../engine/gradients/judge.ts'
import type { Case } from './cases.ts'

/** By which share gradients may be off: on processors, and on cards, whose functions are less exact. */
export const [EXACT, CARD] = [2e-3, 2e-2]

/** What is wrong about the gradients of some cases on the current backend: a line for each. */
export async function wrongAmong(name: string, cases: Case[], entries: number, tolerance = EXACT): Promise<string[]> {
  const lines: string[] = []
  for (const [i, { inputs, run }] of cases.entries()) {
    const title = `${name} ${i} of ${inputs.map(({ shape }) => `[${shape}]`).join(', ')}`
    try {
      const found = await derivatives(run, inputs, title, entries)
      const wrong = worstOf(found, tolerance)
      if (wrong)
        lines.push(`${title}: by ${wrong.input}, entry ${wrong.entry}: ${wrong.gradient}, not ${wrong.differences}`)
      const unsteady = found.find(({ gradient, differences, rounding }) => {
        const least = Math.min(...differences.map((each) => Math.abs(each - gradient)))
        return !(least <= 5 * tolerance * Math.max(1, Math.abs(gradient)) + 10 * rounding)
      })
      if (!wrong && unsteady) {
        lines.push(
          `${title}: by ${unsteady.input}, entry ${unsteady.entry}: ${unsteady.gradient}, near ${unsteady.differences}`,
        )
      }
    } catch (error) {
      lines.push(`${title}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return lines
}
