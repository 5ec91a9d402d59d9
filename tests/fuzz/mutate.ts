import { integer, keyOf } from '../../engine/random.ts'

/** Draws of one input: whole numbers below a bound, and what is drawn from lists. */
export interface Draws {
  below(bound: number): number
  of<Item>(all: readonly Item[]): Item
  /** True once in so many times. */
  once(inTimes: number): boolean
}

/** The draws of an input of such a number; the seed, the reader and the number decide all of it. */
export function drawsOf(seed: number, reader: string, number: number): Draws {
  const key = keyOf(seed, `fuzz/${reader}/${number}`)
  let at = 0
  const below = (bound: number) => integer(key, at++, Math.max(1, bound))
  return { below, of: (all) => all[below(all.length)] as (typeof all)[number], once: (inTimes) => below(inTimes) === 0 }
}

/** Numbers that readers of bytes fall over. */
const STRANGE_BYTES = [0, 1, 0x7f, 0x80, 0xff]

/** A copy of bytes of which some are changed, cut, repeated or put elsewhere; now and then spliced with `other` ones. */
export function damagedBytes(file: Uint8Array, draws: Draws, other: Uint8Array = file): Uint8Array {
  let bytes = Uint8Array.from(file)
  for (let left = 1 + draws.below(4); left > 0; left--) bytes = damagedOnce(bytes, draws, other)
  return bytes
}

function damagedOnce(bytes: Uint8Array<ArrayBuffer>, draws: Draws, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const near = Math.min(64, bytes.length)
  // the beginning and the end, where sizes stand, are met more often
  const places = [draws.below(bytes.length), draws.below(near), bytes.length - 1 - draws.below(near)]
  const place = Math.max(0, draws.of(places))
  const length = draws.below(16)
  switch (draws.below(8)) {
    case 0:
      return bytes.slice(0, place)
    case 1:
      return joined(bytes.subarray(0, place), bytes.subarray(place + length))
    case 2:
      return joined(bytes.subarray(0, place + length), bytes.subarray(place))
    case 3: {
      const from = draws.below(other.length)
      return joined(bytes.subarray(0, place), other.subarray(from, from + draws.below(256)))
    }
    case 4:
      return bytes.fill(draws.below(256), place, place + length)
    case 5:
      bytes[place] = (bytes[place] ?? 0) ^ (1 << draws.below(8))
      return bytes
    default:
      bytes[place] = draws.once(2) ? draws.of(STRANGE_BYTES) : draws.below(256)
      return bytes
  }
}

const joined = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))

const nested = (depth: number) => {
  let value: unknown = 0
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

/** Values that readers fall over; made anew each, for a mutation may go on within them. */
const STRANGE: (() => unknown)[] = [
  ...[null, undefined, true, 0, -1, 1.5, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e308, -1e300, 5e-324].map(
    (value) => () => value,
  ),
  ...[2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53, -(2 ** 53), 8.64e15, 1e21].map((value) => () => value),
  ...['', 'x', '__proto__', 'constructor', '0', '../../x', '\0', '\ud800', '\u001b[2J', '<b>', 'a'.repeat(70)].map(
    (value) => () => value,
  ),
  ...[() => ({}), () => [], () => [null], () => [[]], () => new Uint8Array(3), () => ({ a: 1 })],
  ...[() => nested(20), () => nested(95), () => nested(300)],
]

/** Large ones, which take a while. */
const HUGE: (() => unknown)[] = [
  () => 'x'.repeat(200_000),
  () => Array.from({ length: 20_000 }, (_, i) => i),
  () => Array.from({ length: 5000 }, (_, i) => ({ a: i })),
  () => Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`n${i}`, i])),
]

type Holder = Record<string | number, unknown>

/** Where the values of a value stand, itself left out. */
function placesIn(value: unknown, found: { holder: Holder; name: string | number }[] = []) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return found
  const names = Array.isArray(value) ? value.map((_, i) => i) : Object.keys(value)
  for (const name of names) {
    found.push({ holder: value as Holder, name })
    placesIn((value as Holder)[name], found)
  }
  return found
}

/** A copy of plain data with some of its values of other types, lost, repeated, renamed, or taken from `other` data. */
export function damagedValue<Value>(value: Value, draws: Draws, other: unknown = value): Value {
  const root = { value: structuredClone(value) as unknown }
  for (let left = 1 + draws.below(3); left > 0; left--) damageOnce(root, draws, other)
  return root.value as Value
}

function damageOnce(root: { value: unknown }, draws: Draws, other: unknown): void {
  const { holder, name } = draws.of([{ holder: root as Holder, name: 'value' }, ...placesIn(root)])
  const value = holder[name]
  switch (draws.below(10)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(name), 1)
      else delete holder[name]
      return
    case 1: {
      const found = draws.of(placesIn([other]))
      holder[name] = structuredClone(found.holder[found.name])
      return
    }
    case 2:
      if (Array.isArray(holder)) {
        const times = draws.once(20) ? 5000 : 1 + draws.below(3)
        holder.splice(Number(name), 0, ...Array.from({ length: times }, () => structuredClone(value)))
      } else holder[draws.of(['b', 'constructor', '0', 'type'])] = structuredClone(value)
      return
    case 3:
      if (Array.isArray(value)) value.reverse()
      else if (typeof value === 'number') holder[name] = value + draws.of([1, -1, 0.5, 1000, -1000])
      else if (typeof value === 'string') holder[name] = value.slice(draws.below(value.length))
      return
    case 4:
      if (typeof value === 'string') holder[name] = value + draws.of(['x', ' ', '\0', '\u001b[31m', '\n'])
      return
    default:
      holder[name] = draws.once(40) ? draws.of(HUGE)() : draws.of(STRANGE)()
  }
}
