/** How often each element of an input is read: once, a few times in a row of the kernel, or by many workgroups. */
export type Reads = 'once' | 'row' | 'tiles'

/** An operation that has a kernel of its own. */
export interface Anchor {
  /** How many of its outputs have one element where the kernel has one, so that operations can follow there. */
  epilogues: number
  reads: Reads
}

export const ANCHORS: Record<string, Anchor> = {
  BatchMatMul: { epilogues: 1, reads: 'tiles' },
  NormRows: { epilogues: 1, reads: 'row' },
  NormGrad: { epilogues: 1, reads: 'row' },
  Softmax: { epilogues: 1, reads: 'row' },
  LogSoftmax: { epilogues: 1, reads: 'row' },
  CrossEntropy: { epilogues: 2, reads: 'row' },
  Sum: { epilogues: 1, reads: 'once' },
  Max: { epilogues: 1, reads: 'once' },
  Min: { epilogues: 1, reads: 'once' },
  Prod: { epilogues: 1, reads: 'once' },
  SortBlocks: { epilogues: 0, reads: 'once' },
  Order: { epilogues: 0, reads: 'tiles' },
  Segments: { epilogues: 1, reads: 'once' },
}
