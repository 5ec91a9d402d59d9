/**
 * What a fact of a run is: `text` is compared as a whole, of `words` any part, of a `start` the beginning; a `time` is in
 * milliseconds since 1970, a `span` in seconds, a `flag` 0 or 1.
 */
export type FactKind = 'text' | 'words' | 'start' | 'number' | 'time' | 'span' | 'flag'

export const FACTS = {
  id: 'number',
  study: 'text',
  variant: 'text',
  seed: 'number',
  status: 'text',
  started: 'time',
  time: 'span',
  step: 'number',
  steps: 'number',
  parameters: 'number',
  macs: 'number',
  backend: 'text',
  device: 'words',
  notebook: 'text',
  cell: 'text',
  tags: 'text',
  note: 'words',
  error: 'words',
  key: 'start',
  weights: 'flag',
  archived: 'flag',
} as const satisfies Record<string, FactKind>

export type FactName = keyof typeof FACTS

export const factNames = Object.keys(FACTS) as FactName[]

export function isFact(name: string): name is FactName {
  return Object.hasOwn(FACTS, name)
}

/** Whether a fact is compared and sorted as text. */
export function isTextFact(name: FactName): boolean {
  return ['text', 'words', 'start'].includes(FACTS[name])
}

/** Short names of options. */
export const SHORT: Readonly<Record<string, string>> = {
  task: 'task.task',
  data: 'task.options.data.dataset',
  lr: 'train.optimizer.options.learningRate',
  wd: 'train.optimizer.options.weightDecay',
  depth: 'model.depth',
  dim: 'model.dim',
}
