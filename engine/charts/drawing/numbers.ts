const PREFIXES = ['p', 'n', 'µ', 'm', '', 'k', 'M', 'G', 'T']
const NONE = 4 // place of no prefix
const DIGITS = 6 // as in d3

/** A number by the formats of d3 that the charts use, such as `~%`, `.2%`, `~s`, `.4g`, `d` and `,`. */
export function formatted(value: number, format = '~g'): string {
  const [, comma, digits, short, type] = /^(,?)(?:\.(\d+))?(~?)([%gsd]?)$/.exec(format) ?? []
  const precision = digits === undefined ? undefined : Number(digits)
  const trim = short === '~' || type === '' ? trimmed : (text: string) => text
  if (type === '%') {
    return `${precision === undefined ? plain(100 * value, DIGITS) : trim((100 * value).toFixed(precision))}%`
  }
  if (type === 's') return prefixed(value, precision ?? DIGITS)
  if (type === 'd') return String(Math.round(value))
  if (comma) return plain(value, 12).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return plain(value, precision ?? DIGITS)
}

function prefixed(value: number, digits: number): string {
  if (value === 0) return '0'
  const group = Math.max(-NONE, Math.min(NONE, Math.floor(Math.log10(Math.abs(value)) / 3 + 1e-9)))
  return `${plain(value / 1000 ** group, digits)}${PREFIXES[group + NONE]}`
}

/** A number with at most so many digits, and no more than it needs. */
function plain(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits))
  const size = Math.abs(rounded)
  if (size !== 0 && (size >= 1e7 || size < 1e-4)) return trimmed(rounded.toExponential(2)).replace('e+', 'e')
  return String(rounded === 0 ? 0 : rounded)
}

function trimmed(text: string): string {
  return text.replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '')
}
