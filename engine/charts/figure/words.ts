import { isShare, type MetricMeaning } from '../../records/meaning.ts'

/** How the values of a metric are written: d3 formats of ticks and of a value under the pointer. */
export interface Format {
  ticks: string
  value: string
}

/** From here on numbers are written as 12k or 3M. */
const LARGE = 10_000

/** Shares, as accuracies are, in percent; other numbers with the digits they need. */
export function formatOf(meaning: MetricMeaning | undefined, values: readonly number[]): Format {
  const finite = values.filter(Number.isFinite)
  if (isShare(meaning) && finite.length > 0) return { ticks: '~%', value: '.2%' }
  return { ticks: finite.some((value) => Math.abs(value) >= LARGE) ? '~s' : '~g', value: '.4g' }
}

/** A name as Plotly shows it letter by letter: it reads `<`, `&` and `%{` in texts as its own. */
export function plotlyText(name: string): string {
  return name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('%{', '%&#123;')
}

/** The number, or null where it is not finite, which neither JSON nor Plotly has. */
export function plotlyNumber(value: number | null | undefined): number | null {
  return value != null && Number.isFinite(value) ? value : null
}
