import { createElement, useEffect, useMemo, useState } from 'react'
import type { CodeEditorProps } from '../editor/CodeEditor.tsx'
import { FONT, MOST_LINES } from '../editor/metrics.ts'
import { type Highlighted, highlight } from '../session/highlight.ts'

/** Text that looks as in an editor, at a fraction of its cost. */
export function StaticCode({ value, language }: Pick<CodeEditorProps, 'value' | 'language'>) {
  const lines = useHighlighted(
    useMemo(() => seen(value), [value]),
    language,
  )
  return (
    <pre className="static-code" data-language={language} style={{ fontFamily: FONT }}>
      {createElement('code', null, ...lines.map(line))}
    </pre>
  )
}

/** Characters of a line: many screens. */
const MOST_WIDE = 1_000

/** What an editor of its height would show. */
function seen(text: string): string {
  const lines = text.split('\n', MOST_LINES)
  return lines.map((line) => line.slice(0, MOST_WIDE)).join('\n')
}

/** Lines and pieces have no key but their place. */
function line(pieces: Highlighted[]) {
  return createElement('span', { className: 'static-line' }, ...pieces.map(piece), '\n')
}

function piece({ text, type }: Highlighted) {
  return type ? <span data-token={type}>{text}</span> : text
}

function useHighlighted(value: string, language: CodeEditorProps['language']): Highlighted[][] {
  const plain = value.split('\n').map((text) => [{ text, type: '' }])
  const [known, setKnown] = useState<{ value: string; lines: Highlighted[][] } | null>(null)
  useEffect(() => {
    let wanted = true
    void highlight(value, language).then((lines) => wanted && setKnown({ value, lines }))
    return () => {
      wanted = false
    }
  }, [value, language])
  return known?.value === value ? known.lines : plain
}
