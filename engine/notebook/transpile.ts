import type { AnyNode, Program } from 'acorn'
import { transform } from 'sucrase'
import { MixlabError, messageOf } from '../errors.ts'
import { BOUNDS, bounded, LimitExceeded, type Meter, MeteredText } from './bounds.ts'
import { childrenOf } from './declarations.ts'
import { parseProgram } from './program.ts'

/** A code cell as JavaScript, line for line. */
export interface Transpiled {
  code: string
  program: Program
  /** The text of each token. A semicolon that the language inserts counts as one that is written. */
  tokens: string[]
}

/**
 * TypeScript to JavaScript. Types and type-only imports vanish, other imports stay even if unused: other cells may use
 * them. `meter` counts what that takes. Throws MixlabError `notebook` with the path `<cell>:<line>`, or `<cell>` for code
 * beyond the bounds.
 */
export function transpile(source: string, cell: string, meter: Meter = meterOfCell()): Transpiled {
  return bounded(cell, () => transpiled(source, cell, meter))
}

/** For one cell. */
export function meterOfCell(): Meter {
  return { reads: 0, most: BOUNDS.cellReads }
}

function transpiled(source: string, cell: string, meter: Meter): Transpiled {
  const code = removeTypes(source, cell, meter)
  meter.reads += code.length
  if (meter.reads > meter.most) throw new LimitExceeded()
  const tokens: string[] = []
  const program = guard(code, cell, () =>
    parseProgram(code, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      onToken: ({ start, end }) => {
        if (start < end) tokens.push(code.slice(start, end))
      },
      onInsertedSemicolon: () => {
        tokens.push(';')
      },
    }),
  )
  refuseDepth(program)
  refuseExports(program, code, cell)
  return { code, program, tokens }
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

function removeTypes(source: string, cell: string, meter: Meter): string {
  // A shebang is only allowed in the first line of a file.
  const text = source.replace(/^#!/, '//')
  const metered = new MeteredText(text, meter) as unknown as string // whose methods are all that sucrase uses of it
  return guard(text, cell, () =>
    transform(metered, { transforms: ['typescript'], disableESTransforms: true, keepUnusedImports: true }),
  ).code
}

/** Refuses code that is nested too deeply for recursive functions. */
function refuseDepth(program: Program): void {
  let level: AnyNode[] = program.body
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > BOUNDS.depth) throw new LimitExceeded()
    level = level.flatMap(childrenOf)
  }
}

/** Cells see each other's names as they are, so there is nothing to rename, pass on or call default. */
function refuseExports(program: Program, code: string, cell: string): void {
  for (const node of program.body) {
    const refused =
      node.type === 'ExportDefaultDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      (node.type === 'ExportNamedDeclaration' &&
        (node.source || node.specifiers.some(({ local, exported }) => nameOf(local) !== nameOf(exported))))
    if (!refused) continue
    const path = `${cell}:${lineAt(code, node.start)}`
    throw new MixlabError('notebook', path, "only definitions are exported, as in 'export const name = ...'")
  }
}

function nameOf(node: object): unknown {
  return 'name' in node ? node.name : null
}

/**
 * Both parsers throw an error with `pos` and a message that ends in `(line:column)`; others that sucrase throws, of
 * scopes left open for instance, mean nothing to the user.
 */
function guard<T>(text: string, cell: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof LimitExceeded || error instanceof RangeError) throw error
    if (!(error instanceof Error && 'pos' in error && typeof error.pos === 'number')) {
      throw new MixlabError('notebook', cell, 'this code cannot be read as TypeScript')
    }
    const path = `${cell}:${lineAt(text, error.pos)}`
    throw new MixlabError('notebook', path, describe(messageOf(error), text, error.pos))
  }
}

/** `Unexpected token, expected ","` becomes `unexpected 'b', expected ','`. */
function describe(message: string, text: string, offset: number): string {
  const found = /\s*([\w$]+|\S|$)/y
  found.lastIndex = offset
  const token = found.exec(text)?.[1]
  const plain = message
    .replace(/ \(\d+:\d+\)$/, '')
    .replace(/^Unexpected token/, token ? `unexpected '${token}'` : 'unexpected end of cell')
    .replaceAll('"', "'")
  return plain.charAt(0).toLowerCase() + plain.slice(1)
}
