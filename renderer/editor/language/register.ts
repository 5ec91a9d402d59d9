import { monaco } from '../monaco.ts'
import { completion } from './completion.ts'
import { definition, opener } from './definition.ts'
import { codeActions } from './fixes.ts'
import { hover } from './hover.ts'
import { rename } from './rename.ts'
import { signature } from './signature.ts'

const CODE = { language: 'typescript', scheme: 'cell' }

/** Gives the editors of code cells what TypeScript knows. The worker that knows it starts with the first question. */
export function registerLanguage(): void {
  monaco.languages.registerCompletionItemProvider(CODE, completion)
  monaco.languages.registerCodeActionProvider(CODE, codeActions)
  monaco.languages.registerHoverProvider(CODE, hover)
  monaco.languages.registerSignatureHelpProvider(CODE, signature)
  monaco.languages.registerDefinitionProvider(CODE, definition)
  monaco.languages.registerRenameProvider(CODE, rename)
  monaco.editor.registerEditorOpener(opener)
}
