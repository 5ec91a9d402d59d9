import type { AnyNode } from 'acorn'
import type { notingClosures } from './closures/closures.ts'
import { type Literal, literalsOf } from './closures/literals.ts'
import { type Edit, edited } from './edits.ts'
import { type CellNames, topScope } from './names.ts'
import type { Transpiled } from './transpile.ts'

/** What the code of a cell and the world exchange while it runs; the parameter `__cell` of the function body. */
export interface Exchange extends ReturnType<typeof notingClosures> {
  /** In: the values of the names that the cell does not define itself, imports included. */
  names: Record<string, unknown>
  /** In: what `import()` in the cell calls. */
  load: (module: string) => Promise<unknown>
  /** Out: the value of an expression that ends the cell. */
  value?: unknown
  /** Out: the values of the cell's definitions. */
  defined?: Record<string, unknown>
}

/** The code of a cell as the body of an async function of `__cell`. */
export interface FunctionBody {
  /** Line n of the cell is line n of it. */
  text: string
  /** The functions that stand in the cell, by the index under which the code notes them. */
  literals: Literal[]
}

/** The body for a cell with such names bound from elsewhere; `url` is what stack traces call it. */
export function functionBody(transpiled: Transpiled, cell: CellNames, bound: string[], url: string): FunctionBody {
  const { code, program } = transpiled
  const { literals, edits: notes } = literalsOf(transpiled, topScope(cell), new Set(bound))
  const [opening, closing] = keepValue(program.body.at(-1), code)
  // At one place the earlier edit goes first: the value of a cell may start with `import()` or with a function.
  const edits: Edit[] = [
    ...opening,
    ...notes,
    ...program.body.flatMap((node) => withoutModuleSyntax(node, code)),
    ...cell.dynamicImports.map((start) => ({ start, end: start + 'import'.length, text: '__cell.load' })),
    ...closing,
  ]
  // Constants, so that assigning to a name of another cell is an error and not lost.
  const start = `'use strict'; const { ${bound.join(', ')} } = __cell.names; `
  const end = `\n;__cell.defined = { ${cell.definitions.join(', ')} }\n//# sourceURL=${url}`
  return { text: start + edited(code, edits) + end, literals }
}

function withoutModuleSyntax(node: AnyNode, code: string): Edit[] {
  const { start } = node
  if (node.type === 'ExportNamedDeclaration' && node.declaration)
    return [{ start, end: node.declaration.start, text: '' }]
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') return []
  // The line breaks stay for the line numbers, and a semicolon keeps the neighbours apart.
  return [{ start, end: node.end, text: `;${code.slice(start, node.end).replace(/[^\n]/g, '')}` }]
}

function keepValue(last: AnyNode | undefined, code: string): [opening: Edit[], closing: Edit[]] {
  if (last?.type !== 'ExpressionStatement') return [[], []]
  const end = code[last.end - 1] === ';' ? last.end - 1 : last.end
  return [[{ start: last.start, end: last.start, text: '__cell.value = (' }], [{ start: end, end, text: ')' }]]
}
