import { isShare } from '../../../engine/evaluate/direction.ts'

/** How the values of a metric are written: d3 formats of ticks and of a value under the pointer. */
export interface Format {
  ticks: string
  value: string
}

/** From here on numbers are written as 12k or 3M. */
const LARGE = 10_000

/** Shares, as accuracies are, in percent; other numbers with the digits they need. */
export function formatOf(metric: string, values: readonly number[]): Format {
  const finite = values.filter(Number.isFinite)
  const shares = isShare(metric) && finite.length > 0 && finite.every((value) => value >= 0 && value <= 1)
  if (shares) return { ticks: '~%', value: '.2%' }
  return { ticks: finite.some((value) => Math.abs(value) >= LARGE) ? '~s' : '~g', value: '.4g' }
}

/** A name as Plotly shows it letter by letter: it reads `<`, `&` and `%{` in texts as its own. */
export function plain(name: string): string {
  return name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('%{', '%&#123;')
}

/** The number, or null where it is not finite, which neither JSON nor Plotly has. */
export function finite(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) ? value : null
}
