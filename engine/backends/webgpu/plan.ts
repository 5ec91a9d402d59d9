import { createArena } from '../../compile/arena.ts'
import { type Draw, type Graph, isUniform, sizeOf, type Use } from '../../compile/graph.ts'
import { pruneUnusedRows } from '../../compile/pruneUnusedRows.ts'
import { rewrite } from './lower/rewrite.ts'
import { type Schedule, schedule } from './lower/schedule.ts'
import type { Step } from './lower/step.ts'
import { type Limits, onePage, type Pages, pagesFor, seenAt, tooMany, windowOf } from './pages.ts'
import { type LineShader, runsOf, type Table } from './tables.ts'
import { dispatchOf, type Place, type Workgroups } from './wgsl/dispatch.ts'
import { kernelOf } from './wgsl/kernels.ts'
import { createShader, MAX_PLACES, type Surroundings } from './wgsl/shader.ts'
import { sumParts, tableSizeOf } from './wgsl/sumParts.ts'

/** The place of a value, in elements of four bytes: in the memory of floats, or in the memory of ints and booleans. */
export interface Region {
  memory: 'floats' | 'ints'
  offset: number
  size: number
}

export interface PlannedDispatch {
  label: string
  /** Floating-point operations of a product of matrices; 0 of others. */
  operations: number
  /** Which of the shaders. */
  shader: number
  workgroups: Workgroups
  /** Its uniforms: where its values are. */
  places: number[]
  /** The pages of floats that it sees. */
  window: number[]
}

/** A graph as dispatches, in plain data: no device is needed to make one. */
export interface Plan {
  shaders: string[]
  dispatches: PlannedDispatch[]
  /** Elements of the two memories. */
  floats: number
  ints: number
  /** The buffers of the floats. */
  pages: Pages
  inputs: Record<string, Region>
  constants: { region: Region; values: ArrayLike<number> }[]
  /** What the card draws by itself: draw i is number i in the shaders. */
  draws: Draw[]
  /** What is drawn here, and where it goes. */
  uploads: { region: Region; draw: Draw }[]
  outputs: Record<string, Output>
  /** Regions beside those of the graph, in the order in which they were asked for. */
  reserved: Region[]
}

/** Where an output is. */
export type Output = Region & Pick<Use, 'shape' | 'dtype'>

/** Elements that are kept beside the values of a graph. */
export type Reserve = Pick<Region, 'memory' | 'size'>

/** Uniforms of a step before its draws, in lines of four numbers: see writeUniforms in installed.ts. */
export const STEP_LINES = 2

/** A graph in the operations of this backend, and which of its values are stored when. */
export interface Lowered {
  graph: Graph
  made: Schedule
  around: Surroundings
}

/** What is to be done for a graph. Throws an error that says what there is no shader for. */
export function lowered(recorded: Graph): Lowered {
  const graph = rewrite(pruneUnusedRows(recorded, () => true))
  const made = schedule(graph)
  const draws: Surroundings['draws'] = new Map()
  for (const { use, source, ofPart } of graph.draws) {
    if (source) draws.set(use.value, { kind: source.kind, partSize: ofPart ? sizeOf(use) : 0 })
  }
  return { graph, made, around: { makers: made.makers, literals: literalsOf(graph), draws } }
}

/** Elements of four bytes that the floats of a graph take. */
export function floatsOf({ graph, made, around }: Lowered): number {
  return memoryOf(graph, made, around, []).sizes().floats
}

/** The dispatches of a graph, for a card with such limits. Throws where one of them would see more than the card lets it. */
export function planOf(lowered: Lowered, reserves: Reserve[] = [], limits?: Limits): Plan {
  const { graph, made, around } = lowered
  const { pages, memory } = placesFor(lowered, reserves, limits)
  const onCard = graph.draws.filter(({ source }) => source)
  const drawn = new Map(onCard.map(({ use }, i) => [use.value, STEP_LINES + i]))
  const plan: Plan = {
    shaders: [],
    dispatches: [],
    ...memory.sizes(),
    pages,
    inputs: Object.fromEntries(Object.entries(graph.inputs).map(([name, use]) => [name, memory.at(use.value)])),
    constants: [...memory.constants],
    reserved: memory.reserved,
    draws: onCard,
    uploads: graph.draws.filter(({ source }) => !source).map((draw) => ({ region: memory.at(draw.use.value), draw })),
    outputs: Object.fromEntries(
      Object.entries(graph.outputs).map(([name, { value, shape, dtype }]) => [
        name,
        { ...memory.at(value), shape, dtype },
      ]),
    ),
  }
  const shaderOf = numbering(plan.shaders)

  /** Has steps done by one dispatch, or each by one of its own where together they see too much. */
  function add(steps: Step[]): void {
    const own: Place[] = []
    const {
      label,
      operations = 0,
      code,
      workgroups,
    } = dispatchOf(steps.map((step) => kernelOf(createShader(step, around, own))))
    if (own.length > MAX_PLACES) throw new Error(`needs ${own.length} tensors at once, at most ${MAX_PLACES}`)
    const regions = own.map((place) => ('draw' in place ? null : memory.at(place.value)))
    const window = windowOf(
      pages,
      regions.filter((region): region is Region => region?.memory === 'floats'),
    )
    if (!window && steps.length > 1) {
      for (const step of steps) add([step])
      return
    }
    if (!window) throw tooMany(label, pages)
    const places = own.map((place, i) => {
      const region = regions[i]
      if ('draw' in place) return drawn.get(place.draw) as number
      return region?.memory === 'floats' ? seenAt(pages, window, region.offset) : (region?.offset as number)
    })
    plan.dispatches.push({ label, operations, shader: shaderOf(code), workgroups, places, window })
  }

  for (const steps of made.groups) add(steps)
  const sums = [...made.sums].map(([value, parts]) => ({ from: memory.at(parts.value), to: memory.at(value) }))
  if (sums.length > 0) {
    const table = sumParts(sums)
    addTable(plan, table, [table], memory.table)
  }
  return plan
}

/** Adds the dispatches of shaders over a table, one after the other, and has its numbers put in a region. */
export function addTable(plan: Plan, table: Table, shaders: readonly LineShader[], region: Region): void {
  const { runs, values } = runsOf(plan.pages, table, region.offset, shaders[0]?.label ?? '')
  plan.constants.push({ region, values })
  for (const { label, code } of shaders) {
    const shader = numbering(plan.shaders)(code)
    for (const run of runs) plan.dispatches.push({ label, operations: 0, shader, ...run })
  }
}

/** The number of a shader among others, to which it is added where it is new. */
function numbering(shaders: string[]): (code: string) => number {
  const numbers = new Map(shaders.map((code, i) => [code, i]))
  return (code) => {
    const number = numbers.get(code) ?? shaders.push(code) - 1
    numbers.set(code, number)
    return number
  }
}

/** Where all values are, and the pages that that takes: of values no larger than a page, none goes across its end. */
function placesFor({ graph, made, around }: Lowered, reserves: Reserve[], limits: Limits | undefined) {
  const memory = memoryOf(graph, made, around, reserves)
  const { floats } = memory.sizes()
  const pages = limits ? pagesFor(limits, floats) : onePage(floats)
  if (pages.count === 1) return { pages, memory }
  const paged = memoryOf(graph, made, around, reserves, 4 * pages.elements)
  return { pages: pagesFor(limits as Limits, paged.sizes().floats), memory: paged }
}

/** Constants that are the same number everywhere, which shaders hold themselves. */
function literalsOf({ constants }: Graph): Map<number, number> {
  const same = constants.filter(({ values }) => isUniform(values as Float32Array))
  return new Map(same.map(({ use, values }) => [use.value, Number(values[0])]))
}

/** Gives every value that is in memory its place; what is no longer read leaves room for others. */
function memoryOf(
  graph: Graph,
  { groups, sums }: Schedule,
  { makers, literals, draws }: Surroundings,
  reserves: Reserve[],
  page = Number.POSITIVE_INFINITY,
) {
  const arenas = { floats: createArena(0, page), ints: createArena(0) }
  const reserved = reserves.map(({ memory, size }): Region => {
    return { memory, offset: arenas[memory].take(4 * size) / 4, size }
  })
  const regions = new Map<number, Region>()
  const take = (use: Use): Region => {
    const memory = use.dtype === 'float32' ? 'floats' : 'ints'
    const size = Math.max(1, sizeOf(use))
    const region = { memory, offset: arenas[memory].take(4 * size) / 4, size } as const
    regions.set(use.value, region)
    return region
  }
  const outputs = new Map(Object.values(graph.outputs).map((use) => [use.value, use]))
  for (const use of Object.values(graph.inputs)) take(use)
  const constants = graph.constants
    .filter(({ use }) => !literals.has(use.value) || outputs.has(use.value))
    .map(({ use, values }) => ({ region: take(use), values: values as unknown as ArrayLike<number> }))
  for (const { use } of graph.draws) if (!draws.has(use.value)) take(use)

  const lastRead = new Map<number, number>()
  for (const [i, steps] of groups.entries()) {
    for (const { loads } of steps) for (const value of loads) lastRead.set(value, i)
  }
  const staying = new Set([...outputs.keys(), ...[...sums.values()].map(({ value }) => value)])
  const summed = [...sums.keys()].map((value) => take(outputs.get(value) as Use))
  const tableSize = tableSizeOf(summed.map(({ size }) => size))
  const table: Region = { memory: 'ints', offset: arenas.ints.take(4 * tableSize) / 4, size: tableSize }
  for (const [i, steps] of groups.entries()) {
    for (const { operation, attached, stores } of steps) {
      const uses = [operation, ...attached].flatMap((each) => each.outputs)
      for (const use of uses) if (stores.has(use.value)) take(use)
    }
    for (const value of new Set(steps.flatMap(({ loads, stores }) => [...loads, ...stores]))) {
      const region = regions.get(value)
      if (!region || !makers.has(value) || staying.has(value) || (lastRead.get(value) ?? i) !== i) continue
      arenas[region.memory].give(region.offset * 4)
    }
  }
  return {
    constants,
    reserved,
    at: (value: number): Region => {
      const region = regions.get(value)
      if (!region) throw new Error('needs a value that nothing makes')
      return region
    },
    table,
    sizes: () => ({ floats: arenas.floats.size() / 4, ints: arenas.ints.size() / 4 }),
  }
}
