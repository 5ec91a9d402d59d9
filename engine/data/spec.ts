import type { DataSpec, OwnDataset } from './types.ts'

/** A data set as tasks take it; what a cell defines, or is open already, goes along without being part of its JSON. */
export function specOf(
  dataset: string,
  options: Record<string, unknown>,
  defined?: OwnDataset,
  opened?: object,
): DataSpec {
  const hidden = Object.entries({ defined, opened }).filter(([, value]) => value !== undefined)
  const properties = hidden.map(([name, value]) => [name, { value, enumerable: false }] as const)
  return Object.defineProperties({ dataset, options }, Object.fromEntries(properties))
}

/** The data sets of cells that a value names, e.g. the options of a task, in the order in which they stand there. */
export function ownDataIn(value: unknown): OwnDataset[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  const { defined } = value as DataSpec
  return defined ? [defined] : Object.values(value).flatMap(ownDataIn)
}
