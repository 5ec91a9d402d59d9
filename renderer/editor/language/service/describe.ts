import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { Hover, SignatureHelp, TypeDescription } from '../protocol.ts'
import type { Files } from './files.ts'

/** A declaration in words. What is only known through an import is shown as what it is. */
export function described({ displayParts, documentation, tags }: ts.Described): TypeDescription {
  const type = ts.displayPartsToString(displayParts)
  const plain = type.replace(/^\(alias\) /, '').replace(/\n(?:import|export) [\w$.]+$/, '')
  return { type: plain, documentation: [ts.displayPartsToString(documentation), ...(tags ?? []).map(tag)].join('\n\n') }
}

function tag({ name, text }: ts.Tag): string {
  return `*@${name}* ${ts.displayPartsToString(text)}`
}

/** Type and doc comment of the name at an offset. */
export function hover(files: Files, key: string, offset: number): Hover | null {
  const cell = files.cell(key)
  const found = cell && files.service.getQuickInfoAtPosition(cell.path, cell.prelude.length + offset)
  const at = found && files.placeOf(cell.path, found.textSpan)
  return at ? { at, ...described(found) } : null
}

/** The signatures of the call around an offset. */
export function signature(files: Files, key: string, offset: number): SignatureHelp | null {
  const cell = files.cell(key)
  const found = cell && files.service.getSignatureHelpItems(cell.path, cell.prelude.length + offset, {})
  if (!found) return null
  const signatures = found.items.map(shown)
  return { signature: found.selectedItemIndex, parameter: found.argumentIndex, signatures }
}

function shown(item: ts.SignatureItem): SignatureHelp['signatures'][number] {
  const text = ts.displayPartsToString
  const parameters = item.parameters.map(({ displayParts, documentation }) => ({
    label: text(displayParts),
    documentation: text(documentation),
  }))
  const list = parameters.map(({ label }) => label).join(text(item.separatorDisplayParts))
  const label = text(item.prefixDisplayParts) + list + text(item.suffixDisplayParts)
  return { label, documentation: text(item.documentation), parameters }
}
