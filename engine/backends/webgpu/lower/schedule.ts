import { type Graph, type Operation, readersOf, sizeOf, type Use } from '../../../compile/graph.ts'
import { ANCHORS, type Reads } from './anchors.ts'
import { type Attached, attach, type Group } from './attach.ts'
import { besides } from './beside.ts'
import { maps } from './maps.ts'
import { outputOf } from './operations.ts'
import type { Step } from './step.ts'

/** The steps that make the outputs of a graph, and the outputs that are sums of parts, which one more step adds up. */
export interface Schedule {
  /** Those of a group are done beside each other, by one dispatch. */
  groups: Step[][]
  makers: Map<number, Operation>
  /** By the value of an output, that of its parts. */
  sums: Map<number, Use>
}

/** Additions that are done again rather than kept: in a product, whose elements are read by many, and elsewhere. */
const CHEAP = { tiles: 4, row: 4, once: 16 } as const

/** Which values are stored, which computed where they are read, and in which kernels. */
export function schedule(graph: Graph): Schedule {
  const attached = attach(graph)
  const { makers, since, groups } = attached
  const places = new Map(graph.operations.map((operation, at) => [operation, at]))
  const readers = readersOf(graph.operations)
  const stored = new Set<number>()
  const steps = new Map<Operation, Step>()
  const waiting = new Set<Step>()

  /** The group in whose kernel a value is computed. */
  function groupOf(value: number): Group | undefined {
    const group = groups.get(since.get(value) ?? -1)
    return group?.registers.has(value) || group?.anchor === makers.get(value) ? group : undefined
  }

  /** Has a value stored. */
  function store(value: number): void {
    if (stored.has(value)) return
    stored.add(value)
    const group = groupOf(value)
    const operation = group?.anchor ?? (makers.get(value) as Operation)
    const after = since.get(value) as number
    const position = group ? after : after + (1 + (places.get(operation) as number)) / (2 + graph.operations.length)
    const step = steps.get(operation) ?? { operation, attached: [], stores: new Set(), loads: new Set(), position }
    steps.set(operation, step)
    step.stores.add(value)
    waiting.add(step)
  }

  /** Additions to compute a value where it is read, from what is stored. */
  function costOf(value: number, depth = 0): number {
    const maker = makers.get(value)
    if (!maker || (depth > 0 && stored.has(value)) || depth > 12) return depth > 12 ? 100 : 0.5
    if (depth > 0 && groupOf(value) && !isThere(value)) return 0.5 // in memory for nothing
    const own = maker.kernel === 'PartSum' ? 4 * (maker.attributes.parts as number) : (maps[maker.kernel]?.cost ?? 0.5)
    const inputs = Object.values(maker.inputs).filter((use) => sizeOf(use) > 1)
    return own + inputs.reduce((sum, use) => sum + costOf(use.value, depth + 1), 0)
  }

  /** Whether all that a value is computed from is in memory anyway. */
  function isThere(value: number): boolean {
    const maker = makers.get(value)
    if (!maker || stored.has(value)) return true
    if (maker.kernel in ANCHORS) return false
    return Object.values(maker.inputs).every((use) => isThere(use.value))
  }

  /** Has a step read a value: from memory, or as what it is computed from. `size` elements are read. */
  function read(step: Step, { value }: Use, reads: Reads, size: number): void {
    const maker = makers.get(value)
    if (!maker) step.loads.add(value)
    if (!maker || step.loads.has(value)) return
    const isMap = maker.kernel in maps || maker.kernel === 'PartSum'
    const isView = !isMap && !(maker.kernel in ANCHORS)
    const whole = sizeOf(maker.outputs.find((each) => each.value === value) as Use)
    const inline =
      isView ||
      (isMap &&
        !stored.has(value) &&
        (groupOf(value) ? isThere(value) && costOf(value) <= 4 : isCheap(value, reads, size > whole)))
    if (!inline) {
      store(value)
      step.loads.add(value)
      return
    }
    for (const use of Object.values(maker.inputs)) read(step, use, reads, size)
  }

  function isCheap(value: number, reads: Reads, repeated: boolean): boolean {
    const cost = costOf(value)
    if (cost <= CHEAP.tiles) return true
    if (reads === 'tiles' || repeated) return false
    const only = (readers.get(value)?.length ?? 0) <= 1
    return only ? cost <= (reads === 'once' ? 60 : CHEAP.once) : cost <= CHEAP[reads]
  }

  for (const { value } of Object.values(graph.outputs)) {
    const maker = makers.get(value)
    if (maker?.kernel === 'PartSum') store((maker.inputs.x as Use).value)
    else if (maker) store(value)
  }
  for (let step = last(waiting); step; step = last(waiting)) {
    waiting.delete(step)
    readAll(step, attached, read)
  }
  const outputs = Object.values(graph.outputs).map(({ value }) => value)
  const sums = outputs.filter((value) => makers.get(value)?.kernel === 'PartSum' && !stored.has(value))
  return {
    groups: besides(late([...steps.values()])),
    makers,
    sums: new Map(sums.map((value) => [value, makers.get(value)?.inputs.x as Use])),
  }
}

/** Has a step read what it needs, and keeps of its group what is stored or leads there. */
function readAll(
  step: Step,
  { since, groups }: Attached,
  read: (step: Step, use: Use, reads: Reads, size: number) => void,
): void {
  const { operation, stores } = step
  const anchor = ANCHORS[operation.kernel]
  if (!anchor) {
    const size = sizeOf(outputOf(operation))
    for (const use of Object.values(operation.inputs)) read(step, use, 'once', size)
    return
  }
  for (const use of Object.values(operation.inputs)) read(step, use, anchor.reads, sizeOf(use))
  const { registers, attached } = groups.get(since.get(outputOf(operation).value) as number) as Group
  const needed = new Set(stores)
  for (const each of attached.toReversed()) {
    if (!needed.has(outputOf(each).value)) continue
    step.attached.unshift(each)
    for (const use of Object.values(each.inputs)) {
      if (registers.has(use.value)) needed.add(use.value)
      else read(step, use, 'once', sizeOf(outputOf(each)))
    }
  }
}

/** The step with the last position, so that all who read what it stores have been asked. */
function last(steps: Set<Step>): Step | undefined {
  let found: Step | undefined
  for (const step of steps) if (!found || step.position > found.position) found = step
  return found
}

/** The steps in order, those without an anchor right before the first that reads them. */
function late(steps: Step[]): Step[] {
  const ordered: Step[] = []
  for (const step of steps.toSorted((a, b) => b.position - a.position)) {
    const isAnchor = step.operation.kernel in ANCHORS
    const reader = ordered.findIndex(({ loads }) => [...step.stores].some((value) => loads.has(value)))
    const at = isAnchor || reader < 0 ? 0 : reader
    ordered.splice(at, 0, step)
  }
  return ordered
}
