import { describe, expect, it } from 'vitest'
import type { AnyTrace, HeatmapTrace, PlotlyFigure } from '../../../../engine/charts/figure/figure.ts'
import { matrices } from '../../../../engine/charts/weights/matrices.ts'
import type { MixingRow } from '../../../../engine/charts/weights/mixingRows.ts'
import { spatialFilters } from '../../../../engine/charts/weights/spatialFilters.ts'
import { style } from '../style.ts'

/** A matrix with values 0, 1, 2, ... times `scale`. */
function matrix(name: string, [rows, columns]: [number, number], grid: MixingRow['grid'], scale = 1): MixingRow {
  return {
    name,
    rows,
    columns,
    grid,
    values: Float32Array.from({ length: rows * columns }, (_, i) => i * scale),
    run: 7,
  }
}

const heatmaps = (data: object[]) => data as HeatmapTrace[]
const ticksOf = ({ layout }: PlotlyFigure<AnyTrace>) => (layout.yaxis as { ticktext: string[] }).ticktext
const captions = ({ layout }: PlotlyFigure<AnyTrace>) =>
  (layout.annotations as { text: string; x: number }[]).map(({ text, x }) => `${text} at ${x}`)

describe('spatialFilters', () => {
  it('lays the weights of each output token out as the patches lie, a strip with a symmetric scale for each layer', () => {
    const rows = [
      matrix('blocks.0.gate.proj.weight', [2, 6], [2, 3]),
      matrix('blocks.1.gate.proj.weight', [2, 6], [2, 3], -2),
    ]
    const { figure, columns, rows: table } = spatialFilters(rows, {}, style)
    const [first, second] = heatmaps(figure.data)
    expect(first?.z).toEqual([
      [0, 1, 2, null, 6, 7, 8],
      [3, 4, 5, null, 9, 10, 11],
    ])
    expect(first).toMatchObject({ zmin: -11, zmax: 11, hoverongaps: false, meta: { run: 7 } })
    expect(first?.text?.[0]?.[4]).toBe('blocks.0.gate.proj, output 1')
    expect(second).toMatchObject({ zmin: -22, zmax: 22 })
    expect(first?.colorscale).toEqual([
      [0, 'rgb(4, 5, 6)'],
      [0.5, 'rgb(255, 255, 255)'],
      [1, 'rgb(1, 2, 3)'],
    ])
    expect(ticksOf(figure)).toEqual(['± 11   blocks.0<br>gate.proj', '± 22   blocks.1<br>gate.proj'])
    expect(captions(figure)).toEqual(['0 at -0.5', '1 at 3.5', '0 at -0.5', '1 at 3.5'])
    expect(columns).toEqual(['layer', 'output', '0', '1', '2', '3', '4', '5'])
    expect(table[1]).toEqual(['blocks.0.gate.proj', 1, 6, 7, 8, 9, 10, 11])
  })

  it('takes some of many tokens, evenly spaced', () => {
    const { rows } = spatialFilters([matrix('a.weight', [100, 4], [2, 2])], { tokens: 4 }, style)
    expect(rows.map(([, output]) => output)).toEqual([12, 37, 62, 87])
  })

  it('draws the filters of a text as lines below each other', () => {
    const { figure } = spatialFilters([matrix('a.toeplitz', [3, 3], null)], {}, style)
    expect(heatmaps(figure.data)[0]?.z).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ])
    expect(captions(figure)).toEqual([])
    expect(ticksOf(figure)).toEqual(['± 8   a'])
  })

  it('takes nothing, zeros, values that are not finite, and one token', () => {
    expect(spatialFilters([], {}, style)).toMatchObject({ figure: { data: [] }, rows: [], height: expect.any(Number) })
    const zeros = spatialFilters([matrix('a.weight', [1, 1], [1, 1], 0)], {}, style)
    expect(heatmaps(zeros.figure.data)[0]).toMatchObject({ z: [[0]], zmin: -1, zmax: 1 })
    const odd = { ...matrix('a.weight', [1, 2], [1, 2]), values: Float32Array.of(Number.NaN, -3) }
    expect(heatmaps(spatialFilters([odd], {}, style).figure.data)[0]).toMatchObject({ z: [[null, -3]], zmax: 3 })
  })
})

describe('matrices', () => {
  it('draws the matrices three in a row, of whatever shape, each with its scale above it', () => {
    const rows = [
      matrix('blocks.0.fc1.weight', [2, 4], [2, 2]),
      matrix('blocks.0.fc2.weight', [4, 2], null),
      matrix('blocks.1.fc1.weight', [2, 4], [2, 2], 10),
      matrix('blocks.1.fc2.weight', [4, 2], null),
    ]
    const { figure, rows: table, columns } = matrices(rows, 'mixing', style)
    const drawn = heatmaps(figure.data)
    expect(drawn.map(({ z }) => [z.length, z[0]?.length])).toEqual([
      [2, 4],
      [4, 2],
      [2, 4],
      [4, 2],
    ])
    expect(drawn.map(({ x0 }) => x0)).toEqual([0, 5, 10, 0])
    expect(drawn[3]?.y0).toBe((drawn[0]?.y0 ?? 0) * 2 + 4)
    expect(drawn.map(({ zmax }) => zmax)).toEqual([7, 7, 70, 7])
    expect(captions(figure)[2]).toBe('blocks.1<br>fc1<br>± 70 at 9.5')
    expect(ticksOf(figure)).toEqual([])
    expect(columns).toEqual(['layer', 'output', '0', '1', '2', '3'])
    expect(table).toHaveLength(12)
    expect(table[2]).toEqual(['blocks.0.fc2', 0, 0, 1, null, null])
  })
  it('says what rows are, and draws keys beside values', () => {
    const rows = ['blocks.0.keys', 'blocks.0.values', 'blocks.1.keys', 'blocks.1.values'].map((name) => {
      return matrix(name, [2, 3], null)
    })
    const { figure, columns, title, note } = matrices(rows, 'memories', style)
    expect(heatmaps(figure.data).map(({ x0, y0 }) => [x0, y0 === heatmaps(figure.data)[0]?.y0])).toEqual([
      [0, true],
      [5, true],
      [0, false],
      [5, false],
    ])
    expect([columns[1], title]).toEqual(['slot', 'External memories'])
    expect(note).toMatch(/^Memory slots down.*Each matrix has a scale of its own/)
    expect(matrices(rows, 'relative', style).columns[1]).toBe('head')
  })
  it('takes nothing', () => {
    expect(matrices([], 'mixing', style)).toMatchObject({ figure: { data: [] }, rows: [] })
  })
})
