import { describe, expect, it } from 'vitest'
import { gmlp, mixer } from '../../../engine/models/index.ts'
import { block, isBlock } from '../../../engine/nn/block.ts'
import { resolveSize } from '../../../engine/nn/size.ts'

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
  it('takes the variant before the study before the block', () => {
    expect(resolveSize(gmlp, {}, 'v')).toMatchObject({ patch: 4, dim: 64, depth: 6, ffn: 384 })
    expect(resolveSize(gmlp, { dim: 32 }, 'v').ffn).toBe(192)
    expect(resolveSize(gmlp, { ffn: 100, depth: 2 }, 'v')).toMatchObject({ ffn: 100, depth: 2 })
    expect(resolveSize(gmlp({ depth: 3 }), { depth: 2 }, 'v').depth).toBe(3)
    expect(resolveSize(mixer({ tokenRatio: 2 }), {}, 'v')).toMatchObject({ tokenRatio: 2, ffn: 256 })
  })
  it('names what is out of range', () => {
    expect(() => resolveSize(gmlp({ dim: 0 }), {}, 'study.variants.a')).toThrow(
      'study.variants.a.dim: 0, expected at least 1',
    )
  })
})
