import { pairForm } from '../data/text/form.ts'
import { pairData } from '../data/text/index.ts'
import { copyOf } from '../options.ts'
import { type TextClassOptions, textClassKind } from './text/textClass.ts'
import type { TaskSpec } from './types.ts'

/**
 * Classification of pairs of texts, as in MNLI: [CLS] first [SEP] second [SEP], where the longer one loses its end first;
 * `test/accuracy`, and likewise for the tests that the data set has beside it, e.g. `mismatched/accuracy`.
 */
export function pair(options: TextClassOptions): TaskSpec {
  return { kind: 'task', task: 'pair', options: copyOf({ ...options }) }
}

export const pairKind = textClassKind(pairData, pairForm)
