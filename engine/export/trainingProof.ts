import type { Differences } from './differences.ts'

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
  gradient: Worst | null
  /** Parameters whose two gradients differ by no more than rounding, since they are as good as zero; not compared. */
  rounding: string[]
  /** Of two entries of a buffer that training moves, such as running statistics, as a share of its largest entry. */
  statistic: Worst | null
  /** Of the parameters after one step of SGD. */
  step: number
  /** Parameters and buffers whose initial values are drawn otherwise, and how many there are. */
  initial: { others: string[]; all: number }
  /** What central differences in double precision say of the gradient. */
  differences: Differences
  /** The lines of cells that make the parameters with the largest differences, by name. */
  lines: Record<string, string>
}

/** The tensor that differs most. */
export interface Worst {
  name: string
  share: number
}

/** With larger differences a file is not kept. */
export const TOLERANCE = { output: 1e-4, loss: 1e-4, gradient: 1e-3, statistic: 1e-4 }

const short = (value: number) => value.toExponential(1)
const percent = (share: number) => `${Number((100 * share).toPrecision(2))}%`
/** The first names of a list. */
const few = (names: string[]) =>
  names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ')

/** What a comparison in training found, in sentences. */
export function trainingText(proof: TrainingProof): string {
  const { examples, masks, loss, gradient, rounding, statistic, step, initial, differences } = proof
  const drawn = masks > 0 ? ` with the same ${masks} masks` : ''
  const found = [
    `loss ${short(loss)}`,
    `gradients ${short(gradient?.share ?? 0)} of their largest entry`,
    ...(statistic && statistic.share > 0 ? [`running statistics ${short(statistic.share)}`] : []),
    `one step of SGD ${short(step)}`,
  ]
  return [
    `in training on ${examples} examples${drawn}: differences of ${found.join(', ')}; all ${initial.all} tensors start as the model's`,
    ...(rounding.length > 0 ? [`gradients that are zero but for rounding were not compared: ${few(rounding)}`] : []),
    unjudgedText(proof) ??
      `central differences in double precision give the same slope along a random direction, up to ${short(differences.difference)} of it`,
  ].join('; ')
}

/** That central differences could not judge the gradient; null where they did. */
export function unjudgedText({ differences: { unjudged } }: TrainingProof): string | null {
  return unjudged === null ? null : `central differences could not judge the gradient: ${unjudged}`
}

const ALONE = 'export the tensors alone, as safetensors'

/** Whether a file is good enough to be kept; else what is wrong with it, and what to do. */
export function fault({ initial, examples, lines, differences, ...found }: TrainingProof): string | null {
  const { wrong, unjudged } = differences
  const named = (name: string) => (lines[name] ? `${name} (${lines[name]})` : name)
  const differs = (what: string, by: string, most: string) =>
    `${what} differs from that of the model in training by ${by} on ${examples} examples, expected at most ${most}`
  const ofModule = `the module is at fault, not the run: ${ALONE}`
  const ofRun = `an operation after this tensor has a wrong gradient, and the run was trained with it. Write that operation otherwise and train again, or ${ALONE}`
  if (initial.others.length > 0) {
    const others = `${initial.others.length} of ${initial.all} tensors start from other values than in the model`
    return `${others}: ${few(initial.others)}; ${ofModule}`
  }
  for (const name of ['output', 'loss'] as const) {
    const what = name === 'output' ? 'a logit' : 'the loss'
    if (!(found[name] <= TOLERANCE[name]))
      return `${differs(what, found[name].toPrecision(2), short(TOLERANCE[name]))}; ${ofModule}`
  }
  const { gradient, statistic } = found
  if (gradient && gradient.share > TOLERANCE.gradient) {
    const most = `${percent(TOLERANCE.gradient)} of its largest entry`
    const what = differs(`the gradient of ${named(gradient.name)}`, percent(gradient.share), most)
    if (unjudged !== null) return `${what}, and central differences could not say which is wrong; ${ALONE}`
    return wrong ? `${what}; ${ofModule}` : `${what}; central differences say that of the module is right: ${ofRun}`
  }
  if (statistic && statistic.share > TOLERANCE.statistic) {
    const most = `${percent(TOLERANCE.statistic)} of its largest entry`
    return `${differs(`the statistic ${named(statistic.name)}`, percent(statistic.share), most)}; ${ofModule}`
  }
  if (!wrong) return null
  const off = `the gradient of ${named(wrong.name)} is off by ${percent(wrong.off)} of what central differences give`
  return `${off}: ${ofRun}`
}
