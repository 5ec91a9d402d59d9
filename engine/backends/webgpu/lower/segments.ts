import type { Constant, Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, outputOf, type Rewrite } from './operations.ts'

/**
 * Sums of rows by ids, for which the ids are sorted first, once for all that use them: by two kernels (wgsl/order.ts), or,
 * where they are constant, here. Then each row of the result adds up its own, and no two threads write to the same place.
 */
export function ordered(given: Constant[], fresh: Fresh): { rewrite: Rewrite; constants(): Constant[] } {
  const found = new Map<string, { starts: Use; order: Use }>()
  const constants = [...given]
  const constantIds = new Map(given.map(({ use, values }) => [use.value, values as Int32Array]))
  return {
    constants: () => constants,
    rewrite: (operation) => {
      const [x, ids, y] = [inputOf(operation, 'x'), inputOf(operation, 'segmentIds'), outputOf(operation)]
      const count = y.shape[0] as number
      const own = constantIds.get(ids.value)
      const key = own ? `${count}/${own.join()}` : `${count}/value ${ids.value}`
      const known = found.get(key)
      const sorted = known ?? { starts: fresh([count + 1], 'int32'), order: fresh(ids.shape, 'int32') }
      found.set(key, sorted)
      const { starts, order } = sorted
      const sum = { kernel: 'Segments', attributes: {}, inputs: { x, starts, order }, outputs: [y] }
      if (known) return [sum]
      if (!own) {
        const [blocks, from] = [fresh(ids.shape, 'int32'), fresh(ids.shape, 'int32')]
        return [
          { kernel: 'SortBlocks', attributes: { count }, inputs: { ids }, outputs: [blocks, from] },
          { kernel: 'Order', attributes: {}, inputs: { sorted: blocks, from }, outputs: [starts, order] },
          sum,
        ]
      }
      const places = sort(own, count)
      constants.push({ use: starts, values: places.starts }, { use: order, values: places.order })
      return [sum]
    },
  }
}

/** The same as the kernels do. */
function sort(ids: Int32Array, count: number): { starts: Int32Array; order: Int32Array } {
  const starts = new Int32Array(count + 1)
  for (const id of ids) if (id >= 0 && id < count) starts[id + 1] = (starts[id + 1] as number) + 1
  for (let id = 0; id < count; id++) starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number)
  const next = starts.slice()
  const order = new Int32Array(ids.length)
  for (const [i, id] of ids.entries()) {
    if (id < 0 || id >= count) continue
    order[next[id] as number] = i
    next[id] = (next[id] as number) + 1
  }
  return { starts, order }
}
