import { colour } from '../charts/style.ts'
import { monaco } from './monaco.ts'

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
      'editorHoverWidget.background': hex('surface'),
      'editorHoverWidget.border': hex('border-strong'),
      'editorMarkerNavigation.background': hex('surface'),
      'editorMarkerNavigationError.background': hex('bad'),
      'editorMarkerNavigationError.headerBackground': hex('bad-soft'),
      'diffEditor.insertedLineBackground': hex('added'),
      'diffEditor.insertedTextBackground': hex('added-text'),
      'diffEditor.removedLineBackground': hex('bad-soft'),
      'diffEditor.removedTextBackground': hex('removed-text'),
      'editorSuggestWidget.background': hex('surface'),
      'editorSuggestWidget.border': hex('border-strong'),
      'editorSuggestWidget.focusHighlightForeground': hex('accent'),
      'editorSuggestWidget.highlightForeground': hex('accent'),
      'editorSuggestWidget.selectedBackground': hex('accent-soft'),
      'editorSuggestWidget.selectedForeground': hex('text'),
      'editorSuggestWidget.selectedIconForeground': hex('text'),
      'scrollbarSlider.background': hex('border'),
      'scrollbarSlider.hoverBackground': hex('border-strong'),
      'scrollbarSlider.activeBackground': hex('border-strong'),
      'input.background': hex('surface'),
      'input.border': hex('border-strong'),
      'input.foreground': hex('text'),
      'list.hoverBackground': hex('hover'),
      'quickInput.background': hex('surface'),
      'quickInput.foreground': hex('text'),
      'quickInputList.focusBackground': hex('accent-soft'),
      'quickInputList.focusForeground': hex('text'),
      'widget.border': hex('border-strong'),
      'widget.shadow': hex('border'),
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
