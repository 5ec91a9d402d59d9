import type { Token } from './tokens.ts'

/** An expression of the Python that we read. */
export type Expression =
  | { kind: 'value'; value: number | string | boolean | null }
  | { kind: 'name'; name: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'each'; item: Expression; name: string; of: Expression }
  | { kind: 'call'; of: Expression; arguments: Expression[]; named: Record<string, Expression> }
  | { kind: 'item'; of: Expression; at: Expression[] }
  | { kind: 'slice'; from: Expression | null; to: Expression | null }
  | { kind: 'member'; of: Expression; name: string }
  | { kind: 'operation'; sign: string; left: Expression; right: Expression }
  | { kind: 'negative'; of: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression }

const CONSTANTS: Record<string, boolean | null> = { True: true, False: false, None: null }

/** Signs by how tightly they bind, the loosest first. */
const LEVELS = [['or'], ['==', '!=', '>', '>=', '<', '<='], ['+', '-'], ['*', '/', '@']]

/** Reads expressions from the words of a line. Throws SyntaxError for what is none. */
export function expressions(tokens: Token[]) {
  let at = 0
  const next = () => tokens[at] as Token
  const isNext = (text: string) => ['sign', 'name'].includes(next().kind) && next().text === text
  const take = (text: string) => isNext(text) && Boolean(++at)
  const expect = (text: string) => {
    if (!take(text)) throw new SyntaxError(`expected '${text}'`)
  }
  const word = () => {
    if (next().kind !== 'name') throw new SyntaxError('expected a name')
    return (tokens[at++] as Token).text
  }

  /** One expression, or several with commas between as a list. */
  function several(): Expression {
    const first = expression()
    if (!isNext(',')) return first
    const items = [first]
    while (take(',')) items.push(expression())
    return { kind: 'list', items }
  }

  function expression(): Expression {
    const yes = operation(0)
    if (!take('if')) return yes
    const test = operation(0)
    expect('else')
    return { kind: 'choice', test, yes, no: expression() }
  }

  function operation(level: number): Expression {
    const signs = LEVELS[level]
    if (!signs) return unary()
    let left = operation(level + 1)
    for (let sign = signs.find(take); sign; sign = signs.find(take)) {
      left = { kind: 'operation', sign, left, right: operation(level + 1) }
    }
    return left
  }

  function unary(): Expression {
    if (take('-')) return { kind: 'negative', of: unary() }
    if (take('not')) return { kind: 'not', of: operation(1) }
    const left = trailed(primary())
    return take('**') ? { kind: 'operation', sign: '**', left, right: unary() } : left
  }

  function primary(): Expression {
    if (take('(')) {
      const inside = several()
      expect(')')
      return inside
    }
    if (take('[')) return list()
    if (take('...')) return { kind: 'value', value: '...' }
    const { kind, text } = next()
    if (kind === 'sign' || kind === 'end') throw new SyntaxError(`'${text}' begins no expression`)
    at++
    if (kind === 'number') return { kind: 'value', value: Number(text) }
    if (kind === 'string') return { kind: 'value', value: text }
    return text in CONSTANTS
      ? { kind: 'value', value: CONSTANTS[text] as boolean | null }
      : { kind: 'name', name: text }
  }

  function list(): Expression {
    if (take(']')) return { kind: 'list', items: [] }
    const item = expression()
    if (take('for')) {
      const name = word()
      expect('in')
      const of = expression()
      expect(']')
      return { kind: 'each', item, name, of }
    }
    const items = [item]
    while (take(',')) items.push(expression())
    expect(']')
    return { kind: 'list', items }
  }

  function trailed(start: Expression): Expression {
    let value = start
    for (;;) {
      if (take('.')) value = { kind: 'member', of: value, name: word() }
      else if (take('(')) value = call(value)
      else if (take('[')) {
        const places = [place()]
        while (take(',')) places.push(place())
        expect(']')
        value = { kind: 'item', of: value, at: places }
      } else return value
    }
  }

  function place(): Expression {
    const from = isNext(':') ? null : expression()
    if (!take(':')) return from as Expression
    return { kind: 'slice', from, to: isNext(',') || isNext(']') ? null : expression() }
  }

  function call(of: Expression): Expression {
    const found: Expression = { kind: 'call', of, arguments: [], named: {} }
    while (!take(')')) {
      const name = next().kind === 'name' && tokens[at + 1]?.text === '=' ? word() : null
      if (name !== null) expect('=')
      const value = expression()
      if (name === null) found.arguments.push(value)
      else found.named[name] = value
      if (!take(',') && !isNext(')')) throw new SyntaxError("expected ',' or ')'")
    }
    return found
  }

  return { take, expect, word, several, expression, isEnd: () => next().kind === 'end' }
}
