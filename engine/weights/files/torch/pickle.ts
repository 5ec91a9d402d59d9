import type { Fail } from '../../../errors.ts'

/** What a pickle may name and refer to; nothing of it is looked up anywhere, or run. */
export interface Allowed {
  /** What stands for a global, such as `collections.OrderedDict`: a function, or something inert. */
  global(name: string): unknown
  /** What an id of something outside the pickle stands for. */
  persistent(id: unknown): unknown
}

/** Something that does nothing, such as an object of a class that is not known, and what it was made of. */
export interface Inert {
  inert: string
  /** What it was called with, given as its state, or had appended. */
  held: unknown[]
  /** What was set in it, where it is a sort of dict. */
  items: Map<unknown, unknown> | null
}
export const inertOf = (name: string, ...held: unknown[]): Inert => ({ inert: name, held, items: null })
export const isInert = (value: unknown): value is Inert =>
  typeof value === 'object' && value !== null && 'inert' in value

/** Something that is made of its state, as arrays of numpy are. */
export abstract class Stateful {
  abstract setState(state: unknown): void
}

/** Most steps of one pickle, a checkpoint with Adam takes some 200 for each tensor; longest whole number, in bytes. */
const [MOST_STEPS, LONGEST_NUMBER] = [4_000_000, 16]

/**
 * The value of a pickle that begins `at` a byte, and where it ends: a dict is a Map; tuples, lists and sets are arrays. It
 * runs no code: it knows the steps that protocols 2 to 5 write, and the globals that are allowed. Throws what `fail` makes for
 * anything else, which it names. https://docs.python.org/3/library/pickletools.html
 */
export function unpickle(bytes: Uint8Array, at: number, allowed: Allowed, fail: Fail) {
  const [stack, marks, memo] = [[] as unknown[], [] as number[], new Map<number, unknown>()]
  const damaged = () => fail('its pickle is damaged')
  const take = (length: number) => {
    if (!(length >= 0 && length <= bytes.length - at)) throw fail('truncated: it ends within its pickle')
    at += length
    return bytes.subarray(at - length, at)
  }
  const uint = (size: number) => take(size).reduceRight((sum, byte) => sum * 256 + byte, 0)
  const text = (length: number) => new TextDecoder().decode(take(length))
  const line = () => text(bytes.indexOf(10, at) - at) + text(1).trim()
  /** A whole number with a sign; a bigint where it is beyond those that are exact. */
  const long = (length: number) => {
    if (length > LONGEST_NUMBER) throw fail(`has a whole number of ${length} bytes, expected ${LONGEST_NUMBER} at most`)
    const digits = take(length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
    const value = BigInt.asIntN(8 * length, digits)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  const float = (big: Uint8Array) => new DataView(big.buffer, big.byteOffset, 8).getFloat64(0)
  const push = (value: unknown) => void stack.push(value)
  const some = (count: number) => {
    if (stack.length - count < (marks.at(-1) ?? 0)) throw damaged()
    return stack.splice(stack.length - count)
  }
  const pop = () => some(1)[0]
  const marked = () => {
    const mark = marks.pop()
    if (mark === undefined) throw damaged()
    return stack.splice(mark)
  }
  const put = (place: number) => {
    const value = pop()
    push(value)
    memo.set(place, value)
  }
  const get = (place: number) => {
    if (!memo.has(place)) throw damaged()
    push(memo.get(place))
  }
  const global = (parts: unknown[]) => {
    const name = parts.every((part) => typeof part === 'string') ? parts.join('.') : ''
    push(allowed.global(name))
  }
  const call = () => {
    const [called, given] = some(2)
    if (isInert(called)) return push(inertOf(called.inert, given))
    if (typeof called !== 'function' || !Array.isArray(given)) throw damaged()
    push(called(given))
  }
  const append = (values: unknown[]) => {
    const list = stack.at(-1)
    if (!Array.isArray(list) && !isInert(list)) throw damaged()
    const into = isInert(list) ? list.held : list
    for (const value of values) into.push(value)
  }
  const set = (pairs: unknown[]) => {
    const map = stack.at(-1)
    if ((!(map instanceof Map) && !isInert(map)) || pairs.length % 2 === 1) throw damaged()
    if (isInert(map)) map.items ??= new Map()
    const into = isInert(map) ? (map.items as Map<unknown, unknown>) : map
    for (let i = 0; i < pairs.length; i += 2) into.set(pairs[i], pairs[i + 1])
  }
  const build = () => {
    const state = pop()
    const built = stack.at(-1)
    if (isInert(built)) built.held.push(state)
    if (built instanceof Stateful) built.setState(state)
  }
  const steps: Record<string, () => void> = {
    ...{ '\x80': () => take(1), '\x95': () => take(8), b: build, '0': pop, '1': marked }, // PROTO, FRAME, BUILD, POP, POP_MARK
    ...{ '(': () => marks.push(stack.length), '2': () => push(stack.at(-1)) }, // MARK, DUP
    ...{ N: () => push(null), '\x88': () => push(true), '\x89': () => push(false), G: () => push(float(take(8))) },
    ...{ K: () => push(uint(1)), M: () => push(uint(2)), J: () => push(uint(4) | 0) },
    ...{ '\x8a': () => push(long(uint(1))), '\x8b': () => push(long(uint(4))) },
    ...{ '\x8c': () => push(text(uint(1))), X: () => push(text(uint(4))), '\x8d': () => push(text(uint(8))) },
    ...{ U: () => push(text(uint(1))), T: () => push(text(uint(4))) },
    ...{ C: () => push(take(uint(1))), B: () => push(take(uint(4))), '\x8e': () => push(take(uint(8))) },
    ...{ '\x96': () => push(take(uint(8))) }, // BYTEARRAY8
    ...{ ')': () => push([]), ']': () => push([]), '\x8f': () => push([]), '}': () => push(new Map()) },
    ...{ t: () => push(marked()), l: () => push(marked()), '\x91': () => push(marked()) },
    ...{ '\x85': () => push(some(1)), '\x86': () => push(some(2)), '\x87': () => push(some(3)) },
    ...{ a: () => append(some(1)), e: () => append(marked()), '\x90': () => append(marked()) },
    ...{ s: () => set(some(2)), u: () => set(marked()) },
    ...{ h: () => get(uint(1)), j: () => get(uint(4)) },
    ...{ q: () => put(uint(1)), r: () => put(uint(4)), '\x94': () => put(memo.size) },
    ...{ c: () => global([line(), line()]), '\x93': () => global(some(2)) },
    ...{ R: call, '\x81': call, Q: () => push(allowed.persistent(pop())) },
  }
  const byCode = new Map(Object.entries(steps).map(([name, step]) => [name.charCodeAt(0), step]))
  const stop = '.'.charCodeAt(0)
  for (let count = 0; count < MOST_STEPS; count++) {
    const code = bytes[at++] ?? uint(1) // which says that it is truncated
    if (code === stop) return { value: pop(), end: at }
    const step = byCode.get(code)
    if (!step) throw fail(`its pickle has the opcode 0x${code.toString(16)}, which is not read`)
    step()
  }
  throw fail(`its pickle takes more than ${MOST_STEPS} steps`)
}
