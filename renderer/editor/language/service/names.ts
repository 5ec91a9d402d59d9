/// <reference path="./typescript.d.ts" />
import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'

/** What other cells see of a cell, and what it may mean by names of theirs. Holds for text with errors, too. */
export interface TextNames {
  /** Top-level names, types and imports included, with the offset of their first declaration. */
  defines: Map<string, number>
  /** Those that the text itself exports. */
  exported: Set<string>
  /** Those that come from modules. */
  imported: Set<string>
  /** Every word of the text. */
  words: Set<string>
}

/** How deep parts of a text may stand within others: the compiler calls itself for each, some thousand bytes of stack. */
const DEPTH = 250
/** Characters. */
const LENGTH = 200_000

const WORD = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu

/** The names of a text; null where it is too long or too deeply nested for the compiler to be asked about it. */
export function boundedNames(text: string): TextNames | null {
  if (text.length > LENGTH) return null
  try {
    return namesInText(text, DEPTH)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Throws RangeError where parts stand within more than `depth` others, or the stack is too small. */
export function namesInText(text: string, depth = Infinity): TextNames {
  const file = ts.createSourceFile('cell.ts', text, ts.ScriptTarget.ESNext, false)
  refuseDepth(file, depth)
  const words = new Set(text.match(WORD))
  const names: TextNames = { defines: new Map(), exported: new Set(), imported: new Set(), words }
  for (const statement of file.statements) {
    const exported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    for (const name of declaredBy(statement)) {
      if (!names.defines.has(name.text)) names.defines.set(name.text, name.getStart(file))
      if (exported) names.exported.add(name.text)
      if (ts.isImportDeclaration(statement)) names.imported.add(name.text)
    }
  }
  return names
}

function refuseDepth(file: ts.SourceFile, most: number): void {
  let level: ts.Node[] = [file]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) throw new RangeError('too deeply nested')
    const next: ts.Node[] = []
    for (const node of level) ts.forEachChild(node, (child) => void next.push(child))
    level = next
  }
}

function declaredBy(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement)) return listed(statement.declarationList)
  if (ts.isImportDeclaration(statement)) return importedBy(statement)
  if (ts.isDeclarationStatement(statement)) return bound(statement.name)
  return hoisted(statement)
}

function importedBy({ importClause }: ts.ImportDeclaration): ts.Identifier[] {
  const { name, namedBindings } = importClause ?? {}
  const elements = namedBindings?.elements ?? []
  return [name, namedBindings?.name, ...elements.map((each) => each.name)].flatMap(bound)
}

/** The `var`s within a statement, which belong to the whole cell. */
function hoisted(node: ts.Node): ts.Identifier[] {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return []
  if (ts.isVariableDeclarationList(node)) return node.flags & ts.NodeFlags.BlockScoped ? [] : listed(node)
  const found: ts.Identifier[] = []
  ts.forEachChild(node, (child) => {
    found.push(...hoisted(child))
  })
  return found
}

function listed({ declarations }: ts.VariableDeclarationList): ts.Identifier[] {
  return declarations.flatMap(({ name }) => bound(name))
}

/** The names of a binding: itself, or those in its pattern. */
function bound(name: ts.Node | undefined): ts.Identifier[] {
  if (!name) return []
  if (ts.isIdentifier(name)) return name.text ? [name] : []
  return 'elements' in name ? (name as ts.Pattern).elements.flatMap((element) => bound(element.name)) : []
}
