import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { SignatureHelp } from '../protocol.ts'
import type { Files } from './files.ts'

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
