import { textForm } from '../data/text/form.ts'
import { textData } from '../data/text/index.ts'
import { copyOf } from '../options.ts'
import { type TextClassOptions, textClassKind } from './text/textClass.ts'
import type { TaskSpec } from './types.ts'

/** Classification of texts, as in SST-2: [CLS] text [SEP]; `test/accuracy`. */
export function sequence(options: TextClassOptions): TaskSpec {
  return { kind: 'task', task: 'sequence', options: copyOf({ ...options }) }
}

export const sequenceKind = textClassKind(textData, textForm)
