import { type MixlabError, quoted } from '../../../errors.ts'

/** What a pickle may name and how it may refer outside itself; nothing of it is ever looked up or run. */
export interface Allowed {
  /** What stands for a global, such as `collections.OrderedDict`; undefined where it is not allowed. */
  global(name: string): unknown
  /** What an id of something outside the pickle stands for. */
  persistent(id: unknown): unknown
}

/** Something of a pickle that holds no tensors: a Namespace, a number of NumPy. What it is set to is dropped. */
export interface Inert {
  inert: string
}
export const isInert = (value: unknown): value is Inert =>
  typeof value === 'object' && value !== null && 'inert' in value

/** Most steps of one pickle: a checkpoint with Adam takes some 200 for each tensor. */
const MOST_STEPS = 4_000_000
/** Longest whole number, in bytes. */
const LONGEST_NUMBER = 16

/** A pickle that is being read. */
interface Machine {
  bytes: Uint8Array
  view: DataView
  at: number
  stack: unknown[]
  /** How high the stack was at each mark. */
  marks: number[]
  memo: Map<number, unknown>
  allowed: Allowed
  fail: (what: string) => MixlabError
}

/** A Python object as it is read: a dict is a Map; tuples, lists and sets are arrays. */
type Step = (m: Machine) => void

const uint = (m: Machine, size: 1 | 2 | 4 | 8): number => {
  const at = m.at
  m.at += size
  if (m.at > m.bytes.length) throw m.fail('truncated: it ends within its pickle')
  if (size === 8) return Number(m.view.getBigUint64(at, true))
  return size === 4 ? m.view.getUint32(at, true) : size === 2 ? m.view.getUint16(at, true) : m.view.getUint8(at)
}
const take = (m: Machine, length: number): Uint8Array => {
  if (!(length <= m.bytes.length - m.at)) throw m.fail('truncated: it ends within its pickle')
  m.at += length
  return m.bytes.subarray(m.at - length, m.at)
}
const text = (m: Machine, length: number) => new TextDecoder().decode(take(m, length))
const line = (m: Machine) => {
  const end = m.bytes.indexOf(10, m.at)
  const found = text(m, (end === -1 ? Number.POSITIVE_INFINITY : end) - m.at)
  m.at++
  return found
}
/** A whole number, little-endian with a sign; a bigint where it is beyond those that are exact. */
const long = (m: Machine, length: number): number | bigint => {
  if (length > LONGEST_NUMBER) throw m.fail(`has a whole number of ${length} bytes, expected at most ${LONGEST_NUMBER}`)
  const digits = take(m, length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const value = BigInt.asIntN(8 * length, digits)
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

const push = (m: Machine, value: unknown) => void m.stack.push(value)
const pop = (m: Machine): unknown => {
  if (m.stack.length <= (m.marks.at(-1) ?? 0)) throw m.fail('damaged: its pickle takes what is not there')
  return m.stack.pop()
}
const top = (m: Machine): unknown => {
  const value = pop(m)
  m.stack.push(value)
  return value
}
const some = (m: Machine, count: number) => Array.from({ length: count }, () => pop(m)).reverse()
const marked = (m: Machine): unknown[] => {
  const mark = m.marks.pop()
  if (mark === undefined) throw m.fail('damaged: its pickle takes what is not there')
  return m.stack.splice(mark)
}

const put = (m: Machine, place: number) => void m.memo.set(place, top(m))
const get = (m: Machine, place: number) => {
  if (!m.memo.has(place)) throw m.fail('damaged: its pickle names what is not there')
  m.stack.push(m.memo.get(place))
}
const global = (m: Machine, name: string) => {
  const found = m.allowed.global(name)
  if (found === undefined) {
    const mend = 'save the tensors alone, torch.save(model.state_dict(), path), or as safetensors'
    throw m.fail(`names ${quoted(name)}, which is code and not among what a file of tensors has; ${mend}`)
  }
  m.stack.push(found)
}
const call: Step = (m) => {
  const [called, given] = some(m, 2)
  if (isInert(called)) return push(m, called)
  if (typeof called !== 'function' || !Array.isArray(given))
    throw m.fail('damaged: its pickle calls what is no function')
  m.stack.push(called(given))
}
const append = (m: Machine, values: unknown[]) => {
  const list = top(m)
  if (isInert(list)) return
  if (!Array.isArray(list)) throw m.fail('damaged: its pickle appends to what is no list')
  for (const value of values) list.push(value)
}
const set = (m: Machine, pairs: unknown[], map = top(m)) => {
  if (isInert(map)) return
  if (!(map instanceof Map) || pairs.length % 2 === 1) throw m.fail('damaged: its pickle sets names of what is no dict')
  for (let i = 0; i < pairs.length; i += 2) map.set(pairs[i], pairs[i + 1])
}

/** What is read of pickle, as protocols 2 to 5 write it: https://docs.python.org/3/library/pickletools.html. */
const STEPS: Record<string, Step> = {
  '\x80': (m) => void uint(m, 1), // PROTO
  '\x95': (m) => void uint(m, 8), // FRAME
  '(': (m) => void m.marks.push(m.stack.length),
  '0': (m) => void pop(m),
  '1': (m) => void marked(m),
  '2': (m) => push(m, top(m)),
  ...{ N: (m) => push(m, null), '\x88': (m) => push(m, true), '\x89': (m) => push(m, false) },
  ...{ K: (m) => push(m, uint(m, 1)), M: (m) => push(m, uint(m, 2)), J: (m) => push(m, uint(m, 4) | 0) },
  ...{ '\x8a': (m) => push(m, long(m, uint(m, 1))), '\x8b': (m) => push(m, long(m, uint(m, 4))) },
  G: (m) => {
    const number = take(m, 8)
    push(m, new DataView(number.buffer, number.byteOffset, 8).getFloat64(0)) // the one that is big-endian
  },
  ...{ '\x8c': (m) => push(m, text(m, uint(m, 1))), X: (m) => push(m, text(m, uint(m, 4))) },
  ...{ '\x8d': (m) => push(m, text(m, uint(m, 8))), T: (m) => push(m, text(m, uint(m, 4))) },
  ...{ U: (m) => push(m, text(m, uint(m, 1))), C: (m) => push(m, take(m, uint(m, 1))) },
  ...{ B: (m) => push(m, take(m, uint(m, 4))), '\x8e': (m) => push(m, take(m, uint(m, 8))) },
  ...{ ')': (m) => push(m, []), ']': (m) => push(m, []), '\x8f': (m) => push(m, []), '}': (m) => push(m, new Map()) },
  ...{ t: (m) => push(m, marked(m)), l: (m) => push(m, marked(m)), '\x91': (m) => push(m, marked(m)) },
  ...{ '\x85': (m) => push(m, some(m, 1)), '\x86': (m) => push(m, some(m, 2)), '\x87': (m) => push(m, some(m, 3)) },
  d: (m) => {
    const pairs = marked(m)
    push(m, new Map())
    set(m, pairs)
  },
  ...{ a: (m) => append(m, some(m, 1)), e: (m) => append(m, marked(m)), '\x90': (m) => append(m, marked(m)) },
  ...{ s: (m) => set(m, some(m, 2)), u: (m) => set(m, marked(m)) },
  ...{ h: (m) => get(m, uint(m, 1)), j: (m) => get(m, uint(m, 4)) },
  ...{ q: (m) => put(m, uint(m, 1)), r: (m) => put(m, uint(m, 4)), '\x94': (m) => put(m, m.memo.size) },
  c: (m) => global(m, `${line(m)}.${line(m)}`),
  '\x93': (m) => {
    const names = some(m, 2)
    if (!names.every((name) => typeof name === 'string')) throw m.fail('damaged: its pickle names what is no name')
    global(m, names.join('.'))
  },
  ...{ R: call, '\x81': call }, // REDUCE, NEWOBJ
  b: (m) => void pop(m), // BUILD: what an object is set to, a dict's _metadata for one
  Q: (m) => push(m, m.allowed.persistent(pop(m))),
}

/**
 * The value of a pickle that begins `at` a byte, and where it ends. It runs no code: it knows the steps of `STEPS` and the
 * globals that are allowed. Throws what `fail` makes for anything else, which it names.
 */
export function unpickle(
  bytes: Uint8Array,
  at: number,
  allowed: Allowed,
  fail: Machine['fail'],
): { value: unknown; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const machine: Machine = { bytes, view, at, stack: [], marks: [], memo: new Map(), allowed, fail }
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const code = uint(machine, 1)
    const name = String.fromCharCode(code)
    if (name === '.') return { value: pop(machine), end: machine.at }
    if (!Object.hasOwn(STEPS, name)) {
      throw fail(
        `its pickle has the opcode 0x${code.toString(16)} (${quoted(name)}), which is not among those that are read`,
      )
    }
    STEPS[name]?.(machine)
  }
  throw fail(`its pickle takes more than ${MOST_STEPS} steps`)
}
