import { useEffect, useRef } from 'react'
import { modelOf } from './cells.ts'
import { watchProblems } from './language/markers.ts'
import { heightOf, LINE_HEIGHT, MAX_LINES } from './metrics.ts'
import { CODE, monaco, OPTIONS, PROSE } from './monaco.ts'
import { placeIn } from './place.ts'
import { noteEditor } from './shown.ts'

export interface CodeEditorProps {
  cellKey: string
  value: string
  language: 'typescript' | 'markdown' | 'sql' | 'plaintext'
  label: string
  /** Whether the caret is to be here. */
  focused: boolean
  /** Lines with a problem. */
  problem: { line: number; message: string } | null
  onFocus(): void
  onEscape(): void
}

const PADDING = 16

/** What is to be disposed of: many editors go at once with a notebook, and each takes milliseconds. */
const gone: monaco.IDisposable[][] = []

function disposeLater(...parts: monaco.IDisposable[]): void {
  if (gone.push(parts) === 1) setTimeout(disposeNext)
}

function disposeNext(): void {
  for (const part of gone[0] ?? []) part.dispose()
  gone.shift()
  if (gone.length > 0) setTimeout(disposeNext)
}

/** An editor of a cell, as high as its text. What is written in it goes to the notebook (`connectEditors`). */
export function CodeEditor(props: CodeEditorProps) {
  const { value, label, focused, problem } = props
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (!box.current) return
    const element = placeIn(box.current)
    const { cellKey, value, language, label } = latest.current
    const created = monaco.editor.create(element, {
      ...OPTIONS,
      ...(language === 'typescript' ? CODE : {}),
      ...(language === 'markdown' ? PROSE : {}),
      model: modelOf({ key: cellKey, language, source: value }),
      ariaLabel: label,
    })
    insertAtOnce(created)
    const grow = () => {
      const height = created.getContentHeight()
      const most = LINE_HEIGHT * MAX_LINES + PADDING
      element.style.height = `${Math.min(height, most)}px`
      created.updateOptions({ scrollbar: { vertical: height > most ? 'auto' : 'hidden' } })
      created.layout()
      if (height <= most) created.setScrollTop(0)
    }
    grow()
    created.onDidContentSizeChange(grow)
    created.onDidFocusEditorText(() => {
      if (latest.current.language === 'typescript') watchProblems()
      latest.current.onFocus()
    })
    // an action, not a command: commands of one editor answer the keys of all
    const leave = created.addAction({
      id: 'mixlab.leave',
      label: 'Leave the editor',
      keybindings: [monaco.KeyCode.Escape],
      keybindingContext: '!suggestWidgetVisible && !findWidgetVisible && !editorHasMultipleSelections',
      run: () => latest.current.onEscape(),
    })
    // Tab takes the first of a list that nobody went into
    const take = created.addAction({
      id: 'mixlab.take',
      label: 'Take the first suggestion',
      keybindings: [monaco.KeyCode.Tab],
      keybindingContext: 'suggestWidgetVisible && !suggestWidgetHasFocusedSuggestion',
      run: () => {
        created.trigger('keyboard', 'selectFirstSuggestion', null)
        created.trigger('keyboard', 'acceptSelectedSuggestion', null)
      },
    })
    editor.current = created
    const forget = noteEditor(cellKey, created)
    return () => {
      forget()
      element.remove()
      disposeLater(created, take, leave) // actions do not go with their editor
      editor.current = null
    }
  }, [])

  useEffect(() => {
    editor.current?.updateOptions({ ariaLabel: label })
  }, [label])

  useEffect(() => {
    const current = editor.current
    if (!current) return
    if (focused && !current.hasTextFocus()) current.focus()
  }, [focused])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (model) monaco.editor.setModelMarkers(model, 'mixlab', problem ? [marker(model, problem)] : [])
    const glyphs = problem ? [glyph(problem)] : []
    const decorations = editor.current?.createDecorationsCollection(glyphs)
    return () => decorations?.clear()
  }, [problem])

  return <div className="editor" ref={box} style={{ minHeight: heightOf(value) + PADDING }} />
}

/** A text of several lines, or longer than what an input method writes at a time, was not typed by keys. */
const isInserted = (text: string) => text.length > 100 || /\n./.test(text)

/**
 * Has an editor insert texts as one edit that come as if they were typed, such as dictated ones. Monaco makes an edit of each
 * character, in a time that grows with the square of their number.
 */
function insertAtOnce(editor: monaco.editor.IStandaloneCodeEditor): void {
  const trigger = editor.trigger.bind(editor)
  editor.trigger = (source, handler, given) => {
    const inserted = source === 'keyboard' && handler === 'type' && isInserted((given as { text: string }).text)
    trigger(inserted ? 'insert' : source, handler, given)
  }
}

function marker(model: monaco.editor.ITextModel, problem: { line: number; message: string }) {
  const line = Math.min(Math.max(1, problem.line), model.getLineCount())
  return {
    severity: monaco.MarkerSeverity.Error,
    message: problem.message,
    startLineNumber: line,
    startColumn: model.getLineFirstNonWhitespaceColumn(line) || 1,
    endLineNumber: line,
    endColumn: model.getLineMaxColumn(line),
  }
}

function glyph({ line, message }: { line: number; message: string }) {
  return {
    range: new monaco.Range(line, 1, line, 1),
    options: { glyphMarginClassName: 'problem-glyph', glyphMarginHoverMessage: { value: message } },
  }
}
