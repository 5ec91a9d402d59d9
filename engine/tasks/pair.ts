import { pairData } from '../data/text/index.ts'
import { type TextClassOptions, textClassKind } from './textClass.ts'
import type { TaskSpec } from './types.ts'

/**
 * Classification of pairs of texts, as in MNLI: [CLS] first [SEP] second [SEP], where the longer one loses its end first;
 * `eval/accuracy` on the held-out pairs, and likewise on what the data set has beside them, e.g. `mismatched/accuracy`.
 */
export function pair(options: TextClassOptions): TaskSpec {
  return { kind: 'task', task: 'pair', options: { ...options } }
}

export const pairKind = textClassKind(pairData)
