import { factNames } from '../../../engine/runs/facts.ts'
import type { RunFields } from '../../../engine/runs/types.ts'
import { MEANINGS } from '../../meanings.ts'

/** What a store with some runs has. */
export const FIELDS: RunFields = {
  facts: factNames,
  options: ['model.block', 'model.dim', 'task.task', 'train.batch', 'train.optimizer.options.learningRate'],
  metrics: ['test/accuracy', 'test/loss', 'train/loss'],
  meanings: MEANINGS,
  tags: [],
  studies: [],
}
