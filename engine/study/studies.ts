import { isStudy, type Study } from './compare.ts'

/** The studies among the values that a cell gives, also in lists and plain objects of studies; each once. */
export function studiesIn(values: readonly unknown[]): Study[] {
  return [...new Set(values.flatMap(studiesOf))]
}

function studiesOf(value: unknown): Study[] {
  if (isStudy(value)) return [value]
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return inner.length > 0 && inner.every(isStudy) ? inner : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
