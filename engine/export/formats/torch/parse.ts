import { MixlabError } from '../../../errors.ts'

/** An expression of the Python that we write. */
export type Expression =
  | { kind: 'value'; value: number | string | boolean | null }
  | { kind: 'name'; name: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'call'; name: string; arguments: Expression[] }
  | { kind: 'method'; of: Expression; name: string; arguments: Expression[] }
  | { kind: 'item'; of: Expression; at: Expression }
  | { kind: 'member'; of: Expression; name: string }
  | { kind: 'operation'; sign: string; left: Expression; right: Expression }

/** One line: a name and what it is from then on. */
export interface Statement {
  name: string
  value: Expression
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|('[^']*'|"(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)|(\*\*|[-+*/()[\],.=]))/y
const CONSTANTS: Record<string, boolean | null> = { True: true, False: false, None: null }

/** The lines of `forward` in a module that we wrote. Throws MixlabError `weights` for other Python. */
export function parseForward(source: string): { inputs: string[]; statements: Statement[]; result: string } {
  const fail = (line: string) => new MixlabError('weights', 'PyTorch', `cannot read this line: ${line.trim()}`)
  const [, head, body] = /\n {4}def forward\(self, ([\w, ]+)\):\n([\s\S]*)$/.exec(source) ?? []
  if (head === undefined || body === undefined) throw new MixlabError('weights', 'PyTorch', "has no 'forward'")
  const lines = body.split('\n').filter((line) => line.trim() !== '')
  const last = /^\s*return (\w+)$/.exec(lines.at(-1) ?? '')
  if (!last?.[1]) throw fail(lines.at(-1) ?? '')
  const statements = lines.slice(1, -1).map((line) => {
    const [, name, expression] = /^\s*(\w+) = (.*?)(?: {2}#.*)?$/.exec(line) ?? []
    const value = expression === undefined ? null : parse(expression)
    if (name === undefined || value === null) throw fail(line)
    return { name, value }
  })
  return { inputs: head.split(', '), statements, result: last[1] }
}

type Token = { kind: 'number' | 'string' | 'name' | 'sign' | 'end'; text: string }

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < text.length) {
    const found = pattern.exec(text)
    if (!found) return null
    const [, number, string, name, sign] = found
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (string !== undefined)
      tokens.push({ kind: 'string', text: string.startsWith('"') ? JSON.parse(string) : string.slice(1, -1) })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push({ kind: 'sign', text: sign as string })
  }
  return [...tokens, { kind: 'end', text: '' }]
}

/** Null for what is no such expression. */
function parse(text: string): Expression | null {
  const tokens = tokensOf(text)
  if (!tokens) return null
  let at = 0
  const next = () => tokens[at] as Token
  const take = (sign: string) => next().kind === 'sign' && next().text === sign && Boolean(++at)

  function operation(): Expression {
    const left = primary()
    const sign = ['+', '-', '*', '/', '**'].find(take)
    return sign ? { kind: 'operation', sign, left, right: primary() } : left
  }

  function items(end: string): Expression[] {
    const found: Expression[] = []
    while (!take(end)) {
      if (next().kind === 'name' && tokens?.[at + 1]?.text === '=') at += 2 // a keyword, by its place
      found.push(operation())
      if (!take(',') && next().text !== end) throw new SyntaxError()
    }
    return found
  }

  function primary(): Expression {
    if (take('-')) return { kind: 'operation', sign: '-', left: { kind: 'value', value: 0 }, right: primary() }
    if (take('[')) return { kind: 'list', items: items(']') }
    const { kind, text } = next()
    if (kind === 'sign' || kind === 'end') throw new SyntaxError()
    at++
    let value: Expression
    if (kind === 'number') value = { kind: 'value', value: Number(text) }
    else if (kind === 'string') value = { kind: 'value', value: text }
    else if (text in CONSTANTS) value = { kind: 'value', value: CONSTANTS[text] as boolean | null }
    else value = named(text)
    for (;;) {
      if (take('[')) value = { kind: 'item', of: value, at: items(']')[0] as Expression }
      else if (take('.')) {
        const { text } = next()
        at++
        value = take('(')
          ? { kind: 'method', of: value, name: text, arguments: items(')') }
          : { kind: 'member', of: value, name: text }
      } else return value
    }
  }

  /** `torch.abs(...)`, `F.linear(...)`, or a name. */
  function named(text: string): Expression {
    if (text !== 'torch' && text !== 'F') return { kind: 'name', name: text }
    if (!take('.')) throw new SyntaxError()
    const name = `${text}.${next().text}`
    at++
    if (!take('(')) throw new SyntaxError()
    return { kind: 'call', name, arguments: items(')') }
  }

  try {
    const found = operation()
    return next().kind === 'end' ? found : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
