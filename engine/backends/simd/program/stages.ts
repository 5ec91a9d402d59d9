import { type Graph, type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { attentions, samplesOf } from './attention.ts'
import { addressesOf, type Cut, type Instruction, type OperandAddress, restOf } from './instruction.ts'
import { lower } from './lower.ts'

/** Operations done together, chunk by chunk. */
export interface Stage {
  operations: Operation[]
  cut: Cut
  /** Of each operation. */
  instructions: Instruction[][]
  /** The same for the last chunk of an example, where that has fewer rows than others. */
  rest: Instruction[][] | null
  /** What later steps need; everything else passes within the stage. */
  outputs: Use[]
  /** Whether it adds to sums of groups of chunks. */
  grouped: boolean
}

/** A stage, or an operation that has to see the whole batch. */
export type Work = Stage | Operation

export interface ProgramStep {
  work: Work
  /** Values that no later step needs. */
  last: number[]
}

/** Elements that all chunks of a stage share, such as weights: more do not stay in the L2 cache. */
const SHARED = 300_000
/** So few do not count, such as a bias. */
const LITTLE = 2_000
/** Elements that are kept for the operations behind a stage. */
const WAITING = 2_000_000
/** Values that are needed so many operations later are kept in any case. */
const FAR = 40

/** An operation of the graph, with its instructions if it can be done chunk by chunk. */
interface Item {
  index: number
  operation: Operation
  instructions: Instruction[] | null
  rest: Instruction[] | null
  /** What all chunks share. */
  whole: Use[]
}

/**
 * Cuts the work in steps. An operation that needs a whole value waits until the stage that makes it has ended; one that
 * sees the whole batch waits behind the stage, so that the stage goes on.
 */
export function stages(graph: Graph, cut: Cut): ProgramStep[] {
  const works: Work[] = []
  const lastUse = new Map<number, number>()
  for (const [i, { inputs }] of graph.operations.entries()) {
    for (const { value } of Object.values(inputs)) lastUse.set(value, i)
  }
  let items: Item[] = []
  let open = openStage([])
  for (const [index, operation] of graph.operations.entries()) {
    const item = { index, operation, ...lowered(operation, cut) }
    while (items.length > 0 && !open.takes(item)) {
      const at = open.depends(item) ? items.length : cheapestCut(items, index, lastUse)
      works.push(...worksOf(items.slice(0, at), cut))
      items = items.slice(at)
      open = openStage(items)
    }
    items.push(item)
    open.add(item)
  }
  works.push(...worksOf(items, cut))
  return withLives(graph, works)
}

/** What is done with each chunk; nothing where the operation cannot be cut so. */
function lowered(operation: Operation, cut: Cut): Pick<Item, 'instructions' | 'rest' | 'whole'> {
  const few = restOf(cut)
  const instructions = lower(operation, cut)
  const rest = instructions && few && lower(operation, few)
  if (!instructions || (few && !rest)) return { instructions: null, rest: null, whole: [] }
  const whole = [...instructions, ...(rest ?? [])].flatMap((each) => {
    return addressesOf(each).flatMap((address) => wholeUse(address) ?? [])
  })
  return { instructions, rest, whole }
}

/** The stage that operations are added to. */
function openStage(items: Item[]) {
  const made = new Map<number, 'chunks' | 'behind'>()
  const [shared, kept] = [new Map<number, number>(), new Map<number, number>()]
  const total = (sizes: Map<number, number>) => [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const stage = {
    /** Whether the item needs something that is there only when the stage has ended. */
    depends: ({ operation, instructions, whole }: Item): boolean => {
      if (!instructions) return false
      const inputs = Object.values(operation.inputs)
      return inputs.some(({ value }) => made.get(value) === 'behind') || whole.some(({ value }) => made.has(value))
    },
    takes: (item: Item): boolean => {
      if (stage.depends(item)) return false
      const more = item.whole.filter(({ value }) => !shared.has(value)).reduce((sum, use) => sum + sizeOf(use), 0)
      // one matrix that is too large anyway may as well follow; two would be packed at the same time
      const fits = total(shared) + more <= SHARED || (more > SHARED && total(shared) <= SHARED)
      return total(kept) <= WAITING && (more <= LITTLE || fits)
    },
    add: ({ operation, instructions, whole }: Item): void => {
      for (const use of whole) shared.set(use.value, sizeOf(use))
      if (!instructions) {
        const inputs = Object.values(operation.inputs)
        if (inputs.every(({ value }) => !made.has(value))) return // can be done before the stage
        for (const use of inputs) if (made.get(use.value) === 'chunks') kept.set(use.value, sizeOf(use))
      }
      for (const { value } of operation.outputs) made.set(value, instructions ? 'chunks' : 'behind')
    },
  }
  for (const item of items) stage.add(item)
  return stage
}

/** Where to end the stage of the items, in their second half: where the least passes that is not kept in any case. */
function cheapestCut(items: Item[], next: number, lastUse: Map<number, number>): number {
  let best = { at: items.length, cost: Number.POSITIVE_INFINITY }
  for (let at = items.length; at > items.length / 2; at--) {
    const from = items[at]?.index ?? next
    let cost = 0
    for (const { operation, instructions } of items.slice(0, at)) {
      for (const use of instructions ? operation.outputs : []) {
        const last = lastUse.get(use.value) ?? -1
        if (last >= from && last < next + FAR) cost += sizeOf(use)
      }
    }
    if (cost < best.cost) best = { at, cost }
  }
  return best.at
}

/** Operations that need nothing of the stage, then the stage of those done chunk by chunk, then the rest. */
function worksOf(items: Item[], cut: Cut): Work[] {
  const stage = stageOf(cut)
  const [before, behind]: [Operation[], Operation[]] = [[], []]
  const made = new Set<number>()
  for (const { operation, instructions, rest } of items) {
    const { inputs, outputs } = operation
    if (instructions) push(stage, operation, instructions, rest)
    else if (Object.values(inputs).some(({ value }) => made.has(value))) behind.push(operation)
    else {
      before.push(operation)
      continue
    }
    for (const { value } of outputs) made.add(value)
  }
  const alone = (operation: Operation) => stageOfHeads(operation, cut) ?? operation
  return [...before.map(alone), ...(stage.operations.length > 0 ? [stage] : []), ...behind.map(alone)]
}

function stageOf(cut: Cut): Stage {
  return { operations: [], cut, instructions: [], rest: restOf(cut) && [], outputs: [], grouped: false }
}

function push(stage: Stage, operation: Operation, instructions: Instruction[], rest: Instruction[] | null): void {
  stage.operations.push(operation)
  stage.instructions.push(instructions)
  if (rest) stage.rest?.push(rest)
  stage.grouped ||= instructions.some((each) => addressesOf(each).some((address) => 'group' in address))
}

/** Attention sees all rows of an example: where chunks are rows, it is cut into heads, or into examples. */
function stageOfHeads(operation: Operation, { batch, rows, wasm }: Cut): Stage | null {
  if (!rows || !(operation.kernel in attentions)) return null
  for (const chunks of [samplesOf(operation), batch]) {
    const stage = stageOf({ chunks, batch, wasm })
    const instructions = lower(operation, stage.cut)
    if (!instructions) continue
    push(stage, operation, instructions, null)
    return stage
  }
  return null
}

function wholeUse(address: OperandAddress): Use | null {
  if ('whole' in address) return address.whole
  if ('rows' in address) return address.rows
  if ('example' in address) return address.example
  if ('group' in address) return { ...address.group, shape: address.group.shape.slice(1) }
  return 'packed' in address ? address.packed : null
}

/** Finds out what each stage has to give to later steps, and when each value is needed last. */
function withLives(graph: Graph, works: Work[]): ProgramStep[] {
  const makers = new Map<number, Work>()
  const last = new Map<number, number>()
  const outside = new Set<number>()
  for (const [i, work] of works.entries()) {
    for (const operation of 'operations' in work ? work.operations : [work]) {
      for (const { value } of Object.values(operation.inputs)) {
        if (makers.get(value) !== work) outside.add(value)
        last.set(value, i)
      }
      for (const { value } of operation.outputs) {
        makers.set(value, work)
        last.set(value, i)
      }
    }
  }
  for (const { value } of Object.values(graph.outputs)) outside.add(value)
  for (const work of works) {
    if (!('operations' in work)) continue
    work.outputs = work.operations.flatMap(({ outputs }) => outputs.filter(({ value }) => outside.has(value)))
  }
  const stay = new Set([
    ...[...Object.values(graph.inputs), ...graph.constants.map(({ use }) => use)].map(({ value }) => value),
    ...Object.values(graph.outputs).map(({ value }) => value),
  ])
  return works.map((work, i) => ({
    work,
    last: [...last].filter(([value, at]) => at === i && !stay.has(value)).map(([value]) => value),
  }))
}
