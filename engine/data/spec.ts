import type { DataSpec, OwnDataset } from './types.ts'

/** A data set as tasks take it; what a cell defines goes along without being part of its JSON. */
export function specOf(dataset: string, options: Record<string, unknown>, defined?: OwnDataset): DataSpec {
  const spec = { dataset, options }
  return defined ? Object.defineProperty(spec, 'defined', { value: defined, enumerable: false }) : spec
}

/** The data sets of cells that a value names, e.g. the options of a task, in the order in which they stand there. */
export function ownDataIn(value: unknown): OwnDataset[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  const { defined } = value as DataSpec
  return defined ? [defined] : Object.values(value).flatMap(ownDataIn)
}
