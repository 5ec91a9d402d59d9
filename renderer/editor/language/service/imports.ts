import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Imported, TextEdit } from '../protocol.ts'
import type { CellFile } from './files.ts'

/** What makes a cell import names: they join the imports from their module that it has, else they get a line of their own. */
export function importing({ key, source }: CellFile, names: readonly Imported[]): TextEdit[] {
  const file = ts.createSourceFile('cell.ts', source, ts.ScriptTarget.ESNext, false)
  const imports = file.statements.filter(ts.isImportDeclaration)
  const edit = (start: number, text: string) => ({ at: { key, start, end: start }, text })
  const byModule = Map.groupBy(names, ({ module }) => module)
  const lines: string[] = []
  const edits: TextEdit[] = []
  for (const [module, wanted] of byModule) {
    const listed = wanted.filter(({ name }) => name !== NAMESPACES[module])
    if (listed.length < wanted.length) lines.push(`import * as ${NAMESPACES[module]} from '${module}'`)
    if (listed.length === 0) continue
    const words = listed.map(({ name, type }) => (type ? `type ${name}` : name)).sort()
    const known = imports.find((each) => each.moduleSpecifier.text === module && elementsOf(each).length > 0)
    const elements = known ? elementsOf(known) : []
    const [first, second] = elements
    const last = elements.at(-1)
    if (!first || !last) lines.push(`import { ${words.join(', ')} } from '${module}'`)
    else {
      const between = second ? source.slice(first.getEnd(), second.getStart(file)) : ', '
      edits.push(edit(last.getEnd(), words.map((word) => between + word).join('')))
    }
  }
  if (lines.length > 0) {
    const end = imports.at(-1)?.getEnd()
    const text = lines.join('\n')
    edits.push(end === undefined ? edit(0, source ? `${text}\n\n` : `${text}\n`) : edit(end, `\n${text}`))
  }
  return edits
}

/** The names that whole modules go by. */
export const NAMESPACES: Readonly<Record<string, string>> = { '@tensorflow/tfjs': 'tf' }

/** Of `import { a, b } from 'm'`. */
function elementsOf({ importClause }: ts.ImportDeclaration) {
  return importClause?.isTypeOnly ? [] : (importClause?.namedBindings?.elements ?? [])
}
