import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { create, oneBlank } from '../../../engine/cost/trace.ts'
import { gmlp, mixer, resmlp, vit } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { stem } from '../../../engine/nn/ends.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { conv2d } from '../../../engine/nn/layers/conv2d.ts'
import { dense } from '../../../engine/nn/layers/dense.ts'
import { patchMerge } from '../../../engine/nn/layers/patchMerge.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { type Stage, stack, stages } from '../../../engine/nn/stack.ts'
import type { Block, Modality, Place, Size } from '../../../engine/nn/types.ts'
import { tracing } from '../../../engine/trace/backend.ts'

/** The unit matrix of 4 x 4. */
const eye = () => Float32Array.from({ length: 16 }, (_, i) => Number(i % 5 === 0))

const MODEL = { patch: 4, dim: 8 }
const images = { shape: [1, 16, 32, 3] }

/** Names and shapes of the parameters of a model. */
function parametersOf(of: Block, model = {}, spec = images, modality: Modality = 'image') {
  const size = resolveSize(of, { ...MODEL, ...model }, 'v')
  return tracing(() => {
    const { parameters } = create(assemble(of, size, modality, { inputs: 9, outputs: 5 }), oneBlank(spec))
    return Object.fromEntries([...parameters.values()].map(({ name, shape }) => [name, shape]))
  })
}

/** Sorts of blocks that note where they stand. */
function noting() {
  const seen: (Pick<Size, 'dim' | 'ffn' | 'depth'> & Place & { what: string })[] = []
  const sort = (what: string) =>
    block(what, { own: 0 }, (x, { dim, ffn, depth, layer, tokens, grid, own }) => {
      seen.push({ what: what + (own || ''), dim, ffn, depth, layer, tokens, grid })
      return x
    })
  return { seen, a: sort('a'), b: sort('b') }
}

describe('a stack', () => {
  it('is as many of each block as its depth says, in order, with its own options, told its layer', async () => {
    const { seen, a, b } = noting()
    await parametersOf(stack('mixed', [a({ depth: 2 }), b({ own: 5 }), a]))
    expect(seen.map(({ what, layer, depth }) => [what, layer, depth])).toEqual([
      ['a', 0, 4],
      ['a', 1, 4],
      ['b5', 2, 4],
      ['a', 3, 4],
    ])
  })
  it('is repeated up to the depth of the study, and may hold another stack', async () => {
    const { seen, a, b } = noting()
    await parametersOf(stack('mixed', [stack('inner', [a, b]), b]), { depth: 6 })
    expect(seen.map(({ what }) => what)).toEqual(['a', 'b', 'b', 'a', 'b', 'b'])
    expect(() => resolveSize(stack('mixed', [a, b, a]), { depth: 4 }, 's.variants.mixed')).toThrow(
      's.variants.mixed.depth: 4, expected a multiple of 3, the number of its blocks',
    )
  })
  it('has the parameters of its blocks by their number, and stem and head of the first', async () => {
    const names = Object.keys(await parametersOf(stack('mixed', [gmlp, mixer])))
    expect(names[0]).toBe('stem.proj.weight')
    expect(names.filter((name) => /gate\.|mlp_tokens/.test(name)).map((name) => name.slice(0, 9))).toEqual([
      ...Array(4).fill('blocks.0.'),
      ...Array(4).fill('blocks.1.'),
    ])
    const first = Object.keys(await parametersOf(stack('mixed', [vit({ heads: 2 }), resmlp])))
    expect(first.slice(0, 2)).toEqual(['patch_embed.proj.weight', 'patch_embed.proj.bias'])
  })
  it('has its own rate of stochastic depth in each layer, as any model', async () => {
    const rates: number[] = []
    const asks = block('asks', (x) => x)
    const size = resolveSize(
      stack('s', [asks, asks({ dropPath: 0.5 }), asks]),
      { ...MODEL, dropPath: 0.4, dropPathDecay: 'linear' },
      'v',
    ) as Size & { parts: Size[] }
    for (const part of size.parts) rates.push(part.dropPath)
    expect(rates).toEqual([0.4, 0.5, 0.4])
  })
  it('says which blocks do not fit each other', async () => {
    const narrow = block('narrow', (x) => tf.slice(x, [0, 0, 0], [-1, -1, 4]))
    await expect(parametersOf(stack('s', [narrow, mixer]))).rejects.toThrow(
      "block 'narrow': returned [1,32,4] in layer 0, but block 'mixer' of layer 1 takes [1,32,8]",
    )
    await expect(parametersOf(stack('s', [mixer, narrow]))).rejects.toThrow(
      "block 'narrow': returned [1,32,4], expected [1,32,8] as it got",
    )
  })
  it('refuses what is no list of blocks of one width', () => {
    const own = stem('own', (x) => x)
    const cases: [() => unknown, string][] = [
      [() => stack('', [gmlp]), 'stack: expected a name as first argument'],
      [() => stack('s', []), "stack 's': [], expected at least 1"],
      [() => stack('s', [gmlp, 3 as never]), "stack 's'.1: 3, expected a block, e.g. gmlp"],
      [
        () => stack('s', [gmlp({ dim: 3 })]),
        "stack 's': 'gmlp' has its own dim, expected one for all; stages([…]) change the width",
      ],
      [() => stack('s', [gmlp({ depth: 0 })]), "stack 's': 'gmlp' has depth 0, expected at least 1"],
      [
        () => stack('s', [gmlp, mixer({ stem: own })]),
        "stack 's': 'mixer' has its own stem; give it to the whole, s({ stem })",
      ],
      [() => stack('s', [gmlp])({ heads: 2 } as never), "s: unknown option 'heads'"],
    ]
    for (const [wrong, text] of cases) expect(wrong).toThrow(text)
  })
})

describe('stages', () => {
  const pyramid = (block: Block, more: Partial<Stage> = {}) =>
    stages('pyramid', [
      { block, depth: 2, dim: 8 },
      { block, depth: 1, dim: 12, ...more },
    ])
  it('have a width of their own and fewer tokens, which their blocks are told', async () => {
    const { seen, a } = noting()
    const parameters = await parametersOf(pyramid(a), { dim: 99 })
    expect(seen).toEqual([
      { what: 'a', dim: 8, ffn: 32, depth: 3, layer: 0, tokens: 32, grid: [4, 8] },
      { what: 'a', dim: 8, ffn: 32, depth: 3, layer: 1, tokens: 32, grid: [4, 8] },
      { what: 'a', dim: 12, ffn: 48, depth: 3, layer: 2, tokens: 8, grid: [2, 4] },
    ])
    expect(parameters).toMatchObject({ 'stem.proj.weight': [48, 8], 'head.weight': [12, 5], 'norm.weight': [12] })
    expect(parameters).toMatchObject({ 'merges.0.norm.weight': [32], 'merges.0.reduction.weight': [32, 12] })
  })
  it('merge as they say: rows and columns, nothing but the width, or by a function', async () => {
    const { seen, a } = noting()
    await parametersOf(pyramid(a, { merge: [4, 2] }))
    expect(seen.at(-1)).toMatchObject({ tokens: 4, grid: [1, 4] })
    expect(await parametersOf(pyramid(a, { merge: 1 }))).toMatchObject({ 'merges.0.reduction.weight': [8, 12] })
    expect(Object.keys(await parametersOf(pyramid(a, { merge: 1, dim: 8 }))).join()).not.toContain('merges')
    const strided: Stage['merge'] = (x, { dim, grid }) =>
      conv2d(tf.reshape(x, [-1, ...(grid ?? []), 8]), dim, { stride: 2 })
    expect(await parametersOf(pyramid(a, { merge: strided }))).toMatchObject({
      'merges.0.conv.weight': [3, 3, 8, 12],
    })
    expect(seen.at(-1)).toMatchObject({ tokens: 8, grid: [2, 4] })
  })
  it('say what does not fit before anything is trained', async () => {
    const { a } = noting()
    const told = async (of: Block, spec = images, modality: Modality = 'image') =>
      parametersOf(of, {}, spec, modality).then(
        () => 'nothing',
        (error: Error) => error.message,
      )
    expect(await told(pyramid(a, { merge: 3 }))).toBe('patchMerge: 4 x 8 patches cannot be merged by 3 x 3')
    expect(await told(pyramid(a), { shape: [1, 32, 3] }, 'features')).toBe(
      'patchMerge: 32 tokens that are no grid of patches, expected those of an image',
    )
    expect(await told(pyramid(a, { merge: (x) => x }))).toBe(
      'stage 1: its merge returned [1,32,8], but its blocks take [batch, tokens, 12]',
    )
    const two = stages('p', [
      { block: block('wide', (x) => dense(x, 9)), depth: 1, dim: 8 },
      { block: mixer, depth: 1, dim: 12 },
    ])
    expect(await told(two)).toBe(
      "block 'wide': returned [1,32,9] in layer 0, but block 'mixer' of layer 1 takes [1,32,8]",
    )
  })
  it('refuse what is no list of stages', () => {
    const stage = { block: mixer, depth: 1 }
    const cases: [() => unknown, string][] = [
      [() => stages('p', [] as never), "stages 'p': expected a list of stages, e.g. [{ block, depth: 2, dim: 32 }]"],
      [() => stages('p', [{ block: mixer }]), "stages 'p'.0: has no depth"],
      [
        () => stages('p', [{ ...stage, merge: 2 }]),
        "stages 'p'.0.merge: nothing is before the first stage but the stem",
      ],
      [
        () => stages('p', [stage, { ...stage, merge: 'no' as never }]),
        "stages 'p'.1.merge: 'no', expected a whole number, [rows, columns], or a function (x, size) => x",
      ],
      [() => stages('p', [{ ...stage, patch: 2 } as never]), "stages 'p'.0: unknown option 'patch'"],
      [() => stages('p', [{ depth: 1 } as never]), "stages 'p'.0.block: missing, expected a block, e.g. gmlp"],
      [
        () => stages('q', [{ block: stages('p', [stage]), depth: 1 }]),
        "stages 'q': 'p' is made of stages, which cannot be in another model",
      ],
      [
        () => resolveSize(stages('p', [stage])({ depth: 3 }), {}, 'v'),
        'v.depth: its stages say how many blocks it has, 1',
      ],
    ]
    for (const [wrong, text] of cases) expect(wrong).toThrow(text)
  })
  it('is the same model each time, and leaks nothing', () => {
    const both = pyramid(stack('both', [gmlp, mixer]), { depth: 2 })
    const size = resolveSize(both, MODEL, 'v')
    const before = tf.memory().numTensors
    const model = createModel(assemble(both, size, 'image', { outputs: 5 }), images, 1)
    const [a, b] = [0, 1].map(() => tf.tidy(() => Array.from(model.apply(tf.ones([2, 16, 32, 3])).dataSync())))
    expect(a).toEqual(b)
    model.dispose()
    expect(tf.memory().numTensors).toBe(before)
  })
})

describe('patchMerge', () => {
  it('puts neighbours behind one another, column by column, as the code of Swin does', async () => {
    const values = tf.tidy(() => {
      let merged = tf.zeros([0])
      const all = block('merges', (x) => x)
      const of = stages('p', [
        { block: all, depth: 1, dim: 1 },
        {
          block: all,
          depth: 1,
          dim: 4,
          merge: (x, { dim }) => {
            const tokens = tf.tile(tf.reshape(tf.range(0, 8), [1, 8, 1]), [x.shape[0] as number, 1, 1])
            merged = patchMerge(tokens, dim, { weight: eye })
            return merged
          },
        },
      ])
      const model = createModel(
        assemble(of, resolveSize(of, { patch: 4 }, 'v'), 'image', { outputs: 5 }),
        { shape: [1, 8, 16, 3] },
        1,
      )
      model.apply(tf.ones([1, 8, 16, 3]))
      const found = Array.from(merged.dataSync())
      model.dispose()
      return found
    })
    // patches 0, 4, 1, 5 and 2, 6, 3, 7 less their mean 2.5 and 4.5, over their deviation
    const deviation = Math.sqrt((2.5 ** 2 + 1.5 ** 2 + 1.5 ** 2 + 2.5 ** 2) / 4 + 1e-5)
    const expected = [0, 4, 1, 5].map((patch) => (patch - 2.5) / deviation)
    for (const [i, value] of [...expected, ...expected].entries()) expect(values[i]).toBeCloseTo(value, 5)
  })
})
