const UNITS: Readonly<Record<string, number>> = {
  '%': 0.01,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  s: 1,
  min: 60,
  h: 3600,
}

/** The number that a text means, e.g. `1e-3`, `90%`, `2M` or `5min` (in seconds); null for none. */
export function parseNumber(text: string): number | null {
  const [, digits, unit = ''] = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(%|k|M|G|s|min|h)?$/.exec(text) ?? []
  if (digits === undefined) return null
  const factor = UNITS[unit] ?? 1
  const value = factor < 1 ? Number(digits) / Math.round(1 / factor) : Number(digits) * factor
  return Number.isFinite(value) ? value : null
}
