import { type Graph, type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { equal, type Index, whole } from '../wgsl/digits.ts'
import { ANCHORS } from './anchors.ts'
import { maps } from './maps.ts'
import { inputOf, outputOf } from './operations.ts'
import { transposed, views } from './views.ts'

/** Where values come from. */
export interface Attached {
  makers: Map<number, Operation>
  /**
   * The place in the graph of the anchor in whose kernel a value is, or could be, computed; of a value that is computed
   * where it is read, the last anchor that it needs; -1 for none.
   */
  since: Map<number, number>
  /** By the place of an anchor: the values that its kernel has element by element, and the operations of these. */
  groups: Map<number, Group>
}

export interface Group {
  anchor: Operation
  /** Where each value has the element that the kernel has at `i`. */
  registers: Map<number, Index>
  attached: Operation[]
}

/**
 * Attaches operations element by element, and transpositions, to the anchor whose result they continue, where all else
 * that they read is there before it.
 */
export function attach({ operations }: Graph): Attached {
  const makers = new Map<number, Operation>()
  const since = new Map<number, number>()
  const groups = new Map<number, Group>()
  const sinceOf = ({ value }: Use) => since.get(value) ?? -1
  const later = new Set(operations.flatMap(({ outputs }) => outputs.map(({ value }) => value)))
  for (const [at, operation] of operations.entries()) {
    for (const { value } of Object.values(operation.inputs)) {
      if (later.has(value)) throw new Error(`has ${operation.kernel} before what it reads`)
    }
    for (const { value } of operation.outputs) {
      makers.set(value, operation)
      later.delete(value)
    }
    const epilogues = ANCHORS[operation.kernel]?.epilogues
    if (epilogues !== undefined) {
      const [first] = operation.outputs
      const base = whole({ name: 'i', size: first ? sizeOf(first) : 1 })
      const registers = new Map(operation.outputs.slice(0, epilogues).map(({ value }) => [value, base]))
      groups.set(at, { anchor: operation, registers, attached: [] })
      for (const { value } of operation.outputs) since.set(value, at)
      continue
    }
    if (!(operation.kernel in maps) && !(operation.kernel in views)) {
      if (operation.kernel !== 'PartSum') throw new Error(`uses ${operation.kernel}, for which there is no shader`)
    }
    const last = Math.max(-1, ...Object.values(operation.inputs).map(sinceOf))
    for (const { value } of operation.outputs) since.set(value, last)
    const group = groups.get(last)
    const index = group && continued(operation, group, (use) => sinceOf(use) < last)
    if (!group || !index) continue
    group.registers.set(outputOf(operation).value, index)
    group.attached.push(operation)
  }
  return { makers, since, groups }
}

/** Where the result of an operation has the element that a kernel has at `i`; null where it cannot be attached. */
function continued(operation: Operation, { registers }: Group, isEarlier: (use: Use) => boolean): Index | null {
  const out = outputOf(operation)
  const size = sizeOf(out)
  if (operation.kernel === 'Transpose') {
    const x = inputOf(operation, 'x')
    const index = registers.get(x.value)
    return index ? transposed(index, operation.attributes.perm as number[], x.shape) : null
  }
  if (!(operation.kernel in maps)) return null
  let found: Index | null = null
  for (const use of Object.values(operation.inputs)) {
    const index = registers.get(use.value)
    if (!index) {
      if (!isEarlier(use)) return null
    } else if (sizeOf(use) !== size || (found && !equal(found, index))) return null
    else found = index
  }
  return found
}
