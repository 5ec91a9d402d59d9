import type { Literal } from './literals.ts'

/** A function or class that the code of a cell made. */
export interface Closure {
  /** How it is written, and what it says; see normalise.ts. */
  source: string
  text: string
  /** The values that it captures, as they are now. Throws where one of them has none yet. */
  captured: () => unknown[]
}

const closures = new WeakMap<object, Closure>()
const names = new WeakMap<object, string>()

/** Records the functions of a cell while its code runs; `literals` are the function literals of its text, by index. */
export function notingClosures(literals: Literal[]) {
  const closure = <Made extends object>(
    index: number,
    made: Made,
    captured: Closure['captured'],
    name?: string,
  ): Made => {
    const { source, text } = literals[index] as Literal
    closures.set(made, { source, text, captured })
    const unnamed = name !== undefined && 'name' in made && made.name === ''
    return unnamed ? Object.defineProperty(made, 'name', { value: name, configurable: true }) : made
  }
  const methods = <Made extends Record<string, object>>(
    object: Made,
    all: [name: string, index: number, captured: Closure['captured']][],
  ): Made => {
    for (const [name, index, captured] of all) if (object[name]) closure(index, object[name], captured)
    return object
  }
  return { closure, methods }
}

/** What was noted of a function or class that a cell made. */
export function closureOf(made: object): Closure | undefined {
  return closures.get(made)
}

/** A function as it is written; of a cell as it stands there. */
export function sourceOf(made: object): string {
  return closures.get(made)?.source ?? String(made)
}

/** Notes that a function or object is the same wherever it is met: `name` says which. */
export function noteName(value: object, name: string): void {
  names.set(value, name)
}

/** The name of what is the same everywhere. */
export function nameOf(value: object): string | undefined {
  return names.get(value)
}
