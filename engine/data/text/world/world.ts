import type { DataSpec } from '../../types.ts'
import type { SpansOptions } from './spans.ts'

/**
 * A small world of people and things: a corpus for `mlm`, opinions for `sequence`, premises and hypotheses for `pair`,
 * stories with questions for `span`. Generated, nothing to download.
 */
export function world(options: SpansOptions = {}): DataSpec {
  return { dataset: 'world', options: { ...options } }
}
