import type { ColumnName, RunFields } from './types.ts'

/** The columns that a table begins with: what tells its runs apart, and the metrics that their studies compare. */
export function defaultColumns({ metrics, meanings }: RunFields, grouped: boolean): ColumnName[] {
  const compared = metrics.filter((name) => meanings[name]?.compared)
  const shown = compared.length > 0 ? compared : metrics.slice(0, 1)
  const facts = grouped ? ['study', 'variant', 'seed'] : ['id', 'study', 'variant', 'seed', 'status']
  return [...facts, ...shown, 'step', 'time', 'started', 'tags', ...(grouped ? [] : ['note'])]
}
