import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { preview } from '../../../renderer/kernel/preview.ts'

const text = (value: unknown) => preview(value).text

describe('preview', () => {
  it('shows plain values', () => {
    expect(preview(42)).toEqual({ kind: 'number', text: '42' })
    expect(preview('two\nlines')).toEqual({ kind: 'string', text: 'two\nlines' })
    expect(preview(null)).toEqual({ kind: 'null', text: 'null' })
    expect(text(undefined)).toBe('undefined')
    expect(text(10n)).toBe('10')
  })

  it('shows the beginning of a long text', () => {
    expect(text('x'.repeat(30_000))).toBe(`${'x'.repeat(20_000)}... 10000 characters more`)
  })

  it('shows objects on one line where they fit', () => {
    expect(text({ a: 1, b: ['x', { c: true }] })).toBe('{ a: 1, b: [ "x", { c: true } ] }')
    expect(text({ list: Array.from({ length: 8 }, (_, i) => `entry number ${i}`) })).toContain('\n')
    expect([text({}), text([])]).toEqual(['{}', '[]'])
  })

  it('shows a tensor as its shape and first values', () => {
    const tensor = tf.tensor2d(new Float32Array(40).fill(0.1), [4, 10])
    expect(preview(tensor)).toEqual({
      kind: 'tensor [4, 10] float32',
      text: `[${Array(12).fill('0.1').join(', ')}, ... 28 more]`,
    })
    tensor.dispose()
    expect(text(tensor)).toBe('a value that cannot be shown')
  })

  it('ends for values that contain themselves or are very large', () => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    expect(text(loop)).toContain('{...}')
    expect(text(new Float32Array(1e6)).length).toBeLessThan(200)
    expect(text(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, i])))).toContain('... 49 more')
  })

  it('survives a getter that throws', () => {
    const hostile = Object.defineProperty({}, 'boom', { enumerable: true, get: () => JSON.parse('{') })
    expect(preview(hostile)).toEqual({ kind: 'object', text: 'a value that cannot be shown' })
  })

  it('names functions and errors', () => {
    expect(text(function gated() {})).toBe('function gated')
    expect(text(new TypeError('no'))).toBe('TypeError: no')
  })
})
