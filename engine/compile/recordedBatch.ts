import type { Graph } from './graph.ts'

/** What code does with a batch. */
export interface RecordedBatch {
  graph: Graph
  /** Those that it was recorded with, and those that the batch has; with more, it was recorded with half as many too. */
  examples: number
  all: number
  half?: Graph | undefined
}
