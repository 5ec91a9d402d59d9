import { expect, it } from 'vitest'
import { describeBuilds } from './builds.ts'
import { Draws } from './stock.ts'

type Kernels = Record<string, (...operands: number[]) => number>

const SENTINEL = 0xdeadbeef
const [START, GUARD] = [1 << 16, 64]
const { fround } = Math

interface Case {
  title: string
  queries: number
  keys: number
  width: number
  channels: number
  /** By example, head and query of the masks, as bits. */
  masks?: number[]
  scaling?: 0 | 1 | 2
  transposed?: boolean
  samples?: number
  heads?: number
  /** Values of the masks. */
  masked?: (at: number) => number
  /** What queries are multiplied by. */
  size?: number
}

const cases: Case[] = [
  { title: 'one token', queries: 1, keys: 1, width: 4, channels: 4, samples: 3 },
  { title: 'an odd number', queries: 17, keys: 17, width: 24, channels: 24, samples: 2, scaling: 1 },
  { title: 'one more than a power of two', queries: 65, keys: 65, width: 64, channels: 64, scaling: 2 },
  { title: 'many', queries: 1000, keys: 1000, width: 8, channels: 8, scaling: 1 },
  { title: 'wide heads', queries: 200, keys: 200, width: 100, channels: 100, transposed: true },
  { title: 'more keys than queries', queries: 3, keys: 531, width: 5, channels: 9, samples: 2, transposed: true },
  { title: 'more keys than a tile of six queries', queries: 14, keys: 9000, width: 4, channels: 3, scaling: 1 },
  { title: 'more queries than keys', queries: 333, keys: 7, width: 12, channels: 6, scaling: 2, samples: 2 },
  {
    title: 'masks of all kinds',
    queries: 21,
    keys: 30,
    width: 6,
    channels: 5,
    scaling: 1,
    samples: 6,
    heads: 3,
    masks: [0b101, 0b010, 0b111],
  },
  {
    title: 'whole rows masked',
    queries: 40,
    keys: 40,
    width: 8,
    channels: 8,
    masks: [0b100],
    masked: (at) => (at < 400 || at % 3 === 0 ? -1e9 : 0),
  },
  {
    title: 'rows of minus infinity',
    queries: 20,
    keys: 20,
    width: 8,
    channels: 8,
    masks: [0b100],
    masked: (at) => (at < 40 || at % 5 > 1 ? Number.NEGATIVE_INFINITY : 0),
  },
  { title: 'scores beyond the range of the exponential', queries: 33, keys: 33, width: 8, channels: 8, size: 1e4 },
  { title: 'scores that overflow', queries: 19, keys: 19, width: 8, channels: 8, size: 3e38 },
]

describeBuilds<Kernels>('attention in tiles', 1024, ({ name: build, words, floats, wasm }) => {
  it.each(cases)('has the bits of products and softmax, and writes nothing else: $title', (shape) => {
    const { queries, keys, width, channels, masks = [], scaling = 0, transposed = false } = shape
    const { samples = 1, heads = 1, masked, size = 1 } = shape
    const kernel = (name: string, ...operands: number[]) => (wasm[name] as Kernels[string])(...operands)
    const draws = new Draws(`${build}/${shape.title}`)
    const rowsOf = (bits: number) =>
      (bits & 1 ? samples / heads : 1) * (bits & 2 ? heads : 1) * (bits & 4 ? queries : 1)
    const sizes: Record<string, number> = {
      ...{ q: queries * width, k: keys * width, v: keys * channels, dy: queries * channels, scores: queries * keys },
      ...{ weights: queries * keys, slopes: queries * keys, sums: queries, out: queries * channels },
      ...{ dq: queries * width, dk: keys * width, dv: keys * channels },
      ...{ ownOut: queries * channels, ownDq: queries * width, ownDk: keys * width, ownDv: keys * channels },
    }
    let end = START
    const at: Record<string, number> = {}
    const take = (name: string, bytes: number) => {
      at[name] = end + GUARD
      end = Math.ceil((end + GUARD + bytes) / 16) * 16
    }
    for (const [name, count] of Object.entries(sizes)) take(name, 4 * samples * count)
    for (const [i, bits] of masks.entries()) take(`mask${i}`, 4 * rowsOf(bits) * keys)
    take('scale', 4)
    take('forward', kernel('attentionScratch', keys, width, channels))
    take('backward', kernel('attentionGradScratch', keys, width, channels))
    const longest = Math.max(queries, keys, width, channels)
    take('product', kernel('matmulScratch', longest, longest, longest))
    words.fill(SENTINEL, START / 4, (end + GUARD) / 4)
    const place = (name: string) => at[name] as number
    const view = (name: string, count: number) => floats.subarray(place(name) / 4, place(name) / 4 + count)
    for (const name of ['q', 'k', 'v', 'dy']) {
      const count = samples * (sizes[name] as number)
      view(name, count).set(draws.values([count]).map((value) => (name === 'q' ? value * size : value)))
    }
    for (const [i, bits] of masks.entries()) {
      const own = view(`mask${i}`, rowsOf(bits) * keys)
      own.set(masked ? own.map((_, j) => masked(j)) : draws.values([own.length]))
    }
    const scale = scaling ? fround(0.37) : 1
    view('scale', 1)[0] = scale

    // operation by operation
    const rows = samples * queries
    const product = (a: string, b: string, out: string, [m, k, n]: number[], transA: boolean, transB: boolean) => {
      const steps = [(m as number) * (k as number), (k as number) * (n as number), m, k, n] as number[]
      const flags = [Number(transA), Number(transB), 0]
      kernel('batchMatmul', place(a), place(b), place(out), samples, ...steps, ...flags, place('product'))
    }
    const scaled = (x: number) => (scaling === 1 ? fround(x * scale) : scaling === 2 ? fround(x / scale) : x)
    product('q', 'k', 'scores', [queries, width, keys], false, !transposed)
    const scores = view('scores', rows * keys)
    scores.forEach((value, j) => {
      const [column, query] = [j % keys, Math.floor(j / keys) % queries]
      const sample = Math.floor(j / keys / queries)
      scores[j] = masks.reduce((sum, bits, i) => {
        const example = bits & 1 ? Math.floor(sample / heads) : 0
        const head = bits & 2 ? (sample % heads) + heads * example : example
        const row = bits & 4 ? query + queries * head : head
        return fround(sum + (floats[place(`mask${i}`) / 4 + row * keys + column] as number))
      }, scaled(value))
    })
    kernel('softmax', place('scores'), place('weights'), rows, keys)
    product('weights', 'v', 'out', [queries, keys, channels], false, false)
    product('weights', 'dy', 'dv', [keys, queries, channels], true, false)
    product('dy', 'v', 'slopes', [queries, channels, keys], false, true)
    const [weights, slopes] = [view('weights', rows * keys), view('slopes', rows * keys)]
    slopes.forEach((value, j) => {
      slopes[j] = value * (weights[j] as number)
    })
    kernel('sumColumns', place('slopes'), place('sums'), rows, keys, 1, 1, 1)
    const sums = view('sums', rows)
    slopes.forEach((value, j) => {
      slopes[j] = scaled(fround(value - fround((sums[Math.floor(j / keys)] as number) * (weights[j] as number))))
    })
    product('slopes', 'k', 'dq', [queries, keys, width], false, transposed)
    if (transposed) product('q', 'slopes', 'dk', [width, queries, keys], true, false)
    else product('slopes', 'q', 'dk', [keys, queries, width], true, false)

    const masked3 = [0, 1, 2].map((i) => at[`mask${i}`] ?? 0)
    const varies = masks.reduce((sum, bits, i) => sum | (bits << (3 * i)), 0)
    const how = [...masked3, varies, place('scale'), scaling, Number(transposed)]
    const numbers = [...how, samples, heads, queries, keys, width, channels]
    const read = [place('q'), place('k'), place('v')]
    kernel('attention', ...read, place('ownOut'), ...numbers, place('forward'))
    const written = [place('ownDq'), place('ownDk'), place('ownDv')]
    kernel('attentionGrad', ...read, place('dy'), ...written, ...numbers, place('backward'))
    for (const [own, wanted] of [
      ['ownOut', 'out'],
      ['ownDq', 'dq'],
      ['ownDk', 'dk'],
      ['ownDv', 'dv'],
    ] as const) {
      const count = samples * (sizes[wanted] as number)
      const [found, expected] = [view(own, count), view(wanted, count)]
      const different = found.findIndex((value, j) => !Object.is(value, expected[j]))
      if (different >= 0)
        expect.fail(`element ${different} of ${own} is ${found[different]}, not ${expected[different]}`)
    }
    for (const address of Object.values(at)) {
      expect([...words.subarray((address - GUARD) / 4 + 4, address / 4)], `before ${address}`).toEqual(
        Array(12).fill(SENTINEL),
      )
    }
    // gradients that nobody needs are not written
    const before = [...view('ownDv', 8)]
    kernel('attentionGrad', ...read, place('dy'), 0, place('ownDk'), 0, ...numbers, place('backward'))
    expect([...view('ownDv', 8)]).toEqual(before)
  })
})
