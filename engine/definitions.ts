/** What a cell defines beside blocks: an optimizer, a schedule, a task and the like. */
export interface Definition {
  readonly name: string
  /** The functions and plain data that decide what it does; not its name, and nothing that is only shown. */
  readonly decides: object
  /** What the cell has of it, where that is another value, e.g. a function that takes options. */
  readonly origin?: object | undefined
}

export function isDefinition(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && 'decides' in value && 'name' in value
}

/** What enters a run key of a definition: the digest of what it does, and the fingerprint of its cell; that alone where nothing else says what it does. */
export type DefinitionCode = string | { digest: string; code: string }

/** The list for the code that runs now, while definitions are collected. */
let collected: object[] | null = null
const lists = new WeakMap<object, object[]>()
/** Made where a definition was, for its stack. */
const places = new WeakMap<object, Error>()

/** Notes a block, a metric or another definition as it is made. */
export function noteDefinition(value: object): void {
  if (!collected) return
  collected.push(value)
  lists.set(value, collected)
  places.set(value, new Error('defined here'))
}

/**
 * Adds to the stack of an error about a definition the lines that made it: of a function that has returned something wrong,
 * no stack has a line any more.
 */
export function withPlace<Thrown>(thrown: Thrown, definition: object): Thrown {
  const place = places.get(definition)
  if (place && thrown instanceof Error) thrown.stack = `${thrown.stack}\n${place.stack}`
  return thrown
}

/** All that the same evaluation of a cell has defined, the given value among them. */
export function definedWith(value: object): readonly object[] {
  return lists.get(value) ?? [value]
}

/** A function whose errors have the lines that made a definition at the end of their stack. */
export function withinDefinition<Given extends unknown[], Result>(
  definition: object,
  run: (...given: Given) => Result,
) {
  return (...given: Given): Result => {
    try {
      return run(...given)
    } catch (error) {
      throw withPlace(error, definition)
    }
  }
}

/** Runs the code of a cell and collects what it defines; one cell at a time. */
export async function collecting<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = collected
  collected = []
  try {
    return await run()
  } finally {
    collected = before
  }
}
