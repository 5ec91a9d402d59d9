import { splitOf, TEST } from '../records/splits.ts'
import type { ColumnName, RunFields } from './types.ts'

/** The columns that a table begins with: the options in which its runs differ, and the metrics that their studies compare. */
export function defaultColumns({ metrics, meanings }: RunFields, grouped: boolean): ColumnName[] {
  const compared = metrics.filter((name) => meanings[name]?.compared)
  const first = metrics.find((name) => splitOf(name) === TEST) ?? metrics[0]
  const shown = compared.length > 0 ? compared : first === undefined ? [] : [first]
  const facts = grouped ? ['study', 'variant', 'seed'] : ['id', 'study', 'variant', 'seed', 'status']
  return [...facts, ...shown, 'step', 'time', 'started', 'tags', ...(grouped ? [] : ['note'])]
}
