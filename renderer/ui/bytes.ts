const UNITS = ['B', 'kB', 'MB', 'GB']

/** A size in bytes with a unit: `1.5 MB`. */
export function bytes(count: number): string {
  const unit = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3))
  const scaled = count / 1000 ** unit
  return `${unit === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${UNITS[unit]}`
}
