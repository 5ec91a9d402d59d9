const SERIES = 7

/** The colour of the variant at `index`, in style sheets. */
export function seriesToken(index: number): string {
  return `var(--series-${(index % SERIES) + 1})`
}
