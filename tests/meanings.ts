import type { MetricMeaning } from '../engine/records/meaning.ts'
import { PACE, STEP_TIME } from '../engine/train/meanings.ts'

export const ACCURACY: MetricMeaning = {
  better: 'higher',
  unit: 'share',
  bounds: [0, 1],
  words: 'accuracy',
  compared: true,
}
export const LOSS: MetricMeaning = { better: 'lower', unit: 'nats', bounds: [0, null], words: 'loss' }

/** What metrics mean that tests name; others are not known. */
export const MEANINGS: Readonly<Record<string, MetricMeaning>> = {
  loss: LOSS,
  'test/accuracy': ACCURACY,
  'test/f1': ACCURACY,
  'test/loss': LOSS,
  'train/loss': LOSS,
  'validation/accuracy': { ...ACCURACY, compared: undefined },
  'validation/loss': LOSS,
  'test/perplexity': { better: 'lower', bounds: [1, null], words: 'perplexity', compared: true },
  'train/step_ms': STEP_TIME,
  'test/examples_per_second': PACE,
  'test/macro_recall': { better: 'higher', unit: 'share', bounds: [0, 1], words: 'macro recall', compared: true },
  'test/topic_loss': { better: 'lower', unit: 'nats', words: 'topic loss' },
  'test/iou': { better: 'higher', unit: 'share', bounds: [0, 1], words: 'IoU' },
  'test/bleu': { better: 'higher', bounds: [0, 100], words: 'BLEU' },
}
