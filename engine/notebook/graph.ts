import { MixlabError } from '../errors.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type CellNames, namesOf } from './names.ts'
import { printNotebook } from './print.ts'
import { transpile } from './transpile.ts'
import type { Cell, CellFacts, NotebookFacts } from './types.ts'

/** A code cell by itself, before it is set beside the others. */
interface ReadCell {
  id: string
  source: string
  /** Each name it defines, with what tells two imports of the same thing apart from two definitions. */
  defines: Map<string, string>
  uses: string[]
  tokens: string[]
  error: string | null
}

/** The cells of the last analysis, by id; most are the same in the next. */
let known = new Map<string, ReadCell>()

/**
 * Finds what each code cell defines, uses and depends on. Cells with a syntax error, a name that another cell defines
 * too, or a part in a cycle carry the error; cells that depend on them do not.
 */
export function analyze(cells: Cell[]): NotebookFacts {
  const read = readCells(cells.filter(({ kind }) => kind === 'code'))
  const definers = definersOf(read)
  const facts = read.map(({ id, defines, uses, error }) => {
    const needed = new Set(uses.map((name) => definers.get(name)?.[0]?.id))
    const dependsOn = read.filter((other) => needed.has(other.id)).map((other) => other.id)
    return { id, defines: [...defines.keys()], uses, dependsOn, fingerprint: '', error }
  })
  noteClashes(facts, definers)
  return { cells: facts, order: sort(facts, read) }
}

/** The ids of the cells that a cell depends on, directly or not, without itself unless it is part of a cycle. */
export function dependenciesOf(facts: NotebookFacts, id: string): Set<string> {
  const byId = new Map(facts.cells.map((cell) => [cell.id, cell]))
  const found = new Set<string>()
  const follow = (from: string) => {
    for (const next of byId.get(from)?.dependsOn ?? []) {
      if (found.has(next)) continue
      found.add(next)
      follow(next)
    }
  }
  follow(id)
  return found
}

/** The source of a cell and of all cells it depends on, each after those it depends on, in percent format. */
export function closureCode(cells: Cell[], facts: NotebookFacts, id: string): string {
  const wanted = dependenciesOf(facts, id).add(id)
  const inOrder = facts.order.filter((each) => wanted.has(each))
  return printNotebook(inOrder.flatMap((each) => cells.find((cell) => cell.id === each) ?? []))
}

function readCells(cells: Cell[]): ReadCell[] {
  const read = cells.map((cell) => {
    const before = known.get(cell.id)
    return before?.source === cell.source ? before : readCell(cell)
  })
  known = new Map(read.map((cell) => [cell.id, cell]))
  return read
}

function readCell({ id, source }: Cell): ReadCell {
  try {
    const { program, tokens } = transpile(source, id)
    const names = namesOf(program)
    return { id, source, defines: definedBy(names, id), uses: [...names.uses.keys()], tokens, error: null }
  } catch (error) {
    if (!(error instanceof MixlabError)) throw error
    const defines = new Map(guessDefinitions(source).map((name) => [name, id]))
    return { id, source, defines, uses: [], tokens: [source], error: error.message }
  }
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
    for (const [name, origin] of defines) definers.set(name, [...(definers.get(name) ?? []), { id, origin }])
  }
  return definers
}

function noteClashes(facts: CellFacts[], definers: Map<string, { id: string; origin: string }[]>): void {
  for (const [name, all] of definers) {
    if (new Set(all.map(({ origin }) => origin)).size === 1) continue
    const ids = all.map(({ id }) => id)
    const message = `'${name}' is defined in cells ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`
    for (const cell of facts) if (ids.includes(cell.id)) cell.error ??= message
  }
}

/** Puts each cell after those it depends on, else in the order of the notebook; fills in cycles and fingerprints. */
function sort(facts: CellFacts[], read: ReadCell[]): string[] {
  const cells = new Map(facts.map((cell) => [cell.id, cell]))
  const tokens = new Map(read.map((cell) => [cell.id, cell.tokens]))
  const done: string[] = []
  const open: CellFacts[] = []
  const place = (cell: CellFacts) => {
    if (done.includes(cell.id)) return
    if (open.includes(cell)) return noteCycle(open.slice(open.indexOf(cell)))
    open.push(cell)
    const needed = cell.dependsOn.flatMap((id) => cells.get(id) ?? [])
    for (const next of needed) place(next)
    open.pop()
    done.push(cell.id)
    cell.fingerprint = fingerprintOf(
      tokens.get(cell.id) ?? [],
      needed.map(({ fingerprint }) => fingerprint),
    )
  }
  for (const cell of facts) place(cell)
  return done
}

/** Each of `cycle` depends on the next, the last on the first. */
function noteCycle(cycle: CellFacts[]): void {
  const links = cycle.map((cell, index) => {
    const next = cycle[(index + 1) % cycle.length] ?? cell
    return `${cell.id} uses '${cell.uses.find((name) => next.defines.includes(name))}' of ${next.id}`
  })
  for (const cell of cycle) cell.error ??= `cells depend on each other: ${links.join(', ')}`
}
