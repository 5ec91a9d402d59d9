import { sizeOf, type Use } from '../../../compile/graph.ts'
import { PARAMETER } from '../../../compile/training.ts'
import { UNIT } from '../freeBlocks.ts'
import type { Plan } from './plan.ts'

/** A value that a program has in memory from one of its steps to another. */
interface Life {
  value: number
  bytes: number
  from: number
  to: number
}

interface Placed extends Life {
  address: number
}

/**
 * Where a program has its values, but for its parameters and constants, in a memory of which parts are taken: addresses by
 * value. Those that are there at the same time do not overlap. The largest are placed first, each in the smallest gap in which
 * it fits (greedy by size, Pisarchyk and Lee 2020), which takes hardly more than is in use at once; a heap that places each
 * when it is made takes up to a third more.
 */
export function placesOf(plan: Plan, taken: readonly { address: number; end: number }[]): Map<number, number> {
  const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, value: -1 }
  const placed: Placed[] = taken.map(({ address, end }) => ({ ...always, address, bytes: end - address }))
  for (const life of livesOf(plan).sort((a, b) => b.bytes - a.bytes || a.from - b.from)) {
    const beside = placed.filter(({ from, to }) => from <= life.to && life.from <= to)
    const address = smallestGap(beside, life.bytes)
    const at = placed.findIndex((other) => other.address > address)
    placed.splice(at < 0 ? placed.length : at, 0, { ...life, address })
  }
  return new Map(placed.map(({ value, address }) => [value, address]))
}

function smallestGap(others: readonly Placed[], bytes: number): number {
  let best = { address: -1, size: Number.POSITIVE_INFINITY }
  let end = 0
  for (const other of others) {
    const size = other.address - end
    if (size >= bytes && size < best.size) best = { address: end, size }
    end = Math.max(end, other.address + other.bytes)
  }
  return best.address < 0 ? end : best.address
}

/** What is given anew for each run is there before the first step; what no step needs last, after the last one. */
function livesOf({ graph, steps }: Plan): Life[] {
  const lives = new Map<number, Life>()
  const begin = ({ value, shape, dtype }: Use, from: number, to: number) => {
    if (dtype !== 'float32' && dtype !== 'int32') return
    const bytes = Math.max(1, Math.ceil((4 * sizeOf({ value, shape, dtype })) / UNIT)) * UNIT
    lives.set(value, { value, bytes, from, to })
  }
  const batch = Object.entries(graph.inputs).flatMap(([name, use]) => (name.startsWith(PARAMETER) ? [] : [use]))
  for (const use of [...batch, ...graph.draws.map(({ use }) => use)]) begin(use, -1, steps.length)
  for (const [i, { work, last, encoded }] of steps.entries()) {
    for (const use of work.outputs) begin(use, i, steps.length)
    for (const { value, size } of encoded?.packings ?? []) begin({ value, shape: [size], dtype: 'float32' }, i, i)
    for (const value of last) {
      const life = lives.get(value)
      if (life) life.to = i
    }
  }
  return [...lives.values()]
}
