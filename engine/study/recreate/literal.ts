/** A plain value as TypeScript; what fits into `width` characters stays on its line. */
export function literal(value: unknown, indent = '', width = 100): string {
  const line = inline(value)
  if (typeof value !== 'object' || value === null || line.length + indent.length <= width) return line
  const deeper = `${indent}  `
  const list = Array.isArray(value)
  const items = list
    ? value.map((item) => literal(item, deeper, width))
    : entriesOf(value).map(([name, item]) => `${propertyName(name)}: ${literal(item, deeper, width)}`)
  const [open, close] = list ? '[]' : '{}'
  return `${open}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${close}`
}

function inline(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const items = entriesOf(value).map(([name, item]) => `${propertyName(name)}: ${inline(item)}`)
  return items.length > 0 ? `{ ${items.join(', ')} }` : '{}'
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined)
}

/** The name of a property as it is written in an object, where `__proto__` alone would be its prototype. */
export function propertyName(name: string): string {
  if (name === '__proto__') return `['${name}']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
