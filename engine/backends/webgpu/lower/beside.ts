import type { Step } from './step.ts'

/** The most steps that one dispatch does beside each other. */
const MOST = 4
/** The most values that they read and write. */
const VALUES = 48
/** It has memory of integers, of which workgroups that do several things have none. */
const ALONE = new Set(['SortBlocks'])

/**
 * Steps, in their order, that one dispatch does: neighbours none of which reads what another one writes, such as both gradients
 * of a layer. A card that begins a dispatch only when the last one is done does them at the same time so.
 */
export function besides(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = []
  for (const step of steps) {
    const last = groups.at(-1)
    const isFree = (other: Step) => ![...other.stores].some((value) => step.loads.has(value))
    const values = [step, ...(last ?? [])].reduce((sum, { loads, stores }) => sum + loads.size + stores.size, 0)
    const canJoin =
      last &&
      values <= VALUES &&
      last.length < MOST &&
      ![step, ...last].some(({ operation }) => ALONE.has(operation.kernel))
    if (canJoin && last.every(isFree)) last.push(step)
    else groups.push([step])
  }
  return groups
}
