import type { Normalised } from './normalise.ts'

/** A function or class that the code of a cell made. */
export interface Closure {
  /** What it says; see normalise.ts. */
  text: string
  /** The values that it captures, as they are now. Throws where one of them has none yet. */
  captured: () => unknown[]
}

const closures = new WeakMap<object, Closure>()
const names = new WeakMap<object, string>()

/** What notes the functions of a cell while its code runs; `normalised` are those that stand in it, by their index. */
export function notingClosures(normalised: Normalised[]) {
  const closure = <Made extends object>(
    index: number,
    made: Made,
    captured: Closure['captured'],
    name?: string,
  ): Made => {
    closures.set(made, { text: normalised[index]?.text ?? '', captured })
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

/** Notes that a function or object is the same wherever it is met: `name` says which. */
export function noteName(value: object, name: string): void {
  names.set(value, name)
}

/** The name of what is the same everywhere. */
export function nameOf(value: object): string | undefined {
  return names.get(value)
}
