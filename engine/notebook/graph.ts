import { MixlabError } from '../errors.ts'
import { BOUNDS, bounded } from './bounds.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type CellNames, namesOf } from './names.ts'
import { printNotebook } from './print.ts'
import { meterOfCell, transpile } from './transpile.ts'
import type { Cell, CellFacts, NotebookFacts } from './types.ts'

/** A code cell by itself, before it is set beside the others. */
interface ReadCell {
  id: string
  source: string
  /** Each name it defines, with the import that it comes from: two imports of one thing are no clash, two definitions are. */
  defines: Map<string, string>
  uses: string[]
  tokens: string[]
  error: string | null
  /** What reading it took, see `BOUNDS.reads`. */
  reads: number
}

/** Observes the analysis, and may exclude sources from it. */
export interface AnalysisObserver {
  /** The source of a cell that is about to be read. */
  reading(source: string): void
  /** Sources that are not read: that took too long. */
  refused: ReadonlySet<string>
}

/** How many cells an error names. */
const NAMED = 8

const BEYOND = `this cell is not analysed: of a notebook the first ${BOUNDS.cells} code cells are, as far as they are not too long`

/** The cells of the last analysis, by id; most are the same in the next. */
let known = new Map<string, ReadCell>()

/**
 * Finds what each code cell defines, uses and depends on. Cells with a syntax error, a name that another cell defines
 * too, or a part in a cycle carry the error, as do those beyond `BOUNDS`; cells that depend on them do not.
 */
export function analyze(cells: Cell[], watch?: AnalysisObserver): NotebookFacts {
  const read = readCells(
    cells.filter(({ kind }) => kind === 'code'),
    watch,
  )
  const definers = definersOf(read)
  const places = new Map(read.map(({ id }, place) => [id, place]))
  const placeOf = (id: string) => places.get(id) ?? 0
  const facts = read.map(({ id, defines, uses, error }) => {
    const needed = new Set(uses.flatMap((name) => definers.get(name)?.[0]?.id ?? []))
    const dependsOn = [...needed].sort((a, b) => placeOf(a) - placeOf(b))
    return { id, defines: [...defines.keys()], uses, dependsOn, fingerprint: '', error }
  })
  const byId = new Map(facts.map((cell) => [cell.id, cell]))
  noteClashes(byId, definers)
  return { cells: facts, order: sort(byId, read) }
}

/** The ids of the cells that a cell depends on, directly or not, without itself unless it is part of a cycle. */
export function dependenciesOf(facts: NotebookFacts, id: string): Set<string> {
  const byId = new Map(facts.cells.map((cell) => [cell.id, cell]))
  const found = new Set<string>()
  const open = [id]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const next of byId.get(from)?.dependsOn ?? []) {
      if (found.has(next)) continue
      found.add(next)
      open.push(next)
    }
  }
  return found
}

/** The source of a cell and of all cells it depends on, each after those it depends on, in percent format. */
export function closureCode(cells: Cell[], facts: NotebookFacts, id: string): string {
  const wanted = dependenciesOf(facts, id).add(id)
  const byId = new Map(cells.map((cell) => [cell.id, cell]))
  const inOrder = facts.order.filter((each) => wanted.has(each))
  return printNotebook(inOrder.flatMap((each) => byId.get(each) ?? []))
}

function readCells(cells: Cell[], watch?: AnalysisObserver): ReadCell[] {
  let reads = 0
  const read = cells.map((cell, place) => {
    if (place >= BOUNDS.cells || reads > BOUNDS.reads) return unread(cell, BEYOND)
    if (watch?.refused.has(cell.source)) return unread(cell, `${cell.id}: this cell takes too long to be analysed`)
    const before = known.get(cell.id)
    const same = before?.source === cell.source
    if (!same) watch?.reading(cell.source)
    const now = same ? before : readCell(cell)
    reads += now.reads
    return now
  })
  known = new Map(read.flatMap((cell) => (cell.error === BEYOND ? [] : [[cell.id, cell]])))
  return read
}

function readCell(cell: Cell): ReadCell {
  const { id, source } = cell
  const meter = meterOfCell()
  try {
    const { program, tokens } = transpile(source, id, meter)
    const names = bounded(id, () => namesOf(program))
    const { reads } = meter
    return { id, source, defines: definedBy(names, id), uses: [...names.uses.keys()], tokens, error: null, reads }
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    return { ...unread(cell, error.message), reads: meter.reads }
  }
}

function unread({ id, source }: Cell, error: string): ReadCell {
  const defines = new Map(guessDefinitions(source).map((name) => [name, id]))
  return { id, source, defines, uses: [], tokens: [source], error, reads: 0 }
}

/** Importing the same thing in several cells is no clash. */
function definedBy({ imports, definitions }: CellNames, id: string): Map<string, string> {
  const imported = imports.flatMap(({ module, bindings }) =>
    bindings.map(({ local, imported }) => [local, JSON.stringify([module, imported])] as const),
  )
  return new Map([...imported, ...definitions.map((name) => [name, id] as const)])
}

/** What a cell with a syntax error seems to define, so that those who use it learn of the error. */
function guessDefinitions(source: string): string[] {
  const definition = /^(?:export\s+)?(?:const|let|var|class|(?:async\s+)?function)\b[\s*]*([\w$]+)/gm
  return [...source.matchAll(definition)].map(([, name = '']) => name)
}

function definersOf(read: ReadCell[]): Map<string, { id: string; origin: string }[]> {
  const definers = new Map<string, { id: string; origin: string }[]>()
  for (const { id, defines } of read) {
    for (const [name, origin] of defines) {
      const all = definers.get(name)
      if (all) all.push({ id, origin })
      else definers.set(name, [{ id, origin }])
    }
  }
  return definers
}

function noteClashes(facts: Map<string, CellFacts>, definers: Map<string, { id: string; origin: string }[]>): void {
  for (const [name, all] of definers) {
    if (new Set(all.map(({ origin }) => origin)).size === 1) continue
    const ids = all.map(({ id }) => id)
    const message = `'${name}' is defined in cells ${named(ids.slice(0, -1))} and ${ids.at(-1)}`
    for (const id of ids) {
      const cell = facts.get(id)
      if (cell) cell.error ??= message
    }
  }
}

/** Puts each cell after those it depends on, else in the order of the notebook; fills in cycles and fingerprints. */
function sort(facts: Map<string, CellFacts>, read: ReadCell[]): string[] {
  const tokens = new Map(read.map((cell) => [cell.id, cell.tokens]))
  const done = new Set<string>()
  /** The cells that are waiting for the next, each with those it needs and how many of them were looked at. */
  const open: { cell: CellFacts; needed: CellFacts[]; at: number }[] = []
  const places = new Map<CellFacts, number>()
  const place = (cell: CellFacts) => {
    const opened = places.get(cell)
    if (opened !== undefined) return noteCycle(open.slice(opened).map((each) => each.cell))
    if (done.has(cell.id)) return
    places.set(cell, open.length)
    open.push({ cell, needed: cell.dependsOn.flatMap((id) => facts.get(id) ?? []), at: 0 })
  }
  for (const first of facts.values()) {
    place(first)
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const { cell, needed } = top
      const next = needed[top.at++]
      if (next) {
        place(next)
        continue
      }
      open.pop()
      places.delete(cell)
      done.add(cell.id)
      const fingerprints = needed.map(({ fingerprint }) => fingerprint)
      cell.fingerprint = fingerprintOf(tokens.get(cell.id) ?? [], fingerprints)
    }
  }
  return [...done]
}

/** Each of `cycle` depends on the next, the last on the first. */
function noteCycle(cycle: CellFacts[]): void {
  if (cycle.every(({ error }) => error !== null)) return
  const links = cycle.slice(0, NAMED + 1).map((cell, index) => {
    const next = cycle[(index + 1) % cycle.length] ?? cell
    return `${cell.id} uses '${cell.uses.find((name) => next.defines.includes(name))}' of ${next.id}`
  })
  for (const cell of cycle) cell.error ??= `cells depend on each other: ${named(links)}`
}

/** The first of some texts, with commas. */
function named(all: string[]): string {
  return all.length > NAMED ? `${all.slice(0, NAMED).join(', ')}, ...` : all.join(', ')
}
