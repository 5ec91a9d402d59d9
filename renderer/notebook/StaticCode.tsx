import { createElement, useEffect, useMemo, useState } from 'react'
import type { CodeEditorProps } from '../editor/CodeEditor.tsx'
import { loadEditors } from '../editor/load.ts'
import { FONT, MAX_LINES } from '../editor/metrics.ts'
import { kernelSettled } from '../session/kernel/settled.ts'
import { whenIdle } from '../ui/whenIdle.ts'

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
const MAX_WIDE = 1_000

/** What an editor of its height would show. */
function seen(text: string): string {
  const lines = text.split('\n', MAX_LINES)
  return lines.map((line) => line.slice(0, MAX_WIDE)).join('\n')
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

/** A piece of a line; `type` is the first word of its token type, '' for plain text. */
interface Highlighted {
  text: string
  type: string
}

/** Characters whose tokens are found before anybody notices. */
const LONG = 10_000

/** The lines of a text in pieces, once the page has nothing better to do. */
async function highlight(text: string, language: string): Promise<Highlighted[][]> {
  await whenIdle()
  await kernelSettled()
  const { monaco } = await loadEditors()
  await monaco.editor.colorize('', language, {}) // the tokens of a language are loaded when it is first used
  const lines = text.split('\n')
  if (text.length > LONG) return lines.map((line) => highlightedPieces(line, []))
  const tokens = monaco.editor.tokenize(text, language)
  return lines.map((line, index) => highlightedPieces(line, tokens[index] ?? []))
}

/** Cuts a line where its tokens begin. */
export function highlightedPieces(line: string, tokens: readonly { offset: number; type: string }[]): Highlighted[] {
  if (tokens.length === 0) return [{ text: line, type: '' }]
  return tokens.map(({ offset, type }, index) => ({
    text: line.slice(offset, tokens[index + 1]?.offset),
    type: type.split('.')[0] ?? '',
  }))
}
