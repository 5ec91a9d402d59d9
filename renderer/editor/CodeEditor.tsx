import { useEffect, useRef } from 'react'
import { LINE_HEIGHT, monaco, OPTIONS, PROSE } from './monaco.ts'

export interface CodeEditorProps {
  value: string
  language: 'typescript' | 'markdown' | 'sql'
  label: string
  /** Whether the caret is to be here. */
  focused: boolean
  /** Lines with a problem. */
  problem: { line: number; message: string } | null
  onChange(value: string): void
  onFocus(): void
  onEscape(): void
}

const PADDING = 16

/** An editor as high as its text. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, language, label, focused, problem } = props
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    const element = box.current
    if (!element) return
    const { value, language, label } = latest.current
    const created = monaco.editor.create(element, {
      ...OPTIONS,
      ...(language === 'markdown' ? PROSE : {}),
      value,
      language,
      ariaLabel: label,
    })
    const grow = () => {
      element.style.height = `${created.getContentHeight()}px`
      created.layout()
      created.setScrollTop(0)
    }
    grow()
    created.onDidContentSizeChange(grow)
    created.onDidChangeModelContent(() => latest.current.onChange(created.getValue()))
    created.onDidFocusEditorText(() => latest.current.onFocus())
    // an action, not a command: commands of one editor answer the keys of all
    created.addAction({
      id: 'mixlab.leave',
      label: 'Leave the editor',
      keybindings: [monaco.KeyCode.Escape],
      keybindingContext: '!suggestWidgetVisible && !findWidgetVisible && !editorHasMultipleSelections',
      run: () => latest.current.onEscape(),
    })
    editor.current = created
    return () => {
      const model = created.getModel()
      created.dispose()
      model?.dispose()
      editor.current = null
    }
  }, [])

  useEffect(() => {
    const current = editor.current
    if (current && current.getValue() !== value) current.setValue(value)
  }, [value])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (model) monaco.editor.setModelLanguage(model, language)
    editor.current?.updateOptions({ ariaLabel: label })
  }, [language, label])

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

  const lines = value.split('\n').length
  return <div className="editor" ref={box} style={{ minHeight: LINE_HEIGHT * lines + PADDING }} />
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
