import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { plot } from '../../../engine/display/plot.ts'
import { table } from '../../../engine/display/table.ts'
import { captureDisplay, MAX_VALUES } from '../../../renderer/kernel/capture.ts'
import { viewOf } from '../../../renderer/kernel/view.ts'
import type { ImagesBody, TensorBody, TreeBody } from '../../../renderer/protocol/body.ts'
import type { ValueView } from '../../../renderer/protocol/output.ts'

/** The view of a tensor that is disposed afterwards. */
function ofTensor(tensor: tf.Tensor): ValueView {
  const view = viewOf(tensor)
  tensor.dispose()
  return view
}

const sizeOf = (view: ValueView) => JSON.stringify(view).length
const bytesOf = (image = '') => [...Buffer.from(image, 'base64')]

describe('viewOf', () => {
  it('leaves short values to their text', () => {
    expect(viewOf(42)).toEqual({ kind: 'number', text: '42' })
    expect(viewOf({ a: [1, 2] })).toEqual({ kind: 'object', text: '{ a: [1, 2] }' })
    expect(ofTensor(tf.scalar(3))).toEqual({ kind: 'tensor [] float32', text: '[3]' })
  })

  it.each<[unknown, string]>([
    ['two\nlines', 'two\nlines'],
    ['x'.repeat(30_000), `${'x'.repeat(20_000)}... 10000 characters more`],
    [null, 'null'],
    [undefined, 'undefined'],
    [10n, '10'],
    [{}, '{}'],
    [[], '[]'],
    [{ a: 1, b: ['x', { c: true }] }, '{ a: 1, b: [ "x", { c: true } ] }'],
    [function gated() {}, 'function gated'],
    [new TypeError('no'), 'TypeError: no'],
  ])('has words for %s', (value, text) => {
    expect(viewOf(value).text).toBe(text)
  })

  it('shows objects on one line where they fit, and of many entries the first', () => {
    expect(viewOf({ list: Array.from({ length: 8 }, (_, i) => `entry number ${i}`) }).text).toContain('\n')
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, i]))
    expect(viewOf(many).text).toContain('... 49 more')
    expect(viewOf(new Float32Array(1e6)).text.length).toBeLessThan(200)
    const hostile = Object.defineProperty({}, 'boom', { enumerable: true, get: () => JSON.parse('{') })
    expect(viewOf(hostile).text).toBe('a value that cannot be shown')
    expect(ofTensor(tf.fill([4, 10], 0.1)).text).toBe(`[${Array(12).fill('0.1').join(', ')}, ... 28 more]`)
  })

  it('shows figures as they are', () => {
    const line = plot.line({ y: [1, 2], title: 'Loss' })
    expect(viewOf(line)).toEqual({ kind: 'marks', text: 'line: Loss', body: line })
  })

  it('leaves stored runs to the page, in words until it has read them', () => {
    const asked = plot.runs({ filter: 'study:gating', y: 'accuracy' })
    expect(viewOf(asked)).toEqual({ kind: 'runs', text: 'accuracy of the runs study:gating', open: asked })
    const sheet = plot.panels([plot.line([1]), asked])
    expect(viewOf(sheet)).toEqual({ kind: 'panels', text: '2 panels', open: sheet })
  })

  it('shows records as a table, and other records as a tree', () => {
    expect(viewOf([{ a: 1 }, { a: 2 }]).body).toMatchObject({ type: 'table', rows: [[1], [2]] })
    const nested = Array.from({ length: 3 }, (_, i) => ({ name: `number ${i}`, inner: { deep: 'x'.repeat(40) } }))
    expect(viewOf(nested).body).toMatchObject({ type: 'tree' })
  })
})

it('has a bound, whatever texts a value has', () => {
  const long = 'x'.repeat(2e6)
  const named = class extends Float32Array {}
  Object.defineProperty(named, 'name', { value: long })
  const records = Array.from({ length: 1500 }, () => ({ [long]: long, b: long, c: 'y'.repeat(900) }))
  const options = {
    y: { [long]: [1, 2] },
    x: [long, long],
    color: [long, 'b'],
    title: long,
    xLabel: long,
    yLabel: long,
  }
  const values: unknown[] = [
    long,
    [long, long],
    { [long]: { [long]: long } },
    new Map([[long, { [long]: [long] }]]),
    new Set([{ [long]: long }]),
    new Error(long),
    Symbol(long),
    new named(2),
    { constructor: named },
    records,
    table(records),
    plot.line(options),
    plot.bar(options),
    plot.heatmap({ z: [[1]], x: [long], y: [long], title: long }),
    plot.histogram({ x: { [long]: [1, 2, 3] }, title: long }),
  ]
  for (const value of values) expect(sizeOf(viewOf(value))).toBeLessThan(1_500_000)
})

describe('a tensor', () => {
  it('that is small is a table', () => {
    const { kind, body } = ofTensor(tf.tensor2d([1, 2, 3, Number.NaN], [2, 2]))
    expect(kind).toBe('tensor [2, 2] float32')
    expect(body).toEqual({
      type: 'tensor',
      min: 1,
      max: 3,
      mean: 2,
      notFinite: 1,
      figure: {
        type: 'table',
        columns: ['0', '1'],
        rows: [
          [1, 2],
          [3, null],
        ],
        total: 2,
      },
    })
    expect((ofTensor(tf.tensor1d([5, 6])).body as TensorBody).figure).toMatchObject({ rows: [[5, 6]] })
  })

  it('of whole numbers keeps all their digits', () => {
    const { body, text } = ofTensor(tf.tensor1d([123_456_789, 2], 'int32'))
    expect(text).toBe('[123456789, 2]')
    expect(body).toMatchObject({ max: 123_456_789, figure: { rows: [[123_456_789, 2]] } })
  })

  it('with one long axis is a line, with two a heatmap, with more a summary', () => {
    expect((ofTensor(tf.range(0, 5000)).body as TensorBody).figure).toMatchObject({ mark: 'line' })
    const { figure } = ofTensor(tf.zeros([300, 20])).body as TensorBody
    expect(figure).toMatchObject({ type: 'heatmap', note: 'means over blocks of a 300 × 20 matrix' })
    expect(ofTensor(tf.ones([2, 3, 4, 5])).body).toEqual({
      type: 'tensor',
      min: 1,
      max: 1,
      mean: 1,
      notFinite: 0,
      figure: null,
    })
  })

  it('takes little room, however large it is', () => {
    expect(sizeOf(ofTensor(tf.zeros([5_000_000])))).toBeLessThan(50_000)
    expect(sizeOf(ofTensor(tf.zeros([2000, 2000])))).toBeLessThan(50_000)
    expect(sizeOf(ofTensor(tf.zeros([100, 64, 64, 3])))).toBeLessThan(500_000)
    expect(sizeOf(ofTensor(tf.zeros([1000, 1000, 3])))).toBeLessThan(700_000)
  })

  it('that holds nothing, or texts, has no figure', () => {
    expect(ofTensor(tf.zeros([0, 3])).body).toMatchObject({ figure: null, min: null, mean: null })
    expect(ofTensor(tf.tensor1d(['a', 'b'])).body).toBeUndefined()
  })

  it('that is disposed is said so', () => {
    const tensor = tf.zeros([3])
    tensor.dispose()
    expect(viewOf(tensor).text).toBe('a value that cannot be shown')
  })
})

describe('pictures', () => {
  it('are tensors with one or three channels, alone or many', () => {
    const one = ofTensor(tf.fill([8, 9, 3], 0.5)).body as ImagesBody
    expect(one).toMatchObject({ type: 'images', width: 9, height: 8, channels: 3, note: null })
    expect(bytesOf(one.images[0])).toEqual(new Array(8 * 9 * 3).fill(128))
    const many = ofTensor(tf.fill([30, 8, 8, 1], 200, 'int32')).body as ImagesBody
    expect(many).toMatchObject({ channels: 1, note: '24 of 30' })
    expect(many.images).toHaveLength(24)
    expect(bytesOf(many.images[23])[0]).toBe(200)
  })

  it('are stretched where their values are neither of 0 to 1 nor of 0 to 255', () => {
    const { images, note } = ofTensor(tf.tidy(() => tf.linspace(-1, 1, 64).reshape([8, 8, 1]))).body as ImagesBody
    expect(bytesOf(images[0]).at(0)).toBe(0)
    expect(bytesOf(images[0]).at(-1)).toBe(255)
    expect(note).toBe('black is -1, white is 1')
  })

  it('are made smaller', () => {
    const body = ofTensor(tf.zeros([2, 100, 50, 1])).body as ImagesBody
    expect(body).toMatchObject({ height: 64, width: 32, note: '100 × 50 made smaller' })
  })
})

describe('a tree', () => {
  it('opens what is nested', () => {
    const value = { name: 'x', list: [{ a: 1 }, { a: { b: 'y'.repeat(100) } }], map: new Map([['k', [1, 2]]]) }
    expect(viewOf(value).body).toEqual({
      type: 'tree',
      entries: [
        { name: 'name', text: '"x"' },
        {
          name: 'list',
          text: 'array of 2',
          entries: [
            { name: '0', text: '{ a: 1 }', entries: [{ name: 'a', text: '1' }] },
            expect.objectContaining({ name: '1' }),
          ],
        },
        { name: 'map', text: '{ k: [1, 2] }', entries: [{ name: 'k', text: '[1, 2]' }] },
      ],
    })
  })

  it('ends where a value contains itself, is deep or is wide', () => {
    const loop: Record<string, unknown> = { long: 'x'.repeat(100) }
    loop.self = loop
    expect(viewOf(loop).text).toContain('{...}')
    expect((viewOf(loop).body as TreeBody).entries[1]?.entries).toBeUndefined()
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, { a: { b: { c: [i, 'x'] } } }]))
    const { entries } = viewOf(wide).body as TreeBody
    expect(entries.at(-1)).toEqual({ name: '...', text: '10 more' })
    const huge = Object.fromEntries(Object.keys(wide).map((key) => [key, wide]))
    expect(sizeOf(viewOf(huge))).toBeLessThan(200_000)
  })
})

describe('captureDisplay', () => {
  it('shows each value, up to a limit', () => {
    const shown: ValueView[] = []
    const { display } = captureDisplay((value) => void shown.push(value))
    display(1, 'two')
    expect(shown.map(({ text }) => text)).toEqual(['1', 'two'])
    for (let i = 0; i < 200; i++) display(i)
    expect(shown).toHaveLength(MAX_VALUES + 1)
    expect(shown.at(-1)?.kind).toBe('note')
  })

  it('shows what takes its time in its place, once the cell has ended', async () => {
    const shown: string[] = []
    const slow = (value: unknown) => (value === 'slow' ? async () => ({ kind: 'string', text: 'seen' }) : null)
    const { display, settle } = captureDisplay(({ text }) => void shown.push(text), slow)
    display(1, 'slow', 2)
    expect(shown).toEqual(['1'])
    await settle()
    expect(shown).toEqual(['1', 'seen', '2'])
  })
})
