import type { AnyNode } from 'acorn'
import { analyze } from '../../notebook/graph.ts'
import { transpile } from '../../notebook/transpile.ts'
import type { Cell } from '../../notebook/types.ts'
import type { RunOrigin } from '../../records/origin.ts'
import type { OnlyOptions } from '../only.ts'
import { literal } from './literal.ts'

/**
 * The cells of a run's source with its study narrowed by `only`, or the list that has it. Where the cell has the code of the
 * block, or of a metric, which `codes` has the fingerprints of, or the value is not to be seen, that cell stays as it is and
 * another one narrows the study; where it has no name for that, null.
 */
export function narrowed(
  cells: Cell[],
  { cell, name }: RunOrigin,
  study: string,
  options: OnlyOptions,
  codes: string[],
): Cell[] | null {
  const narrow = narrowName(cells)
  const imported = `import { ${narrow === 'only' ? 'only' : `only as ${narrow}`} } from 'mixlab'\n`
  const own = cells.find(({ id }) => id === cell)
  const seen = own && studyIn(own, name)
  const given = literal(seen?.isOne ? options : { studies: [study], ...options })
  const call = (value: string) => `${narrow}(${value}, ${given})`

  const changed = own && seen && { ...own, source: imported + seen.before + call(seen.value) + seen.after }
  const inPlace = changed ? cells.map((each) => (each === own ? changed : each)) : []
  const left = analyze(inPlace).cells.map(({ fingerprint }) => fingerprint)
  const keepsCode = codes.every((code) => code === 'built in' || left.includes(code))
  if (changed && keepsCode) return inPlace
  const last: Cell = { id: freeId(cells, 'run'), kind: 'code', source: `${imported}\n${call(name ?? '')}` }
  return name === null ? null : [...cells, last]
}

/** The text of a cell, without its types, around the value that is a study or has several. */
interface SeenStudy {
  before: string
  value: string
  after: string
  /** Whether it is one, and no list. */
  isOne: boolean
}

/** What a cell calls by a name, or ends in; null where that is not to be seen. */
function studyIn({ source, id }: Cell, name: string | null): SeenStudy | null {
  const { code, program } = transpile(source, id)
  const value = name === null ? lastValue(program.body) : initOf(program.body, name)
  if (!value) return null
  const { start, end } = value
  const isOne = value.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'compare'
  return { before: code.slice(0, start), value: code.slice(start, end), after: code.slice(end), isOne }
}

function lastValue(body: AnyNode[]): AnyNode | undefined {
  const last = body.at(-1)
  return last?.type === 'ExpressionStatement' ? last.expression : undefined
}

function initOf(body: AnyNode[], name: string): AnyNode | undefined {
  const declarations = body.map((node) => (node.type === 'ExportNamedDeclaration' && node.declaration) || node)
  return (
    declarations
      .flatMap((node) => (node.type === 'VariableDeclaration' && node.kind === 'const' ? node.declarations : []))
      .find(({ id }) => id.type === 'Identifier' && id.name === name)?.init ?? undefined
  )
}

/** A name for `only` that no cell uses for something else. */
function narrowName(cells: Cell[]): string {
  const taken = new Set(analyze(cells).cells.flatMap(({ defines }) => defines))
  const names = ['only', 'onlyRun', ...cells.map((_, index) => `onlyRun${index + 2}`)]
  return names.find((name) => !taken.has(name)) ?? 'only'
}

/** An id that no cell has: `base`, or with the first number that is free. */
export function freeId(cells: Cell[], base: string): string {
  const ids = cells.map(({ id }) => id)
  return [base, ...ids.map((_, index) => `${base}-${index + 2}`)].find((id) => !ids.includes(id)) ?? base
}
