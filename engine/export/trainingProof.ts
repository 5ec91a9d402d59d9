/** What a comparison in training found, with the same masks in both; all numbers are largest differences. */
export interface TrainingProof {
  examples: number
  /** Masks of dropout and stochastic depth that were given to both. */
  masks: number
  /** Of two logits. */
  output: number
  /** Of the loss. */
  loss: number
  /** Of two entries of the gradient of a parameter, as a share of its largest entry. */
  gradient: number
  /** Of two entries of a buffer that training moves, such as running statistics, as a share of its largest entry. */
  statistic: number
  /** Of the parameters after one step of SGD. */
  step: number
  /** Parameters whose initial values are drawn alike, and all parameters and buffers. */
  initial: { alike: number; all: number }
}

/** With larger differences a file is not kept. */
const TOLERANCE = { output: 1e-4, loss: 1e-4, gradient: 1e-3, statistic: 1e-4 }

/** What a comparison in training found, in one sentence. */
export function trainingText({ examples, masks, loss, gradient, statistic, step, initial }: TrainingProof): string {
  const short = (value: number) => value.toExponential(1)
  const drawn = masks > 0 ? ` with the same ${masks} masks` : ''
  const found = [
    `loss ${short(loss)}`,
    `gradients ${short(gradient)} of their largest entry`,
    ...(statistic > 0 ? [`running statistics ${short(statistic)}`] : []),
    `one step of SGD ${short(step)}`,
  ]
  return `in training on ${examples} examples${drawn}: differences of ${found.join(', ')}; all ${initial.all} tensors start as the model's`
}

/** Whether a file is good enough to be kept; else what is wrong with it. */
export function fault(proof: TrainingProof): string | null {
  const { initial, examples } = proof
  if (initial.alike < initial.all) {
    return `${initial.all - initial.alike} of ${initial.all} tensors start from other values than in the model`
  }
  for (const [name, most] of Object.entries(TOLERANCE)) {
    const found = proof[name as keyof typeof TOLERANCE]
    if (found <= most) continue
    return `the ${name} differs from that of the model in training by ${found.toPrecision(2)} on ${examples} examples`
  }
  return null
}
