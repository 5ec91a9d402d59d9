import type { Example, ExampleValue } from '../own/example.ts'
import type { Draw, DrawnFrom } from '../types.ts'
import { type SpawnAugmenter, startAugmenter } from './thread.ts'

/** A value of an example as it crosses to another process, which knows no typed arrays but bytes. */
type SentValue = number | string | { type: keyof typeof TYPES; bytes: Uint8Array }
export type SentExample = Record<string, SentValue>

const TYPES = { Uint8Array, Uint8ClampedArray, Float32Array, Float64Array, Int32Array }

/** Where those that train side by side get generated examples, so that each is made once; null: they make them themselves. */
export type SharedDraw = (from: DrawnFrom, indices: readonly number[]) => Promise<SentExample[] | null>

/** Examples that are kept for those that have not asked for them yet. */
const MOST_KEPT = 2 ** 16

/**
 * Makes examples for `takers` that each ask once for an example and keep it: the first one has it made, by threads that
 * `spawn` starts, and it is forgotten after the last one.
 */
export function sharedDraws(takers: number, spawn?: SpawnAugmenter): { drawn: SharedDraw; end(): void } {
  const known = new Map<string, { made: Promise<SentExample>; left: number }>()
  let starting: ReturnType<typeof startAugmenter> | null = null
  const drawn: SharedDraw = async (from, indices) => {
    if (!spawn) return null
    starting ??= startAugmenter(spawn)
    const { draw, waited } = await starting
    const of = JSON.stringify(from)
    const missing = indices.filter((index) => !known.has(`${index} ${of}`))
    if (missing.length > 0) {
      const drawing = draw(from, missing, false)
      if (!drawing) return null
      waited(true) // until there are as many threads as there can be: who trains waits for them
      for (const [i, index] of missing.entries()) {
        const made = drawing.made.then((all) => sent(all[i] as Example))
        made.catch(() => {}) // told to whoever asks
        known.set(`${index} ${of}`, { made, left: takers })
      }
    }
    const asked = indices.map((index) => {
      const key = `${index} ${of}`
      const entry = known.get(key)
      if (!entry) throw new Error(`example ${index} is gone`)
      entry.left -= 1
      if (entry.left === 0) known.delete(key)
      return entry.made
    })
    for (const key of known.keys()) {
      if (known.size <= MOST_KEPT) break
      known.delete(key)
    }
    return Promise.all(asked)
  }
  return { drawn, end: () => void starting?.then(({ end }) => end()) }
}

/** The examples of a shared draw as a split reads them. */
export function drawFrom(shared: SharedDraw): Draw {
  return (from, indices) => ({
    count: indices.length,
    made: shared(from, indices).then((all) => {
      if (!all) throw new Error('nobody makes them')
      return all.map(received)
    }),
  })
}

function sent(example: Example): SentExample {
  const values = Object.entries(example).map(([name, value]): [string, SentValue] => {
    if (typeof value === 'number' || typeof value === 'string') return [name, value]
    if (!ArrayBuffer.isView(value)) throw new Error(`${name} is no typed array`)
    const { buffer, byteOffset, byteLength } = value
    return [
      name,
      { type: value.constructor.name as keyof typeof TYPES, bytes: new Uint8Array(buffer, byteOffset, byteLength) },
    ]
  })
  return Object.fromEntries(values)
}

function received(example: SentExample): Example {
  const values = Object.entries(example).map(([name, value]): [string, ExampleValue] => {
    if (typeof value !== 'object') return [name, value]
    return [name, new TYPES[value.type](new Uint8Array(value.bytes).buffer)] // a copy of its own, which holds no whole message
  })
  return Object.fromEntries(values)
}
