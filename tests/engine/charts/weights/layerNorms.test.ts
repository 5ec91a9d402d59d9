import { expect, it } from 'vitest'
import { layerNorms } from '../../../../engine/charts/weights/layerNorms.ts'
import { style } from '../style.ts'

const rows = (layers: number) =>
  Array.from({ length: layers }, (_, i) => [
    { layer: `blocks.${i}`, step: 1, gradient: 10 ** i, ratio: 0, run: 7 },
    { layer: `blocks.${i}`, step: 5, gradient: null, ratio: 0.001, run: 7 },
  ]).flat()

it('is a line a layer, each told apart without colours; what has no logarithm is a gap', () => {
  const { figure, rows: table, title } = layerNorms(rows(4), 'gradient', style)
  expect(title).toBe('Gradient norm by layer')
  expect(figure.data.map(({ x, y, meta }) => ({ x, y, meta }))).toEqual(
    [1, 10, 100, 1000].map((value) => ({ x: [1, 5], y: [value, null], meta: { run: 7 } })),
  )
  const looks = figure.data.map((trace) =>
    trace.type === 'scatter' ? `${trace.line?.dash} ${trace.marker?.symbol}` : '',
  )
  expect(new Set(looks).size).toBe(4)
  expect(table).toHaveLength(8)
  expect(layerNorms(rows(2), 'ratio', style).figure.data[0]).toMatchObject({ y: [null, 0.001] })
})

it('of many layers is a row in colours each, by the power of ten', () => {
  const { figure, note } = layerNorms(rows(11), 'gradient', style)
  expect(note).toContain('power of ten')
  expect(figure.data).toHaveLength(1)
  const [trace] = figure.data
  if (trace?.type !== 'heatmap') throw new Error('no heatmap')
  expect(trace.x).toEqual([1, 5])
  expect(trace.y).toHaveLength(11)
  expect(trace.z.slice(0, 3)).toEqual([
    [0, null],
    [1, null],
    [2, null],
  ])
  expect(layerNorms([], 'ratio', style).rows).toEqual([])
})
