import { describe, expect, it } from 'vitest'
import type { HeatmapTrace } from '../../../../engine/charts/figure/figure.ts'
import { attention } from '../../../../engine/charts/weights/attention.ts'
import { style } from '../style.ts'

describe('attention', () => {
  it('draws a strip for each layer, a map for each head, from 0 to the largest weight', () => {
    const values = Float32Array.from([0.25, 0.75, 0.5, 0.5, 1, 0, 0.125, 0.875])
    const rows = [
      { layer: 'blocks.0.attn', heads: 2, rows: 2, columns: 2, values, run: 3 },
      { layer: 'blocks.1.ea', heads: 1, rows: 2, columns: 3, values: new Float32Array(6).fill(0.5) },
    ]
    const { figure, rows: table, columns } = attention(rows, style)
    const [first, second] = figure.data as HeatmapTrace[]
    expect(first).toMatchObject({
      z: [
        [0.25, 0.75, null, 1, 0],
        [0.5, 0.5, null, 0.125, 0.875],
      ],
      ...{ zmin: 0, zmax: 1, meta: { run: 3 } },
    })
    expect(second).toMatchObject({ zmax: 0.5 })
    const { ticktext } = figure.layout.yaxis as { ticktext: string[] }
    expect(ticktext).toEqual(['≤ 1   blocks.0<br>attn', '≤ 0.5   blocks.1<br>ea'])
    expect(columns).toEqual(['head', 'token', '0', '1', '2'])
    expect(table[3]).toEqual(['blocks.0.attn, head 1', 1, 0.125, 0.875, null])
  })
  it('takes a model without attention', () => {
    expect(attention([], style)).toMatchObject({ figure: { data: [] }, rows: [] })
  })
})
