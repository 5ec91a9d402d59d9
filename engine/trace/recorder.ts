import type { BackendValues, NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core'

/** One operation, as it was traced. */
export interface KernelCall {
  kernel: string
  /** Numbers of the tensors that go in and come out; unique within a process. */
  inputs: number[]
  outputs: number[]
  /** Shapes of the outputs. */
  shapes: number[][]
  /** Multiply-adds. */
  macs: number
  /** Whether the result is the input under another shape or type; a backend does nothing for it. */
  view: boolean
  /** Full names of the scopes around it, outermost first. */
  scopes: string[]
  /** What the kernel was called with, and gave; tensors that share their data share the `dataId`. */
  operands: NamedTensorInfoMap
  attributes: NamedAttrMap
  results: TensorInfo[]
}

/** What a piece of code did. */
export interface Recording {
  /** Operations that a backend has to execute; views do not count. */
  dispatches: number
  /** Most bytes alive at once, beyond those alive before. */
  peak: number
}

/** Watches code that runs on shapes alone. */
export interface Recorder {
  /** Runs code and calls `observe` for every operation; one recording at a time. */
  record(run: () => void, observe?: (call: KernelCall) => void): Recording
  /** The values of a constant, null for what an operation made. */
  valuesOf(tensor: TensorInfo): BackendValues | null
}
