import katex from 'katex'
import { Marked, type MarkedToken, type Token } from 'marked'
import { messageOf } from '../../engine/errors.ts'
import { type MathToken, math } from '../../engine/markdown/math.ts'

/** A formula, set; where it is wrong, why. */
export interface SetMath extends MathToken {
  html: string | null
  error: string
}

/** Markdown as tokens, with its formulas set. */
export type Prose = (MarkedToken | SetMath)[]

/** Numbers of tokens, letters of formulas as HTML, and levels of a text. */
type Bounds = Record<'tokens' | 'html' | 'depth', number>

/** What a cell shows; beyond it the page would be busy with elements alone. */
const MAX_PROSE: Bounds = { tokens: 2_000, html: 100_000, depth: 60 }

const marked = new Marked({ extensions: math })

/** Characters of a text that a cell shows. */
const LONG = 100_000

/** Whether a text is more than a cell shows; pictures in it do not count. */
export function isLong(source: string): boolean {
  return source.length > LONG && source.replace(/\(data:image\/[^()\s]*\)/g, '').length > LONG
}

/** Reads an untrusted text in Markdown; null where it is more than a cell can show. */
export function boundedProse(source: string): Prose | null {
  if (isLong(source)) return null
  try {
    return proseOf(source, MAX_PROSE)
  } catch {
    return null
  }
}

/** Reads a text in Markdown. Throws an Error where it is more than `most`. */
export function proseOf(source: string, most: Partial<Bounds> = {}): Prose {
  const { tokens: mostTokens = Infinity, html: mostHtml = Infinity, depth: mostDepth = Infinity } = most
  const tokens = marked.lexer(source)
  const sum = { tokens: 0, html: 0 }
  const visit = (token: Token, depth: number) => {
    if (token.type === 'math') Object.assign(token, typeset(token as MathToken))
    sum.html += 'html' in token && typeof token.html === 'string' ? token.html.length : 0
    if (++sum.tokens > mostTokens || sum.html > mostHtml || depth > mostDepth) throw new Error('too much to show')
    for (const inner of innerOf(token as MarkedToken)) visit(inner, depth + 1)
  }
  for (const token of tokens) visit(token, 0)
  return tokens as Prose
}

/** Whether a text is read without a noticeable wait: a short one without macros of TeX, which can make much of little. */
export function isQuick(source: string): boolean {
  return source.length < 2_000 && !/\\(?:[gex]?def|let|(?:re|provide)?newcommand|futurelet)/.test(source)
}

function innerOf(token: MarkedToken): Token[] {
  if (token.type === 'list') return token.items
  if (token.type === 'table') return [token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens)
  return 'tokens' in token ? (token.tokens ?? []) : []
}

function typeset({ tex, display: displayMode }: MathToken): Pick<SetMath, 'html' | 'error'> {
  try {
    const options = { displayMode, throwOnError: true, trust: false, strict: false, maxSize: 50 } as const
    return { html: katex.renderToString(tex, options), error: '' }
  } catch (error) {
    return { html: null, error: messageOf(error) }
  }
}
