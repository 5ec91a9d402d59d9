import { useTheme } from '../ui/theme.ts'
import { registerLanguage } from './language/register.ts'
import { applyEditorTheme } from './theme.ts'

// All that is of the editors; load.ts loads it.

registerLanguage()
applyEditorTheme(useTheme.getState().dark)
useTheme.subscribe(({ dark }) => applyEditorTheme(dark))

export { CodeEditor } from './CodeEditor.tsx'
export { DeclarationView } from './DeclarationView.tsx'
export { DiffView } from './DiffView.tsx'
export { monaco } from './monaco.ts'
