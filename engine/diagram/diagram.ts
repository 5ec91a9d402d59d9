/** What a model does for one example, as plain data: its operations in order, and what they add up to. */
export interface Diagram {
  /** Of the variant, or of the published size. */
  name: string
  /** Shape of what the model reads, with a batch of one. */
  input: number[]
  operations: DiagramOperation[]
  /** Of each block, how many operations there are up to its end. */
  blockEnds: number[]
  totals: Costs
  /** Most bytes alive at once in a forward pass, input included, parameters not; null where the code fails. */
  peakBytes: number | null
  /** Why the model ends where the operations end; null for a whole model. */
  wrong: Wrong | null
}

/** What some operations cost, for one example. */
export interface Costs {
  /** Trained values; those that several operations read count where they are read first. */
  parameters: number
  /** Multiply-adds of a forward pass. */
  macs: number
  /** Bytes of what the operations give; views share those of their input. */
  bytes: number
}

/** One operation. */
export interface DiagramOperation extends Costs {
  /** As tfjs calls it, e.g. `matMul`. */
  name: string
  kernel: string
  /** Attributes of the kernel, as JSON. */
  attributes: string
  inputs: OperationInput[]
  /** Of its results; most operations have one. */
  shapes: number[][]
  /** Whether the result is the input under another shape: no work, no memory. */
  view: boolean
  /** Full names of the scopes around it, outermost first. */
  scopes: string[]
  /** Which code of a cell made it; null for a built-in block. */
  place: CellPlace | null
  /** In the difference of two models. */
  mark?: Mark
  /** What a changed operation was before, in words. */
  was?: string
}

/** What an operation reads: another operation, by its number, a parameter, a constant, or what the model reads. */
export interface OperationInput {
  shape: number[]
  operation?: number
  parameter?: string
  /** Values of a small constant, in words; `drawn` for what is drawn anew for every step. */
  constant?: string
  /** In the difference of two models, what is read in one of them alone. */
  mark?: Mark
}

export type Mark = 'added' | 'removed' | 'changed'

/** Code of a cell. */
export interface CellPlace {
  /** `<cell>:<line>`. */
  line: string
  /** What tells calls in one line apart. */
  column: number
  /** The function that the cell calls there, e.g. `scan`; '' where the stack does not tell. */
  call: string
}

/** Why a model has no more operations. */
export interface Wrong {
  sentence: string
  /** `<cell>:<line>`, or null outside of cells. */
  line: string | null
  /** Full names of the scopes in which it failed, outermost first. */
  scopes: string[]
}

/** What some operations cost together. */
export function sumOf(operations: readonly Costs[]): Costs {
  const total = { parameters: 0, macs: 0, bytes: 0 }
  for (const { parameters, macs, bytes } of operations) {
    total.parameters += parameters
    total.macs += macs
    total.bytes += bytes
  }
  return total
}
