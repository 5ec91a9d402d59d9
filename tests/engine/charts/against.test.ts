import { describe, expect, it } from 'vitest'
import { type DataSizeRow, dataSize } from '../../../engine/charts/dataSize.ts'
import { type DepthRow, depth } from '../../../engine/charts/depth.ts'
import { type ScalingRow, scaling } from '../../../engine/charts/scaling.ts'
import { ACCURACY } from '../../meanings.ts'
import { style } from './style.ts'

const METRIC = 'test/accuracy'

function sized(variant: string, parameters: number | null, values: number[]): ScalingRow[] {
  const family = variant.split('-')[0] ?? ''
  return values.map((value, i) => ({ variant, family, seed: i + 1, run: 10 + i, value, parameters }))
}

const rows = [...sized('gMLP-L', 2e6, [0.8]), ...sized('gMLP-S', 1e6, [0.5, 0.7]), ...sized('ViT-S', 1e6, [0.6])]

describe('scaling', () => {
  it('has a dot per variant with whiskers, joined by family in the order of the x axis', () => {
    const { figure, title, note } = scaling(rows, { metric: METRIC }, style)
    const [seeds, gmlp, vit] = figure.data
    expect(figure.data).toHaveLength(3)
    expect(seeds).toMatchObject({ mode: 'markers', x: [1e6, 1e6], y: [0.5, 0.7], customdata: [10, 11] })
    expect(gmlp).toMatchObject({ name: 'gMLP', mode: 'lines+markers+text', x: [1e6, 2e6], text: ['S', 'L'] })
    expect(gmlp).toMatchObject({ y: [expect.closeTo(0.6), 0.8], customdata: [null, 10] })
    expect(gmlp).toMatchObject({ error_y: { array: [expect.closeTo(Math.SQRT2 / 10), null] } })
    expect(vit).toMatchObject({ name: 'ViT', mode: 'markers+text', customdata: [10] })
    expect(figure.layout).toMatchObject({ xaxis: { type: 'log', title: { text: 'parameters' } }, showlegend: true })
    expect(title).toBe('test/accuracy against parameters')
    expect(note).toBe('Whiskers: ± 1 standard deviation over seeds.')
  })

  it('tells what is under the pointer, small costs without prefixes', () => {
    const hover = (seconds: number) => {
      const rows = [{ variant: 'a', seed: 1, run: 1, value: 0.5, seconds }]
      return scaling(rows, { metric: METRIC, meaning: ACCURACY, cost: 'seconds' }, style).figure.data[0]
    }
    expect(hover(5)).toMatchObject({ hovertemplate: expect.stringContaining('%{y:.2%} at %{x:.3~s} seconds') })
    expect(hover(0.5)).toMatchObject({ hovertemplate: expect.stringContaining('%{x:.4~g}'), hovertext: ['a'] })
  })

  it('has a row per run with the mean of its variant', () => {
    const { columns, rows: table } = scaling(rows, { metric: METRIC }, style)
    expect(columns).toEqual(['family', 'variant', 'seed', 'run', 'parameters', METRIC, 'mean', 'sd', 'n'])
    expect(table[1]).toEqual(['gMLP', 'gMLP-S', 1, 10, 1e6, 0.5, expect.closeTo(0.6), expect.closeTo(0.1414), 2])
  })

  it('leaves out what has no place on its axis, and says so', () => {
    const { note, rows: table } = scaling([...rows, ...sized('gMLP-X', null, [0.9])], { metric: METRIC }, style)
    expect(note).toContain('1 run without test/accuracy or parameters left out.')
    expect(table).toHaveLength(rows.length)
    const costless = scaling(rows, { metric: METRIC, cost: 'macs' }, style)
    expect(costless.figure.data).toEqual([])
    expect(costless.figure.layout).toMatchObject({ xaxis: { title: { text: 'MACs per example' } } })
  })

  it('draws one run, none, and values that are not finite', () => {
    const one = scaling(sized('a', 5, [0.5]), { metric: METRIC }, style)
    expect(one.figure.data).toMatchObject([{ mode: 'markers', customdata: [10] }])
    expect(one.figure.layout).toMatchObject({ showlegend: false })
    expect(scaling([], { metric: METRIC }, style)).toMatchObject({ figure: { data: [] }, rows: [] })
    const nan = scaling(sized('a', 5, [0.5, Number.NaN]), { metric: METRIC }, style)
    expect(nan.figure.data).toMatchObject([{ y: [0.5] }])
    expect(nan.note).toContain('1 run')
  })
})

describe('depth', () => {
  it('joins the depths of a family and marks them', () => {
    const row = (variant: string, depth: number): DepthRow => ({
      ...{ variant, family: 'gMLP', seed: 1, run: depth, value: 1 / depth, depth },
    })
    const { figure } = depth([row('gMLP-4', 4), row('gMLP-2', 2)], { metric: 'test/loss' }, style)
    expect(figure.data).toMatchObject([{ name: 'gMLP', x: [2, 4], y: [0.5, 0.25], customdata: [2, 4] }])
    expect(figure.layout).toMatchObject({ xaxis: { title: { text: 'blocks' }, tickvals: [2, 4] } })
  })
})

describe('dataSize', () => {
  it('is logarithmic in the training examples, a dot per size', () => {
    const row = (examples: number, seed: number): DataSizeRow => ({ variant: 'a', seed, run: 1, value: seed, examples })
    const { figure, rows } = dataSize([row(10, 1), row(10, 3), row(100, 1)], { metric: 'test/loss' }, style)
    expect(figure.data[1]).toMatchObject({ x: [10, 100], y: [2, 1] })
    expect(figure.layout).toMatchObject({ xaxis: { type: 'log', tickvals: [10, 100] } })
    expect(rows[0]?.slice(0, 2)).toEqual(['a', 'a, 10 examples'])
  })
})
