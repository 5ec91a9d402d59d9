import type { monaco } from '../monaco.ts'
import { language } from './client.ts'
import { placeAt } from './places.ts'

export const signature: monaco.languages.SignatureHelpProvider = {
  signatureHelpTriggerCharacters: ['(', ','],

  async provideSignatureHelp(model, position) {
    const found = await language().signature(...placeAt(model, position))
    if (!found) return null
    const signatures = found.signatures.map((each) => ({ ...each, documentation: { value: each.documentation } }))
    const value = { activeSignature: found.signature, activeParameter: found.parameter, signatures }
    return { value, dispose() {} }
  },
}
