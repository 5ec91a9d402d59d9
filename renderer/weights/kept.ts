import type { KeptWeights, WhichWeights } from '../../engine/records/store.ts'

/** The steps at which some run of several has weights, in order. */
export function stepsOf(runs: readonly KeptWeights[][]): number[] {
  return [...new Set(runs.flatMap((kept) => kept.map(({ step }) => step)))].sort((a, b) => a - b)
}

/** The weights of a run that are shown at a step: the last ones until then, or else its first; null if it has none. */
export function keptAt(kept: readonly KeptWeights[], step: number): KeptWeights | null {
  const until = kept.filter((each) => each.step <= step)
  return until.at(-1) ?? kept[0] ?? null
}

/** The weights of a run in the store with those that were seen before others took their place, by step. */
export function withSeen(kept: readonly KeptWeights[], seen: readonly KeptWeights[]): KeptWeights[] {
  const steps = new Set(kept.map(({ step }) => step))
  const others = seen.filter(({ step }) => !steps.has(step) && steps.add(step))
  return [...others, ...kept].sort((a, b) => a.step - b.step)
}

/** Which weights these are, in words. */
export function wordsOf({ which, step }: { which: WhichWeights; step: number }): string {
  return typeof which === 'number' ? `step ${step}` : `step ${step}, ${which}`
}

/** The number of the block that a tensor belongs to, the first in its name; null for stem and head. */
export function blockOf(name: string): number | null {
  const found = /(?:^|\.)(\d+)\./.exec(name)?.[1]
  return found === undefined ? null : Number(found)
}

/** The blocks of some tensors, in order. */
export function blocksOf(names: readonly string[]): number[] {
  const blocks = names.map(blockOf).filter((block) => block !== null)
  return [...new Set(blocks)].sort((a, b) => a - b)
}
