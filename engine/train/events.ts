/** What `train()` yields, in order. Plain data: it crosses worker, socket and process boundaries as it is. */
export type TrainEvent =
  | { type: 'start'; steps: number; parameters: number }
  /** A finished optimizer step. `ms` is the time since the last one. */
  | { type: 'step'; step: number; ms: number }
  /** `step` is the number of optimizer steps done when the value was taken. */
  | { type: 'metric'; step: number; name: string; value: number }
  /** Weights as a safetensors file with the names and layouts of the PyTorch reference. */
  | { type: 'checkpoint'; step: number; weights: Uint8Array }
  | { type: 'done'; step: number }
  /** Training cannot go on, e.g. a loss that is not finite. */
  | { type: 'failed'; step: number; message: string }
  | { type: 'interrupted'; step: number }
