import type { FactorValues, VariantDesign } from '../../../../engine/records/design.ts'
import type { PlannedRun } from '../../../../engine/records/run.ts'

/** Runs of two seeds for each variant, with what a spec has beside the seed. */
export function plannedWith(
  variants: readonly VariantDesign[],
  spec: (levels: FactorValues) => object,
): Pick<PlannedRun, 'variant' | 'spec'>[] {
  return [1, 2].flatMap((seed) =>
    variants.map(({ variant, settings }) => ({ variant, spec: { ...spec(settings), seed } })),
  )
}
