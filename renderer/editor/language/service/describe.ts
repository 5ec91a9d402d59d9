import { typescript as ts } from 'monaco-editor/languages/features/typescript/lib/typescriptServices.js'
import type { TypeDescription } from '../protocol.ts'

/** A declaration in words. What is only known through an import is shown as what it is. */
export function described({ displayParts, documentation, tags }: ts.Described): TypeDescription {
  const type = ts.displayPartsToString(displayParts)
  const plain = type.replace(/^\(alias\) /, '').replace(/\n(?:import|export) [\w$.]+$/, '')
  return { type: plain, documentation: [ts.displayPartsToString(documentation), ...(tags ?? []).map(tag)].join('\n\n') }
}

function tag({ name, text }: ts.Tag): string {
  return `*@${name}* ${ts.displayPartsToString(text)}`
}
