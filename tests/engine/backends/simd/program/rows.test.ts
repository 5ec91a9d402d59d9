import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Rows } from '../../../../../engine/backends/simd/program/instruction.ts'
import { stages } from '../../../../../engine/backends/simd/program/stages.ts'
import { prepare } from '../../../../../engine/bench/step.ts'
import { add, block, dense, gelu, layerNorm, selfAttention, split, tokenDense } from '../../../../../engine/nn/index.ts'
import { LONG, sample } from '../../../../long.ts'
import { type Kind, randomCode } from '../../../compile/randomCode.ts'
import {
  ballast,
  expectSameBits,
  leaveSimd,
  programOf,
  taken,
  useThreads,
  type Values,
  weigh,
} from '../../../compile/setup.ts'
import { Draws } from '../stock.ts'

vi.mock('../../../../../engine/backends/simd/program/stages.ts', { spy: true })
leaveSimd()

/** How the programs since the last test were cut. */
const cuts = (): Rows[] => vi.mocked(stages).mock.calls.flatMap(([, { rows }]) => rows ?? [])

const BATCHES = [1, 2, 3, 4]

/** What a random block is made of. */
const parts: ((x: tf.Tensor) => tf.Tensor)[] = [
  (x) => add(x, dense(gelu(dense(layerNorm(x), 260)), x.shape[2] as number)),
  (x) =>
    add(
      x,
      tokenDense(gelu(tokenDense(layerNorm(x), { tokens: 2 * (x.shape[1] as number) })), {
        tokens: x.shape[1] as number,
      }),
    ),
  (x) => {
    const [u, v] = split(gelu(dense(x, 2 * (x.shape[2] as number))), 2) as [tf.Tensor, tf.Tensor]
    return add(x, tf.mul(u, tokenDense(layerNorm(v))))
  },
  (x) => add(x, selfAttention(layerNorm(x), { heads: 2 })),
  (x) => tf.mul(x, tf.softmax(dense(x, x.shape[2] as number))),
  (x) => add(x, tf.mean(x, 1, true)),
  (x) => add(x, tf.concat([tf.slice(x, [0, 1, 0], [-1, -1, -1]), tf.slice(x, [0, 0, 0], [-1, 1, -1])], 1)),
]

function randomBlock(name: string) {
  const draws = new Draws(name)
  const own = Array.from({ length: 3 }, () => parts[draws.below(parts.length)] as (typeof parts)[number])
  return block('random', { dim: 20, depth: 1 }, (x) => own.reduce((y, part) => part(y), x))
}

/** Losses of some steps, with the bits of all gradients in them. */
async function losses(name: string, batch: number, tokens: number): Promise<number[]> {
  const own = randomBlock(name)
  const bench = prepare({ name, block: own, modality: 'features', input: [tokens, 20], outputs: 5, batch })
  const values: number[] = []
  for (let i = 0; i < 3; i++) values.push(await bench.train())
  await bench.forward()
  bench.dispose()
  return values
}

const sizes = (tokens: number[]) => tokens.flatMap((count) => BATCHES.map((batch) => ({ batch, tokens: count })))
const blocks = sizes([1, 2, 5, 128, 131, 197]).filter((_, i) => LONG || i % 3 === 0 || i % 4 === 0)
const codes = (['forward', 'gradients', 'chain'] satisfies Kind[]).flatMap((kind) => {
  return sizes([1, 17, 32, 33, 40, 47]).flatMap((size) => [0, 1, 2, 3].map((i) => ({ kind, size, i })))
})

/** What one thread gives, by title. */
const losing = new Map<string, number[]>()
const given = new Map<string, Record<string, Values>>()

describe.each([1, 2, 3, 4, 5])('programs of few examples have the bits of one thread: %i', (threads) => {
  beforeAll(() => useThreads(threads))

  it('training random blocks', async () => {
    vi.mocked(stages).mockClear()
    for (const [i, { batch, tokens }] of blocks.entries()) {
      const title = `block ${i}, ${batch} examples of ${tokens} tokens`
      const found = await losses(`block/${i}`, batch, tokens)
      expect(found, title).toEqual(losing.get(title) ?? found)
      losing.set(title, found)
    }
    const ends = cuts().map(({ tokens, each }) => tokens % each === 0)
    expect(new Set(ends).size, 'last chunks like the others, and shorter ones').toBe(threads === 1 ? 0 : 2)
  })

  it('random operations', async () => {
    for (const { kind, size, i } of sample(codes, 1, 5)) {
      const title = `rows/${kind}/${i}/${size.batch}/${size.tokens}`
      const { batch, values, body } = randomCode(kind, title, size)
      const inputs = { ...values(), ballast: ballast(batch) }
      const program = await programOf(inputs, batch, (given, marks) => {
        return { ...body(given, marks), weight: weigh(given.ballast as tf.Tensor) }
      })
      const found = taken(program.run(inputs, 0))
      expectSameBits(found, given.get(title) ?? found, title)
      given.set(title, found)
      program.dispose()
      tf.dispose(inputs)
    }
  })
})
