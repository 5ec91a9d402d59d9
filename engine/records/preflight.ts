/** What is known of a variant before it is trained, from what its code does on shapes alone. */
export interface Preflight {
  variant: string
  /** Trained values, and multiply-adds of a forward pass; null where the code needs values of tensors. */
  parameters: number | null
  macs: number | null
  /** Why a training step runs operation by operation, with the line; null for a program. */
  program: string | null
  /** Why the model does not leave as ONNX, PyTorch and TF.js, with the line; null where it does. */
  exported: string | null
  /** Why there is no such model; null where there is one. */
  wrong: string | null
}

/** What is known of a variant, in words. */
export function preflightText({ parameters, macs, program, exported, wrong }: Preflight): string {
  if (wrong !== null) return `fails before its first step: ${wrong}`
  const parts = [
    parameters !== null && `${parameters.toLocaleString('en-US')} parameters`,
    macs !== null && `${macs.toLocaleString('en-US')} multiply-adds`,
    program === null ? 'runs as a program' : `runs operation by operation (${program})`,
    exported === null ? 'leaves as ONNX, PyTorch and TF.js' : `leaves as safetensors and npz alone (${exported})`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** What is said of variants that there was no time to look at before training; null for none. */
export function leftText(left: readonly string[]): string | null {
  if (left.length === 0) return null
  return `not looked at before training, for lack of time: ${left.join(', ')}`
}
