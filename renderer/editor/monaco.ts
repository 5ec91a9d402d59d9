import * as monaco from 'monaco-editor/editor.js'
import 'monaco-editor/features/register.all.js'
import 'monaco-editor/languages/definitions/typescript/register.js'
import 'monaco-editor/languages/definitions/markdown/register.js'
import 'monaco-editor/languages/definitions/sql/register.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import { FONT, FONT_SIZE, LINE_HEIGHT } from './metrics.ts'

self.MonacoEnvironment = { getWorker: () => new EditorWorker() }

/** Options that every editor of a cell has. */
export const OPTIONS: monaco.editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  contextmenu: false,
  fixedOverflowWidgets: true,
  folding: true,
  fontFamily: FONT,
  fontSize: FONT_SIZE,
  glyphMargin: true,
  guides: { indentation: false },
  lineDecorationsWidth: 8,
  lineHeight: LINE_HEIGHT,
  lineNumbersMinChars: 2,
  maxTokenizationLineLength: 1_000,
  minimap: { enabled: false },
  occurrencesHighlight: 'off',
  overviewRulerLanes: 0,
  padding: { top: 8, bottom: 8 },
  renderFinalNewline: 'on', // the number of an empty last line as any other
  renderLineHighlight: 'none',
  scrollBeyondLastLine: false,
  showFoldingControls: 'never', // by keys; the triangles would take room beside every line
  scrollbar: { vertical: 'hidden', horizontalScrollbarSize: 6, alwaysConsumeMouseWheel: false },
  stopRenderingLineAfter: 1_000, // the rest is shown where somebody asks for it
  tabIndex: -1,
  tabSize: 2,
  wordBasedSuggestions: 'currentDocument',
}

/** Options of an editor for TypeScript. */
export const CODE: monaco.editor.IStandaloneEditorConstructionOptions = {
  quickSuggestions: { other: true, strings: true, comments: false },
  suggest: { selectionMode: 'never' }, // of a list that came by itself Enter takes nothing unless the user went into it
  wordBasedSuggestions: 'off',
}

/** Options of an editor for text. */
export const PROSE: monaco.editor.IStandaloneEditorConstructionOptions = {
  lineNumbers: 'off',
  quickSuggestions: false,
  wordWrap: 'on',
}

export { monaco }
