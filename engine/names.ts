import { z } from 'zod'
import { MixlabError } from './errors.ts'

/**
 * Throws MixlabError `option` for names of an object whose written order is lost. `instead` says
 * how else than by another name to write them.
 */
export function checkOrder(names: readonly string[], path: string, instead?: (name: string) => string): void {
  const error = orderError(names, path, instead)
  if (error) throw error
}

/** What `checkOrder` throws. A name alone has no order. */
export function orderError(
  names: readonly string[],
  path: string,
  instead?: (name: string) => string,
): MixlabError | undefined {
  const name = names.length > 1 ? names.find(isIndex) : undefined
  if (name === undefined) return undefined
  const why = 'its place is lost, since JavaScript puts names that are whole numbers before all others'
  const how = `write e.g. 'n=${name}'${instead ? ` or ${instead(name)}` : ''}`
  return new MixlabError('option', `${path}.${name}`, `${why}; ${how}`)
}

/** Whether JavaScript sorts a name of an object: array indices are '0' to '4294967294', without zeros before them. */
function isIndex(name: string): boolean {
  return /^(0|[1-9]\d*)$/.test(name) && Number(name) < 2 ** 32 - 1
}

/** Values by any names; `z.record` takes none called 'constructor', and leaves out '__proto__'. */
export function byName<T>(values: z.ZodType<T>, names: z.ZodType<string> = z.string()): z.ZodType<Record<string, T>> {
  const entries = z.array(z.tuple([names, values]))
  const all = (value: unknown) => isPlain(value) && entries.safeParse(Object.entries(value)).success
  return z.custom<Record<string, T>>(all, 'values by name')
}

/** Whether an object holds all of its values itself: `{ __proto__: value }` has another prototype instead. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
