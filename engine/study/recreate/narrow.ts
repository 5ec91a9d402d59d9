import type { AnyNode } from 'acorn'
import { analyze } from '../../notebook/graph.ts'
import { transpile } from '../../notebook/transpile.ts'
import type { Cell } from '../../notebook/types.ts'
import type { RunOrigin } from '../../records/origin.ts'
import type { OnlyOptions } from '../only.ts'
import { literal } from './literal.ts'

/**
 * The cells of a run's source with their study narrowed by `only`. Where the study's own cell has the code of the block,
 * or of a metric, which `codes` has the fingerprints of, or its value is not to be seen, that cell stays as it is and another one narrows the
 * study; where it has no name for that, null.
 */
export function narrowed(
  cells: Cell[],
  { cell, name }: RunOrigin,
  options: OnlyOptions,
  codes: string[],
): Cell[] | null {
  const narrow = narrowName(cells)
  const imported = `import { ${narrow === 'only' ? 'only' : `only as ${narrow}`} } from 'mixlab'\n`
  const call = (study: string) => `${narrow}(${study}, ${literal(options)})`

  const own = cells.find(({ id }) => id === cell)
  const changed = own && withStudy(own, name, call, imported)
  const inPlace = changed ? cells.map((each) => (each === own ? changed : each)) : []
  const left = analyze(inPlace).cells.map(({ fingerprint }) => fingerprint)
  const keepsCode = codes.every((code) => code === 'built in' || left.includes(code))
  if (changed && keepsCode) return inPlace
  const last: Cell = { id: freeId(cells, 'run'), kind: 'code', source: `${imported}\n${call(name ?? '')}` }
  return name === null ? null : [...cells, last]
}

/** A cell, without its types, with `call` around the value of its study; null where that is not to be seen. */
function withStudy(cell: Cell, name: string | null, call: (study: string) => string, imported: string): Cell | null {
  const { code, program } = transpile(cell.source, cell.id)
  const value = name === null ? lastValue(program.body) : initOf(program.body, name)
  if (!value) return null
  const { start, end } = value
  return { ...cell, source: imported + code.slice(0, start) + call(code.slice(start, end)) + code.slice(end) }
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
