import type { Constant, Operation, Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'

/**
 * Sums of rows by ids, and the last rows of ids, for which the ids are sorted first, once for all that use them: by two kernels
 * (wgsl/order.ts), or, where they are constant, here. Then each row of the result takes its own, and no two threads write to the same place.
 */
export function ordered(given: Constant[], fresh: Fresh): { rules: Record<string, Rewrite>; constants(): Constant[] } {
  const found = new Map<string, { starts: Use; order: Use }>()
  const constants = [...given]
  const constantIds = new Map(given.map(({ use, values }) => [use.value, values as Int32Array]))

  /** Where the places of each id start among all places, of which `order` has them id by id, and what is to be done for that. */
  function sorted(ids: Use, count: number): { starts: Use; order: Use; operations: Operation[] } {
    const own = constantIds.get(ids.value)
    const key = own ? `${count}/${own.join()}` : `${count}/value ${ids.value}`
    const known = found.get(key)
    if (known) return { ...known, operations: [] }
    const [starts, order] = [fresh([count + 1], 'int32'), fresh(ids.shape, 'int32')]
    found.set(key, { starts, order })
    if (own) {
      const places = sort(own, count)
      constants.push({ use: starts, values: places.starts }, { use: order, values: places.order })
      return { starts, order, operations: [] }
    }
    const [blocks, from] = [fresh(ids.shape, 'int32'), fresh(ids.shape, 'int32')]
    const operations: Operation[] = [
      { kernel: 'SortBlocks', attributes: { count }, inputs: { ids }, outputs: [blocks, from] },
      { kernel: 'Order', attributes: {}, inputs: { sorted: blocks, from }, outputs: [starts, order] },
    ]
    return { starts, order, operations }
  }

  const rules: Record<string, Rewrite> = {
    UnsortedSegmentSum: (operation) => {
      const [x, ids, y] = [inputOf(operation, 'x'), inputOf(operation, 'segmentIds'), outputOf(operation)]
      const { starts, order, operations } = sorted(ids, y.shape[0] as number)
      return [...operations, made('Segments', { x, starts, order }, y)]
    },
    /** For each number of a row the last of the `updates`, `[count, inner]`, that goes there, or what is `others`. */
    LastRows: (operation) => {
      const [updates, ids, others] = ['updates', 'ids', 'others'].map((name) => inputOf(operation, name)) as [
        Use,
        Use,
        Use,
      ]
      const y = outputOf(operation)
      const rows = y.shape[0] as number
      const { starts, order, operations } = sorted(ids, rows)
      const whole = (...shape: number[]) => fresh(shape, 'int32')
      const [begin, end, before, at, last] = [whole(rows), whole(rows), whole(rows), whole(rows), whole(rows)]
      const [one, none, isGiven, chosen] = [whole(), whole(), fresh([rows], 'bool'), fresh(y.shape, y.dtype)]
      return [
        ...operations,
        made('Slice', { x: starts }, begin, { begin: [0], size: [rows] }),
        made('Slice', { x: starts }, end, { begin: [1], size: [rows] }),
        made('Less', { a: begin, b: end }, isGiven),
        made('Number', {}, one, { value: 1 }),
        made('Sub', { a: end, b: one }, before),
        made('Number', {}, none, { value: 0 }),
        made('Maximum', { a: before, b: none }, at),
        made('GatherV2', { x: order, indices: at }, last, { axis: 0 }),
        made('GatherV2', { x: updates, indices: last }, chosen, { axis: 0 }),
        made('Select', { condition: { ...isGiven, shape: [rows, 1] }, t: chosen, e: others }, y),
      ]
    },
  }
  return { rules, constants: () => constants }
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
