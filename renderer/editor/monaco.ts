import * as monaco from 'monaco-editor/editor.js'
import 'monaco-editor/features/register.all.js'
import 'monaco-editor/languages/definitions/typescript/register.js'
import 'monaco-editor/languages/definitions/markdown/register.js'
import 'monaco-editor/languages/definitions/sql/register.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import { colour } from '../charts/style.ts'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

const FONT_SIZE = 13
export const LINE_HEIGHT = 20

/** Options that every editor of a cell has. */
export const OPTIONS: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  contextmenu: false,
  fixedOverflowWidgets: true,
  folding: false,
  fontSize: FONT_SIZE,
  glyphMargin: true,
  guides: { indentation: false },
  lineDecorationsWidth: 8,
  lineHeight: LINE_HEIGHT,
  lineNumbersMinChars: 2,
  minimap: { enabled: false },
  occurrencesHighlight: 'off',
  overviewRulerLanes: 0,
  padding: { top: 8, bottom: 8 },
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  scrollbar: { vertical: 'hidden', horizontalScrollbarSize: 6, alwaysConsumeMouseWheel: false },
  tabIndex: -1,
  tabSize: 2,
  wordBasedSuggestions: 'allDocuments',
}

/** Options of an editor for text. */
export const PROSE: monaco.editor.IStandaloneEditorConstructionOptions = {
  lineNumbers: 'off',
  quickSuggestions: false,
  wordWrap: 'on',
}

/** Makes the editors look like the page does now. */
export function applyEditorTheme(dark: boolean): void {
  const token = (name: string, of: string) => ({ token: name, foreground: hex(of).slice(1) })
  const brackets = [1, 2, 3, 4, 5, 6].map((level) => [`editorBracketHighlight.foreground${level}`, hex('muted')])
  monaco.editor.defineTheme('mixlab', {
    base: dark ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      token('', 'text'),
      token('delimiter', 'muted'),
      token('keyword', 'code-keyword'),
      token('string', 'code-string'),
      token('number', 'code-number'),
      token('comment', 'code-comment'),
      token('type', 'code-type'),
      token('predefined', 'code-type'),
      token('operator.sql', 'code-keyword'),
      token('tag', 'code-type'),
      token('regexp', 'code-string'),
    ],
    colors: {
      'editor.background': hex('surface'),
      'editor.foreground': hex('text'),
      'editor.selectionBackground': hex('code-selection'),
      'editorLineNumber.foreground': hex('code-line'),
      'editorLineNumber.activeForeground': hex('code-line'),
      ...Object.fromEntries(brackets),
      'editorCursor.foreground': hex('accent'),
      'editorWidget.background': hex('surface'),
      'editorWidget.border': hex('border'),
      'editorError.foreground': hex('bad'),
      'scrollbarSlider.background': hex('border'),
      'scrollbarSlider.hoverBackground': hex('border-strong'),
      'scrollbarSlider.activeBackground': hex('border-strong'),
      focusBorder: hex('accent'),
    },
  })
  monaco.editor.setTheme('mixlab')
}

/** `rgb(r, g, b)` as `#rrggbb`, which is all that Monaco reads. */
function hex(token: string): string {
  const channels = colour(token).match(/\d+/g)?.slice(0, 3) ?? []
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')}`
}

export { monaco }
