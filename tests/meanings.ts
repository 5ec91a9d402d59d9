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
  'eval/accuracy': ACCURACY,
  'eval/f1': ACCURACY,
  'eval/loss': LOSS,
  'train/loss': LOSS,
  'eval/perplexity': { better: 'lower', bounds: [1, null], words: 'perplexity', compared: true },
  'train/step_ms': STEP_TIME,
  'eval/examples_per_second': PACE,
  'eval/macro_recall': { better: 'higher', unit: 'share', bounds: [0, 1], words: 'macro recall', compared: true },
  'eval/topic_loss': { better: 'lower', unit: 'nats', words: 'topic loss' },
  'eval/iou': { better: 'higher', unit: 'share', bounds: [0, 1], words: 'IoU' },
  'eval/bleu': { better: 'higher', bounds: [0, 100], words: 'BLEU' },
}
