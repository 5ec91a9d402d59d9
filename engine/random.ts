/**
 * Counter-based, named randomness: a draw depends only on (seed, path, counter), never on what was drawn before.
 * Two runs with the same seed therefore share every draw they have in common, and nothing needs replaying on resume.
 * The generator is Threefry-2x32 with 20 rounds (Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).
 */

/** 64 bits that name a stream of draws. */
export type Key = readonly [number, number]

const PARITY = 0x1bd11bda

/** A round of Threefry on x0, which `x1` has been added to: the new x1. */
const mixed = (x0: number, x1: number, by: number) => ((x1 << by) | (x1 >>> (32 - by))) ^ x0

/** 64 random bits for `counter` in the stream `key`, as two unsigned 32-bit integers. Written into `out`. */
function threefry(key: Key, counter: number, out: Uint32Array): void {
  let k0 = key[0]
  let k1 = key[1]
  let k2 = k0 ^ k1 ^ PARITY
  let x0 = ((counter >>> 0) + k0) | 0
  let x1 = (Math.floor(counter / 0x100000000) + k1) | 0
  for (let group = 1; group <= 5; group++) {
    const odd = (group & 1) === 1 // a table of rotations takes twice as long
    x0 = (x0 + x1) | 0
    x1 = mixed(x0, x1, odd ? 13 : 17)
    x0 = (x0 + x1) | 0
    x1 = mixed(x0, x1, odd ? 15 : 29)
    x0 = (x0 + x1) | 0
    x1 = mixed(x0, x1, odd ? 26 : 16)
    x0 = (x0 + x1) | 0
    x1 = mixed(x0, x1, odd ? 6 : 24)
    const first = k0
    k0 = k1
    k1 = k2
    k2 = first
    x0 = (x0 + k0) | 0
    x1 = (x1 + k1 + group) | 0
  }
  out[0] = x0
  out[1] = x1
}

const bits = new Uint32Array(2)

/** The stream of draws named `path` under `seed`, e.g. `keyOf(3, 'init/blocks.0.fc1.weight')`. */
export function keyOf(seed: number, path: string): Key {
  const state = new Uint32Array(2)
  threefry([seed | 0, Math.floor(seed / 0x100000000) | 0], path.length, state)
  for (let i = 0; i < path.length; i++) threefry([state[0] as number, state[1] as number], path.charCodeAt(i), state)
  return [state[0] as number, state[1] as number]
}

/** Uniform in [0, 1) with 32 random bits. */
export function uniform(key: Key, counter: number): number {
  threefry(key, counter, bits)
  return (bits[0] as number) / 0x100000000
}

/** Uniform integer in 0..below-1. The bias is below `below` / 2^53. */
export function integer(key: Key, counter: number, below: number): number {
  threefry(key, counter, bits)
  return Math.floor(((bits[0] as number) * 0x200000 + ((bits[1] as number) >>> 11)) * 2 ** -53 * below)
}

/** Standard normal, by the Box-Muller transform of the two halves of one draw. */
export function normal(key: Key, counter: number): number {
  threefry(key, counter, bits)
  const radius = Math.sqrt(-2 * Math.log(((bits[0] as number) + 0.5) / 0x100000000))
  return radius * Math.cos((2 * Math.PI * (bits[1] as number)) / 0x100000000)
}

/** `size` standard normal draws, two to a counter: the two that the Box-Muller transform makes of one. */
export function normals(key: Key, size: number): Float64Array {
  const drawn = new Float64Array(size)
  for (let i = 0; i < size; i += 2) {
    threefry(key, i / 2, bits)
    const radius = Math.sqrt(-2 * Math.log(((bits[0] as number) + 0.5) / 0x100000000))
    const angle = (2 * Math.PI * (bits[1] as number)) / 0x100000000
    drawn[i] = radius * Math.cos(angle)
    if (i + 1 < size) drawn[i + 1] = radius * Math.sin(angle)
  }
  return drawn
}

/** `size` draws that are 1 with `probability`, rounded to 1/65536, and else 0; four to a counter, for large masks. */
export function bernoulli(key: Key, size: number, probability: number): Uint8Array {
  const limit = Math.round(probability * 0x10000)
  const drawn = new Uint8Array(size)
  for (let i = 0; i < size; i++) {
    if (i % 4 === 0) threefry(key, i / 4, bits)
    const half = bits[(i >> 1) & 1] as number
    drawn[i] = (i & 1 ? half >>> 16 : half & 0xffff) < limit ? 1 : 0
  }
  return drawn
}

/** A uniform permutation of 0..size-1 (Fisher-Yates). */
export function permutation(key: Key, size: number): Uint32Array<ArrayBuffer> {
  const order = Uint32Array.from({ length: size }, (_, i) => i)
  for (let i = size - 1; i > 0; i--) {
    const j = integer(key, i, i + 1)
    const swapped = order[i] as number
    order[i] = order[j] as number
    order[j] = swapped
  }
  return order
}

/** A mask that is drawn anew for every step: 0 with probability `rate`, and else 1 / (1 - rate). */
export interface Mask {
  /** How each value is drawn: by `bernoulli`, four to a counter, or by `uniform`. */
  kind: 'bernoulli' | 'uniform'
  rate: number
  key(step: number): Key
}

/** The values of a mask in a step. */
export function maskOf({ kind, rate, key }: Mask, step: number, size: number): Float32Array {
  const own = key(step)
  const kept = 1 / (1 - rate)
  if (kind === 'bernoulli') return Float32Array.from(bernoulli(own, size, rate), (drop) => (drop ? 0 : kept))
  return Float32Array.from({ length: size }, (_, i) => (uniform(own, i) < rate ? 0 : kept))
}

/** What a shader draws a mask of a step by: its key, the limit below which a draw gives 0, and the bits of what is kept. */
export function maskWords({ kind, rate, key }: Mask, step: number): Uint32Array {
  const [kept] = new Uint32Array(Float32Array.of(1 / (1 - rate)).buffer)
  const limit = kind === 'bernoulli' ? Math.round(rate * 0x10000) : Math.ceil(rate * 0x100000000)
  return Uint32Array.of(...key(step), limit, kept as number)
}
