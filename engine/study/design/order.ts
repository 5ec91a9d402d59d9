import type { MixlabError } from '../../errors.ts'
import { checkOrder } from '../../names.ts'
import type { FactorValues } from '../../records/design.ts'

/** Under which `factors` keeps with a variant that the order of its values is lost: one variant alone needs none. */
export const lostOrder = Symbol('lostOrder')

interface OrderedVariant {
  name: string
  parts: { factors?: FactorValues; [lostOrder]?: MixlabError | undefined }
}

/**
 * Throws MixlabError `option` where the order in which the variants of a study, or their factors, were written is not
 * known: it says which is the baseline, and how tables and axes are sorted.
 */
export function checkVariantOrder(study: string, variants: readonly OrderedVariant[]): void {
  if (variants.length < 2) return
  const path = `${study}.variants`
  const names = variants.map(({ name }) => name)
  checkOrder(names, path, (name) => `factors({ n: [${name}, …] }, …)`)
  for (const { name, parts } of variants) {
    if (parts[lostOrder]) throw parts[lostOrder]
    checkOrder(Object.keys(parts.factors ?? {}), `${path}.${name}.factors`)
  }
}
