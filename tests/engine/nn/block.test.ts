import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { eamlp, gmlp, mixer } from '../../../engine/models/index.ts'
import { block, isBlock } from '../../../engine/nn/block.ts'
import { type Patch, patchEmbed } from '../../../engine/nn/layers/patchEmbed.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { compare } from '../../../engine/study/compare.ts'
import { keyOfSpec } from '../../../engine/study/key.ts'
import { image } from '../../../engine/tasks/index.ts'

describe('block', () => {
  it('is a variant by itself, and a copy with options when called', () => {
    const deep = mixer({ depth: 8 })
    expect(isBlock(mixer) && isBlock(deep)).toBe(true)
    expect(deep.options).toEqual({ depth: 8 })
    expect(deep({ tokenRatio: 1 }).options).toEqual({ depth: 8, tokenRatio: 1 })
    expect(mixer.options).toEqual({})
    expect(deep.origin).toBe(mixer)
  })
  it('has a number of its own, and with the function of another that of the other, too', () => {
    expect([gmlp.numerics, gmlp({ depth: 2 }).numerics]).toEqual([1, 1])
    const raised = block('raised', { a: 1 }, (x) => x, { numerics: 3 })
    expect([raised.numerics, raised({ a: 2 }).numerics]).toEqual([3, 3])
    expect(raised.frames).toEqual({})
    expect(block('derived', { a: 2 }, raised.run).numerics).toBe(3)
    expect(block('derived', { a: 2 }, raised.run, { numerics: 2 }).numerics).toBe(4)
    expect(block('again', { a: 2 }, raised.run).numerics).toBe(3)
  })
  it('refuses options that it does not know', () => {
    expect(() => mixer({ tokenRato: 1 } as object)).toThrow(
      "mixer: unknown option 'tokenRato' (did you mean 'tokenRatio'?)",
    )
  })
  it('needs a name and a function', () => {
    expect(() => block('', (x) => x)).toThrow('block: expected a name as first argument')
    expect(() => block('a', 3 as never)).toThrow("block 'a': expected a function (x, size) => x")
  })
})

describe('resolveSize', () => {
  const either = 'expected a whole number of at least 1, or two, [height, width]'
  it('takes the variant before the study before the block', () => {
    expect(resolveSize(gmlp, {}, 'v')).toMatchObject({ patch: 4, dim: 64, depth: 6, ffn: 384 })
    expect(resolveSize(gmlp, { dim: 32 }, 'v').ffn).toBe(192)
    expect(resolveSize(gmlp, { ffn: 100, depth: 2 }, 'v')).toMatchObject({ ffn: 100, depth: 2 })
    expect(resolveSize(gmlp({ depth: 3 }), { depth: 2 }, 'v').depth).toBe(3)
    expect(resolveSize(mixer({ tokenRatio: 2 }), {}, 'v')).toMatchObject({ tokenRatio: 2, ffn: 256 })
  })
  it('takes height and width of a patch, and has one form for a square', () => {
    expect(resolveSize(gmlp({ patch: [16, 8] }), { patch: 4 }, 'v').patch).toEqual([16, 8])
    expect(resolveSize(gmlp, { patch: [8, 8] }, 'v').patch).toBe(8)
    expect(keyOfSpec(resolveSize(eamlp, { patch: [8, 8] }, 'v'))).toBe(
      keyOfSpec({ ...resolveSize(eamlp, { patch: 8 }, 'v'), stemEps: undefined }),
    )
  })
  it.each<[unknown, string]>([
    [0, 'patch: 0, expected at least 1'],
    [[0, 4], 'patch.0: 0, expected at least 1'],
    [2.5, `patch: 2.5, ${either}`],
    [[4], `patch: [4], ${either}`],
    [[4, 4, 4], `patch: [4,4,4], ${either}`],
    [['a'], `patch: ["a"], ${either}`],
    ['a', `patch: 'a', ${either}`],
    [[4, null], `patch: [4,null], ${either}`],
  ])('refuses patches of %j', (patch, expected) => {
    expect(() => resolveSize(gmlp({ patch } as object), {}, 'v')).toThrow(`v.${expected}`)
    const spec = { task: image({ data: 'shapes' }), model: { patch }, variants: { gmlp } }
    expect(() => compare('study', spec as never)).toThrow(`study.model.${expected}`)
  })
  it.each<[Patch, string]>([
    [3, '3'],
    [[4, 3], '[4,3]'],
    [[32, 4], '[32,4]'],
    [[4] as never, '[4]'], // of a cell that calls patchEmbed itself
  ])('says which patches do not fill an image: %j', (patch, shown) => {
    const forward = (x: tf.Tensor) => patchEmbed(x, patch, 2)
    const before = tf.memory().numTensors
    expect(() => createModel(forward, { shape: [1, 16, 8, 3] }, 1)).toThrow(
      `model.patch: ${shown} does not divide the image, 16 x 8`,
    )
    expect(tf.memory().numTensors).toBe(before)
  })
  it('names what is out of range', () => {
    expect(() => resolveSize(gmlp({ dim: 0 }), {}, 'study.variants.a')).toThrow(
      'study.variants.a.dim: 0, expected at least 1',
    )
  })
})
