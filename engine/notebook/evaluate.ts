import { collecting } from '../definitions.ts'
import { display } from '../display/display.ts'
import { MixlabError } from '../errors.ts'
import { watchedOperations } from '../gradients/custom.ts'
import { registerGradients } from '../gradients/register.ts'
import { checkedLanguage } from '../nn/checked.ts'
import { type Exchange, functionBody } from './body.ts'
import { nameOf, noteName, notingClosures } from './closures/closures.ts'
import { nameExports } from './closures/known.ts'
import { createEvaluations } from './evaluations.ts'
import { analyze, closureCode, dependenciesOf } from './graph.ts'
import { locate, urlOf } from './location.ts'
import { bindImport, findModule, type Modules, TFJS } from './modules.ts'
import { type CellNames, namesOf } from './names.ts'
import { parseNotebook } from './parse.ts'
import { noteMembers, noteProvenance } from './provenance.ts'
import { disposeLeftovers, watchTensors } from './tensors.ts'
import { lineAt, transpile } from './transpile.ts'
import type { Cell, NotebookFacts } from './types.ts'

/** The `console` of a cell. */
export type CellConsole = Record<'debug' | 'log' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>

export interface EvaluateOptions {
  console: CellConsole
  /** What the `display` of the cell does; left out: it logs. */
  display?: (...values: unknown[]) => void
}

export interface CellResult {
  /** The value of the expression that ends the cell; undefined where it ends in anything else. */
  value: unknown
  /** The values of the cell's own definitions, without imports. */
  defined: Record<string, unknown>
}

/** The values of a notebook's cells, from one evaluation to the next. */
export interface NotebookScope {
  /**
   * Runs a cell. Other cells see its definitions as they are when it has ended: a `let` that changes later does not
   * change for them, and they cannot assign to it. A cell that fails defines nothing. Tensors that its earlier run left
   * are disposed first, unless a cell that was given values of that run is still there: then when that runs again.
   * Throws MixlabError with the path `<cell>:<line>`.
   */
  evaluate(cells: Cell[], facts: NotebookFacts, id: string, options: EvaluateOptions): Promise<CellResult>
  /** No cell has run any more; disposes the tensors that they left. */
  forget(): void
}

/** A definition, and the id of the cell that made it. */
export interface Definition {
  value: unknown
  cell: string
}

const AsyncFunction: new (parameter: string, body: string) => (exchange: Exchange) => Promise<void> =
  Object.getPrototypeOf(async () => {}).constructor

/** A scope in which no cell has run yet. Cells can import `modules` and nothing else. */
export function createScope(modules: Modules): NotebookScope {
  /** What each cell that has run gives to the others, imports included. */
  const values = new Map<string, Map<string, unknown>>()
  const evaluations = createEvaluations()
  const displays = new WeakSet<object>([display])
  registerGradients()
  nameExports(modules)
  for (const [original, checked] of checkedLanguage) noteName(checked, nameOf(original as object) ?? checked.name)
  for (const [original, watched] of watchedOperations) noteName(watched, nameOf(original as object) ?? '')
  const tfjs = modules[TFJS] && { [TFJS]: replacedIn(modules[TFJS], watchedOperations) }
  if (tfjs) noteName(tfjs[TFJS] as object, TFJS)
  const given = { ...modules, ...tfjs }
  const exported = [modules, given].flatMap(Object.values).flatMap((each) => [each, ...Object.values(each)])
  const builtIn = new Set<unknown>([...exported, ...checkedLanguage.values()])

  function forget(leaves: (cell: string) => boolean): void {
    for (const gone of [...values.keys()].filter(leaves)) {
      values.delete(gone)
      evaluations.forget(gone)
    }
  }

  return {
    forget: () => forget(() => true),
    async evaluate(cells, facts, id, options) {
      forget((known) => known === id || !cells.some((cell) => cell.id === known))
      const transpiled = transpile(sourceOf(cells, id), id)
      refuseFaulty(facts, id)
      const fingerprint = fingerprintIn(facts, id)
      const provenance = { cell: id, fingerprint, code: closureCode(cells, facts, id), evaluation: {} }

      const names = namesOf(transpiled.program)
      const pathOf = (offset: number) => `${id}:${lineAt(transpiled.code, offset)}`
      const show = options.display ?? ((...shown: unknown[]) => options.console.log(...shown))
      displays.add(show)
      noteName(show, 'display')
      const own = { ...given, mixlab: replacedIn(modules.mixlab, new Map([...checkedLanguage, [display, show]])) }
      noteName(own.mixlab, 'mixlab')
      const imported = names.imports.flatMap((each) => bindImport(each, own, pathOf(each.start)))
      const bound = new Map([...imported, ...foreignValues(names, facts, values, pathOf)])
      for (const [name, value] of bound) if (displays.has(Object(value))) bound.set(name, show)
      if (names.uses.has('console') && !bound.has('console')) bound.set('console', options.console)
      noteName(options.console, 'console')
      const body = functionBody(transpiled, names, [...bound.keys()], urlOf(id))
      const exchange: Exchange = {
        ...notingClosures(body.literals),
        names: Object.fromEntries(bound),
        load: async (module) => findModule(own, module, ''),
      }
      const watch = watchTensors()
      try {
        await collecting(() => run(body.text, exchange, id))
      } catch (error) {
        disposeLeftovers(watch.end())
        throw error
      }
      evaluations.add(id, watch.end(), facts.cells.find((cell) => cell.id === id)?.dependsOn ?? [])

      const defined = exchange.defined ?? {}
      values.set(id, new Map([...imported, ...Object.entries(defined)]))
      const made: [string | null, unknown][] = [...Object.entries(defined), [null, exchange.value]]
      for (const [name, value] of made) {
        if (!builtIn.has(value)) noteProvenance(value, { ...provenance, name })
        noteMembers(value, { ...provenance, name })
      }
      return { value: exchange.value, defined }
    },
  }
}

/** A cell that failed, or that was not run because one failed that it depends on. */
export interface FailedCell {
  cell: string
  error: MixlabError
  /** The cell that failed, where it is another one. */
  because: string | null
}

/**
 * Runs all code cells of a notebook, each after those it depends on, and gives their definitions by name, without
 * imports. `failed` is called for a cell that fails, then for the cells that depend on it, which do not run; the others
 * run.
 */
export async function evaluateEach(
  notebook: string | Cell[],
  modules: Modules,
  options: EvaluateOptions,
  failed: (cell: FailedCell) => void,
): Promise<Map<string, Definition>> {
  const cells = typeof notebook === 'string' ? parseNotebook(notebook) : notebook
  const facts = analyze(cells)
  const scope = createScope(modules)
  const definitions = new Map<string, Definition>()
  const broken = new Set<string>()
  for (const cell of facts.order) {
    const because = [...dependenciesOf(facts, cell)].find((other) => broken.has(other)) ?? null
    try {
      if (because !== null) throw new MixlabError('notebook', cell, `depends on '${because}', which failed`)
      const { defined } = await scope.evaluate(cells, facts, cell, options)
      for (const [name, value] of Object.entries(defined)) definitions.set(name, { value, cell })
    } catch (thrown) {
      if (because === null) broken.add(cell)
      failed({ cell, error: thrown instanceof MixlabError ? thrown : locate(thrown, cell), because })
    }
  }
  return definitions
}

/** The same, but throws the first error. */
export function evaluateAll(
  notebook: string | Cell[],
  modules: Modules,
  options: EvaluateOptions,
): Promise<Map<string, Definition>> {
  return evaluateEach(notebook, modules, options, ({ error }) => {
    throw error
  })
}

/** Exports, with other functions in place of some. */
function replacedIn(
  exported: Record<string, unknown> = {},
  others: ReadonlyMap<unknown, unknown>,
): Record<string, unknown> {
  const entries = Object.entries(exported)
  if (!entries.some(([, value]) => others.has(value))) return exported
  return Object.fromEntries(entries.map(([name, value]) => [name, others.get(value) ?? value]))
}

function sourceOf(cells: Cell[], id: string): string {
  const cell = cells.find((each) => each.id === id)
  if (cell?.kind === 'code') return cell.source
  throw new MixlabError('notebook', id, cell ? `a ${cell.kind} cell cannot be evaluated` : 'there is no such cell')
}

function fingerprintIn(facts: NotebookFacts, id: string): string {
  return facts.cells.find((cell) => cell.id === id)?.fingerprint ?? ''
}

/** A cell with a syntax error does not get here. */
function refuseFaulty(facts: NotebookFacts, id: string): void {
  const faulty = facts.cells.filter(({ error }) => error !== null)
  const own = faulty.find((cell) => cell.id === id)
  if (own?.error) throw new MixlabError('notebook', id, own.error)
  const needed = dependenciesOf(facts, id)
  const other = faulty.find((cell) => needed.has(cell.id))
  if (other) throw new MixlabError('notebook', id, `depends on ${other.id}, which has an error`)
}

/** The values of the names that other cells define. Throws MixlabError `notebook` for one that has no value yet. */
function foreignValues(
  { uses }: CellNames,
  facts: NotebookFacts,
  values: Map<string, Map<string, unknown>>,
  pathOf: (offset: number) => string,
): [string, unknown][] {
  return [...uses].flatMap(([name, offset]): [string, unknown][] => {
    const definer = facts.cells.find(({ defines }) => defines.includes(name))
    if (!definer) return []
    const given = values.get(definer.id)
    if (given?.has(name)) return [[name, given.get(name)]]
    throw new MixlabError('notebook', pathOf(offset), `'${name}' is defined in cell ${definer.id}, which has not run`)
  })
}

async function run(body: string, exchange: Exchange, id: string): Promise<void> {
  try {
    await new AsyncFunction('__cell', body)(exchange)
  } catch (thrown) {
    throw locate(thrown, id)
  }
}
