import { describe, expect, it } from 'vitest'
import type { DotsTrace } from '../../../engine/charts/figure/figure.ts'
import { type ParallelRow, parallel } from '../../../engine/charts/parallel.ts'
import { scaleOf } from '../../../engine/charts/parallelScale.ts'
import { LOSS, MEANINGS } from '../../meanings.ts'
import { style } from './style.ts'

const row = (run: number, value: number, options: ParallelRow['options']): ParallelRow => ({
  ...{ run, variant: 'a', seed: run, options, value },
})
const rows = [
  row(1, 0.2, { batch: 16, rate: 1e-3, block: 'gmlp', steps: 9 }),
  row(2, 0.6, { batch: 32, rate: 1e-1, block: 'mixer', steps: 9 }),
]

describe('parallel', () => {
  it('has a line per run through the options that differ to the metric, the best on top', () => {
    const { figure, columns, rows: table, title } = parallel(rows, { metric: 'test/accuracy' }, style)
    const [worst, best, key] = figure.data as DotsTrace[]
    expect(worst).toMatchObject({ x: [0, 1, 2, 3, 3], y: [0, 0, 0, 0, null], customdata: [1, 1, 1, 1, null] })
    expect(best).toMatchObject({ y: [1, 1, 1, 1, null], line: { color: 'rgb(4, 5, 6)' } })
    expect(key).toMatchObject({ x: [null], marker: { cmin: 0.2, cmax: 0.6, showscale: true } })
    expect(columns).toEqual(['variant', 'seed', 'run', 'batch', 'rate', 'block', 'test/accuracy'])
    expect(table[1]).toEqual(['a', 2, 2, 32, 0.1, 'mixer', 0.6])
    expect(title).toBe('test/accuracy by batch, rate, block')
  })

  it('has the smallest on top where less is better', () => {
    const { figure } = parallel(rows, { metric: 'test/loss', meaning: LOSS }, style)
    expect(figure.data[1]).toMatchObject({ customdata: [1, 1, 1, 1, null], line: { color: 'rgb(4, 5, 6)' } })
  })

  it.each(['test/macro_recall', 'test/topic_loss', 'test/iou', 'test/bleu'])('goes by what %s says', (metric) => {
    const meaning = MEANINGS[metric] ?? {}
    const { figure } = parallel(rows, { metric, meaning }, style)
    const best = meaning.better === 'higher' ? 2 : 1
    expect(figure.data[1]).toMatchObject({
      customdata: [best, best, best, best, null],
      line: { color: 'rgb(4, 5, 6)' },
    })
    const texts = (figure.layout.annotations as { text: string }[]).map(({ text }) => text)
    expect(texts.includes('20%')).toBe(meaning.unit === 'share')
  })

  it('leaves a gap where a run has no such option', () => {
    const { figure } = parallel([...rows, row(3, 0.6, {})], { metric: 'test/accuracy', axes: ['batch'] }, style)
    expect(figure.data[1]).toMatchObject({ y: [1, 1, null, null, 1, null] })
  })

  it('draws one run, none, and leaves out values that are not finite', () => {
    const options = { metric: 'test/accuracy' }
    expect(parallel([row(1, 0.5, { a: 1 })], options, style).figure.data).toHaveLength(2)
    expect(parallel([], options, style)).toMatchObject({
      title: 'test/accuracy by run',
      figure: { data: [] },
      rows: [],
    })
    expect(parallel([row(1, Number.NaN, { a: 1 })], options, style).rows).toEqual([])
  })
})

describe('scaleOf', () => {
  it('spreads numbers by size, wide ranges by logarithm, names evenly', () => {
    expect(scaleOf([2, 3, 6]).place(3)).toBe(0.25)
    expect(scaleOf([0.001, 0.01, 0.1]).place(0.01)).toBeCloseTo(0.5)
    expect(['a2', 'a10', 'b'].map(scaleOf(['b', 'a10', 'a2']).place)).toEqual([0, 0.5, 1])
    expect([scaleOf([7, 7]).place(7), scaleOf(['x']).place('x'), scaleOf([1, 2]).place(null)]).toEqual([0.5, 0.5, null])
  })

  it('marks few values each, many at round places', () => {
    const texts = (values: number[]) => scaleOf(values).ticks.map(({ text }) => text)
    expect(texts([16, 64, 32])).toEqual(['16', '32', '64'])
    expect(texts([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual(['0', '2', '4', '6', '8', '10'])
    expect(texts([1, 3, 5, 7, 20, 70, 90, 120, 2000])).toEqual(['1', '10', '100', '1000', '2000'])
  })
})
