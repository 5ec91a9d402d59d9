import type { BackendInfo, BackendName } from '../backends/types.ts'
import type { Preflight } from '../records/preflight.ts'
import type { StudyEvent } from '../records/run.ts'
import type { OpenVariant } from './opened.ts'

/** Says what is known of a variant before it is trained on a backend. */
export type LookAtVariant = (variant: OpenVariant, backend: BackendName) => Promise<Preflight>

/** Milliseconds that all variants of a study may take; those that are left are named. */
const BUDGET_MS = 1500

/** What is known of variants before they are trained; the same code with the same sizes is looked at once. Never throws. */
export async function* preflights(
  study: string,
  variants: readonly OpenVariant[],
  { preflight, backend, signal }: { preflight?: LookAtVariant | undefined; backend: BackendInfo; signal: AbortSignal },
): AsyncGenerator<StudyEvent> {
  if (!preflight) return
  const found: { variant: OpenVariant; sizes: string; known: Preflight }[] = []
  const left: string[] = []
  const begin = performance.now()
  for (const variant of variants) {
    const { name, block, opened, size } = variant
    const sizes = JSON.stringify(size)
    const same = found.find(
      (each) => each.variant.block.origin === block.origin && each.variant.opened === opened && each.sizes === sizes,
    )
    if (same) found.push({ variant, sizes, known: { ...same.known, variant: name } })
    else if (performance.now() - begin >= BUDGET_MS) left.push(name)
    else if (!signal.aborted) {
      const known = await preflight(variant, backend.name).catch(() => null)
      if (known) found.push({ variant, sizes, known })
    }
  }
  if (found.length > 0) yield { type: 'preflight', study, variants: found.map(({ known }) => known), left }
}
