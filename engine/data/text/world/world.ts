import type { SplitOptions } from '../../splits.ts'
import type { DataSpec } from '../../types.ts'
import type { SpansOptions } from './spans.ts'

/** The options of all its sorts, and the share to validate on, which every data set has. */
type Options = SpansOptions & Partial<Pick<SplitOptions, 'validation'>>

/**
 * A small world of people and things: a corpus for `mlm`, opinions for `sequence`, premises and hypotheses for `pair`,
 * stories with questions for `span`. Generated, nothing to download.
 */
export function world(options: Options = {}): DataSpec {
  return { dataset: 'world', options: { ...options } }
}
