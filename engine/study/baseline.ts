/** What the variants of a study are compared to: the one pinned for it (`Host.baselines`), or else the first. */
export function baselineOf(study: string, variants: readonly string[], pinned: Record<string, string>): string {
  const own = Object.hasOwn(pinned, study) ? pinned[study] : undefined
  return own !== undefined && variants.includes(own) ? own : (variants[0] ?? '')
}
