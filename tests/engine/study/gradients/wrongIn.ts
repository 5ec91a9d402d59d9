import { measureKernels, worstAmong } from '../../../../engine/study/gradients/measured.ts'
import type { Use } from '../../../../engine/study/gradients/uses.ts'

/** Uses of operations that were tried: what is found of them is the same for the next model. */
const seen = new Set<string>()

function isNew({ kernel, attributes, inputs }: Use): boolean {
  const use = JSON.stringify([kernel, attributes, inputs])
  return !seen.has(use) && Boolean(seen.add(use))
}

/** The uses whose gradients are called wrong, or fail, and why; those of the table of covered ones are measured, too. */
export async function wrongIn(uses: Use[]): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const { use, why, ...found } of measureKernels(uses.filter(isNew), () => false)) {
    const worst = await worstAmong(found)
    if (why !== null || (worst && worst !== 'unknown')) wrong.push([use, why ?? worst])
  }
  return wrong
}
