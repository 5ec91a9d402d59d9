/** The statements of a function in WGSL; each expression is computed once. */
export interface Body {
  /** The name of the value of an expression. */
  name(expression: string, type?: string): string
  add(statement: string): void
  text(): string
}

/** Names in all bodies of a shader differ. */
export function createBody(counter: { next: number }): Body {
  const lines: string[] = []
  const known = new Map<string, string>()
  return {
    name: (expression, type) => {
      if (/^\w+$/.test(expression) || /^\(?-?[\d.]+(e-?\d+)?[fu]?\)?$/.test(expression)) return expression
      const found = known.get(expression)
      if (found) return found
      const name = `v${counter.next++}`
      lines.push(`let ${name}${type ? `: ${type}` : ''} = ${expression};`)
      known.set(expression, name)
      return name
    },
    add: (statement) => lines.push(statement),
    text: () => lines.map((line) => `  ${line}`).join('\n'),
  }
}
