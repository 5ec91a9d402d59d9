/** A number as Python writes a float: what came from float32 in as few digits as tell it from its neighbours. */
export function float(value: number): string {
  if (!Number.isFinite(value)) return `float('${Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf'}')`
  const isSingle = Math.fround(value) === value
  const short = isSingle ? shortest(value) : inPython(value)
  const [digits = '', exponent] = short.split('e')
  if (exponent !== undefined) return `${digits}e${exponent.replace('+', '')}`
  return /[.]/.test(digits) ? digits : `${digits}.0`
}

function shortest(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return inPython(rounded)
  }
  return inPython(value)
}

/** Small numbers as 1e-06, which JavaScript writes out. */
const inPython = (value: number) =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential() : Object.is(value, -0) ? '-0' : String(value)

/** A name as Python writes it in quotes: those of cells may have any sign in them. */
export const text = (name: string) => (/^[\w.]*$/.test(name) ? `'${name}'` : JSON.stringify(name))
