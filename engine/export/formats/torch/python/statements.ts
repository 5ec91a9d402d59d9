import { type Expression, expressions } from './expressions.ts'
import { cannotRead, type Line, linesOf } from './tokens.ts'

/** A statement of the Python that we read. */
export type Statement =
  | { kind: 'assign'; targets: Expression[]; value: Expression; text: string }
  | { kind: 'expression'; value: Expression; text: string }
  | { kind: 'return'; value: Expression; text: string }
  | { kind: 'raise'; text: string }
  | { kind: 'if'; test: Expression; body: Statement[]; text: string }
  | { kind: 'for'; name: string; of: Expression; body: Statement[]; text: string }
  | { kind: 'with'; body: Statement[]; text: string }
  | {
      kind: 'def'
      name: string
      parameters: { name: string; byDefault: Expression | null }[]
      body: Statement[]
      text: string
    }
  | { kind: 'class'; name: string; body: Statement[]; text: string }

/** The classes and functions of a module that we wrote, without `load`. Throws MixlabError `weights` for other Python. */
export function readModule(source: string): Statement[] {
  const parts = source.split(/\n(?=(?:class|def) )/).slice(1)
  const lines = linesOf(parts.filter((part) => !part.startsWith('def load(')).join('\n'))
  return block(lines)
}

/** The statements of lines, of which those further in belong to the one above. */
function block(lines: Line[]): Statement[] {
  const found: Statement[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    let end = at + 1
    while (end < lines.length && (lines[end] as Line).indent > line.indent) end++
    try {
      found.push(statement(line, lines.slice(at + 1, end)))
    } catch (error) {
      if (error instanceof SyntaxError) throw cannotRead(line.text)
      throw error
    }
    at = end
  }
  return found
}

function statement({ tokens, text }: Line, inside: Line[]): Statement {
  const { take, expect, word, several, expression, isEnd } = expressions(tokens)
  const ended = <S extends Statement>(made: S): S => {
    if (!isEnd()) throw new SyntaxError('more than one statement')
    return made
  }
  if (take('class')) {
    const name = word()
    expect('(')
    expression()
    expect(')')
    expect(':')
    return { kind: 'class', name, body: block(inside), text }
  }
  if (take('def')) {
    const name = word()
    const parameters: { name: string; byDefault: Expression | null }[] = []
    expect('(')
    while (!take(')')) {
      parameters.push({ name: word(), byDefault: take('=') ? expression() : null })
      take(',')
    }
    expect(':')
    return ended({ kind: 'def', name, parameters, body: block(inside), text })
  }
  if (take('if')) {
    const test = expression()
    expect(':')
    return ended({ kind: 'if', test, body: block(inside), text })
  }
  if (take('for')) {
    const name = word()
    expect('in')
    const of = expression()
    expect(':')
    return ended({ kind: 'for', name, of, body: block(inside), text })
  }
  if (take('with')) {
    expression()
    expect(':')
    return ended({ kind: 'with', body: block(inside), text })
  }
  if (take('return')) return ended({ kind: 'return', value: several(), text })
  if (take('raise')) return { kind: 'raise', text }
  const value = several()
  if (!take('=')) return ended({ kind: 'expression', value, text })
  const targets = value.kind === 'list' ? value.items : [value]
  return ended({ kind: 'assign', targets, value: several(), text })
}
