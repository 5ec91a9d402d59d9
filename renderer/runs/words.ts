import type { StoredRun } from '../../engine/study/types.ts'

/** The accuracy of a run on held-out data where it has one, else null. */
export function mainMetric({ metrics }: StoredRun): number | null {
  const names = Object.keys(metrics).filter((name) => name.includes('accuracy'))
  const name = names.find((each) => each === 'eval/accuracy') ?? names[0]
  return name ? (metrics[name]?.last ?? null) : null
}

/** An accuracy in 0..1 as a percentage. */
export function percentOrNumber(value: number | null): string {
  if (value === null) return '–'
  return value >= 0 && value <= 1 ? `${(value * 100).toFixed(1)} %` : String(Number(value.toPrecision(4)))
}

const UNITS: [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** How long ago, in words: `just now`, `5 minutes ago`; a date after a week. */
export function when(time: number, now: number): string {
  const age = now - time
  if (age > 7 * 86_400_000) return new Date(time).toISOString().slice(0, 10)
  for (const [unit, length] of UNITS) {
    const count = Math.floor(age / length)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
