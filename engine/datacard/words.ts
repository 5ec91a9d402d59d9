import { catalogue } from '../data/catalogue/index.ts'
import type { DataSpec } from '../data/types.ts'

/** A whole number with its thousands apart: `54,000`. */
export function grouped(value: number): string {
  return value.toLocaleString('en-US')
}

/** A data set as a cell names it: `shapes({ size: 16 })`, or an entry of the catalogue by its name. */
export function expressionOf({ dataset, options, defined }: DataSpec): string {
  if (defined) return `dataset('${dataset}', ...)`
  const { data, with: other, ...rest } = options
  const sources = [data, other]
    .filter((each) => each !== undefined)
    .map((each) => sourceText(each as DataSpec | string))
  const own = Object.keys(rest).length > 0 ? [literal(rest)] : []
  const isEntry = catalogue.some(({ name }) => name === dataset) && own.length === 0
  return isEntry ? dataset : `${dataset}(${[...sources, ...own].join(', ')})`
}

function sourceText(data: DataSpec | string): string {
  const text = typeof data === 'string' ? data : expressionOf(data)
  return /^[\w-]+$/.test(text) ? `'${text}'` : text
}

/** A value of JSON as code would write it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).map(
    ([name, each]) => `${/^[a-z_]\w*$/i.test(name) ? name : literal(name)}: ${literal(each)}`,
  )
  return `{ ${entries.join(', ')} }`
}
