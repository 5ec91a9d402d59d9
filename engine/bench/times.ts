/** Milliseconds of the same thing done several times. */
export type Times = [median: number, least: number]

/** Of at least one duration. */
export function medianAndLeast(durations: readonly number[]): Times {
  const sorted = [...durations].sort((a, b) => a - b)
  return [sorted[Math.floor(sorted.length / 2)] as number, sorted[0] as number]
}
