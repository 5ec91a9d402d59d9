import type { TokenizerAndRendererExtension } from 'marked'

/** A formula in a text. */
export interface MathToken {
  type: 'math'
  raw: string
  tex: string
  /** On a line of its own. */
  display: boolean
}

/** `$$ ... $$` that begins a line. */
const BLOCK = /^ {0,3}\$\$([\s\S]+?)\$\$[ \t]*(?:\n+|$)/
/** `$$ ... $$` within a line. */
const DISPLAY = /^\$\$([^$]+?)\$\$/
/** `$...$` without white space inside its ends and no digit after it, so that `$5 and $6` is no formula. */
const INLINE = /^\$((?:\\.|[^\s$\\])(?:(?:\\.|[^$\\\n])*?(?:\\.|[^\s$\\]))?)\$(?!\d)/

/** Formulas as tokens of marked. */
export const math: TokenizerAndRendererExtension[] = [
  {
    name: 'math',
    level: 'block',
    start: (text) => /^ {0,3}\$\$/m.exec(text)?.index,
    tokenizer: (text) => token(BLOCK.exec(text), true),
  },
  {
    name: 'math',
    level: 'inline',
    start: (text) => text.indexOf('$'),
    tokenizer: (text) => token(DISPLAY.exec(text), true) ?? token(INLINE.exec(text), false),
  },
]

function token(match: RegExpExecArray | null, display: boolean): MathToken | undefined {
  const [raw, tex = ''] = match ?? []
  return raw === undefined || !tex.trim() ? undefined : { type: 'math', raw, tex: tex.trim(), display }
}
